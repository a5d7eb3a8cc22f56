"""`protection`: what chance does not explain is on the report as soon as it is on record."""

from collections import Counter
from datetime import UTC, date, datetime
from itertools import islice
from random import Random

import pytest

from domain.events import coup as coups
from domain.events import coup_wagers
from domain.events import protection as protection_events
from domain.events import shoe as shoes
from domain.rules.cards import DECK
from domain.rules.protection_levels import (
    CLUMP,
    EARLIER_SHOE,
    FIRST_CARD,
    NEW_DECK,
    NOT_WHOLE,
    RIGHT,
)
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.reports.runner import catch_up
from ops.simulation.cheats import SHUFFLES
from ops.simulation.evening import DealtShoe
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS, Event, Rows
from projections.attention import protection
from projections.attention.questions.answers import FINDINGS
from projections.attention.questions.cards import _LOOKOUT, SHOES

DAY = date(2026, 11, 21)
AT = datetime(2026, 11, 21, 20, tzinfo=UTC)
TABLE_DAY = f"B01/{DAY}"
PAID = {"stake": 100_00, "winnings": 100_00, "commission_exact": "0"}
WAGER = {"patron": "P-1", "seat": 3, "stay": "s", **PAID}


class Dealt:
    """Cards that leave shoes of one table, as the projection reads them."""

    def __init__(self):
        self.rows, self.position, self.shoe = Rows(), 0, ""

    def have(self, kind, **fields):
        self.position += 1
        event = Event(
            position=self.position,
            topic=kind.TOPIC,
            name=kind.__name__,
            at=AT,
            recorded_at=AT,
            gaming_day=DAY,
            table="B01",
            actor="D-204",
            fields={"shoe": self.shoe, **fields},
            command_id=f"c-{self.position}",
            metadata={},
        )
        protection.PROJECTION.changes[kind.TOPIC](event, self.rows)

    def load(self, number, decks=8):
        self.shoe = f"{TABLE_DAY}/{number}"
        self.have(shoes.Loaded, decks=decks, rules="pairs@1")

    def draw(self, cards):
        for n, card in enumerate(cards, 1):
            self.have(shoes.CardDrawn, card=card, coup=1, n=n)

    def answers(self, *questions):
        protection.PROJECTION.finish(self.rows)
        asked = questions or (NEW_DECK, EARLIER_SHOE)
        every = {each: self.rows.get(FINDINGS, each, self.shoe) for each in asked}
        return {question: row for question, row in every.items() if row}


@pytest.fixture
def dealt():
    return Dealt()


def cheated(name, seed, shoes=2, decks=8):
    """The orders of the first shoes of an evening on which somebody cheats."""
    random = Random(seed)
    fair = (DealtShoe.shuffled(f"K-{n}", decks, random) for n in range(shoes))
    return [each.cards for each in SHUFFLES[name](fair, random)]


def about(question, database):
    """The rows of the report that answer a question."""
    rows = ask(database, REPORTS["protection"]).rows
    return [each for each in rows if each["question"] == question]


def test_decks_that_nobody_shuffled_are_reported_while_they_are_dealt(dispatcher, database):
    plan = Plan(tables=1, coups=8, seed=3, cheat="new-decks")
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    [row] = about(NEW_DECK, database)

    assert int(row["coup"].rpartition("/")[2]) <= 6
    assert row["power"] >= 4


def test_decks_that_were_riffled_five_times_are_reported_while_they_are_dealt(dispatcher, database):
    plan = Plan(tables=1, coups=45, seed=3, cheat="riffled-five-times")
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    [row] = about(CLUMP, database)

    assert row["detail"]["likeness"] == "neighbour"
    assert check_again(database)


def test_tens_that_are_missing_are_reported_in_the_second_shoe(dealt):
    """The shoes before it have fewer as well, and the question is asked of all together."""
    for number, cards in enumerate(cheated("short-of-tens", 2, shoes=3), 1):
        dealt.load(number)
        dealt.draw(cards[:-14])
        seen = dealt.answers(NOT_WHOLE).get(NOT_WHOLE)
        assert (number == 1) == (seen is None), number

    assert seen.detail["kind"] == "tens"
    assert seen.detail["shoes"] == 3
    assert seen.detail["came"] < seen.detail["expected"]


@pytest.mark.parametrize("shoes_between", [0, 5])
def test_what_is_known_later_of_an_earlier_shoe_is_looked_at_in_the_one_that_is_dealt(
    dealt, shoes_between
):
    rng = Random(5)
    first, last = rng.sample(DECK * 8, 416), rng.sample(DECK * 8, 100)
    dealt.load(1)
    dealt.draw(first[:100])
    for number in range(2, 3 + shoes_between):
        dealt.load(number)
    dealt.draw(last[:20])
    newest, dealt.shoe = dealt.shoe, f"{TABLE_DAY}/1"
    dealt.have(shoes.Reconciled, cards=first[100:], remaining=316, burned=[])
    dealt.shoe = newest
    dealt.draw(first[200:260])

    assert EARLIER_SHOE in dealt.answers()


def test_honest_evenings_are_not_reported(dispatcher, database):
    plan = Plan(tables=1, coups=25, seed=3)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)

    assert ask(database, REPORTS["protection"]).rows == []


@pytest.mark.parametrize("electronic", [False, True])
def test_a_patron_who_knows_the_winner_is_reported(dispatcher, database, electronic):
    plan = Plan(tables=1, coups=35, seed=3, cheat="knows-all", electronic=electronic)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    [row] = about(RIGHT, database)
    cheat = plan.evening(1, plan.day).patrons[0]

    assert row["patron"] == cheat.patron
    assert row["detail"]["right"] == row["detail"]["coups"] > 15
    assert check_again(database)


@pytest.mark.parametrize("electronic", [False, True])
def test_a_patron_who_tells_cards_by_their_backs_is_reported(dispatcher, database, electronic):
    plan = Plan(tables=1, coups=60, seed=3, cheat="edge-sorter", electronic=electronic)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    cheat = plan.evening(1, plan.day).patrons[0]
    [row] = about(FIRST_CARD, database)

    assert row["patron"] == cheat.patron
    assert row["detail"]["followed"] == row["detail"]["coups"] > 15
    assert check_again(database)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("cheat", "within"), [("new-decks", 6 * 4), ("riffled-once", 60)])
def test_cards_that_were_not_shuffled_are_seen_in_any_evening(dealt, cheat, within, seed):
    [cards] = cheated(cheat, seed, shoes=1)
    dealt.load(1)
    dealt.draw(cards[:within])

    assert list(dealt.answers()) == ["new deck"]


@pytest.mark.parametrize("seed", range(3))
def test_a_slug_of_the_shoe_before_is_seen_twelve_coups_into_it(dealt, seed):
    first, second = cheated("false-shuffle", seed)
    dealt.load(1)
    dealt.draw(first[:300])
    dealt.have(shoes.Reconciled, cards=first[300:], remaining=len(first) - 300)
    dealt.load(2)
    begins = next(
        n for n in range(len(second)) if any(second[n : n + 80] == first[m : m + 80]
        for m in range(20, 100))
    )  # fmt: skip
    dealt.draw(second[:begins])
    assert dealt.answers() == {}

    dealt.draw(second[begins : begins + 12 * 4])
    detail = dealt.answers()["earlier shoe"].detail
    assert detail["order"] == f"{TABLE_DAY}/1"
    assert begins - 8 <= detail["first"] <= begins + 3  # a card of the order may lie before it


def test_what_was_seen_is_taken_back_with_the_cards_that_were_typed_wrong(dealt):
    [cards] = cheated("new-decks", 1, shoes=1)
    dealt.load(1)
    n = 0
    while not dealt.answers():
        dealt.draw([cards[n]])
        n += 1
    dealt.have(shoes.CardRenamed, was=cards[n - 1], card="2C", coup=1, n=1)
    assert dealt.answers() == {}

    dealt.have(shoes.CardRenamed, was="2C", card=cards[n - 1], coup=1, n=1)
    assert list(dealt.answers()) == ["new deck"]


def test_the_card_that_is_put_right_is_the_one_of_its_coup(dealt):
    """Not the last of that name, which left the shoe later."""
    dealt.load(1)
    dealt.have(shoes.CardDrawn, card="8C", coup=3, n=1)
    dealt.have(shoes.CardMisdrawn, card="KD", coup=3, disposition="burn", rules_say="burn")
    dealt.have(shoes.CardDrawn, card="8C", coup=9, n=2)
    dealt.have(shoes.CardRenamed, was="8C", card="8D", coup=3, n=1)
    shoe = dealt.rows.get(SHOES, dealt.shoe)
    assert shoe.cards == ["8D", "KD", "8C"]

    dealt.have(shoes.CardTakenBack, card="8C", coup=9)
    assert shoe.cards == ["8D", "KD"]


def test_a_patron_who_was_right_beyond_chance_stays_on_the_days_report_after_a_loss(dealt):
    dealt.load(1)
    for n in range(1, 41):
        result = "win" if n <= 25 else "lose"
        dealt.have(shoes.CoupBegun, coup=n)
        coup = f"{dealt.shoe}/{n}"
        dealt.have(coup_wagers.WagerSettled, coup=coup, spot="banker", result=result, **WAGER)
        dealt.have(coups.Settled, coup=coup)
    row = dealt.rows.get(FINDINGS, RIGHT, f"P-1 {DAY}")

    assert (row.detail["right"], row.detail["coups"]) == (25, 40)
    assert row.power >= 4


def test_a_bet_that_was_entered_late_counts_for_who_is_right(dealt):
    dealt.load(1)
    for n in range(1, 26):
        kind = coup_wagers.WagerSettledLate
        dealt.have(kind, coup=f"{dealt.shoe}/{n}", spot="player", result="win", **WAGER)

    assert dealt.rows.get(FINDINGS, RIGHT, f"P-1 {DAY}")


def test_only_the_last_six_shoes_of_a_table_are_looked_at(dealt):
    rng = Random(5)
    orders = [cheated("false-shuffle", rng.random(), shoes=1)[0] for _ in range(7)]
    for number, cards in enumerate(orders, 1):
        dealt.load(number)
        dealt.draw(cards)
    slug = orders[0][100:180]
    rest = list((Counter(DECK * 8) - Counter(slug)).elements())
    rng.shuffle(rest)
    dealt.load(8)
    dealt.draw([*rest[:50], *slug])

    assert dealt.answers() == {}


def test_rows_read_after_each_card_are_those_read_at_once(dispatcher, database):
    """Whether a gambler goes on or was forgotten, and rows are written and read again."""
    plan = Plan(tables=1, coups=9, seed=3, cheat="riffled-once")
    lines = iter(plan.lines([1]))
    step = 40
    while (
        dispatch_all(dispatcher.dispatch, list(islice(lines, step)), lambda _: None).lines == step
    ):
        with database.session("sabot_projector") as connection:
            catch_up(connection, PROJECTIONS["protection"])
        _LOOKOUT.forget()
    before = ask(database, REPORTS["protection"]).rows

    assert before
    assert check_again(database)


def level(dealt, one_in):
    fields = {"question": NEW_DECK, "level": one_in, "level_before": 10_000, "approved_by": "S-11"}
    dealt.have(protection_events.LevelChanged, **fields)


def test_what_came_before_a_level_has_that_of_its_time_also_if_both_are_read_at_once(dealt):
    dealt.load(1)
    dealt.draw(cheated("new-decks", 1, shoes=1)[0][:60])
    level(dealt, 10**12)

    assert dealt.answers()[NEW_DECK].one_in == 10_000


def draw_until_seen(dealt, cards):
    """How many cards were drawn when the shoe had a row."""
    dealt.load(1)
    for n, card in enumerate(cards, 1):
        dealt.draw([card])
        if dealt.answers():
            return n
    raise AssertionError


def test_a_row_comes_at_the_level_that_the_house_set(dealt):
    [cards] = cheated("new-decks", 1, shoes=1)
    at_once, strict = Dealt(), Dealt()
    level(at_once, 100)
    level(strict, 10**9)
    every = [draw_until_seen(each, cards) for each in (at_once, dealt, strict)]

    assert every == sorted(set(every))
    assert [each.answers()[NEW_DECK].one_in for each in (at_once, dealt, strict)] == [
        *(100, 10_000, 10**9),
    ]


def test_a_row_has_the_level_of_its_time(dealt):
    """A stricter level later takes no row back that was there; the next shoe is asked by it."""
    [cards] = cheated("new-decks", 1, shoes=1)
    seen = draw_until_seen(dealt, cards)
    level(dealt, 10**12)
    dealt.draw([cards[seen]])
    assert dealt.answers()[NEW_DECK].one_in == 10_000

    dealt.load(2)
    dealt.draw(cards[: seen + 1])
    assert NEW_DECK not in dealt.answers()


def test_two_people_set_a_level_and_both_are_on_record(dispatcher, database):
    line = {"command": "property.level", "question": NEW_DECK, "level": 100_000, "by": "SV-1"}
    refused = dispatcher.dispatch({**line, "id": "1"})
    taken = dispatcher.dispatch({**line, "with": "AU-1", "id": "2"})
    [act] = [each for each in ask(database, REPORTS["access"]).rows if "level" in each["act"]]

    assert refused.body["error"] == "SecondPersonNeeded"
    assert taken.ok, taken.body
    assert "level of new deck changed from 10000 to 100000, with AU-1" in str(act)
    assert "SV-1" in str(act)


def test_the_house_reads_a_level_that_it_set_again(dispatcher, database):
    plan = Plan(tables=1, coups=8, seed=3, cheat="new-decks")
    line = {"command": "property.level", "question": NEW_DECK, "level": 10**12, "by": "SV-1"}
    assert dispatcher.dispatch({**line, "with": "AU-1", "id": "2"}).ok
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    [row] = about(NEW_DECK, database)

    assert row["one_in"] == 10**12
    assert row["power"] >= 12
    assert check_again(database)


def check_again(database):
    """Whether the rows are those that are computed from the first event on."""
    with database.session("sabot_projector") as connection:
        return check(connection, PROJECTIONS["protection"]).equal
