"""What a coup would have come to, beside what it came to: exact figures first, then laws."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.review.difference import Paid
from domain.review.what_if.changes import BetIs, CardIs, NoBet, RoundingIs, RulesAre, ThirdCard
from domain.review.what_if.notes import notes
from domain.review.what_if.question import what_if
from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS, named
from domain.rules.money import Rounding
from domain.rules.refusals import BadValue, UnknownRules
from domain.rules.settlement import pay_to
from tests.domain.disputed import BETS, COUP, SEATED, ask, money, played, shoe, table
from tests.strategies import CARDS, COUPS, RULES

SAME = {3: (0, 0, 0), 5: (0, 0, 0)}
WINS = "KC 9S 2C QD"  # a natural 9 to 2 for the Banker


# Cards.
def test_the_example_of_the_design_page():
    told = ask("card 5 = 4H")

    assert [each.card for each in told.hands.dealt] == ["9C", "5S", "7C", "QD", "4H"]
    assert (told.hands.result.outcome, told.hands.result.banker_total) == ("banker", 9)
    assert money(told) == ({3: (0, 200_00, 5_00), 5: (0, -1_000_00, 0)}, 805_00)
    assert [each.payment.paid for each in told.payments] == [200_00, 0]
    assert (told.short, told.later, notes(told)) == (False, None, [])


def test_a_card_that_makes_a_natural_leaves_the_others_over():
    told = ask("card 1 = 2C", around=shoe(afterwards="8H"))  # 9 to 5

    assert ([each.card for each in told.hands.dealt], told.left_over) == (
        ["2C", "5S", "7C", "QD"],
        ("9S",),
    )
    assert (told.hands.result.natural, money(told)) == (True, (SAME, 0))


def test_a_card_that_is_due_and_lacks_is_the_shoe_s_next():
    coup = played(WINS, *BETS)
    told = ask("card 2 = 4S", coup=coup, around=shoe(afterwards="6H 3D 8C"))  # 2 to 4

    assert [each.card for each in told.hands.dealt] == ["KC", "4S", "2C", "QD", "6H", "3D"]
    assert [each.card for each in told.taken] == ["6H", "3D"]
    assert money(told) == ({3: (0, -200_00, -5_00), 5: (0, 1_000_00, 0)}, -805_00)
    assert notes(told) == ["6♥ is the next card of the shoe.", "3♦ is the next card of the shoe."]


def test_without_a_next_card_it_is_short_and_comes_to_nothing():
    told = ask("card 2 = 4S", coup=played(WINS, *BETS), around=shoe(afterwards="6H"))

    assert (told.short, told.payments, told.difference, told.house) == (True, (), (), None)
    assert notes(told) == [
        "Banker's card is due (R-DRAW-4), but no further card is on record.",
        "6♥ is the next card of the shoe.",
    ]


def test_the_cards_behind_the_last_ones_may_be_named():
    coup = played("KC 4S 2C QD", *BETS, phase="dealing")  # 2 to 4

    assert ask("card 5 = 6H", coup=coup).short
    assert [each.card for each in ask("card 6 = 3D", "card 5 = 6H", coup=coup).hands.dealt[4:]] == [
        *("6H", "3D")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "dealt"), [(["card 6 = KH"], 5), (["card 1 = 2C", "card 6 = 2C"], 5)]
)
def test_a_card_that_the_coup_does_not_have_is_refused(changes, dealt):
    with pytest.raises(BadValue) as refusal:
        ask(*changes)

    assert f"the coup has only {dealt} cards" in str(refusal.value)


def test_a_card_may_be_named_that_is_due_only_by_another_change():
    natural = played(WINS, *BETS)
    told = ask("draw player", "card 5 = 6H", "draw banker", "card 6 = 3D", coup=natural)

    assert [each.card for each in told.hands.dealt][4:] == ["6H", "3D"]
    assert [each.card for each in ask("card 5 = KH", "draw banker", coup=natural).hands.dealt][
        4:
    ] == ["KH"]
    with pytest.raises(BadValue) as refusal:
        ask("draw player", "draw banker", "card 6 = 3D", coup=natural)
    assert "card 5 comes before it and is not on record, so name that one too" in str(refusal.value)


def test_r_card_3_a_ninth_of_a_kind_is_reckoned_and_said():
    def said(out):
        return notes(ask("card 5 = 9C", around=shoe(out_before=Counter({"9C": out}))))

    assert said(6) == []
    assert said(7) == ["Card 5 cannot have been 9♣: all 8 of them were already out (R-CARD-3)."]


def test_a_draw_that_was_missed_and_one_that_was_too_much():
    missed, wrong = ask("no-draw banker"), ask("draw player")

    assert (missed.left_over, money(missed)) == (("9S",), (SAME, 0))  # 6 to 5
    assert wrong.hands.result.outcome == "tie"  # Player drew the nine and has 5
    assert money(wrong) == ({3: (0, 100_00, 0), 5: (0, -500_00, 0)}, 400_00)


def test_what_the_tableau_says_too_is_said():
    assert notes(ask("draw banker")) == [
        "The tableau says the same: Banker draws on 5: Player stood (R-DRAW-3)."
    ]


# Wagers.
# fmt: off
WAGERS = [
    (["bet 3 banker 200"],            {3: (100_00, 0, 0), 5: (0, 0, 0)}, 100_00),
    (["bet 5 player 600"],            {3: (0, 0, 0), 5: (100_00, 200_00, 0)}, -100_00),
    (["bet 1 tie 25"],                {1: (25_00, 0, 0), **SAME}, 25_00),
    (["no-bet 3 banker"],             {3: (-100_00, 0, 0), 5: (0, 0, 0)}, -100_00),
    (["no-bet 5 player"],             {3: (0, 0, 0), 5: (-500_00, -1_000_00, 0)}, 500_00),
    (["move 3 banker to player"],     {3: (0, 200_00, 0), 5: (0, 0, 0)}, -200_00),
    (["move 5 player to 3 banker"],   {3: (500_00, 0, 0), 5: (-500_00, -1_000_00, 0)}, 1_000_00),
    (["move 5 player to 1 player"],   {1: (500_00, 1_000_00, 0), 3: (0, 0, 0),
                                       5: (-500_00, -1_000_00, 0)}, 0),
    (["move 3 banker to 5 player", "move 5 player to 3 banker"],
                                      {3: (400_00, 0, 0), 5: (-400_00, -800_00, 0)}, 800_00),
    (["bet 3 banker 200", "card 5 = 4H"],
                                      {3: (100_00, 400_00, 10_00), 5: (0, -1_000_00, 0)}, 710_00),
    (["void"],                        {3: (0, 100_00, 0), 5: (0, -500_00, 0)}, 400_00),
]
# fmt: on


@pytest.mark.parametrize(("changes", "rows", "house"), WAGERS)
def test_another_wager_is_worth_what_is_staked_and_paid_otherwise(changes, rows, house):
    assert money(ask(*changes)) == (rows, house)


def test_who_sat_there_is_whose_wager_it_is():
    told = ask("bet 1 tie 25", "bet 7 tie 25", "move 3 banker to 5 banker")

    assert [(row.seat, row.patron) for row in told.difference] == [
        *((1, "P-1"), (3, "P-3"), (5, "P-5"), (7, ""))
    ]  # fmt: skip
    assert "It is not known who sat at seat 7." in notes(told)


# fmt: off
REFUSED = [
    ("bet 3 player 50",   "R-BET-1",
     "A patron bets on Player or on Banker, and seat 3 has 100.00 on Banker."),
    ("bet 3 banker 20",   "R-BET-3", "Seat 3's 20.00 on Banker is under the minimum of 25.00."),
    ("bet 1 tie 1005",    "R-BET-3", "Seat 1's 1,005.00 on Tie is over the maximum of 1,000.00."),
    ("bet 3 banker 101",  "R-BET-3", "101.00 is no multiple of 5.00."),
    ("bet 1 tie 5",       "R-BET-3", "Seat 1's 5.00 on Tie alone is under the minimum of 25.00."),
    ("bet 5 player 700",  "R-BET-4",
     "Player and Banker wagers differ by 600.00, and at most 500.00 is allowed."),
]
# fmt: on


@pytest.mark.parametrize(("change", "rule", "why"), REFUSED)
def test_a_bet_that_the_table_would_refuse_is_reckoned_and_noted(change, rule, why):
    (note,) = notes(ask(change, at=table(differential=500_00)))

    assert note.startswith(f"The table would refuse this ({rule}): {why}")


def test_r_bet_2_a_spot_that_is_not_offered_goes_back():
    told = ask("bet 3 lucky-6 5")

    assert money(told) == ({3: (5_00, 5_00, 0), 5: (0, 0, 0)}, 0)
    refused, returned = notes(told)
    assert refused.startswith(
        "The table would refuse this (R-BET-2): dragon-bonus@1 has no spot Lucky 6."
    )
    assert returned == "Seat 3's wager on Lucky 6 is returned: dragon-bonus@1 has no such spot."


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("no-bet 3 tie", "seat 3 has no bet on Tie"),
        ("move 1 banker to player", "seat 1 has no bet on Banker"),
        ("bet 10 banker 50", "there is no seat 10; the seats are 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        ("move 3 banker to 44 banker", "there is no seat 44"),
    ],
)
def test_a_wager_that_cannot_be_meant_is_refused(change, why):
    with pytest.raises(BadValue, match=why):
        ask(change)


# Rule sets and commission.
def test_r_com_2_commission_at_payout_instead_of_later():
    told = ask("rules classic@1", coup=played(WINS, *BETS))

    assert money(told) == ({3: (0, -5_00, -5_00), 5: (0, 0, 0)}, 0)
    assert notes(told) == []


def test_r_pay_4_half_on_a_six():
    on_six, on_eight = played("KC 6S 2C QD 3C", *BETS), played("KC 6S KD QD 7C 2D", *BETS)
    rows = {3: (0, -50_00, -5_00), 5: (0, 0, 0)}

    assert money(ask("rules no-commission@1", coup=on_six)) == (rows, 45_00)
    rows = {3: (0, 0, -5_00), 5: (0, 0, 0)}
    assert money(ask("rules no-commission@1", coup=on_eight)) == (rows, -5_00)


def test_a_rule_set_nobody_knows_is_refused():
    with pytest.raises(UnknownRules):
        ask("rules sofa@1")


def test_a_rule_set_in_another_currency_is_refused():
    euros = replace(named("classic@1"), name="euros@1", currency="EUR")
    with pytest.raises(BadValue, match="it is in EUR, but the coup was in USD"):
        what_if(played(COUP, *BETS), [RulesAre("euros@1")], table(), shoe(), {"euros@1": euros}.get)


def test_whoever_has_a_wager_is_who_sits_there():
    nobody = replace(table(), seated={})
    told = ask("move 3 banker to 5 tie", at=nobody)

    assert [(row.seat, row.patron) for row in told.difference] == [(3, "P-3"), (5, "P-5")]


def test_r_bet_1_a_patron_over_several_seats_is_on_one_side():
    both = replace(table(), seated={**SEATED, 1: SEATED[3]})

    (note,) = notes(ask("bet 1 player 50", at=both))
    assert note.startswith(
        "The table would refuse this (R-BET-1): A patron bets on Player or on Banker, and seat 3 "
        "has 100.00 on Banker."
    )


def test_another_rule_set_judges_every_wager():
    told = ask("rules big-table@1", coup=played(COUP, (3, "banker", 50_00)))

    assert notes(told) == [
        "The table would refuse this (R-BET-3): Seat 3's 50.00 on Banker is under the minimum of "
        "100.00. Raise it, or take it back."
    ]


# fmt: off
ROUNDINGS = [
    # a Banker win of 25.00 owes 1.25
    ("rounding up 1",              2_00, "1.25"),
    ("rounding nearest 1",         1_00, "1.25"),
    ("rounding up 0.50",           1_50, "1.25"),
    ("rounding exact min 3",       3_00, "1.25"),
    ("rounding exact",             1_25, "1.25"),
    ("rounding up 1 on-collection", 2_00, "1.25"),
]
# fmt: on


@pytest.mark.parametrize(("change", "owed", "exact"), ROUNDINGS)
def test_r_com_3_another_rounding(change, owed, exact):
    told = ask(change, coup=played(WINS, (3, "banker", 25_00)))
    (row,) = told.difference

    assert (row.commission, told.house) == (owed - 1_25, owed - 1_25)
    assert (row.paid, row.commission_exact) == (0, 0)
    assert told.payments[0].commission_exact == Fraction(exact) * 100


def test_r_com_3_what_is_rounded_on_collection_is_told_as_if_by_itself():
    told = ask("rounding up 1 on-collection", coup=played(WINS, (3, "banker", 25_00)))

    assert told.payments[0].payment.commission_charged == 0  # nobody knows it yet
    assert "here it is rounded alone (R-COM-3)" in notes(told)[0]


def test_rounding_at_payout_is_in_the_payment():
    told = ask("rounding up 1", coup=played(WINS, (3, "banker", 25_00), rules="classic@1"))

    assert money(told) == ({3: (0, -75, 0)}, 75)


def test_nothing_is_collected_later_where_it_is_taken_at_payout():
    with pytest.raises(BadValue, match="with classic@1 no commission is collected"):
        ask("rules classic@1", "rounding up 1 on-collection")


def test_nothing_is_rounded_where_it_is_in_the_odds():
    coup = played(WINS, *BETS, rules="electronic@1")

    assert notes(ask("rounding up 1", coup=coup, at=table("electronic@1"))) == [
        "electronic@1 takes its commission in the odds, so nothing is rounded."
    ]


# The record as it stands.
def test_r_irr_5_it_is_beside_what_was_corrected():
    coup = played(WINS, *BETS)
    final = tuple(
        Paid(each.wager, pay_to(coup.rules, "banker", 100_00, 150_00), coup.rules)
        if each.wager.seat == 3
        else each
        for each in coup.final
    )
    told = ask("card 1 = QC", coup=replace(coup, final=final))

    assert money(told) == ({3: (0, 50_00, 2_50), 5: (0, 0, 0)}, -47_50)


def test_r_irr_5_a_void_coup_is_told_as_if_it_had_been_played():
    coup = played(WINS, *BETS, phase="voided")
    told = ask("card 1 = QC", coup=coup)

    assert money(told) == ({3: (0, 100_00, 5_00), 5: (0, -500_00, 0)}, 405_00)
    assert notes(told) == [
        "The coup is void on record; this is as if it had been played (R-IRR-5)."
    ]
    assert money(ask("void", coup=coup)) == (SAME, 0)
    assert notes(ask("void", coup=coup)) == []


def test_a_coup_that_is_not_settled_is_beside_nothing_paid():
    told = ask("card 1 = QC", coup=played(WINS, *BETS, phase="resulted"))

    assert money(told) == ({3: (100_00, 200_00, 5_00), 5: (500_00, 0, 0)}, 405_00)
    assert notes(told)[0] == "The coup is not settled, so there is no payment to compare with."


def test_void_is_stronger_than_whatever_else_is_asked():
    told = ask("void", "card 5 = 4H", "draw player", around=shoe(afterwards="8H 8D"))

    assert money(told) == ({3: (0, 100_00, 0), 5: (0, -500_00, 0)}, 400_00)
    assert (told.taken, told.later, told.left_over) == ((), None, ())
    assert notes(told)[0] == (
        "The coup is void, so every stake is returned, whatever else is asked (R-IRR-4)."
    )


def test_a_void_coup_leaves_no_card_over_and_takes_none():
    told = ask("void", "card 1 = 2C", around=shoe(afterwards="8H"))

    assert (len(told.hands.dealt), told.left_over, told.taken) == (4, (), ())
    assert "left over" not in " ".join(notes(told))


def test_r_irr_4_a_void_coup_needs_no_card_that_nobody_has():
    coup = played("KC 9S", *BETS, phase="dealing")

    assert (ask("void", coup=coup).short, ask("card 1 = 2C", coup=coup).short) == (False, True)


# Laws.
BET = st.tuples(
    st.sampled_from([1, 3, 5]),
    st.sampled_from(["player", "banker", "tie"]),
    st.integers(1, 2_000).map(lambda units: units * 100),
)
BETTING = st.dictionaries(st.sampled_from([1, 3, 5]), BET).map(
    lambda found: [(seat, *bet[1:]) for seat, bet in found.items()]
)
CHANGING = st.lists(
    st.one_of(
        st.builds(CardIs, st.integers(1, 4), CARDS),
        st.builds(ThirdCard, st.sampled_from(["player", "banker"]), st.booleans()),
        BET.map(lambda bet: BetIs(*bet)),
        st.builds(RulesAre, st.sampled_from(sorted(RULE_SETS))),
        st.just(RoundingIs(Rounding(mode="up", unit=100))),
    ),
    unique_by=lambda change: change.subject,
)


@given(RULES, COUPS, BETTING)
def test_no_change_is_no_difference(rules, cards, bets):
    told = what_if(played(" ".join(cards), *bets, rules=rules), (), table(), shoe())

    assert all((row.staked, row.paid, row.commission) == (0, 0, 0) for row in told.difference)
    assert (told.house, told.later, notes(told)) == (
        0,
        None,
        [n for n in notes(told) if "R-COM-3" in n or "has no such spot" in n],
    )


@given(RULES, COUPS, BETTING, CHANGING, st.lists(CARDS, min_size=2, max_size=2))
def test_what_patrons_have_more_the_house_has_less(rules, cards, bets, changes, rest):
    coup = played(" ".join(cards), *bets, rules=rules)
    told = what_if(coup, changes, table(), shoe(afterwards=" ".join(rest)))
    rows = told.difference

    assert told.house == sum(row.staked - row.paid + row.commission for row in rows)
    assert sum(row.net for row in rows) == -told.house
    if not any(isinstance(each, BetIs | NoBet) for each in changes):
        assert told.house == sum(row.commission - row.paid for row in rows)


@given(COUPS, COUPS, BETTING)
def test_asking_for_the_other_coup_s_cards_comes_to_the_other_coup(cards, others, bets):
    """From one coup to another, and back: what the one gains the other loses."""
    one, other = played(" ".join(cards), *bets), played(" ".join(others), *bets)

    def between(coup, towards):
        changes = [CardIs(n, card) for n, card in enumerate(towards.cards, 1)]
        rest = " ".join(towards.cards[len(coup.cards) :])
        return what_if(coup, changes, table(), shoe(afterwards=rest))

    there, back = between(one, other), between(other, one)
    assert there.hands.result == play(others).result
    assert money(there)[1] == -money(back)[1]
