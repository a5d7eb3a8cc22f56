"""Whose play should pause soon: at the seat on the board, for who may read the report of limits."""

from contextlib import closing
from datetime import timedelta

import pytest

from domain.rules.permissions import ROLES
from ops.board.alerts import seen_by
from ops.board.board import Board
from ops.commands.rights import OF_OPEN_HOUSE, Rights, read_by
from ops.now.follow import Follower
from ops.reports.runner import reading_session
from ops.web.boards import Boards
from ops.web.pages import pit as pit_page
from ops.web.pages import table as table_page
from ops.web.pages.floor import Floor
from ops.web.pages.live import Pieces
from ops.web.pages.viewer import Viewer
from ops.words.alerts import alert_words
from ops.words.pauses import pause_soon
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable

WHO, SEAT = "P-10417", 3
RESTS = """
name = "ours"
title = "Ours"
currency = "USD"
adds_to = "united-states"
[[rest]]
after = "3 hours"
rest = "15 minutes"
source = "ours"
"""
MAY_READ = {"pit-boss", "supervisor", "cage", "auditor", "surveillance"}


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open()


def pauses(pit, at=None):
    board = Board(pit.dispatcher.casino.ledger.database, now=lambda: at or pit.moment)
    with closing(board), read_by(OF_OPEN_HOUSE):
        seen = board.once()
    return seen, [(each.table, each.seat, each.what) for each in seen.pauses]


def test_a_seat_near_a_limit_or_over_it_is_seen_until_the_patron_leaves(pit):
    pit.say("patron.limit", patron=WHO, kind="deposit", period="day", amount=500_00)
    pit.say("patron.limit", patron="P-1", kind="deposit", period="day", amount=1)  # sits nowhere
    pit.say("table.buy-in", seat=SEAT, amount=399_00)
    assert pauses(pit)[1] == []
    pit.say("table.buy-in", seat=SEAT, amount=1_00)
    assert pauses(pit)[1] == [("B01", SEAT, "limit-near")]
    pit.say("table.buy-in", seat=SEAT, amount=100_00)
    assert pauses(pit)[1] == [("B01", SEAT, "limit-reached")]
    assert pauses(pit, pit.moment + timedelta(days=1))[1] == [("B01", SEAT, "limit-reached")]

    pit.say("table.leave", seat=SEAT)
    assert pauses(pit)[1] == []


def test_a_board_that_goes_on_reads_them_again_after_a_few_seconds(pit):
    pit.say("patron.limit", patron=WHO, kind="deposit", period="day", amount=100_00)
    database, clocks = pit.dispatcher.casino.ledger.database, iter([0, 1, 14, 16])
    begun = pit.moment
    board = Board(database, now=lambda: begun + timedelta(seconds=next(clocks)))
    with closing(board), reading_session(database) as (connection, _):
        seen = [board.look(connection, changes=True).pauses]
        pit.say("table.buy-in", seat=SEAT, amount=90_00)
        seen += [board.look(connection, changes=True).pauses for _ in range(3)]

    assert [len(each) for each in seen] == [0, 0, 0, 1]


def test_a_limit_of_time_fills_as_the_clock_goes(pit):
    pit.say("patron.limit", patron=WHO, kind="time", period="day", minutes=100)
    after = [pauses(pit, BEGINS + timedelta(minutes=each))[1] for each in (70, 81, 90, 101)]

    assert [[what for _, _, what in each] for each in after] == [
        [], ["limit-near"], ["limit-near", "rest-soon"], ["limit-reached", "rest-due"],
    ]  # fmt: skip


def test_a_limit_of_who_sits_under_an_alias_is_at_their_seat(pit):
    pit.say("patron.limit", patron="P-10502", kind="deposit", period="day", amount=100_00)
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    pit.say("table.buy-in", seat=5, amount=90_00)

    assert pauses(pit)[1] == [("B01", 5, "limit-near")]


def test_a_break_of_who_sits_is_at_their_seat_until_it_ends(pit):
    ends = BEGINS + timedelta(hours=2)
    for patron, until in ((WHO, ends), ("P-10502", ends + timedelta(hours=1)), ("P-1", ends)):
        pit.say("patron.break", patron=patron, ends=until.isoformat())
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    seen, before = pauses(pit)
    _, later = pauses(pit, ends)
    _, after = pauses(pit, ends + timedelta(hours=1))
    pause = next(each for each in seen.pauses if each.seat == SEAT)

    assert before == [("B01", SEAT, "break"), ("B01", 5, "break")]
    assert (later, after) == ([("B01", 5, "break")], [])
    assert str(pause_soon(pause.what, pause.at, pit.moment)) == f"break until {ends:%H:%M}"


def test_a_rest_of_the_law_is_at_every_seat_with_when_it_is_due_whoever_asks_for_nothing(pit):
    pit.say("regime.choose", file=RESTS, day=DAY, **{"by": "A-1", "with": "S-11"})
    pit.say("table.leave", seat=1)
    assert pauses(pit, BEGINS + timedelta(hours=2, minutes=44))[1] == []
    seen, soon = pauses(pit, BEGINS + timedelta(hours=2, minutes=50))
    assert soon == [("B01", seat, "rest-soon") for seat in (SEAT, 5)]
    late, due = pauses(pit, BEGINS + timedelta(hours=3, minutes=20))
    assert due == [("B01", seat, "rest-due") for seat in (SEAT, 5)]
    # Seats 3 and 5 were taken 3 and 4 seconds after the table opened.
    assert {each.at for each in seen.pauses} == {each.at for each in late.pauses}
    assert [each.at - BEGINS - timedelta(hours=3) for each in seen.pauses] == [
        timedelta(seconds=3), timedelta(seconds=4),
    ]  # fmt: skip

    pit.moment = BEGINS + timedelta(hours=3, minutes=20)
    for seat in (SEAT, 5):
        pit.say("table.leave", seat=seat)
    assert pauses(pit)[1] == []


def test_who_may_not_play_and_sits_is_at_their_seat_until_they_leave_or_may_play(pit):
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    for patron in (WHO, "P-10502", "P-1"):
        pit.say("patron.bar", patron=patron, reason="on the list STATE", kind="self-excluded")
    seen, both = pauses(pit)
    at_seat = next(each for each in seen.pauses if each.seat == SEAT)
    words = str(pause_soon(at_seat.what, at_seat.at, pit.moment))
    pit.say("table.leave", seat=SEAT)
    _, one = pauses(pit)
    pit.say("patron.unbar", patron="P-10502", reason="it is over", **{"by": "A-1", "with": "S-11"})

    assert both == [("B01", SEAT, "no-play"), ("B01", 5, "no-play")]
    assert words.startswith("may not play, since ")
    assert (one, pauses(pit)[1]) == ([("B01", 5, "no-play")], [])


def test_who_plays_for_somebody_who_may_not_is_at_their_seat_and_on_a_terminal_s_board(pit):
    pit.say("patron.bar", patron="P-66", reason="asked for it", kind="self-excluded")
    plays_for = {"patron": WHO, "on_behalf_of": "P-66", "by": "C-1"}
    asked = pit.ask("patron.file", **plays_for, confirmed=False)
    assert pit.say("patron.file", **plays_for, confirmed=True).ok
    seen, seats = pauses(pit)
    database = pit.dispatcher.casino.ledger.database
    printed = " ".join(shell(database, "board", "--once").output.split())
    file = shell(database, "patron", "show", WHO).output
    pit.say("patron.unbar", patron="P-66", reason="it is over", **{"by": "A-1", "with": "S-11"})

    assert (asked.error, "who may not play" in asked.body["message"]) == (
        "ConfirmationNeeded",
        True,
    )
    assert seats == [("B01", SEAT, "for-barred")]
    assert "B01, seat 3: plays for somebody who may not play, since" in printed
    assert [each["what"] for each in seen.as_dict()["pauses"]] == ["for-barred"]
    assert "P-66 may not play since" in " ".join(file.split())
    assert pauses(pit)[1] == []


def barred(pit, at=None):
    return [each for each in pauses(pit, at)[0].alerts if each.kind == "barred at seat"]


def test_who_may_not_play_and_sits_is_an_alert_until_they_leave_or_may_play(pit):
    database = pit.dispatcher.casino.ledger.database
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    assert barred(pit) == []
    for patron in (WHO, "P-10502"):
        pit.say("patron.bar", patron=patron, reason="on the list STATE", kind="self-excluded")
    pit.say("table.move", seat=SEAT, to=7)
    alias, moved = barred(pit)
    assert (alias.detail["patron"], alias.table, alias.gravity) == ("P-10502", "B01", "pressing")
    assert (moved.detail["patron"], moved.detail["seat"], moved.rank) == (WHO, 7, 2)
    words = alert_words(moved.kind, moved.detail, "USD")
    assert words.startswith(f"Seat 7: {WHO} may not play, since ")
    with read_by(OF_OPEN_HOUSE):
        rows = rows_of(database, "alert", report=REPORTS["alerts"])
    assert {(each.alert,) for each in (alias, moved)} <= set(rows)

    acknowledge = {"by": "S-11", "text": "went with them"}
    assert pit.say("alert.acknowledge", alert=moved.alert, **acknowledge).ok
    assert barred(pit) == [alias]
    assert pit.ask("alert.acknowledge", alert=moved.alert, **acknowledge).error == (
        "AlreadyAcknowledged"
    )
    pit.say("patron.unbar", patron="P-10502", reason="over", **{"by": "A-1", "with": "S-11"})
    refused = pit.ask("alert.acknowledge", alert=alias.alert, **acknowledge)
    assert refused.body["message"].endswith("grey-jacket may play.")
    pit.say("patron.bar", patron="P-10502", reason="again")
    assert [each.alert for each in barred(pit)] == [alias.alert]
    pit.say("table.leave", seat=5)
    assert barred(pit) == []
    refused = pit.ask("alert.acknowledge", alert=alias.alert, **acknowledge)
    assert refused.body["message"].endswith("grey-jacket has left.")


def test_who_plays_for_somebody_who_may_not_is_an_alert_too(pit):
    pit.say("patron.bar", patron="P-66", reason="asked for it", kind="self-excluded")
    pit.say("patron.file", patron=WHO, on_behalf_of="P-66", by="C-1", confirmed=True)
    (agent,) = barred(pit)
    words = alert_words(agent.kind, agent.detail, "USD")
    assert words.startswith(f"Seat 3: {WHO} plays for P-66, who may not play since ")
    assert pit.say("alert.acknowledge", alert=agent.alert, by="S-11", text="they left").ok
    assert barred(pit) == []


def test_only_the_pit_and_who_watches_learn_that_somebody_at_a_seat_may_not_play(pit):
    pit.say("patron.bar", patron=WHO, reason="asked for it", kind="self-excluded")
    seen, _ = pauses(pit)
    learn = {
        role
        for role in ROLES
        if any(each.kind == "barred at seat" for each in seen_by(Rights(role), seen).alerts)
    }
    assert learn == {"supervisor", "pit-boss", "surveillance", "auditor"}


@pytest.mark.parametrize("changed", [{"minutes": 600}, {"lifted": True}])
def test_a_rest_that_was_announced_is_not_shown_once_its_limit_is_another(pit, changed):
    of_time = {"patron": WHO, "kind": "time", "period": "day", "whose": "house"}
    pit.say("patron.limit", **of_time, minutes=5)
    announced = pit.say("table.buy-in", seat=SEAT, amount=100_00).body["events"]
    assert "RestAnnounced" in [each["type"] for each in announced]
    assert pauses(pit)[1] == [("B01", SEAT, "rest-soon")]
    pit.say("patron.limit", **of_time, **changed)

    assert [pauses(pit, BEGINS + timedelta(minutes=each))[1] for each in (2, 6)] == [[], []]
    pit.moment = BEGINS + timedelta(minutes=6)
    pit.say("table.buy-in", seat=SEAT, amount=100_00)


def test_only_who_may_read_the_report_of_limits_sees_it_on_pit_and_table(pit):
    pit.say("patron.limit", patron=WHO, kind="deposit", period="day", amount=100_00)
    pit.say("table.buy-in", seat=SEAT, amount=90_00)
    seen, _ = pauses(pit)
    with pit.dispatcher.casino.ledger.database.session("sabot_auditor") as connection:
        now = Follower(connection, "B01").now
    floor = Floor(number=1, seen=seen, tables={"B01": now})
    reads = set()
    for role in ROLES:
        viewer = Viewer("en", Rights(role))
        drawn = [
            view.draw(floor, Pieces()).parts
            for view in (
                pit_page.view_of(viewer, pit_page.Wanted()),
                table_page.view_of(viewer, "B01"),
            )
        ]
        times = ["".join(parts.values()).count("limit near") for parts in drawn]
        assert times in ([0, 0], [2, 1]), role  # above and at the seat; in the layout
        if times[0]:
            reads.add(role)
            assert "B01, seat 3: limit near" in drawn[0]["alerts"]

    assert reads == MAY_READ
    for role in ROLES:
        sent = [Boards(None)._of(1, seen, code, Rights(role)) for code in (None, "B01")]
        told = {str(seen_by(Rights(role), seen).as_dict()), *map(str, sent)}
        assert {"limit-near" in each for each in told} == {role in MAY_READ}, role
