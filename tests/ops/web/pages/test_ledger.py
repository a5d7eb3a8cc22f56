"""The ledger's pages: which events somebody finds, what put them right, how it was at a moment."""

import pytest

from domain.rules.refusals import BadValue
from ops.web.pages import ledger
from ops.web.pages.ledger import PIECE, Sought, find, read
from tests.worlds.gaming_table import BANKER_WINS, DAY

TWO = {"by": "S-11", "with": "PB-1", "reason": "misread"}
COUP = f"B01/{DAY}/1/1"


def kinds(database, **sought):
    """The kinds of the events that a form finds, the oldest first."""
    return [each.kind for each in reversed(read(database, Sought.of(sought)).lines)]


def only(database, kind):
    """The position of the only event of a kind."""
    (line,) = read(database, Sought(kind=kind)).lines
    return line.position


@pytest.fixture
def played(pit):
    """A coup that was paid."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    return pit


def test_events_are_found_by_what_they_are(played, database):
    settled = find(database, only(database, "coup.settled"))
    of_command = kinds(database, command=settled.line.command_id)

    assert kinds(database, kind="coup.settled") == ["coup.settled"]
    assert set(kinds(database, kind="shoe")) > {"shoe.loaded", "shoe.card-drawn"}
    assert {each.partition(".")[0] for each in kinds(database, stream=settled.stream)} == {"coup"}
    assert {"coup.settled", "coup.wager-settled", "coup.card-dealt"} <= set(of_command)
    assert "coup.opened" not in of_command
    assert kinds(database, actor="S-99") == kinds(database, table="B99") == []
    assert kinds(database, command="nobody's") == []
    assert kinds(database, table="B01") == kinds(database, table="B01", actor="D-204")


def test_the_ledger_is_shown_as_it_was_at_a_moment(played, database):
    settled = find(database, only(database, "coup.settled")).line
    played.play(BANKER_WINS, (3, "banker", 100_00))
    then = read(database, Sought(as_of=settled.at.isoformat()))

    assert len(read(database, Sought(kind="coup.settled")).lines) == 2
    assert then.lines[0].at <= settled.at
    assert "coup.opened" in {each.kind for each in then.lines}
    assert then.newer is None
    with pytest.raises(BadValue):
        read(database, Sought(as_of="soon"))
    with pytest.raises(BadValue):
        read(database, Sought(stream="B01"))


def test_the_ledger_of_a_patron_has_what_names_them_under_each_of_their_names(played, database):
    played.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})
    of_patron = kinds(database, patron="P-10417")
    by_alias = kinds(database, patron="GREY-JACKET")

    assert of_patron == by_alias
    assert of_patron.count("table-day.patron-seated") == 2
    assert {"coup.wager-placed", "coup.wager-settled", "patron.identified"} <= set(of_patron)
    assert not {"shoe.loaded", "coup.card-dealt"} & set(of_patron)
    assert kinds(database, patron="P-999") == []


def test_a_span_of_time_has_what_was_recorded_within_it(played, database):
    every = read(database, Sought()).lines
    first, last = every[30], every[10]
    within = read(database, Sought(since=first.at.isoformat(), as_of=last.at.isoformat())).lines

    assert [each.at for each in within] == [
        each.at for each in every if first.at <= each.at <= last.at
    ]
    with pytest.raises(BadValue, match="exchange the two"):
        read(database, Sought(since=last.at.isoformat(), as_of=first.at.isoformat()))
    with pytest.raises(BadValue):
        read(database, Sought(since="soon"))


def test_a_page_keeps_its_place_while_events_arrive_and_so_do_its_neighbours(
    played, database, monkeypatch
):
    monkeypatch.setattr(ledger, "PIECE", 3)
    older = read(database, Sought(kind="coup", until=read(database, Sought(kind="coup")).older))
    played.play(BANKER_WINS, (3, "banker", 100_00))
    again = read(database, Sought(kind="coup", until=older.lines[0].position))
    newer = read(database, Sought(kind="coup", until=again.newer))

    assert again.lines == older.lines
    assert len(newer.lines) == 3
    assert newer.lines[-1].position > older.lines[0].position
    assert newer.older == older.lines[0].position


def test_pages_beside_one_another_leave_no_event_out(played, database):
    for _ in range(7):
        played.play(BANKER_WINS, (3, "banker", 100_00))
    newest = read(database, Sought())
    older = read(database, Sought(until=newest.older))

    assert len(newest.lines) == PIECE
    assert older.lines[0].position == newest.lines[-1].position - 1
    assert older.newer == newest.lines[0].position


def test_what_put_an_event_right_is_beside_it_both_ways(played, database):
    played.say("correct", coup=COUP, seat=3, spot="banker", to=100_00, **TWO)
    played.say("table.buy-in", seat=3, amount=500_00)
    played.say("money.correct", position="last", amount=50_00, **TWO)
    pairs = {}
    for wrong, right in (
        ("coup.wager-settled", "coup.payment-corrected"),
        ("commission-account.commission-accrued", "commission-account.commission-corrected"),
        ("table-day.bought-in", "table-day.cash-corrected"),
    ):
        before, after = only(database, wrong), only(database, right)
        pairs[wrong] = (
            [each.kind for each in find(database, before).put_right_by] == [right],
            [each.position for each in find(database, after).puts_right] == [before],
            find(database, before).puts_right == find(database, after).put_right_by == [],
        )

    assert set(pairs.values()) == {(True, True, True)}, pairs


def test_a_void_puts_right_everything_that_was_paid(played, database):
    played.say("void", coup=COUP, **TWO)
    settled = find(database, only(database, "coup.settled"))
    wager = find(database, only(database, "coup.wager-placed"))

    assert [each.kind for each in settled.put_right_by] == ["coup.voided"]
    assert [each.kind for each in wager.put_right_by] == ["coup.wager-returned"]
