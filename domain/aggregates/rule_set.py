"""A rule set of this house: its content is on record, so that a stranger can read it.

The rules under a name never change. The program's own rule sets are recorded with the first table
that deals by them; a property's own, with the people who approved it.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import rule_set as events
from domain.rules.addresses import stream_id
from domain.rules.house_rules import HouseRules, learn, of
from domain.rules.house_rules.differences import differences
from domain.rules.odds import best_edge, favoured_by_rounding
from domain.rules.refusals import BadValue, ConfirmationNeeded
from domain.rules.spots import spot_label
from domain.rules.wording import Amount, Words, listed


class RuleSet(Aggregate, events.State):
    """One name and version of house rules."""

    @staticmethod
    def stream(name: str) -> UUID:
        """The stream of a rule set."""
        return stream_id("rule-set", name)

    @property
    def approved(self) -> bool:
        """Whether it is a property's own rule set, approved for tables."""
        return self.approved_by is not None

    def learn(self) -> HouseRules:
        """The rule set on record. Refuses one that somebody altered: UnknownRules."""
        return of(learn(self.content).name, self.digest)

    # Commands
    @classmethod
    def adopt(cls, rules: HouseRules, at: datetime) -> Self:
        """Records a rule set, when the first table opens with it."""
        return cls.begin(
            events.Adopted(rules=rules.name, digest=rules.digest, content=rules.stated),
            cls.stream(rules.name),
            at,
        )

    def approve(
        self,
        rules: HouseRules,
        approved_by: list[str],
        file_sha256: str,
        beside: Iterable[HouseRules] = (),
        *,
        confirmed: bool = False,
    ) -> None:
        """Approves it for tables, by two people; `beside`: rule sets that it is compared with.

        Its edges are counted exactly, which takes about a second.
        Refuses: BadValue; ConfirmationNeeded for a bet on which the house loses, also if it loses
        only on the least bet, as that is paid.
        """
        self.require_same(rules)
        if self.approved:
            raise BadValue(message=Words("{rules} is already approved.", rules=self.rules))
        edges = {spot: -best_edge(rules, spot, rules.decks) for spot in rules.spots}
        if not confirmed and (so := [*_favoured(edges), *_favoured_at_least(rules)]):
            raise ConfirmationNeeded(so=listed(so))
        self.record(
            events.Approved(
                rules=self.rules,
                digest=self.digest,
                approved_by=approved_by,
                file_sha256=file_sha256,
                edges={
                    spot: f"{each.numerator}/{each.denominator}" for spot, each in edges.items()
                },
                compared={each.name: differences(each, rules) for each in beside},
            )
        )

    def require_same(self, rules: HouseRules) -> None:
        """Refuses rules that differ from those on record: BadValue."""
        if rules.digest != self.digest:
            raise BadValue(
                message=Words(
                    "The ledger has other rules under the name {rules}. Give these a new version.",
                    rules=rules.name,
                )
            )


def _favoured(edges: Mapping[str, Fraction]) -> Iterator[Words]:
    """The spots on which the house loses, each with how much of all wagers."""
    for spot, edge in edges.items():
        if edge < 0:
            yield Words(
                "{spot} favours the patron: the house loses {edge} of all wagers",
                spot=spot_label(spot),
                edge=f"{float(-edge):z.4%}",
            )


def _favoured_at_least(rules: HouseRules) -> Iterator[Words]:
    """The spots whose least bet is paid so much more than the odds that the house loses."""
    for spot, edge in favoured_by_rounding(rules, rules.decks).items():
        yield Words(
            "{spot} favours the patron at its minimum of {minimum}, because the payment is "
            "rounded: the house loses {edge} of such wagers",
            spot=spot_label(spot),
            minimum=Amount(rules.limit(spot).minimum, rules.currency),
            edge=f"{float(edge):z.4%}",
        )
