"""R-BET-8: the odds of bets after the first four cards, as published and as sheets may state."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from domain.rules.after_four import are_so, may_decide
from domain.rules.house_rules import Offer, SpotTerms, named
from domain.rules.house_rules.sensible import faults
from domain.rules.odds import best_edge, odds_by_totals, spot_covariances, spot_odds
from domain.rules.wagers import PUSH, PayLine
from tests.domain.floor import INSURED

# Insurance of Marina Bay Sands on a Player win after four cards, which a Tie returns: what a patron
# gains, by Player's total and Banker's; wizardofodds.com/games/baccarat/insurance/marina-bay-sands
PUBLISHED = {
    (0, 5): 0.001185,
    (1, 5): -0.107027,
    (2, 5): -0.154193,
    (3, 5): -0.085786,
    (4, 5): -0.014426,
    (0, 6): 0.024389,
    (1, 6): -0.107975,
    (2, 6): -0.060646,
    (3, 6): -0.014235,
    (4, 6): 0.033478,
    (5, 6): 0.084397,
    (0, 7): -0.152035,
    (1, 7): -0.156852,
    (2, 7): -0.156814,
    (3, 7): -0.152294,
    (4, 7): -0.156882,
    (5, 7): -0.152312,
}
PAYS = (
    PayLine("first two banker cards make 5 and player wins", (2, 1)),
    PayLine("first two banker cards make 6 and player wins", (3, 1)),
    PayLine("first two banker cards make 7 and player wins", (4, 1)),
    PayLine("tie", PUSH),
)
WHEN = (
    "(first two player cards make 0 to 4 and first two banker cards make 5) or "
    "(first two player cards make 0 to 5 and first two banker cards make 6 to 7)"
)


def sheet(pays=PAYS, rules="dragon-bonus@1", **terms):
    """A rule set with insurance under the name of Lucky 6."""
    base = named(rules)
    stated = SpotTerms(**{"beside": ("banker",), "up_to": (1, 2), "after_four": WHEN, **terms})
    spots = {**base.spots, "lucky-6": Offer(pays=pays)}
    return replace(base, name="insured@1", spots=spots, terms={"lucky-6": stated})


# A Banker win, at one pair of totals, and who wins at another one: the rest of that table is not
# in the copy that was read.
BANKER_WINS = PayLine("banker wins", (2, 1)), PayLine("tie", PUSH)


@pytest.mark.parametrize(
    ("player", "banker", "gain", "wins"), [(5, 4, -0.018352, 0.289715), (6, 0, None, 0.231515)]
)
def test_a_banker_win_is_as_likely_as_was_published(player, banker, gain, wins):
    when = f"first two player cards make {player} and first two banker cards make {banker}"
    insured = sheet(BANKER_WINS, beside=("player",), after_four=when)
    (found,) = odds_by_totals(insured, "lucky-6", 8).values()

    assert wins == round(found.wins / found.deals, 6)
    assert gain in (None, round(float(found.edge), 6))


def test_the_edges_are_those_that_were_published():
    found = odds_by_totals(sheet(), "lucky-6", 8)

    assert PUBLISHED == {totals: round(float(each.edge), 6) for totals, each in found.items()}


def test_the_whole_is_what_its_totals_come_to():
    rules = sheet()
    by_totals, every = odds_by_totals(rules, "lucky-6", 8), spot_odds(rules, "lucky-6", 8)
    deals = sum(each.deals for each in by_totals.values())

    assert (deals, every.edge) == (
        every.deals,
        sum((each.edge * each.deals for each in by_totals.values()), Fraction(0)) / deals,
    )
    assert by_totals[5, 6].edge == best_edge(rules, "lucky-6", 8)
    assert every.variance == spot_covariances(rules, 8)["lucky-6", "lucky-6"]


def test_odds_that_may_still_come_are_those_of_the_totals_that_lie_there():
    assert are_so(WHEN, ("5C", "2D", "KS", "4H"))
    assert [(3, 1)] == [line.pays for line in may_decide(PAYS, ("5C", "2D", "KS", "4H"))]
    assert [(2, 1)] == [line.pays for line in may_decide(PAYS, ("4C", "2D", "KS", "3H"))]


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"after_four": "player wins"}, "say it of the first two cards of a hand"),
        ({"after_four": "third player card is a king"}, "say it of the first two cards of a hand"),
        ({"after_four": "first two player cards make 9"}, "no third card is due then"),
        ({"after_four": "first two player cards makes 5"}, "make"),
        ({"after_four": f"{WHEN} or {WHEN} or {WHEN}"}, "write at most 350 characters"),
        ({"beside": ()}, "it is a part of the bet beside it"),
        ({"up_to": (0, 1)}, "write a part, as in 1/2"),
        ({"after_four": "first two banker cards make 6"}, "it never decides where this bet"),
    ],
)
def test_terms_that_cannot_be_are_named(terms, why):
    assert any(why in str(each) for each in faults(sheet(**terms)))


def test_a_good_sheet_has_no_fault_and_no_clock():
    assert [] == list(map(str, faults(sheet())))
    assert any("clock and accounts" in str(each) for each in faults(sheet(rules="electronic@1")))


def test_a_bet_beside_one_that_comes_later_is_a_fault():
    rules = sheet(INSURED, after_four="first two banker cards make 6")
    terms = {**rules.terms, "tie": SpotTerms(beside=("lucky-6",), up_to=(1, 1))}

    assert any(
        "only after the first four" in str(each) for each in faults(replace(rules, terms=terms))
    )
