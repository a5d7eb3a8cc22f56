"""R-DEAL-3 and 5, R-IRR-2: what lies face down is turned; a card on the wrong hand is moved."""

import pytest
from msgspec.structs import replace

from domain.events.coup import HandsGiven
from domain.rules import house_rules
from domain.rules.house_rules import named
from domain.rules.refusals import BadValue, CoupNotFinished, CoupOver, NotFound, PaymentDisagrees
from tests.domain.floor import (
    BANKER_WINS,
    PLAYER_WINS,
    card_dealt,
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


def turned(hand, numbers, cards, shows, by="dealer"):
    told = {"numbers": numbers, "cards": cards.split(), "shows": shows, "by": by}
    return "HandTurned", {"hand": hand, **told}


def back(hand, by):
    return "HandGivenBack", {"hand": hand, "by": by}


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
        ("BettingClosed", {"by": "dealer"}),
        ("HandsGiven", {"player": player, "banker": "dealer"}),
    )


@pytest.mark.parametrize(("bets", "player", "banker"), GIVEN)
def test_r_deal_3_a_rule_set_may_give_each_hand_to_its_largest_bettor(
    both_bettors, bets, player, banker
):
    given(open_coup(both_bettors, bets=bets)).when(close).then(
        ("BettingClosed", {"by": "dealer"}),
        ("HandsGiven", {"player": player, "banker": banker}),
    )


def test_r_deal_3_the_first_card_gives_the_hands_too():
    given(open_coup(BIG)).when(lambda coup: coup.take_first_card()).then(
        "BettingClosed", "HandsGiven"
    )


@pytest.mark.parametrize(("rules", "given_out"), [(BIG, True), ("dragon-bonus@1", False)])
def test_r_deal_3_only_in_a_squeeze_cards_lie_face_down_and_hands_are_given(rules, given_out):
    coup = dealt(open_coup(rules), "9C")
    events = coup.pending_events

    assert given_out == any(isinstance(event, HandsGiven) for event in events)
    assert given_out == events[-1].face_down


RESULTED = "Resulted", {
    "outcome": "player", "natural": False, "player_total": 6, "banker_total": 4,
}  # fmt: skip
FOUR = "9C 5S 7C QD"  # Banker draws
ON_PLAYER = [(3, "player", 100_00), (5, "player", 200_00)]


def test_r_deal_3_a_hand_is_given_back_and_turned_whole_the_player_s_first():
    coup = dealt(open_coup(BIG, bets=ON_PLAYER), FOUR)

    given(coup).when(turn("player")).then(
        back("player", "seat 5"), turned("player", [1, 3], "9C 7C", 6)
    )
    given(coup).when(turn("banker")).then(turned("banker", [2, 4], "5S QD", 5))


def test_r_deal_3_what_the_dealer_kept_is_not_given_back():
    given(dealt(open_coup(BIG), FOUR)).when(turn("player")).then(
        turned("player", [1, 3], "9C 7C", 6)
    )


def test_r_deal_3_or_card_by_card_and_shows_what_is_face_up():
    coup = dealt(open_coup(BIG, bets=ON_PLAYER), FOUR)

    given(coup).when(turn("player", 3)).then(
        back("player", "seat 5"), turned("player", [3], "7C", 7)
    )
    given(coup).when(turn("player", 1)).then(turned("player", [1], "9C", 6))
    given(coup).when(turn("banker", 4)).then(turned("banker", [4], "QD", 0))
    given(coup).when(turn("banker")).then(turned("banker", [2], "5S", 5))


def test_r_deal_3_a_largest_bettor_who_may_turn_gives_nothing_back(both_bettors):
    coup = dealt(open_coup(both_bettors, bets=[*ON_PLAYER[:1], (5, "banker", 100_00)]), FOUR)

    given(coup).when(turn("player")).then(turned("player", [1, 3], "9C 7C", 6, by="seat 3"))
    given(coup).when(turn("banker", 4)).then(turned("banker", [4], "QD", 0, by="seat 5"))
    given(coup).when(deal("9S")).then(
        back("banker", "seat 5"), turned("banker", [2], "5S", 5), "CardDealt"
    )


def deal(card, **how):
    return lambda coup: coup.deal(card, **how)


def test_r_deal_3_a_third_card_turns_both_hands_as_the_dealer_s_act():
    coup = dealt(open_coup(BIG, bets=ON_PLAYER), FOUR)

    given(coup).when(deal("9S")).then(
        back("player", "seat 5"),
        turned("player", [1, 3], "9C 7C", 6),
        turned("banker", [2, 4], "5S QD", 5),
        card_dealt(5, "9S", "banker", "R-DRAW-3", face_down=True),
    )


def test_r_deal_3_the_player_s_third_card_is_turned_before_the_banker_s_comes():
    coup = dealt(open_coup(BIG), "2C 5S KC KS 6H")

    given(coup).when(deal("9S")).then(
        turned("player", [5], "6H", 8), card_dealt(6, "9S", "banker", "R-DRAW-4", face_down=True)
    )


def test_r_deal_3_there_is_no_result_before_the_last_card_is_turned():
    coup = dealt(open_coup(BIG), PLAYER_WINS)

    assert ("dealing", None) == (coup.phase, coup.due)
    given(coup).when(turn("banker", 5)).then(turned("banker", [5], "9S", 4), RESULTED)


def test_r_deal_3_settling_turns_what_still_has_face_down_as_the_dealer_s_act():
    coup = dealt(open_coup(BIG, bets=[(3, "banker", 100_00)]), "KC 9S 2C QD")
    resulted = {"outcome": "banker", "natural": True, "player_total": 2, "banker_total": 9}

    given(coup).when(lambda coup: coup.settle()).then(
        turned("player", [1, 3], "KC 2C", 2),
        turned("banker", [2, 4], "9S QD", 9),
        ("Resulted", resulted),
        "WagerSettled",
        "Settled",
    )


def test_r_deal_3_nothing_is_settled_and_nothing_told_while_a_third_card_is_due():
    refused = (
        given(dealt(open_coup(BIG), FOUR))
        .when(lambda coup: coup.settle())
        .then_refused(CoupNotFinished)
    )

    assert "its cards are face down, so turn them" in str(refused)
    assert "card is due" not in str(refused)


def test_r_deal_3_a_coup_that_is_voided_leaves_no_card_face_down():
    coup = dealt(open_coup(BIG, bets=ON_PLAYER[:1]), "KC 9S 2C")

    given(coup).when(void()).then(
        back("player", "seat 3"),
        turned("player", [1, 3], "KC 2C", 2),
        turned("banker", [2], "9S", 9),
        "WagerReturned",
        "Voided",
    )


def test_r_deal_3_what_the_cards_came_to_is_stated_when_voiding_turns_the_last_of_them():
    coup = dealt(open_coup(BIG, bets=ON_PLAYER[:1]), "KC 9S 2C QD")
    coup.turn("player")

    given(coup).when(void()).then(
        turned("banker", [2, 4], "9S QD", 9),
        "Resulted",
        "WagerReturned",
        "Voided",
    )


def test_r_deal_5_the_first_four_cards_of_a_reading_shoe_lie_face_down():
    coup = open_coup("dragon-bonus@1")
    coup.take_first_card()
    for card in FOUR.split():
        coup.deal(card, unseen=True)

    assert ({1, 2, 3, 4}, "player") == (coup.face_down, coup.to_turn)
    given(coup).when(turn("player")).then(turned("player", [1, 3], "9C 7C", 6))
    given(coup).when(deal("9S", unseen=True)).then(
        turned("banker", [2, 4], "5S QD", 5),
        card_dealt(5, "9S", "banker", "R-DRAW-3"),
        RESULTED,
    )


def test_r_deal_5_a_card_is_typed_as_it_is_turned():
    coup = dealt(open_coup("dragon-bonus@1"), FOUR)

    assert (set(), None) == (coup.face_down, coup.to_turn)


def test_face_up_a_reading_shoe_shows_its_cards_as_they_come():
    coup = open_coup("classic@1")
    coup.take_first_card()

    given(coup).when(deal("9C", unseen=True)).then(card_dealt(1, "9C", "player", "R-DEAL-1"))


# fmt: off
NOT_TURNED = [
    # rules       earlier               act                message
    (BIG,         [],                   turn("banker"),    "Turn the Player hand first."),
    (BIG,         [turn("player", 1)],  turn("banker"),    "Turn the Player hand first."),
    (BIG,         [turn("player", 3)],  turn("banker"),    "Turn the Player hand first."),
    (BIG,         [],                   turn("player", 2),
     "Card 2 is Banker's. Turn it with the Banker hand."),
    (BIG,         [turn("player")],     turn("banker", 3),
     "Card 3 is Player's. Turn it with the Player hand."),
    (BIG,         [turn("player")],     turn("player"),
     "No card of the Player hand is face down."),
    (BIG,         [turn("player")],     turn("player", 3), "Card 3 is already face up."),
    ("classic@1", [],                   turn("player"),
     "classic@1 deals face up: no card is turned."),
]
# fmt: on


@pytest.mark.parametrize(("rules", "earlier", "act", "message"), NOT_TURNED)
def test_r_deal_3_no_card_is_turned_out_of_turn(rules, earlier, act, message):
    coup = dealt(open_coup(rules), FOUR)
    refused = given(coup, *earlier).when(act).then_refused(BadValue)

    assert ("R-DEAL-3", message) == (refused.rule, str(refused))


@pytest.mark.parametrize("cards", ["9C", "9C 5S 7C"])
def test_r_deal_3_nothing_is_turned_before_all_four_are_out(cards):
    refused = given(dealt(open_coup(BIG), cards)).when(turn("player")).then_refused(BadValue)

    assert "before the first four cards are out" in str(refused)


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
    coup = dealt(open_coup(BIG, bets=[(3, "banker", 100_00)]), BANKER_WINS)
    for act in earlier:
        act(coup)

    assert [195_00] == [payment.paid for _, payment in coup.settle()]
    assert "banker" == coup.hands.result.outcome


@pytest.mark.parametrize(
    ("cards", "n", "card", "hand"),
    [("9C", 1, "9C", "player"), ("9C 5S", 2, "5S", "banker"), (PLAYER_WINS, 5, "9S", "banker")],
)
def test_r_irr_2_the_last_card_is_moved_to_where_it_belongs(cards, n, card, hand):
    coup = dealt(open_coup(), cards)
    before = (coup.hands, coup.phase)

    given(coup).when(move(n, hand)).then(("CardMoved", {"n": n, "card": card, "hand": hand}))
    assert (coup.hands, coup.phase) == before


def test_r_deal_3_what_was_paid_wrongly_is_told_with_the_cards_that_settling_turned():
    coup = dealt(open_coup(BIG, bets=[(3, "player", 100_00)]), PLAYER_WINS)
    refused = (
        given(coup)
        .when(lambda coup: coup.settle({3: 0}))
        .then_refused(
            PaymentDisagrees,
            turned("banker", [5], "9S", 4),
            RESULTED,
            ("PaymentDisagreed", {"seat": 3, "stated": 0, "owed": 200_00}),
        )
    )

    assert "seat 3 was paid 0.00 but is owed 200.00" in str(refused)


# fmt: off
NOT_MOVED = [
    # act                refused    says
    (move(1, "player"),  BadValue,  "another card was drawn since"),
    (move(3, "banker"),  BadValue,  "Card 3 belongs to Player (R-DEAL-1). If it lay"),
    (move(4, "banker"),  NotFound,  "B01/2026-11-21/1/1 has no card 4: it has 3 cards."),
    (move(0, "player"),  NotFound,  "has no card 0"),
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
