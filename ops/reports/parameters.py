"""What a report's SQL may name: narrowings, clocks, and rows that are made here."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ops.commands.house_events import House
from ops.commands.rights import rights_of_reader
from ops.ledger import clock
from ops.reports.limits_used import rows_used
from ops.reports.narrowings import NARROWINGS, moments
from projections import Report
from projections.attention.recorded_alerts import HIDDEN_KINDS
from projections.people.access import HIDDEN_COMMANDS
from projections.people.limits_used import USED

if TYPE_CHECKING:
    import psycopg


def parameters(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    owner: House,
    moment: datetime | None,
) -> Mapping[str, Any]:
    """Everything that the report's SQL may name: narrowings, clocks, rows that are made here."""
    wall = clock.wall_clock()
    now = moment or wall
    today = owner.clock.day_of(now)
    clocks = {"moment": moment, "now": now, "today": today, "day_start": owner.day_start}
    asked: dict[str, object] = {
        **ranged(narrowed),
        **moments(narrowed, owner.clock, wall),
        **clocks,
    }
    rights = rights_of_reader()
    asked[HIDDEN_KINDS], asked[HIDDEN_COMMANDS] = rights.hidden_kinds, rights.hidden_commands
    if f"%({USED})s" in report.sql:
        asked[USED] = rows_used(connection, asked, owner.clock)
    return asked


def ranged(narrowed: Mapping[str, str | None]) -> dict[str, str | None]:
    """Every narrowing that a report's SQL may name; a day becomes a range of one."""
    asked = dict.fromkeys(NARROWINGS) | dict(narrowed)
    day = asked.pop("day", None)
    return asked | {"from": day, "to": day} if day else asked
