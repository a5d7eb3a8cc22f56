"""Lines that wait together: decided one after the other, appended in one call, answered alike."""

import json
from io import BytesIO
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.cli.feed import answers_to, recorded_lines
from ops.commands.casino import Casino
from ops.door.acknowledged import Compared, LinesHere
from ops.door.lines import LONGEST, MOST, PIECE, waiting_in
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.several import dispatch_several
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan
from tests.acceptance.channels import recorded, shell
from tests.worlds.closed_house import ClosedHouse
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

BET = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker"}


@pytest.fixture
def pit(dispatcher):
    """A table with a shoe, ready for its first coup."""
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture
def calls(dispatcher):
    """How many decisions went in each call that took several."""
    ledger, sizes = dispatcher.casino.ledger, []
    append = ledger.append_several

    def counted(decided):
        sizes.append(len(decided))
        return append(decided)

    ledger.append_several = counted
    return sizes


def said(dispatcher, lines, **options):
    """What so many lines are answered that wait together."""
    return [answer.body for answer in dispatch_several(dispatcher, lines, **options)]


def bets(*amounts):
    return [{**BET, "amount": amount, "id": f"bet-{amount}"} for amount in amounts]


def by_whom(events):
    """Events without what differs from run to run: the moment they were written."""
    return [(*event[:5], *event[6:10]) for event in events]


@pytest.mark.parametrize("seed", [3, 17])
def test_an_evening_in_pieces_of_any_size_is_the_evening_line_by_line(server, seed):
    plan = Plan(tables=2, coups=12, seed=seed, trouble=0.3)
    sizes = iter([1, 2, 3, 100, 7, 5, 40, 250, 1, 9] * 100)
    with server.database() as one, server.database() as other:
        alone = Dispatcher(Casino(Ledger(one), made_up=True), "feed")
        together = Dispatcher(Casino(Ledger(other), made_up=True), "feed")
        expected = [str(alone.dispatch(line)) for line in plan.lines([1, 2])]
        lines, found = iter(plan.lines([1, 2])), []
        while piece := list(islice(lines, next(sizes))):
            found += map(str, dispatch_several(together, piece))
        alone.casino.close()
        together.casino.close()

        assert expected == found
        assert any('"ok":false' in answer for answer in found)
        assert by_whom(recorded(one)) == by_whom(recorded(other))


def test_what_waits_together_is_one_call(pit, calls):
    answers = said(pit.dispatcher, bets(50_00, 100_00, 150_00, 99))

    assert [True, True, True, False] == [answer["ok"] for answer in answers]
    assert [4] == calls


def test_a_line_alone_is_no_matter_of_several(pit, calls):
    assert said(pit.dispatcher, bets(50_00))[0]["ok"]
    assert calls == []


def test_an_id_that_was_heard_is_answered_as_it_was(pit, another, superuser):
    first = said(another(), bets(50_00, 100_00))
    before = recorded(another().casino.ledger.database)
    again = said(pit.dispatcher, bets(50_00, 100_00, 150_00))

    assert first == again[:2]
    assert len(before) + 1 == len(recorded(another().casino.ledger.database))


def test_an_id_twice_in_one_piece_counts_once_and_is_for_one_command(pit):
    one, two = bets(50_00, 100_00)
    answers = said(pit.dispatcher, [one, two, one, {**two, "amount": 150_00}])

    assert answers[0] == answers[2]
    assert answers[3]["error"] == "IdReused"


def test_whoever_was_overtaken_decides_again_line_by_line(pit, another, calls):
    pit.bet(3, "banker", 50_00)
    other = another()
    ledger = pit.dispatcher.casino.ledger
    append = ledger.append_several

    def overtaken(decided):
        ledger.append_several = append
        assert other.dispatch({**BET, "seat": 5, "amount": 50_00}).ok
        return append(decided)

    ledger.append_several = overtaken
    answers = said(pit.dispatcher, bets(100_00, 150_00))

    assert all(answer["ok"] for answer in answers)
    assert [(3, "banker", 150_00), (5, "banker", 50_00)] == sorted(
        (event["seat"], event["spot"], event["amount"]) for event in wagers(other)
    )


def wagers(dispatcher):
    """The wagers that lie there, by the events: the last of each seat."""
    lies = {}
    for row in recorded(dispatcher.casino.ledger.database):
        event = json.loads(row[4])
        if "amount" in event and "spot" in event:
            lies[event["seat"]] = event
    return lies.values()


@pytest.mark.parametrize("reached", [False, True], ids=["before", "after"])
def test_when_the_reply_is_lost_every_line_counts_once(pit, database, reached):
    ledger = pit.dispatcher.casino.ledger
    append = ledger.append_several

    def lost(decided):
        ledger.append_several = append
        if reached:
            append(decided)
        raise LedgerLost("the line broke")

    ledger.append_several = lost
    before = len(recorded(database))
    answers = said(pit.dispatcher, bets(50_00, 100_00))

    assert all(answer["ok"] for answer in answers)
    assert before + 4 == len(recorded(database))  # the coup opens with the first
    assert [answer["position"] for answer in answers] == [before + 3, before + 4]


def test_what_waits_is_not_read_without_it_when_it_is_held_no_more(pit, another, monkeypatch):
    """Where too much is held all is let go; and the table would seem to have no coup."""
    lines = [*bets(50_00), {"command": "table.limits", "table": "B01", "minimum": 50_00}]
    load = Casino._load

    def let_go(casino, kind, stream):
        if casino.ledger.waits(stream):
            seen.append(stream)
        return load(casino, kind, stream)

    def forgets(casino, kind, stream, **options):
        casino._held.clear()
        return find(casino, kind, stream, **options)

    seen, find = [], Casino.find
    monkeypatch.setattr(Casino, "_load", let_go)
    monkeypatch.setattr(Casino, "find", forgets)
    answers = said(pit.dispatcher, lines)
    monkeypatch.undo()

    assert seen
    assert answers[1]["coup"] == answers[0]["coup"] == "B01/2026-11-21/1/1"


def test_what_was_recorded_before_the_line_broke_is_not_said_to_be_lost(pit, superuser):
    """Though all that is known since is that somebody else holds the ledger."""
    dispatcher = pit.dispatcher
    ledger, dispatcher.patience = dispatcher.casino.ledger, 0.0
    append = ledger.append_several

    def lost(decided):
        append(decided)
        superuser.execute("BEGIN; LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE")
        raise LedgerLost("the line broke")

    ledger.append_several = lost
    with pytest.raises(OutcomeUnknown, match="may be recorded or not"):
        said(dispatcher, bets(50_00, 100_00))
    superuser.execute("ROLLBACK")


def test_an_answer_that_somebody_else_kept_meanwhile_is_flushed_before_it_is_told(
    database, another
):
    house = ClosedHouse(database, {"N-1": "administrator"})
    lines = bets(50_00, 100_00)
    kept = house.boss.dispatch(lines[0]).body
    stranger = another()
    stranger.casino.ledger.heard = lambda _: set()  # it was not yet, when that was asked
    told = next(dispatch_several(stranger, lines)).body
    house.casino.close()

    assert told == kept
    assert not stranger.casino.ledger.unflushed


def test_what_reads_the_ledger_sees_what_came_before_it(pit, database):
    """A case names the last event before it, which waits with the lines that wait."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    case = {"command": "dispute.open", "coup": "B01/2026-11-21/1/1", "patron": "P-10417"}
    later = {"by": "D-204", "at": "2026-11-21T20:30:00Z"}
    lines = [{**bet, **later} for bet in bets(50_00)]
    opened = said(pit.dispatcher, [*lines, {**case, "complaint": "not paid", **later}])[1]
    [frozen_at] = [event["frozen_at"] for event in opened["events"] if "frozen_at" in event]

    assert frozen_at == opened["position"] - len(opened["events"])


def test_what_a_refusal_takes_back_is_not_read_without_what_waits(dispatcher):
    """Of two the second is in the same seat, so that the table is as it was: just opened."""
    seats = [{"seat": 6, "patron": "P-6"}, {"seat": 6, "patron": "P-9"}]
    opening = {"rules": "dragon-bonus@1", "opener": {"10000": 100}, "by": "D-1", "with": "S-1"}
    lines = [
        {"command": "table.open", "table": "B02", **opening},
        {"command": "table.seats", "table": "B02", "patrons": seats},
        {"command": "table.leave", "table": "B02", "seat": 6},
    ]
    answers = said(dispatcher, lines)

    assert [answer.get("error") for answer in answers] == [None, "SeatTaken", "SeatEmpty"]


def test_no_line_behind_one_that_is_refused_is_decided_when_it_should_stop(pit, database):
    answers = said(pit.dispatcher, bets(50_00, 99, 100_00), until_refused=True)
    last = json.loads(recorded(database)[-1][4])

    assert [True, False] == [answer["ok"] for answer in answers]
    assert last["amount"] == 50_00


def test_stop_on_error_stops_at_the_line_that_is_refused(pit, database, tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in bets(50_00, 99, 100_00)))
    before = len(recorded(database))
    result = shell(database, "feed", "--stop-on-error", str(file))

    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
    assert before + 3 == len(recorded(database))  # the coup opened, and one bet


@given(
    st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=30),
    st.booleans(),
)
def test_lines_are_cut_where_they_end_however_they_come(lines, ends):
    whole = b"\n".join([*lines, b""]) if ends else b"\n".join(lines)
    heard = []
    found = [line for piece in waiting_in(BytesIO(whole), heard.append) for line in piece]

    assert b"".join(found) == whole
    assert all(line.count(b"\n") <= 1 for line in found)
    assert sum(heard) == len(whole)


def test_a_line_that_is_longer_than_a_piece_is_one_line():
    long = b"x" * (3 * PIECE) + b"\n"
    found = [line for piece in waiting_in(BytesIO(long + b"y\n"), lambda _: None) for line in piece]

    assert found == [long, b"y\n"]


def test_lines_that_say_nothing_of_their_commands_are_refused_each_and_nothing_is_kept(
    database, another
):
    """Nobody signed on: a refusal that is not kept, however many of them wait together."""
    house = ClosedHouse(database, {"N-1": "administrator"})
    before = recorded(database)
    answers = said(another(), bets(50_00, 100_00, 150_00))
    [stopped] = said(another(), bets(50_00, 100_00), until_refused=True)
    house.casino.close()

    assert {"NotSignedOn"} == {answer["error"] for answer in [*answers, stopped]}
    assert before == recorded(database)


def test_a_line_without_end_is_not_kept_whole():
    long = b"x" * (48 << 20)
    [[line]] = waiting_in(BytesIO(long))
    cut, after = (line for piece in waiting_in(BytesIO(long + b"\ny\n")) for line in piece)

    assert LONGEST < len(line) <= LONGEST + PIECE
    assert LONGEST < len(cut) <= LONGEST + 2 * PIECE
    assert after == b"y\n"


def test_a_group_has_no_more_lines_than_a_request_may_have():
    sizes = [len(piece) for piece in waiting_in(BytesIO(b"\n" * 2 * PIECE))]

    assert max(sizes) == MOST
    assert sum(sizes) == 2 * PIECE


def test_lines_recorded_together_are_kept_in_one_piece_before_the_first_is_answered(
    pit, monkeypatch, tmp_path
):
    monkeypatch.setenv("SABOT_ACKNOWLEDGED", str(tmp_path))
    kept = LinesHere("house")
    kept.learn(Compared("r" * 32, 1))
    written: list[int] = []
    monkeypatch.setattr(kept, "_write", lambda content: written.append(content.count(b"\n")))
    many = [json.dumps(each).encode() for each in bets(*range(100_00, 400_00, 100_00))]
    answers = answers_to(
        pit.dispatcher,
        [many, [json.dumps({**BET, "seat": 99, "id": "none"}).encode()]],
        heard=lambda answered: kept.note(recorded_lines(answered, None)),
    )

    assert next(answers).ok
    assert written == [3]
    assert [each.ok for each in answers] == [True, True, False]
    assert written == [3]
    assert kept.newest.id == "bet-30000"
