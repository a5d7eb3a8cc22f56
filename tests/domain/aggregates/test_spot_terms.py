"""R-BET-6: a bet that is taken only beside another one, at some seats, or not in every coup."""

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from domain.aggregates.coup import Coup
from domain.aggregates.tray import Signed
from domain.rules.house_rules import SpotTerms
from domain.rules.refusals import (
    BothSides,
    OnlyBeside,
    Refusal,
    SecondPersonNeeded,
    SpotNotAtSeat,
    SpotNotInCoup,
)
from domain.rules.spot_terms import Nth
from tests.domain.floor import (
    BANKER_WINS,
    EVENING,
    bet,
    dealt,
    enter_late,
    house_s_own,
    on_terms,
    open_coup,
    open_table,
    ready_shoe,
    stay,
    void,
)
from tests.scenario import given

P_3 = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}
BY = Signed("typed at the wrong seat", "S-11", "S-12")
BESIDE = {"beside": ("player",)}


def lies(coup):
    return {(each.seat, each.spot): each.stake for each in coup.wagers()}


def test_r_bet_6_a_side_bet_alone_is_refused_and_beside_its_bet_it_is_taken():
    given(on_terms(**BESIDE)).when(bet(3, "dragon-player", 25_00)).then_refused(OnlyBeside)
    given(on_terms(**BESIDE, bets=[(3, "player", 25_00)])).when(
        bet(3, "dragon-player", 25_00)
    ).then("WagerPlaced")


def test_r_bet_6_another_seat_s_bet_and_another_spot_are_not_beside():
    coup = on_terms(**BESIDE, bets=[(5, "player", 25_00), (3, "banker", 25_00)])

    given(coup).when(bet(3, "dragon-player", 25_00)).then_refused(OnlyBeside)


def test_r_bet_6_who_takes_the_main_bet_back_takes_the_side_bet_back_too():
    coup = on_terms(**BESIDE, bets=[(3, "player", 25_00), (3, "dragon-player", 25_00)])
    back = given(coup).when(lambda coup: coup.withdraw(3, stay(3), "player"))
    back.then(
        ("WagerWithdrawn", {**P_3, "spot": "player", "amount": 25_00}),
        ("WagerWithdrawn", {**P_3, "spot": "dragon-player", "amount": 25_00}),
    )

    assert {} == lies(coup)


def test_r_bet_6_a_side_bet_goes_back_alone_and_the_main_bet_stays():
    coup = on_terms(**BESIDE, bets=[(3, "player", 25_00), (3, "dragon-player", 25_00)])
    coup.withdraw(3, stay(3), "dragon-player")

    assert {(3, "player"): 25_00} == lies(coup)


@pytest.mark.parametrize(("policy", "left"), [("whole", 25_00), ("at-limit", None)])
def test_r_bet_6_a_side_bet_entered_late_alone_is_an_exception(policy, left):
    rules = house_s_own(terms={"dragon-player": SpotTerms(**BESIDE)}, outside_limits=policy)
    coup = dealt(open_coup(rules), "9C")
    events = ["WagerFound", "LimitFoundBroken", *([] if left else ["WagerReduced"])]
    given(coup).when(enter_late(3, "dragon-player", 25_00)).then(*events)

    assert left == lies(coup).get((3, "dragon-player"))


def test_r_bet_6_a_main_bet_that_goes_back_for_the_differential_takes_the_side_bet_along():
    rules = house_s_own(
        terms={"dragon-player": SpotTerms(**BESIDE)},
        outside_limits="at-limit",
        differential=25_00,
    )
    coup = open_coup(rules, bets=[(3, "player", 50_00), (3, "dragon-player", 25_00)])
    given(dealt(coup, "9C")).then()
    assert {(3, "player"): 25_00, (3, "dragon-player"): 25_00} == lies(coup)

    rules = house_s_own(
        terms={"dragon-player": SpotTerms(**BESIDE)}, outside_limits="at-limit", differential=0
    )
    coup = open_coup(rules, bets=[(3, "player", 50_00), (3, "dragon-player", 25_00)])

    assert {} == lies(dealt(coup, "9C"))


def test_r_bet_6_a_void_coup_returns_both():
    coup = on_terms(**BESIDE, bets=[(3, "player", 25_00), (3, "dragon-player", 25_00)])

    given(dealt(coup, BANKER_WINS)).when(void()).then("WagerReturned", "WagerReturned", "Voided")


def test_r_bet_6_a_main_bet_moved_away_says_that_the_side_bet_was_alone():
    coup = on_terms(**BESIDE, bets=[(3, "player", 25_00), (3, "dragon-player", 25_00)])
    moved = given(dealt(coup, BANKER_WINS)).when(
        lambda coup: coup.move_wager(3, "player", 5, stay(5), BY)
    )
    moved.then("WagerMoved", "LimitFoundBroken")


def test_r_bet_6_only_at_the_seats_of_the_sheet():
    coup = on_terms(seats=(5, 7))

    given(coup).when(bet(3, "dragon-player", 25_00)).then_refused(SpotNotAtSeat)
    given(coup).when(bet(5, "dragon-player", 25_00)).then("WagerPlaced")


def coup_number(number, rules, *, cards_left=None):
    """A coup of this number, of a shoe with so many cards."""
    table, shoe = open_table(rules, seats=(3, 5)), ready_shoe(rules)
    while shoe.coup < number - 1:
        shoe.begin_coup()
    if cards_left is not None:
        shoe.cards_left = cards_left
    return Coup.open(shoe.begin_coup(), table, shoe, at=EVENING)


# fmt: off
COUPS = [
    # terms                                    number  cards  taken
    (SpotTerms(not_in_first=3),                     3,  None, False),
    (SpotTerms(not_in_first=3),                     4,  None, True),
    (SpotTerms(not_in_last=1),                     60,    14, False),  # the cut card is due
    (SpotTerms(not_in_last=1),                     60,    15, True),
    (SpotTerms(not_in_last=3),                     60, 14 + 12, False),  # two of six, and the last
    (SpotTerms(not_in_last=3),                     60, 14 + 13, True),
]
# fmt: on


@pytest.mark.parametrize(("terms", "number", "cards", "taken"), COUPS)
def test_r_bet_6_not_in_the_first_and_last_coups(terms, number, cards, taken):
    rules = house_s_own(terms={"dragon-player": terms})
    told = given(coup_number(number, rules, cards_left=cards)).when(bet(3, "dragon-player", 25_00))

    told.then("WagerPlaced") if taken else told.then_refused(SpotNotInCoup)


def test_r_bet_6_once_the_cut_card_is_out_the_last_coup_is_sure():
    assert [1, 1, 2, 2, 3] == [Nth(9, cards).sure_to_come() for cards in (0, -3, 1, 6, 7)]
    assert Nth(9).sure_to_come() is None
    assert [8, 7] == [Nth(9, 42).sure_to_come(burned=each) for each in (False, True)]


BOTH = {
    "forbidden": (BothSides, BothSides),
    "with-leave": (SecondPersonNeeded, None),
    "free": (None, None),
}


@pytest.mark.parametrize(("policy", "refused"), BOTH.items())
def test_r_bet_1_who_bets_on_both_sides_does_so_by_the_rule_set_s_leave(policy, refused):
    for leave, no in zip(("", "S-11"), refused, strict=True):
        coup = open_coup(house_s_own(both_sides=policy), bets=[(3, "banker", 100_00)])
        told = given(coup).when(
            lambda coup, s=leave: coup.bet(3, stay(3), "player", 25_00, leave=s)
        )
        if no:
            told.then_refused(no)
        else:
            by = {"approved_by": leave} if leave and policy == "with-leave" else {}
            told.then(("WagerPlaced", {**P_3, "spot": "player", "amount": 25_00, **by}))


LINES = st.lists(
    st.tuples(
        st.sampled_from((3, 5)),
        st.sampled_from(("player", "banker", "tie", "dragon-player", "dragon-banker", "-")),
    ),
    max_size=12,
)
TERMS = {
    "dragon-player": SpotTerms(beside=("player",)),
    "dragon-banker": SpotTerms(beside=("player", "banker"), seats=(3,)),
}


@settings(max_examples=60)
@for_all(LINES)
def test_r_bet_6_what_lies_there_is_what_a_model_of_sets_has(acts):
    """The model knows sets of spots by seat, and nothing of the domain."""
    coup = open_coup(house_s_own(terms=TERMS, both_sides="free"))
    model = {3: set(), 5: set()}
    for seat, spot in acts:
        theirs = model[seat]
        if spot == "-":
            back = min(theirs & {"player", "banker"}, default=None)
            if back is None:
                continue
            coup.withdraw(seat, stay(seat), back)
            theirs.discard(back)
            if "player" not in theirs:
                theirs.discard("dragon-player")
            if not theirs & {"player", "banker"}:
                theirs.discard("dragon-banker")
            continue
        allowed = {
            "dragon-player": "player" in theirs,
            "dragon-banker": seat == 3 and bool(theirs & {"player", "banker"}),
        }.get(spot, True)
        try:
            coup.bet(seat, stay(seat), spot, 100_00)
            taken = True
        except Refusal:
            taken = False
        assert allowed == taken
        if taken:
            theirs.add(spot)

        assert {(s, each) for s, spots in model.items() for each in spots} == set(lies(coup))
