"""Somebody is told: what changed in the record rings, without anybody asking."""

import json
import re
import threading
from datetime import UTC, datetime, timedelta

import pytest

from ops.board.board import Board
from ops.board.overdue import UNSIGNED, UNVERIFIED
from ops.cli.verifying import record_fault, verifying
from ops.handlers.checkpoints import make
from ops.ledger.database import LedgerLost
from ops.proof import keys
from ops.reports.runner import catch_up
from ops.verify.faults import Fault
from ops.verify.rounds import Announcer, AsRead, Ended, Rounds, read_round
from ops.words.alerts import alert_words
from projections import PROJECTIONS
from tests.acceptance.channels import json_of, shell
from tests.worlds.closed_house import ClosedHouse
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.signing import ORIGIN

FAILED = "verification failed"


@pytest.fixture
def played(dispatcher):
    """A table at which a coup was dealt."""
    table = GamingTable(dispatcher).open().prepare()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    return table


@pytest.fixture
def told(database):
    return Announcer(lambda fault, since: record_fault(database, fault, since))


@pytest.fixture
def rounds(database, told):
    return Rounds(database, told, threading.Event(), share=100)


@pytest.fixture
def change(superuser):
    """Runs a statement as somebody with every right, with the triggers off."""
    for table in ("event_rows", "command_rows"):
        superuser.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER USER")
    return superuser.execute


def ringing(database, now=None):
    """The alerts of the board that ring, by kind, with who may acknowledge them."""
    board = Board(database, now=now)
    try:
        return [each for each in board.once().alerts if each.rings]
    finally:
        board.close()


EDITS = {
    "an event in place": (
        "UPDATE ledger.events SET actor = 'D-999' WHERE position = 3",
        ("changed", 3),
    ),
    "an answer": (
        "UPDATE ledger.commands SET answer = replace(answer, 'null', '[]') WHERE number = 4",
        ("answer changed", None),
    ),
    "a recovery secret": (
        "INSERT INTO people.recovery VALUES (true, repeat('0', 64))",
        ("recovery secret", None),
    ),
}


@pytest.mark.parametrize(("edit", "found"), EDITS.values(), ids=EDITS)
def test_what_changed_in_place_rings_after_one_round(played, database, rounds, change, edit, found):
    assert not rounds.once().faults
    assert not ringing(database)
    change(edit)
    rounds.once()
    (alert,) = ringing(database)

    assert (FAILED, found[0]) == (alert.kind, alert.detail["fault"])
    assert found[1] in (None, alert.detail["at_event"])


def test_two_people_are_needed_to_acknowledge_it(played, database, rounds, change, dispatcher):
    change(EDITS["an event in place"][0])
    rounds.once()
    (alert,) = ringing(database)
    line = {"command": "alert.acknowledge", "alert": alert.alert, "by": "S-11"}
    alone = dispatcher.dispatch(line)
    together = dispatcher.dispatch({**line, "with": "S-12"})

    assert (alone.body["error"], together.ok) == ("SecondPersonNeeded", True)
    assert not ringing(database)


def test_it_is_told_once_while_it_lasts_and_again_if_it_comes_back(
    played, database, rounds, change
):
    forge, repair = EDITS["a recovery secret"][0], "DELETE FROM people.recovery"
    told = []
    for statement in (forge, "SELECT", repair, forge):
        change(statement)
        rounds.once()
        told.append(len(ringing(database)))

    assert told == [1, 1, 1, 2]


def test_a_runner_that_starts_again_tells_nothing_twice(played, database, rounds, change):
    change(EDITS["a recovery secret"][0])
    rounds.once()
    with database.session("sabot_auditor") as connection:
        known = read_round(connection).faults
    anew = Announcer(lambda fault, since: pytest.fail(f"{fault} was told again"), known)
    Rounds(database, anew, threading.Event(), share=100).once()

    assert len(ringing(database)) == 1


def test_what_could_not_be_recorded_is_told_in_the_next_round(played, database, change):
    change(EDITS["a recovery secret"][0])
    answers = iter([False, True])
    recorded = []

    def record(fault, since):
        if not next(answers):
            raise OSError("the disk is full")
        recorded.append(fault.fault)

    rounds = Rounds(database, Announcer(record), threading.Event(), share=100)
    with pytest.raises(OSError, match="the disk is full"):
        rounds.once()
    rounds.once()

    assert recorded == ["recovery secret"]


def test_what_is_new_is_verified_as_it_is_read(played, database, told, change, superuser):
    with database.connect("sabot_projector") as runner, database.connect("sabot_auditor") as own:
        catch_up(runner, PROJECTIONS["integrity"])
        as_read = AsRead(own, told)
        played.play(BANKER_WINS, (5, "player", 50_00))
        as_read.check()
        quiet = ringing(database)
        played.bet(3, "banker", 100_00)
        change(
            "UPDATE ledger.events SET actor = 'D-999'"
            " WHERE position = (SELECT max(position) FROM ledger.events)"
        )
        change(
            "UPDATE ledger.commands SET answer = '{}'"
            " WHERE number = (SELECT max(number) FROM ledger.commands)"
        )
        catch_up(runner, PROJECTIONS["integrity"])
        as_read.check()
        as_read.check()

    assert not quiet
    assert {each.detail["fault"] for each in ringing(database)} == {"changed", "answer changed"}


def test_a_round_takes_its_share_of_a_core(played, database, told):
    class Stop:
        def __init__(self):
            self.rested = []

        def wait(self, seconds):
            self.rested.append(round(seconds, 6))
            return False

    ticks = iter(range(1_000))
    stop = Stop()
    Rounds(database, told, stop, share=20, clock=lambda: float(next(ticks))).once()

    assert set(stop.rested) == {4.0}  # a second of work, four of rest


def test_a_round_that_is_stopped_ends_at_the_next_piece(played, database, told):
    stop = threading.Event()
    stop.set()

    with pytest.raises(Ended):
        Rounds(database, told, stop).once()


def test_status_metrics_and_board_show_the_round(played, database, rounds, change):
    never = json_of(database, "projections", "status")
    rounds.once()
    good = json_of(database, "projections", "status")["round"]
    change(EDITS["a recovery secret"][0])
    rounds.once()
    bad = shell(database, "projections", "status")
    board = json_of(database, "board")["round"]
    on_screen = shell(database, "board", "--once").stdout

    assert never["round"] is None
    assert (good["position"], good["faults"]) == (good["head"], [])
    assert (bad.exit_code, "The recovery secret is stored" in bad.stdout) == (1, True)
    assert [each["fault"] for each in board["faults"]] == ["recovery secret"]
    assert f"{board['head']:,} events verified" in on_screen


def test_the_runner_tells_by_itself(played, database, change):
    change(EDITS["an event in place"][0])
    said, stop, heard = [], threading.Event(), threading.Event()

    def report(words):
        said.append(words)
        heard.set()

    with verifying(database, stop, report, 100):
        assert heard.wait(30)

    assert "THE RECORD IS NOT AS IT WAS WRITTEN" in said[0]
    assert [each.kind for each in ringing(database)] == [FAILED]


def test_pins_that_changed_places_ring(database, change):
    house = ClosedHouse(database, {"A-1": "administrator", "D-204": "dealer"})
    told = []
    rounds = Rounds(
        database,
        Announcer(lambda fault, _: told.append(fault)),
        threading.Event(),
        share=100,
    )
    rounds.once()
    assert not told
    change(
        "UPDATE people.staff s SET pin_hash = o.pin_hash FROM people.staff o"
        " WHERE s.staff <> o.staff AND s.pin_hash IS NOT NULL AND o.pin_hash IS NOT NULL"
    )
    rounds.once()
    house.close()

    assert [each.fault for each in told] == ["PIN", "PIN"]
    assert all(isinstance(each, Fault) for each in told)


def kinds_at(database, later):
    board = Board(database, now=lambda: datetime.now(UTC) + later)
    try:
        return {
            each.kind: each.acknowledgeable
            for each in board.once().alerts
            if each.kind.endswith("overdue")
        }
    finally:
        board.close()


def test_a_checkpoint_that_is_overdue_is_an_alert(
    played, database, dispatcher, monkeypatch, tmp_path
):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    late = UNSIGNED + timedelta(minutes=1)
    without_key = kinds_at(database, late)
    line = {"command": "audit.new-key", "statement": keys.introduction(keys.make_keys(
        lambda _: ORIGIN))}  # fmt: skip
    assert dispatcher.for_own_commands().dispatch(line).ok
    in_time, overdue = kinds_at(database, UNSIGNED - timedelta(minutes=1)), kinds_at(database, late)
    make(dispatcher, database)

    assert (without_key, in_time) == ({}, {})
    assert overdue == {"checkpoint overdue": False}
    assert kinds_at(database, late) == {}


def test_a_record_that_nobody_verified_for_long_is_an_alert(played, database, rounds):
    late = UNVERIFIED + timedelta(minutes=1)
    never = kinds_at(database, late)
    rounds.once()

    assert never == {}  # no runner ever was at work here
    assert kinds_at(database, UNVERIFIED - timedelta(minutes=1)) == {}
    assert kinds_at(database, late) == {"verification overdue": False}


def unverified(database):
    """What the board says of rounds that were not made."""
    board = Board(database)
    try:
        alerts = [each for each in board.once().alerts if each.kind == "verification overdue"]
        return [alert_words(each.kind, each.detail, "USD") for each in alerts]
    finally:
        board.close()


@pytest.mark.parametrize("error", [ZeroDivisionError, LedgerLost("it is away")], ids=str)
def test_rounds_that_fail_are_an_alert_until_one_ends(played, database, rounds, monkeypatch, error):
    heard = threading.Event()

    def fails(*_, **__):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("ops.verify.rounds.walk", fails)
        with verifying(database, threading.Event(), lambda _: heard.set(), 100):
            assert heard.wait(30)
        (failing,) = unverified(database)
    rounds.once()

    assert re.fullmatch(
        r"The whole record could not be verified since 20\d\d-\d\d-\d\d \d\d:\d\d, which is "
        r"tried again: .*(ZeroDivisionError|it is away).*",
        failing,
    )
    assert unverified(database) == []


def test_the_runner_s_options_say_the_share(database):
    assert "--verify-share" in shell(database, "projections", "run", "--help").stdout
    assert json.loads(shell(database, "projections", "status", "--json").stdout)["round"] is None
