"""A rule set as this house deals it: its content is on record, so that a stranger can read it.

What was dealt or approved under a name is never dealt otherwise under the same name. The
program's own go on record with the first table that deals by them; a property's own, with who
approved it.
"""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import rule_set as events
from domain.rules.addresses import stream_id
from domain.rules.house_rules import HouseRules, learn, of
from domain.rules.refusals import BadValue


class RuleSet(Aggregate, events.State):
    """One name and version of house rules."""

    @staticmethod
    def stream(name: str) -> UUID:
        """Where the rule set of that name is."""
        return stream_id("rule-set", name)

    @property
    def approved(self) -> bool:
        """Whether it is a property's own, by which tables may open."""
        return self.approved_by is not None

    def learn(self) -> HouseRules:
        """The rule set as it is on record. Refuses: UnknownRules, when somebody changed it."""
        return of(learn(self.content).name, self.digest)

    # Commands
    @classmethod
    def adopt(cls, rules: HouseRules, at: datetime) -> Self:
        """The first table that opens under a rule set puts it on record."""
        return cls.begin(
            events.Adopted(rules=rules.name, digest=rules.digest, content=rules.stated),
            cls.stream(rules.name),
            at,
        )

    def approve(self, rules: HouseRules, approved_by: list[str], file_sha256: str) -> None:
        """Two people say that tables may be dealt by it. Refuses: BadValue."""
        self.require_same(rules)
        if self.approved:
            raise BadValue(field="rules", value=self.rules, why="it is approved already")
        self.record(
            events.Approved(
                rules=self.rules,
                digest=self.digest,
                approved_by=approved_by,
                file_sha256=file_sha256,
            )
        )

    def require_same(self, rules: HouseRules) -> None:
        """Refuses: BadValue, when these rules are others than those on record."""
        if rules.digest != self.digest:
            raise BadValue(
                field="rules",
                value=rules.name,
                why="the ledger has other rules under that name; what differs is a new version",
            )
