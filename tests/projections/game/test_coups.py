"""Coups: what each was, card by card, and what went wrong at it."""

from functools import partial

import pytest

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events.property import Founded
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable

BY = {"by": "D-204"}  # who made a slip that the same person may make again
REPORT = REPORTS["coup"]
FIRST = "B01/2026-11-21/1/1"
rows = partial(rows_of, report=REPORT)


def exceptions(database):
    """The exceptions of all coups, as kind and detail."""
    every = [noted for (found,) in rows(database, "exceptions") for noted in found]
    return [(each.pop("kind"), each.pop("at"), each) for each in every]


def at(pit, seconds=0):
    """The moment at which the pit spoke last, or so many seconds before."""
    return pit.moment.replace(second=pit.moment.second - seconds).isoformat()


def test_a_settled_coup_is_told_from_its_opening_to_its_payment(pit, database):
    pit.bet(3, "banker", 100_00)
    opened = at(pit)
    pit.say("no-more-bets")
    closed = at(pit)
    pit.deal(PLAYER_WINS)
    dealt = at(pit, seconds=4), at(pit)
    pit.say("settle")
    (row,) = ask(database, REPORT).rows

    assert row == {
        "coup": FIRST,
        "opened_at": opened,
        "closed_at": closed,
        "first_card_at": dealt[0],
        "resulted_at": dealt[1],
        "settled_at": at(pit),
        "cards": [
            {"card": "9C", "hand": "player", "rule": "R-DEAL-1"},
            {"card": "5S", "hand": "banker", "rule": "R-DEAL-1"},
            {"card": "7C", "hand": "player", "rule": "R-DEAL-1"},
            {"card": "QD", "hand": "banker", "rule": "R-DEAL-1"},
            {"card": "9S", "hand": "banker", "rule": "R-DRAW-3"},
        ],
        "player_total": 6,
        "banker_total": 4,
        "outcome": "player",
        "natural": False,
        "phase": "settled",
        "dealer": "D-204",
        "supervisor": "S-11",
        "exceptions": [],
    }
    assert REPORT.columns == tuple(row)


def test_a_coup_in_play_is_told_as_far_as_it_is_known(pit, database):
    asked = "phase", "closed_at", "first_card_at", "outcome", "player_total", "settled_at"
    pit.say("open")
    assert rows(database, *asked) == [("betting", None, None, None, None, None)]

    pit.say("no-more-bets")
    closed = at(pit)
    assert rows(database, *asked) == [("dealing", closed, None, None, None, None)]

    pit.deal("KC 9S")
    first = at(pit, seconds=1)
    assert rows(database, *asked) == [("dealing", closed, first, None, None, None)]

    pit.deal("2C QD")
    assert rows(database, *asked) == [("resulted", closed, first, "banker", 2, None)]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (PLAYER_WINS, ("player", False, 6, 4)),
        (BANKER_WINS, ("banker", True, 2, 9)),
        (TIE, ("tie", False, 7, 7)),
    ],
)
def test_an_outcome_is_told_with_its_totals(pit, database, cards, expected):
    pit.play(cards, (3, "banker", 100_00))

    assert [expected] == rows(database, "outcome", "natural", "player_total", "banker_total")


def test_coups_come_in_the_order_in_which_they_were_opened(played):
    assert rows(played, "coup", "phase") == [
        ("B01/2026-11-21/1/1", "settled"),
        ("B01/2026-11-21/1/2", "settled"),
        ("B01/2026-11-21/1/3", "settled"),
        ("B01/2026-11-21/2/1", "settled"),
        ("B01/2026-11-21/2/2", "settled"),
        ("B01/2026-11-21/2/3", "betting"),
        ("B02/2026-11-21/1/1", "settled"),
        ("B02/2026-11-21/1/2", "voided"),
        ("B03/2026-11-21/1/1", "dealing"),
    ]


def test_a_late_bet_is_noted(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.ask("bet", seat=5, spot="player", amount=25_00)
    late = {"seat": 5, "patron": "grey-jacket", "stay": "B01/2026-11-21/stay-3"}

    assert exceptions(database) == [
        ("late bet", at(pit), {**late, "spot": "player", "amount": 25_00, "act": "bet", **BY})
    ]


def test_a_payment_that_disagreed_is_noted_and_the_coup_stays_unsettled(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    pit.ask("settle", paid={"3": 195_00})

    assert exceptions(database) == [
        ("payment disagrees", at(pit), {"seat": 3, "stated": 195_00, "owed": 200_00, **BY})
    ]
    assert rows(database, "phase", "settled_at") == [("resulted", None)]


def test_a_card_that_was_not_due_is_noted_at_the_coup_before_it(pit, database):
    pit.play(TIE, (3, "banker", 100_00))
    pit.ask("draw", card="4H")
    told = {"card": "4H", "why": "no-coup-open", **BY}

    assert exceptions(database) == [("undue card", at(pit), told)]


def test_a_wager_under_the_minimum_and_a_gap_are_noted_when_the_first_card_closes(
    dispatcher, database
):
    pit = GamingTable(dispatcher, "B03").open("big-table@1").prepare()
    for seat in (1, 3):
        pit.bet(seat, "player", 50_000_00)
    pit.bet(5, "tie", 5_00)
    pit.say("draw", card="9C")
    (alone, alone_at, one), (gap, _, other) = exceptions(database)

    assert (alone, gap) == ("over or under limit", "differential")
    assert (alone_at, at(pit)) == (at(pit), alone_at)
    assert (one["refusal"], one["rule"]) == ("UnderMinimum", "R-BET-3")
    assert (one["seat"], one["spot"], one["amount"], one["allowed"]) == (5, "tie", 5_00, 100_00)
    assert (other["refusal"], other["rule"]) == ("DifferentialExceeded", "R-BET-4")
    assert (other["seat"], other["amount"], other["allowed"]) == (None, 100_000_00, 50_000_00)


def test_a_shoe_dealt_past_its_cut_card_is_noted_at_each_coup(dispatcher, database):
    pit = GamingTable(dispatcher).open().prepare(cut_card=411)
    for _ in range(3):
        pit.play(TIE, (3, "banker", 100_00))

    assert [(kind, told) for kind, _, told in exceptions(database)] == [
        ("cut card passed", {"cards_left": 408}),
        ("cut card passed", {"cards_left": 404}),
    ]


def test_a_coup_that_is_void_is_told_so_with_its_reason(pit, database):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    settled = at(pit)
    people = {"reason": "a card fell", "with": "S-11"}
    pit.say("void", coup=FIRST, **people)
    ((kind, _, told),) = exceptions(database)

    printed = shell(database, "report", "coup", env={"COLUMNS": "80"}).stdout.splitlines()[3]

    assert rows(database, "phase", "outcome", "settled_at") == [("voided", "player", settled)]
    assert printed.split()[-3:] == ["void", "D-204", settled[11:19]]
    assert (kind, told["reason"], told["approved_by"]) == ("coup voided", "a card fell", "S-11")


def test_what_was_found_moved_and_corrected_is_noted_at_its_coup(pit, database):
    pit.bet(3, "banker", 100_00)
    before = pit.moment.isoformat()
    pit.deal("9C 5S")
    pit.say("move-card", n=2, hand="banker")
    found = {"seat": 1, "spot": "banker", "amount": 50_00, "late": True, "with": "S-11"}
    pit.say("bet", at=before, **found)
    pit.deal("7C QD 9S", settle=True)
    wager = {"coup": FIRST, "seat": 1, "spot": "banker", "reason": "misread", "with": "S-11"}
    pit.say("correct", to=50_00, **wager)

    assert [kind for kind, _, _ in exceptions(database)] == [
        "card moved",
        "wager found late",
        "payment corrected",
    ]


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"table": "B01"}, 6),
        ({"table": "B02"}, 2),
        ({"shoe": "B01/2026-11-21/2"}, 3),
        ({"shoe": "B01/2026-11-21/2", "table": "B02"}, 0),
        ({"day": DAY}, 9),
        ({"day": "2026-11-20"}, 0),
        ({}, 9),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(played, narrowed, expected):
    assert expected == len(rows(played, "coup", **narrowed))


def test_the_head_says_whose_report_it_is_and_where_it_is_true(pit, database):
    position = pit.say("open").body["position"]
    told = ask(database, REPORT, day=DAY).as_dict()
    del told["rows"]

    assert told == {
        "report": "coup",
        "property": "Sabot",
        "gaming_day": DAY,
        "as_of": None,
        "position": position,
        "currency": "USD",
    }


@pytest.fixture
def in_vienna(dispatcher, monkeypatch):
    """A table of a house in Vienna, whose lines come in UTC."""

    def established(at):
        words = {"name": "Kurhaus", "currency": "USD", "zone": "Europe/Vienna"}
        rest = {"day_start": "06:00", "reporting_amount": 10_000_00, "helpline": ""}
        return Property.begin(Founded(**words, **rest), PROPERTY_STREAM, at)

    monkeypatch.setattr(Property, "establish", established)
    return GamingTable(dispatcher).open().prepare()


def test_moments_carry_the_propertys_own_offset(in_vienna, database):
    in_vienna.play(TIE, (3, "banker", 100_00))
    names = [name for name in REPORT.columns if name.endswith("_at")]

    assert all(str(moment).endswith("+01:00") for moment in rows(database, *names)[0])
    assert rows(database, "opened_at") == [("2026-11-21T21:00:10+01:00",)]


def test_the_moments_of_exceptions_do_so_too(in_vienna, database):
    in_vienna.play(TIE, (3, "banker", 100_00))
    in_vienna.ask("draw", card="4H")

    assert [at for _, at, _ in exceptions(database)] == ["2026-11-21T21:00:15+01:00"]
