"""R-DEAL-3, R-IRR-2: cards that lie face down are turned, and one on the wrong hand is moved."""

from dataclasses import replace

import pytest

from domain import house_rules
from domain.house_rules import named
from domain.refusals import BadValue, CoupOver, NotFound, PaymentDisagrees
from tests.domain.floor import (
    BANKER_WINS,
    PLAYER_WINS,
    dealt,
    open_coup,
    settle,
    void,
)
from tests.scenario import given

BIG = "big-table@1"


def close(coup):
    coup.close_betting()


def turn(hand, n=None):
    return lambda coup: coup.turn(hand, n)


def move(n, hand):
    return lambda coup: coup.move(n, hand)


def turned(n, card, hand, shows):
    return "Coup.CardTurned", {"n": n, "card": card, "hand": hand, "shows": shows}


@pytest.fixture
def both_bettors(monkeypatch):
    """A big table at which the largest bettor of each side turns that hand."""
    rules = replace(named(BIG), name="both@1", squeeze="both-bettors")
    monkeypatch.setitem(house_rules.RULE_SETS, rules.name, rules)
    return rules.name


# fmt: off
GIVEN = [
    # bets                                             player     banker, if it is given
    ([],                                               "dealer",  "dealer"),
    ([(3, "player", 200_00), (5, "player", 100_00)],   "seat 3",  "dealer"),
    ([(3, "player", 100_00), (5, "player", 200_00)],   "seat 5",  "dealer"),
    ([(5, "player", 100_00), (3, "player", 100_00)],   "seat 3",  "dealer"),  # the lower seat
    ([(3, "banker", 100_00), (5, "banker", 200_00)],   "dealer",  "seat 5"),
    ([(5, "banker", 100_00), (3, "banker", 100_00)],   "dealer",  "seat 3"),
    ([(3, "player", 100_00), (5, "banker", 500_00)],   "seat 3",  "seat 5"),
    ([(3, "player", 100_00), (5, "tie",    500_00)],   "seat 3",  "dealer"),
]
# fmt: on


@pytest.mark.parametrize(("bets", "player", "banker"), GIVEN)
def test_r_deal_3_the_largest_player_bettor_looks_at_the_player_hand(bets, player, banker):
    given(open_coup(BIG, bets=bets)).when(close).then(
        ("Coup.BettingClosed", {"by": "dealer"}),
        ("Coup.HandsGiven", {"player": player, "banker": "dealer"}),
    )


@pytest.mark.parametrize(("bets", "player", "banker"), GIVEN)
def test_r_deal_3_a_rule_set_may_give_each_hand_to_its_largest_bettor(
    both_bettors, bets, player, banker
):
    given(open_coup(both_bettors, bets=bets)).when(close).then(
        ("Coup.BettingClosed", {"by": "dealer"}),
        ("Coup.HandsGiven", {"player": player, "banker": banker}),
    )


def test_r_deal_3_the_first_card_gives_the_hands_too():
    given(open_coup(BIG)).when(lambda coup: coup.take_first_card()).then(
        "Coup.BettingClosed", "Coup.HandsGiven"
    )


@pytest.mark.parametrize(("rules", "given_out"), [(BIG, True), ("dragon-bonus@1", False)])
def test_r_deal_3_only_in_a_squeeze_cards_lie_face_down_and_hands_are_given(rules, given_out):
    coup = dealt(open_coup(rules), "9C")
    facts = coup.pending_events

    assert given_out == any(isinstance(fact, coup.HandsGiven) for fact in facts)
    assert given_out == facts[-1].face_down


def test_r_deal_3_a_hand_is_turned_whole_the_player_s_first():
    coup = dealt(open_coup(BIG), PLAYER_WINS)

    given(coup).when(turn("player")).then(
        turned(1, "9C", "player", 9), turned(3, "7C", "player", 6)
    )
    given(coup).when(turn("banker")).then(
        turned(2, "5S", "banker", 5),
        turned(4, "QD", "banker", 5),
        turned(5, "9S", "banker", 4),
    )


def test_r_deal_3_or_card_by_card_and_shows_what_lies_open():
    coup = dealt(open_coup(BIG), PLAYER_WINS)

    given(coup).when(turn("player", 3)).then(turned(3, "7C", "player", 7))
    given(coup).when(turn("player", 1)).then(turned(1, "9C", "player", 6))
    given(coup).when(turn("banker", 5)).then(turned(5, "9S", "banker", 9))
    given(coup).when(turn("banker")).then(
        turned(2, "5S", "banker", 4), turned(4, "QD", "banker", 4)
    )


# fmt: off
NOT_TURNED = [
    # rules            earlier            act                refused because
    (BIG,              [],                turn("banker"),    "the Player's hand is turned first"),
    (BIG,              [turn("player", 1)], turn("banker"),  "the Player's hand is turned first"),
    (BIG,              [turn("player", 3)], turn("banker"),  "the Player's hand is turned first"),
    (BIG,              [],                turn("player", 2), "card 2 is Banker's"),
    (BIG,              [turn("player")],  turn("banker", 3), "card 3 is Player's"),
    (BIG,              [turn("player")],  turn("player"),    "no card of it lies face down"),
    (BIG,              [turn("player")],  turn("player", 3), "no card of it lies face down"),
    ("classic@1",      [],                turn("player"),    "classic@1 deals face up"),
]
# fmt: on


@pytest.mark.parametrize(("rules", "earlier", "act", "why"), NOT_TURNED)
def test_r_deal_3_no_card_is_turned_out_of_its_turn(rules, earlier, act, why):
    coup = dealt(open_coup(rules), PLAYER_WINS)
    refused = given(coup, *earlier).when(act).then_refused(BadValue)

    assert ("R-DEAL-3", True) == (refused.rule, str(refused).endswith(f": {why}."))


def test_r_deal_3_before_a_card_is_out_there_is_none_to_turn():
    coup = open_coup(BIG)

    given(coup).when(turn("player")).then_refused(BadValue)
    given(coup).when(turn("player", 1)).then_refused(NotFound)


@pytest.mark.parametrize("over", [settle, void()])
def test_r_deal_3_what_is_over_is_not_turned(over):
    coup = dealt(open_coup(BIG), PLAYER_WINS)

    given(coup, over).when(turn("player")).then_refused(CoupOver)


@pytest.mark.parametrize("earlier", [[], [turn("player")], [turn("player"), turn("banker")]])
def test_r_deal_3_turning_reveals_and_never_decides(earlier):
    lies = [(3, "player", 100_00)]
    coup = dealt(open_coup(BIG, bets=lies), PLAYER_WINS)
    for act in earlier:
        act(coup)

    assert ("player", [200_00]) == (
        coup.hands.result.outcome,
        [payment.paid for _, payment in coup.settle()],
    )


@pytest.mark.parametrize(
    ("cards", "n", "card", "hand"),
    [("9C", 1, "9C", "player"), ("9C 5S", 2, "5S", "banker"), (PLAYER_WINS, 5, "9S", "banker")],
)
def test_r_irr_2_the_last_card_is_moved_to_where_it_belongs(cards, n, card, hand):
    coup = dealt(open_coup(), cards)
    before = (coup.hands, coup.phase)

    given(coup).when(move(n, hand)).then(("Coup.CardMoved", {"n": n, "card": card, "hand": hand}))
    assert (coup.hands, coup.phase) == before


@pytest.mark.parametrize("earlier", [[], [turn("player")], [turn("player"), turn("banker", 2)]])
def test_r_deal_3_what_is_owed_is_not_told_while_a_card_lies_face_down(earlier):
    coup = dealt(open_coup(BIG, bets=[(3, "player", 100_00)]), PLAYER_WINS)
    refused = (
        given(coup, *earlier)
        .when(lambda coup: coup.settle({3: 0}))
        .then_refused(
            PaymentDisagrees, ("Coup.PaymentDisagreed", {"seat": 3, "stated": 0, "owed": 200_00})
        )
    )

    assert str(refused).endswith(
        " what was stated is not what is owed: mend the payment, then settle again."
    )


def test_r_deal_3_what_was_paid_is_told_as_soon_as_all_is_turned():
    coup = dealt(open_coup(BIG, bets=[(3, "player", 100_00)]), PLAYER_WINS)

    given(coup, turn("player"), turn("banker")).when(lambda coup: coup.settle({3: 0})).then_refused(
        PaymentDisagrees, ("Coup.PaymentDisagreed", {"seat": 3, "stated": 0, "owed": 200_00})
    )


# fmt: off
NOT_MOVED = [
    # act                refused    says
    (move(1, "player"),  BadValue,  "another card was drawn since"),
    (move(3, "banker"),  BadValue,  "card 3 is Player's (R-DEAL-1)"),
    (move(4, "banker"),  NotFound,  "card 4 of B01/2026-11-21/1/1: it has 3"),
    (move(0, "player"),  NotFound,  "card 0 of"),
]
# fmt: on


@pytest.mark.parametrize(("act", "kind", "says"), NOT_MOVED)
def test_r_irr_2_no_other_card_is_moved_and_none_elsewhere(act, kind, says):
    refused = given(dealt(open_coup(), "9C 5S 7C")).when(act).then_refused(kind)

    assert says in str(refused)


@pytest.mark.parametrize("over", [settle, void()])
def test_r_irr_2_nothing_is_moved_once_the_coup_is_over(over):
    coup = dealt(open_coup(), BANKER_WINS)

    given(coup, over).when(move(4, "banker")).then_refused(CoupOver)
