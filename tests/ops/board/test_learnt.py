"""Who learns of which alerts: every kind, for every role, on a board and in the report."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from domain.rules.inquiries import NOTED
from domain.rules.permissions import (
    BARRED_AT_SEAT,
    OF_AML,
    ROLES,
    SUSPICIONS,
    of_alert,
)
from ops.board.alerts import seen_by
from ops.board.rows import Alert, PastAlerts, Seen
from ops.commands.rights import OF_OPEN_HOUSE, Rights, read_by
from ops.reports.ask import ask
from ops.web.pages.alert_kinds import kinds_there
from ops.words.alerts import KINDS
from projections.attention.alerts import RAISED, REPORT
from projections.attention.exception_kinds import AT_A_COUP, ELSEWHERE
from projections.attention.open_alerts import OF_A_LIST
from projections.attention.passing import PASSING

NOT_NARROWED = {"kind": None, "past_since": None, "positions": None}


def alert(kind, table="B01", **more):
    shown = {"gravity": "pressing", "rank": 2, "acknowledgeable": True, "detail": {}}
    return Alert(kind=kind, alert=f"{kind.replace(' ', '-')}/7", table=table, **shown | more)


def row(table):
    """A table of which nobody is needed."""
    calm = {"held_by": [], "nears_cut_card": False, "coups_to_cut_card": None}
    return SimpleNamespace(table=table, open=True, **calm)


def board_of(*alerts, tables=()):
    return Seen(
        house="Riverside", day="2026-11-21", at=datetime(2026, 11, 21, 22, tzinfo=UTC), position=9,
        currency="USD", tables=[*tables], alerts=[*alerts], placed={}, unsettled=[*alerts],
        past=[PastAlerts(each.table, each.kind, each.rank, 1) for each in alerts],
    )  # fmt: skip


def learnt(role):
    """The kinds of which somebody with this role may learn."""
    return {kind for kind in KINDS if of_alert(kind).is_for(role)}


def test_a_suspicion_is_for_who_deals_with_cases_and_everything_else_for_who_reads_a_board():
    assert {kind: each for kind in KINDS if (each := of_alert(kind).read_by) is not None} == {
        **dict.fromkeys(SUSPICIONS, OF_AML),
        BARRED_AT_SEAT: ("supervisor", "pit-boss", "surveillance", "auditor"),
    }


def test_what_is_noted_beside_a_command_is_what_raises_a_suspicion_and_nothing_else():
    assert {topic for topic, kind in RAISED.items() if kind in SUSPICIONS} == {*NOTED}
    assert {*SUSPICIONS} <= KINDS.keys() & {*RAISED.values()}
    assert {*SUSPICIONS}.isdisjoint({*AT_A_COUP.values(), *ELSEWHERE.values(), *PASSING})


@pytest.mark.parametrize("role", ["", *ROLES])
def test_a_board_has_what_its_reader_may_learn_of(role):
    seen = seen_by(Rights(role), board_of(*map(alert, KINDS)))

    for each in (seen.alerts, seen.past, seen.unsettled, seen.about("B01").alerts):
        assert {one.kind for one in each} == learnt(role)
    assert sum(seen.counted_alerts.values()) == 2 * len(learnt(role))
    assert {one["kind"] for one in seen.as_dict()["alerts"]} == learnt(role)


def test_in_open_house_nothing_is_left_out():
    whole = board_of(*map(alert, KINDS))

    assert seen_by(OF_OPEN_HOUSE, whole) is whole


def test_a_suspicion_moves_no_table_up_for_whom_it_is_not_shown():
    whole = board_of(alert("cash split", "B02"), tables=[row("B02"), row("B01")])
    first = {role: seen_by(Rights(role), whole).tables[0].table for role in ("pit-boss", "auditor")}

    assert first == {"pit-boss": "B01", "auditor": "B02"}


@pytest.fixture
def every_kind(superuser, database):
    """The alerts on record are one of every kind."""
    with read_by(OF_OPEN_HOUSE):
        ask(database, REPORT)  # the tables are there
    superuser.execute("DELETE FROM projections.alerts")
    for n, kind in enumerate(KINDS):
        superuser.execute(
            "INSERT INTO projections.alerts (position, kind, at, table_code, gaming_day, detail,"
            " rank) VALUES (%s, %s, now(), 'B01', '2026-11-21', '{}', 2)",
            (n + 1, kind),
        )
    return database


@pytest.mark.parametrize("role", ["", *ROLES])
def test_the_report_and_the_list_have_what_their_reader_may_learn_of(every_kind, pit, role):
    with read_by(Rights(role)):
        reported = ask(every_kind, REPORT).rows
        listed = ask(every_kind, OF_A_LIST, **NOT_NARROWED).rows
        offered = kinds_there(every_kind, None, "", recorded=True)

    assert {row["kind"] for row in reported} == learnt(role)
    assert {row["kind"] for row in listed} == learnt(role)
    assert {kind for named in offered.values() for _, kind in named} == learnt(role)


def test_who_is_not_known_learns_of_no_suspicion(every_kind):
    known = KINDS.keys() - {*SUSPICIONS, BARRED_AT_SEAT}
    assert {row["kind"] for row in ask(every_kind, REPORT).rows} == known
