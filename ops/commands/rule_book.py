"""Rule sets on record, for reports and replays: those that tables were dealt by.

Commands read them through `Casino.find`.
"""

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from domain.aggregates.base import Aggregate
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.rule_set import RuleSet
from domain.rules import house_rules
from domain.rules.house_rules import RULE_SETS, HouseRules, named
from domain.rules.refusals import UnknownRules
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream

if TYPE_CHECKING:
    from uuid import UUID

    import psycopg


A = TypeVar("A", bound=Aggregate)


class Known(Struct, frozen=True):
    """A rule set that tables may open with; `approved_by` is None for the program's own."""

    rules: HouseRules
    approved_by: list[str] | None = None


def on_record(connection: "psycopg.Connection[Any]", name: str) -> RuleSet | None:
    """The rule set on record under this name, or None if there is none."""
    return _loaded(connection, RuleSet, RuleSet.stream(name))


def learn(connection: "psycopg.Connection[Any]", name: str, digest: str) -> None:
    """Loads a recorded rule set for `house_rules.of`, if the program has another or none."""
    recorded = None if house_rules.known(name, digest) else on_record(connection, name)
    if recorded:
        recorded.learn()


def dealt_by(connection: "psycopg.Connection[Any]", name: str) -> HouseRules | None:
    """The rule set dealt under this name: the recorded one, else the program's, or None."""
    recorded = on_record(connection, name)
    try:
        return recorded.learn() if recorded else RULE_SETS.get(name)
    except UnknownRules:
        return None


def find(connection: "psycopg.Connection[Any]", name: str) -> Known:
    """The rule set that a table would open with under this name. Refuses: UnknownRules."""
    recorded = on_record(connection, name)
    if recorded and recorded.approved:
        return Known(recorded.learn(), recorded.approved_by)
    return Known(named(name, _own(connection)))


def book(connection: "psycopg.Connection[Any]") -> list[Known]:
    """Every rule set that tables may open with: the program's, then the house's own."""
    own = [find(connection, name) for name in _own(connection)]
    return [*(Known(rules) for _, rules in sorted(RULE_SETS.items())), *own]


def _own(connection: "psycopg.Connection[Any]") -> list[str]:
    house = _loaded(connection, Property, PROPERTY_STREAM)
    return house.own_rules if house else []


def _loaded(connection: "psycopg.Connection[Any]", kind: type[A], stream: "UUID") -> A | None:
    return kind.project(None, map(event_of, read_stream(connection, stream)))
