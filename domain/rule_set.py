"""A rule set as this house deals it: its content is on record, so that a stranger can read it.

What was dealt under a name is never dealt otherwise under the same name.
"""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.addresses import stream_id
from domain.aggregate import Aggregate
from domain.house_rules import HouseRules
from domain.refusals import BadValue


class RuleSet(Aggregate):
    """One name and version of house rules."""

    TOPIC = "rule-set"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "rule-set.adopted"
        rules: str
        digest: str
        content: str  # JSON, everything that the rule set states; the digest is its SHA-256

    # State
    def __init__(self, rules: str, digest: str) -> None:
        self.rules = rules
        self.digest = digest

    @staticmethod
    def stream(name: str) -> UUID:
        """Where the rule set of that name is."""
        return stream_id("rule-set", name)

    # Commands
    @classmethod
    def adopt(cls, rules: HouseRules, at: datetime) -> Self:
        """The first table that opens under a rule set puts it on record."""
        return cls.begin(
            cls.Created,
            cls.stream(rules.name),
            at,
            rules=rules.name,
            digest=rules.digest,
            content=rules.stated,
        )

    def require_same(self, rules: HouseRules) -> None:
        """Refuses: BadValue, when the program's rules are others than those on record."""
        if rules.digest != self.digest:
            raise BadValue(
                field="rules",
                value=rules.name,
                why="the ledger has other rules under that name; what differs is a new version",
            )
