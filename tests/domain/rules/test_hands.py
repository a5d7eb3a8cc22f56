"""R-DEAL-1, R-DRAW-1 to 4, R-WIN-1: cards in, hands out."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from domain.rules.cards import DECK, points
from domain.rules.hands import Due, next_due, outcome_of, play
from domain.rules.refusals import CardNotDue
from tests.data import published, recorded_shoes
from tests.strategies import COUPS

RECORDED = recorded_shoes()
PLACARD = published("third_card_table.json")


@pytest.mark.parametrize("shoe", RECORDED, ids=lambda shoe: shoe["shoe"])
def test_every_recorded_coup_is_dealt_and_won_as_recorded(shoe):
    actual = [_as_recorded(coup["deal"]) for coup in shoe["coups"]]
    expected = [{name: coup[name] for name in actual[0]} for coup in shoe["coups"]]

    assert expected == actual


@pytest.mark.parametrize("shoe", RECORDED, ids=lambda shoe: shoe["shoe"])
def test_a_recorded_shoe_cuts_itself_into_the_same_coups(shoe):
    """Nobody says where a coup ends but the rule: no card is due any more."""
    cards = shoe["cards"].split()
    at = shoe["burned_including_first"]
    actual = []
    for _ in shoe["coups"]:
        coup = []
        while play(coup).due:
            coup.append(cards[at + len(coup)])
        actual.append((at, coup))
        at += len(coup)
    expected = [(coup["start"], coup["deal"]) for coup in shoe["coups"]]

    assert expected == actual


def _as_recorded(deal):
    hands = play(deal)
    return {
        "player": hands.cards("player"),
        "banker": hands.cards("banker"),
        "pt": hands.player_total,
        "bt": hands.banker_total,
        "winner": hands.result.outcome,
        "natural": hands.result.natural,
        "player_pair": hands.result.player_pair,
        "banker_pair": hands.result.banker_pair,
    }


# fmt: off
DECISIONS = [
    # deal                 Player's third          Banker's third
    ("9C 2S KC QD",        ("R-DRAW-1", False),    ("R-DRAW-1", False)),
    ("2S 8C 3C KD",        ("R-DRAW-1", False),    ("R-DRAW-1", False)),
    ("9C 8S KC QD",        ("R-DRAW-1", False),    ("R-DRAW-1", False)),
    ("6C 7S KC QD",        ("R-DRAW-2", False),    ("R-DRAW-3", False)),
    ("7C 5S KC QD 9S",     ("R-DRAW-2", False),    ("R-DRAW-3", True)),
    ("5C 7S KC QD 9S",     ("R-DRAW-2", True),     ("R-DRAW-4", False)),
    ("5C 3S KC QD 8S",     ("R-DRAW-2", True),     ("R-DRAW-4", False)),
    ("5C 3S KC QD 9S 2C",  ("R-DRAW-2", True),     ("R-DRAW-4", True)),
    ("TC KS KC QD AS 2C",  ("R-DRAW-2", True),     ("R-DRAW-4", True)),
]
# fmt: on


@pytest.mark.parametrize(("deal", "player", "banker"), DECISIONS)
def test_r_draw_every_third_card_is_decided_by_its_rule(deal, player, banker):
    steps = play(deal.split()).steps
    expected = [("player-third", *player), ("banker-third", *banker)]
    actual = [(step.position, step.rule, step.draws) for step in steps]

    assert expected == actual


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        (
            "9C 8S KC QD",
            ["no third cards: Player has a natural 9 and Banker has a natural 8"] * 2,
        ),
        ("6C 5S KC QD", ["Player stands on 6", "Banker draws on 5: Player stood"]),
        (
            "5C 3S KC QD 8S",
            ["Player draws on 5", "Banker stands on 3: Player's third card counts 8"],
        ),
        ("5C 3S KC QD", ["Player draws on 5"]),
        ("5C 3S KC", []),
    ],
)
def test_every_decision_says_why_and_none_comes_before_its_card(deal, why):
    actual = [step.why for step in play(deal.split()).steps]

    assert why == actual


def test_r_draw_4_stood_is_not_zero():
    """Banker on 5 draws when Player stood, and stands when Player drew a king."""
    player_stood = play(["6C", "5S", "KC", "QD"])
    player_drew_a_king = play(["5C", "5S", "KC", "QD", "KS"])

    assert Due("banker", "R-DRAW-3") == player_stood.due
    assert player_drew_a_king.due is None


@pytest.mark.parametrize("banker", range(10))
@pytest.mark.parametrize("player", range(10))
def test_r_draw_after_four_cards_the_next_is_due_as_the_placard_says(player, banker):
    if player >= 8 or banker >= 8:
        expected = None
    elif player <= 5:
        expected = Due("player", "R-DRAW-2")
    elif PLACARD["banker_draws_when_player_stood"][banker] == "1":
        expected = Due("banker", "R-DRAW-3")
    else:
        expected = None
    actual = next_due([player, banker, 0, 0])

    assert expected == actual


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("banker", range(8))
def test_r_draw_4_after_player_drew_the_next_is_due_as_the_placard_says(banker, third):
    draws = PLACARD["banker_draws"][str(banker)][third] == "1"
    expected = Due("banker", "R-DRAW-4") if draws else None
    actual = next_due([0, banker, 0, 0, third])

    assert expected == actual


def test_r_deal_1_cards_leave_the_shoe_player_banker_player_banker_then_the_thirds():
    hands = play(["5C", "3S", "KC", "QD", "9S", "2C"])
    expected = [
        # n card  hand      rule        totals  next
        (1, "5C", "player", "R-DEAL-1", 5, None, Due("banker", "R-DEAL-1")),
        (2, "3S", "banker", "R-DEAL-1", 5, 3, Due("player", "R-DEAL-1")),
        (3, "KC", "player", "R-DEAL-1", 5, 3, Due("banker", "R-DEAL-1")),
        (4, "QD", "banker", "R-DEAL-1", 5, 3, Due("player", "R-DRAW-2")),
        (5, "9S", "player", "R-DRAW-2", 4, 3, Due("banker", "R-DRAW-4")),
        (6, "2C", "banker", "R-DRAW-4", 4, 5, None),
    ]
    actual = [
        (each.n, each.card, each.hand, each.rule, each.player_total, each.banker_total, each.due)
        for each in hands.dealt
    ]

    assert expected == actual


@pytest.mark.parametrize("deal", ["", "9C", "9C 5S 7C", "9C 5S 7C QD"])
def test_there_is_no_result_while_a_card_is_due(deal):
    hands = play(deal.split())

    assert hands.due is not None
    assert hands.result is None


def test_before_the_first_card_there_are_no_totals_and_player_is_due():
    hands = play([])
    expected = (None, None, Due("player", "R-DEAL-1"))

    assert expected == (hands.player_total, hands.banker_total, hands.due)


@pytest.mark.parametrize("deal", ["9C 2S KC QD", "7C 5S KC QD 9S", "5C 3S KC QD 9S 2C"])
def test_r_irr_1_a_card_too_many_is_not_due(deal):
    with pytest.raises(CardNotDue, match="AH is not due: the coup has all its cards"):
        play([*deal.split(), "AH"])


@pytest.mark.parametrize("banker", range(10))
@pytest.mark.parametrize("player", range(10))
def test_r_win_1_nearer_nine_wins_and_equal_totals_tie(player, banker):
    away = (9 - player, 9 - banker)
    expected = "tie" if away[0] == away[1] else ("player" if away[0] < away[1] else "banker")
    actual = outcome_of(player, banker)

    assert expected == actual


@pytest.mark.parametrize(
    ("deal", "outcome"), [("9C 8S KC QD", "player"), ("8C 9S KC QD", "banker")]
)
def test_r_draw_1_a_natural_9_beats_a_natural_8(deal, outcome):
    result = play(deal.split()).result

    assert (outcome, True, 1) == (result.outcome, result.natural, result.margin)


@pytest.mark.parametrize(
    ("deal", "natural"),
    [
        ("9C 2S KC QD", True),
        ("2S 8C 3C KD", True),
        ("6C 7S KC QD", False),
        ("AC KS KC 4S 8H", False),  # Player's ace and eight are three cards
        ("6C 5S KC QD 4H", False),  # and so is Banker's five and four
    ],
)
def test_r_draw_1_a_natural_is_8_or_9_on_two_cards(deal, natural):
    result = play(deal.split()).result

    assert natural == result.natural


@pytest.mark.parametrize(
    ("deal", "pairs"),
    [
        ("JC 8S QC KD", (False, False)),  # jack and queen are no pair
        ("4C 8S 4D KD", (True, False)),
        ("9C KS KC KD", (False, True)),
        ("4C KS 4D KD", (True, True)),
        ("2C 7S 3C KD 3S", (False, False)),  # the first two cards, not the last two
    ],
)
def test_r_pay_3_a_pair_is_two_of_one_rank(deal, pairs):
    result = play(deal.split()).result

    assert pairs == (result.player_pair, result.banker_pair)


@given(COUPS)
def test_r_card_2_a_total_is_the_sum_modulo_10(cards):
    hands = play(cards)
    expected = tuple(sum(map(points, hands.cards(hand))) % 10 for hand in ("player", "banker"))

    assert expected == (hands.player_total, hands.banker_total)


@given(COUPS)
def test_a_card_is_due_until_the_last_and_then_no_card_is(cards):
    actual = [play(cards[:n]).due is not None for n in range(len(cards) + 1)]

    assert [*[True] * len(cards), False] == actual


@given(COUPS)
def test_suits_decide_nothing(cards):
    same_ranks = [next(card for card in DECK if card[0] == each[0]) for each in cards]

    expected = play(same_ranks).result

    assert expected == replace(play(cards).result, hands=expected.hands)
