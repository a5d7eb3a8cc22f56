"""The result of a coup if something had been different, compared with the record.

Records nothing, and refuses only what is impossible: a wager that the table would have refused, or
a ninth card of a kind, is allowed and noted. A coup that is void on record, or not settled yet, is
treated as if it had been played to its end.

Another rule set or rounding is for the changed coup alone; the shoe's later coups are dealt
again by `domain.review.what_if.later` when the changed one takes more cards, or fewer, than it did.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from domain.review.difference import (
    Difference,
    Paid,
    PatronTotal,
    Played,
    by_patron,
    differences,
    house,
    settled,
)
from domain.review.what_if.changes import (
    CardIs,
    Change,
    IsVoid,
    RoundingIs,
    RulesAre,
    Then,
    ThirdCard,
    refused,
)
from domain.review.what_if.later import LaterCoups, Left, deal_on
from domain.review.what_if.misdraw import Begun, Misdrawn, begun
from domain.review.what_if.redeal import Redealt, redeal
from domain.review.what_if.wagers import Table, changed_wagers
from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules, named
from domain.rules.layout import Wager


class Around(Struct, frozen=True):
    """The shoe around a coup: the cards before its first one, and those after its last."""

    decks: int
    out_before: Counter[str] = field(default_factory=Counter)
    afterwards: tuple[Left, ...] = ()  # in the order of leaving, without discarded ones
    later: Iterable[Played] = ()  # read only while needed
    cut_card_shown: bool = False
    misdrawn: Misdrawn = field(default_factory=Misdrawn)


class WhatIf(Struct, frozen=True):
    """A changed coup beside the recorded one; `taken`: further cards that it takes."""

    recorded: Played
    changes: tuple[Change, ...]
    rules: HouseRules
    void: bool
    hands: Redealt
    taken: tuple[Left, ...]
    left_over: tuple[str, ...]
    disposition: str  # of what is left over
    wagers: tuple[Wager, ...]
    table: Table
    around: Around
    begun: Begun
    later: LaterCoups | None  # None: it takes the same cards

    @property
    def short(self) -> bool:
        """Whether a card is due that is not on record."""
        return self.hands.due is not None and not self.void

    @property
    def payments(self) -> tuple[Paid, ...]:
        """The payment of each wager; none while a card is due."""
        result = None if self.void else self.hands.result
        return () if self.short else self._settled(result)

    def _settled(self, result: Result | None) -> tuple[Paid, ...]:
        return settled(self.rules, self.wagers, result, self.recorded)

    @property
    def difference(self) -> tuple[Difference, ...]:
        """The change for each seat, compared with the record, or with nothing if it is unpaid."""
        return () if self.short else differences(self.recorded.final or (), self.payments)

    @property
    def house(self) -> int | None:
        """The gain of the house in this coup, or None while a card is due."""
        return None if self.short else house(self.difference)

    @property
    def _all(self) -> list[Difference]:
        later = self.later.coups if self.later else ()
        return [*self.difference, *(row for coup in later for row in coup.difference)]

    @property
    def totals(self) -> tuple[PatronTotal, ...]:
        """The total of this coup and the later ones for each patron."""
        return by_patron(self._all)

    @property
    def house_total(self) -> int:
        """The total of this coup and the later ones for the house."""
        return house(self._all)


def what_if(
    recorded: Played,
    changes: Sequence[Change],
    table: Table,
    around: Around,
    rules_named: Callable[[str], HouseRules] = named,
) -> WhatIf:
    """Answers the question with all changes together. Refuses: BadValue, UnknownRules."""
    rules = _rules(recorded.rules, changes, rules_named)
    wagers = changed_wagers(recorded, changes, table)
    void = any(isinstance(each, IsVoid) for each in changes)
    begins = begun(recorded.cards, around.afterwards, around.out_before, around.misdrawn, changes)
    own = begins.own
    cards = _changed([*own, *(each.card for each in begins.afterwards)], changes)
    hands = redeal(
        cards[: len(own)] if void else cards,
        {each.hand: each.draws for each in changes if isinstance(each, ThirdCard)},
    )
    _require_such_cards(recorded, changes, hands)
    taken = begins.afterwards[: max(len(hands.dealt) - len(own), 0)]
    left_over = () if void else tuple(cards[len(hands.dealt) : len(own)])
    disposition = next((c.disposition for c in changes if isinstance(c, Then)), rules.misdraw)
    answer = WhatIf(
        recorded=recorded,
        changes=tuple(changes),
        rules=rules,
        void=void,
        hands=hands,
        taken=taken,
        left_over=left_over,
        disposition=disposition,
        wagers=wagers,
        table=table,
        around=around,
        begun=begins,
        later=None,
    )
    return answer if answer.short or void else replace(answer, later=_later(answer))


def _later(answer: WhatIf) -> LaterCoups | None:
    """The changed later coups, or None if the same cards follow."""
    as_it_was = [each for each in answer.around.afterwards if not each.aside]
    rest = [each for each in answer.begun.afterwards[len(answer.taken) :] if not each.aside]
    if answer.disposition != "burn":
        first = -len(answer.left_over)  # they left before all the others
        rest[:0] = [Left(first + n, card) for n, card in enumerate(answer.left_over)]
    if rest == as_it_was:
        return None
    dummy = answer.disposition == "dummy" and bool(answer.left_over)
    return deal_on(rest, as_it_was, answer.around.later, dummy=dummy)


def _rules(
    rules: HouseRules, changes: Sequence[Change], rules_named: Callable[[str], HouseRules]
) -> HouseRules:
    currency = rules.currency
    for change in changes:
        if isinstance(change, RulesAre):
            rules = rules_named(change.name)
            if rules.currency != currency:
                why = f"it is in {rules.currency}, but the coup was in {currency}"
                raise refused(change.written(currency), why)
    for change in changes:
        if isinstance(change, RoundingIs):
            late = change.rounding.moment == "on-collection"
            if late and rules.commission.timing != "deferred":
                why = f"with {rules.name} no commission is collected later"
                raise refused(change.written(currency), why)
            commission = replace(rules.commission, rounding=change.rounding)
            rules = replace(rules, commission=commission)
    return rules


def _changed(cards: list[str], changes: Sequence[Change]) -> list[str]:
    """The cards with the changed ones; one more than the last may be named."""
    named_cards = {each.n: each.card for each in changes if isinstance(each, CardIs)}
    for n in sorted(named_cards):
        if n <= len(cards) + 1:
            cards[n - 1 : n] = [named_cards[n]]
    return cards


def _require_such_cards(recorded: Played, changes: Sequence[Change], hands: Redealt) -> None:
    """Refuses a card that the coup does not have: BadValue."""
    most = max(len(hands.dealt), len(recorded.cards))
    for change in changes:
        if isinstance(change, CardIs) and change.n > most:
            why = f"the coup has only {most} cards"
            if hands.due and most + 1 < change.n:
                why = f"card {most + 1} comes before it and is not on record, so name that one too"
            raise refused(change.written(recorded.rules.currency), why)
