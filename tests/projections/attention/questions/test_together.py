"""Two patrons who play as one are on the report `protection`, with both names."""

from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.events import coup, coup_wagers
from domain.events import shoe as shoe_events
from domain.review.protection.looking import Remembered
from domain.review.protection.together import Bets, Board, Together, share_of
from ops.reports import batch
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.reports.runner import catch_up
from ops.simulation.cheats import COLLUDING_PAIR
from ops.simulation.run import Plan, dispatch_all
from ops.words.unlikely import unlikely_words
from projections import PROJECTIONS, REPORTS, Event, Rows
from projections.attention.protection import PROJECTION
from projections.attention.questions import answers, together

DAY = date(2026, 11, 21)
SHOE = f"B01/{DAY}/1"


@pytest.mark.parametrize("electronic", [False, True])
def test_a_pair_that_colludes_is_reported_with_both_names(dispatcher, database, electronic):
    plan = Plan(tables=1, coups=110, seed=1, cheat=COLLUDING_PAIR, electronic=electronic)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    rows = ask(database, REPORTS["protection"]).rows
    [row] = [each for each in rows if each["question"] == "patrons together"]
    one, other, *_ = plan.evening(1, plan.day).patrons
    detail = row["detail"]

    assert (row["patron"], row["partner"]) == (one.patron, other.patron)
    assert detail["coups"] > detail["opposite"] > 0.8 * detail["coups"] > 40
    assert (detail["met"], detail["came"], detail["left"]) == (1, 1, 1)
    assert [row] == ask(database, REPORTS["protection"], patron=other.patron).rows
    assert ask(database, REPORTS["protection"], patron="P-999").rows == []
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal


def test_the_sentence_has_both_names_and_how_they_came_and_left():
    detail = {"question": "patrons together", "patron": "P-1", "partner": "P-2", "opposite": 40}
    detail |= {"coups": 44, "equal": 38, "power": 5}

    assert str(unlikely_words(detail)) == (
        "P-1 and P-2 were on opposite sides in 40 of 44 coups, in 38 of them with nearly equal "
        "stakes: by chance at most one of 10^5 patrons has such a partner."
    )
    assert str(unlikely_words(detail | {"met": 3, "came": 2, "left": 3})).endswith(
        " Together at one table: 3 times; sat down within five minutes of each other: 2; "
        "left within five minutes of each other: 3."
    )


class Coups:
    """Coups of one table, as the projection reads them."""

    def __init__(self):
        self.rows, self.shoe, self.number, self.day = Rows(), SHOE, 0, DAY
        self.position = 0

    def have(self, kind, **fields):
        self.position += 1
        event = Event(
            position=self.position,
            topic=kind.TOPIC,
            name=kind.__name__,
            at=datetime(2026, 11, 21, 20, tzinfo=UTC),
            recorded_at=datetime(2026, 11, 21, 20, tzinfo=UTC),
            gaming_day=self.day,
            table="B01",
            actor="D-204",
            fields={"coup": f"{self.shoe}/{self.number}", **fields},
            command_id="c",
            metadata={},
        )
        PROJECTION.changes[kind.TOPIC](event, self.rows)

    def deal(self, outcome="banker", shoe=SHOE, **stakes):
        """A coup; `stakes`: of patrons, on Player above zero."""
        self.shoe, self.number = shoe, self.number + 1
        self.have(shoe_events.CoupBegun, shoe=shoe, coup=self.number)
        self.have(coup.Resulted, outcome=outcome)
        for patron, stake in stakes.items():
            self.have(coup_wagers.WagerSettled, **wager(patron, stake))
        self.have(coup.Settled)

    def pair(self, *names):
        board = self.rows.get(together.BOARDS, "B01")
        company = together._company(self.rows, board)
        together._REMEMBERED.remember(board.counted, company)
        return company.pairs.get(names)


def wager(patron, stake):
    spot = "player" if stake > 0 else "banker"
    paid = {"result": "lose", "winnings": 0, "commission_exact": "0"}
    return {"patron": patron, "seat": 3, "spot": spot, "stake": abs(stake), **paid}


@pytest.fixture
def coups():
    return Coups()


def test_only_coups_on_which_both_bet_on_a_side_count(coups):
    coups.deal(A=100, B=-100, C=100)
    coups.deal(A=100)
    coups.deal(B=-100, A=-50)

    assert coups.pair("A", "B").together.coups == 2
    assert coups.pair("A", "B").together.sides.agreed == 1
    assert coups.pair("B", "C").together.coups == 1


def test_a_patron_with_bets_on_both_sides_bets_the_difference(coups):
    coups.number = 1
    coups.have(shoe_events.CoupBegun, shoe=SHOE, coup=1)
    for patron, stake in [("A", 300), ("A", -200), ("B", -100), ("C", 50), ("C", -50)]:
        coups.have(coup_wagers.WagerSettled, **wager(patron, stake))
    coups.have(coup.Settled)

    assert coups.pair("A", "B").together.equal.agreed == 1
    assert coups.pair("A", "C") is None


def test_a_bet_that_was_entered_late_counts_once(coups):
    coups.deal(A=100, C=100)
    for _ in range(2):
        coups.have(coup_wagers.WagerSettledLate, **wager("B", -100))

    assert coups.pair("A", "B").together.coups == coups.pair("B", "C").together.coups == 1
    assert coups.pair("A", "C").together.coups == 1


def test_what_is_put_right_in_an_earlier_coup_changes_nothing(coups):
    coups.deal("player", A=100, B=-100)
    coups.deal("player", A=100, B=-100)
    before = coups.rows.get(together.BOARDS, "B01").winners
    coups.have(coup.Resulted, coup=f"{SHOE}/1", outcome="banker")
    late = wager("C", 100) | {"coup": f"{SHOE}/1"}
    coups.have(coup_wagers.WagerSettledLate, **late)

    assert coups.rows.get(together.BOARDS, "B01").winners == before == ["player"]
    assert coups.pair("A", "C") is None


def test_the_board_shows_the_winners_of_its_shoe_without_ties(coups):
    for outcome in ("banker", "tie", "player"):
        coups.deal(outcome, A=100)
    coups.deal("banker", A=100)
    assert coups.rows.get(together.BOARDS, "B01").winners == ["banker", "player"]

    coups.deal("banker", shoe="another", A=100)
    assert coups.rows.get(together.BOARDS, "B01").winners == []


def test_partners_are_counted_for_the_one_who_has_more(coups):
    coups.deal(A=100, B=-100)
    coups.deal(A=100, C=-100)
    coups.deal(C=100, D=-100)

    assert [coups.pair(*each).place for each in ("AB", "AC", "CD")] == [1, 2, 2]


def test_a_gaming_day_begins_anew(coups):
    coups.deal(A=100, B=-100)
    coups.deal(A=100, C=-100)
    coups.day += timedelta(days=1)
    coups.deal(A=100, B=-100)

    assert coups.pair("A", "B").together.coups == 1
    assert coups.pair("A", "C") is None


def test_a_row_comes_at_the_level_and_stays_that_day(coups, monkeypatch):
    monkeypatch.setattr(together, "LEAST", 1)
    monkeypatch.setattr(answers, "SELDOM", 2)
    for n in range(60):
        side = 1 if n * n % 7 % 2 else -1
        coups.deal("player" if n % 3 else "banker", A=side * 100, B=-side * 100)
    key = "patrons together", f"A B B01 {DAY}"
    row = coups.rows.get(answers.FINDINGS, *key)
    for _ in range(60):
        coups.deal(A=100, B=100)

    assert row.power <= coups.rows.get(answers.FINDINGS, *key).power
    assert (row.patron, row.partner, row.table_code) == ("A", "B", "B01")


NAMES = ("A", "B", "C", "D")
ENOUGH = 2.0  # held, so that some pairs have it after a few coups
STAKES = st.sampled_from((-300, -100, 0, 0, 100, 300))
DEALT = st.fixed_dictionaries(
    {
        "bets": st.fixed_dictionaries(dict.fromkeys(NAMES, STAKES)),
        "late": st.sampled_from((*NAMES, "")),
        "outcome": st.sampled_from(("banker", "player", "tie")),
        "new_day": st.sampled_from((False,) * 9 + (True,)),
        "then": st.sampled_from(("", "", "forgotten", "another process")),
    }
)


class ByHand:
    """The pairs of a gaming day, counted one by one from their first coup."""

    def __init__(self):
        self.bets, self.pairs, self.winners = {}, {}, []

    def deal(self, outcome, bets, late, late_bet):
        before = {name: each.after() if each.now else each for name, each in self.bets.items()}
        self.bets = {**dict.fromkeys(NAMES, Bets()), **before}
        board = Board.after(self.winners)
        early = [name for name in NAMES if bets[name]]
        for name in early:
            self.bets[name] = self.after(name, bets[name])
        counted = [(one, other) for one in early for other in early if one < other]
        if late and late not in early:
            self.bets[late] = self.after(late, late_bet)
            counted += [tuple(sorted((late, other))) for other in early]
        for names in counted:
            self.count(names, board)
        self.winners += [] if outcome == "tie" else [outcome]

    def after(self, name, now):
        return Bets(now, self.bets[name].before, self.bets[name].largest)

    def count(self, names, board):
        if names not in self.pairs:
            place = 1 + max(sum(name in pair for pair in self.pairs) for name in names)
            self.pairs[names] = [place, Together(), 0.0]
        place, pair, most = self.pairs[names]
        pair.add(*(board.faced_by(self.bets[name]) for name in names))
        held = pair.held * share_of(place)
        self.pairs[names][2] = max(most, held if held >= ENOUGH else 0.0)


@settings(max_examples=60)
@given(st.lists(DEALT, min_size=1, max_size=40))
def test_pairs_are_the_same_however_often_they_are_forgotten(dealt):
    """By one process, by several in turn, and counted by hand, with bets that came late."""
    coups, by_hand, processes = Coups(), ByHand(), [Remembered(5), Remembered(1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "_REMEMBERED", processes[0])
        patch.setattr(together, "LEAST", ENOUGH)
        for each in dealt:
            if each["new_day"]:
                coups.day += timedelta(days=1)
                by_hand.bets, by_hand.pairs = {}, {}
            coups.deal(each["outcome"], **{name: by for name, by in each["bets"].items() if by})
            if each["late"]:
                late = wager(each["late"], -100)
                coups.have(coup_wagers.WagerSettledLate, **late)
            by_hand.deal(each["outcome"], each["bets"], each["late"], -100)
            if each["then"] == "forgotten":
                together._REMEMBERED.forget()
            elif each["then"]:
                processes.reverse()
                patch.setattr(together, "_REMEMBERED", processes[0])

        board = coups.rows.get(together.BOARDS, "B01")
        company = together._company(coups.rows, board)

    pairs = {
        names: [pair.place, pair.together, pair.most if pair.most >= ENOUGH else 0.0]
        for names, pair in company.pairs.items()
    }
    assert pairs == by_hand.pairs


def test_rows_are_the_same_after_crashes_and_with_two_runners(dispatcher, database, monkeypatch):
    """Each remembers what it counted itself, also of a batch that was never written."""
    plan = Plan(tables=2, coups=12, seed=1, cheat=COLLUDING_PAIR, days=2)
    lines, step = list(plan.lines([1, 2])), 30
    processes = [Remembered(5), Remembered(5)]
    monkeypatch.setattr(together, "LEAST", 0.0)
    monkeypatch.setattr(answers, "SELDOM", 0)
    for turn, begin in enumerate(range(0, len(lines), step)):
        dispatch_all(dispatcher.dispatch, lines[begin : begin + step], lambda _: None)
        monkeypatch.setattr(together, "_REMEMBERED", processes[turn // 2 % 2])
        with database.connect("sabot_projector") as connection:
            if turn % 3 == 1:
                with monkeypatch.context() as patch:
                    patch.setattr(batch, "write", _breaks)
                    with pytest.raises(psycopg.OperationalError):
                        catch_up(connection, PROJECTIONS["protection"])
            catch_up(connection, PROJECTIONS["protection"])
    rows = ask(database, REPORTS["protection"]).rows

    assert sum(each["question"] == "patrons together" for each in rows) > 3
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal


def _breaks(*_):
    raise psycopg.OperationalError("the disk is full")
