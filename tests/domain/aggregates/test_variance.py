"""How wagers of one coup win and lose together: exactly, as published, and in many evenings."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS, Offer, named
from domain.rules.odds import spot_covariances, spot_odds
from domain.rules.settlement import pay
from domain.rules.wagers import LUCKY_6, pair

SHEET = named("dragon-bonus@1")


@cache
def of_eight_decks():
    """How the spots of the sheet win and lose together."""
    return spot_covariances(SHEET, 8)


@pytest.mark.parametrize(
    ("rules", "spot", "deviation"),
    [
        ("dragon-bonus@1", "banker", 0.9274),
        ("electronic@1", "banker", 0.9274),  # 19 to 20 is 5% less
        ("dragon-bonus@1", "player", 0.9512),
        ("tie-eight@1", "tie", 2.64),
    ],
)
def test_the_standard_deviation_of_a_unit_is_as_published(rules, spot, deviation):
    variance = spot_covariances(named(rules), 8)[spot, spot]
    places = len(str(deviation)) - 2

    assert deviation == round(float(variance) ** 0.5, places)


def test_of_one_deck_every_covariance_is_what_counting_rank_by_rank_says():
    """Player, Banker at 5%, Tie, both pairs and a bonus of two lines, without odds or tableau."""
    spots = {spot: SHEET.spots[spot] for spot in ("player", "banker", "tie")}
    spots |= {f"pair-{side}": Offer(pays=pair(side)) for side in ("player", "banker")}
    rules = replace(SHEET, spots={**spots, "lucky-6": Offer(pays=LUCKY_6)})
    endings = _endings_by_rank(4)
    deals = sum(endings.values())
    expected = {}
    for a, b in product(range(len(rules.spots)), repeat=2):
        both = sum(ways * won[a] * won[b] for won, ways in endings.items())
        one, other = (sum(ways * won[n] for won, ways in endings.items()) for n in (a, b))
        spots = tuple(rules.spots)
        expected[spots[a], spots[b]] = Fraction(both, 20**2 * deals) - Fraction(
            one * other, (20 * deals) ** 2
        )

    assert expected == spot_covariances(rules, 1)


def _endings_by_rank(of_rank):
    """What the house wins of 20 on each spot, and in how many of all orders of six cards."""
    left = [of_rank] * 13
    counts = [10 if rank > 9 else rank for rank in range(1, 14)]
    endings = Counter()
    hands = [(a, b) for a in range(13) for b in range(a, 13)]

    def take(rank):
        ways = left[rank]
        left[rank] -= 1
        return ways

    for p in hands:
        ways_p = take(p[0]) * take(p[1]) * (1 + (p[0] != p[1]))
        for b in hands if ways_p else ():
            ways = ways_p * take(b[0]) * take(b[1]) * (1 + (b[0] != b[1]))
            pairs = p[0] == p[1], b[0] == b[1]
            player, banker = ((counts[x] + counts[y]) % 10 for x, y in (p, b))
            by_value = Counter()
            for rank in range(13) if ways > 0 else ():
                by_value[counts[rank] % 10] += left[rank]
            for total, end, cards, more in _drawn(player, banker, by_value):
                endings[_brings(total, end, cards, *pairs)] += ways * more
            for rank in b:
                left[rank] += 1
        for rank in p:
            left[rank] += 1
    return +endings


def _drawn(player, banker, left):
    """Both totals, Banker's cards and the orders of the two that may follow."""
    every = sum(left.values())
    if not every:
        return
    if player > 7 or banker > 7 or (player > 5 and banker > 5):
        yield player, banker, 2, every * (every - 1)
        return
    for third in left:
        if player > 5:
            yield player, (banker + third) % 10, 3, left[third] * (every - 1)
            continue
        total = (player + third) % 10
        draws = (
            banker < 3
            or (banker == 3 and third != 8)
            or (banker == 4 and third in (2, 3, 4, 5, 6, 7))
            or (banker == 5 and third in (4, 5, 6, 7))
            or (banker == 6 and third in (6, 7))
        )
        if not draws:
            yield total, banker, 2, left[third] * (every - 1)
            continue
        for fourth in left:
            rest = left[fourth] - (third == fourth)
            yield total, (banker + fourth) % 10, 3, left[third] * rest


def _brings(player, banker, banker_cards, player_pair, banker_pair):
    on_6 = banker == 6 and banker > player
    return (
        20 * ((banker > player) - (player > banker)),
        20 * (player > banker) - 19 * (banker > player),
        20 - 180 * (player == banker),
        20 - 240 * player_pair,
        20 - 240 * banker_pair,
        20 - (260 if banker_cards == 2 else 420) * on_6,
    )


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_pair_of_spots_has_one_covariance_either_way_round(name):
    rules = named(name)
    covariances = spot_covariances(rules, rules.decks)

    assert list(covariances) == list(product(rules.spots, repeat=2))
    assert all(covariances[b, a] == each for (a, b), each in covariances.items())
    assert all(covariances[spot, spot] > 0 for spot in rules.spots)


def test_player_and_banker_together_vary_by_little_more_than_the_commission():
    """500.00 on each: a win of the Banker brings 25.00, everything else nothing."""
    banker = Fraction("2292252566437888/4998398275503360")
    of = of_eight_decks()
    together = of["player", "player"] + 2 * of["player", "banker"] + of["banker", "banker"]

    assert Fraction(5, 100) ** 2 * banker * (1 - banker) == together


STAKES = {"banker": 900_00, "player": 200_00, "tie": 40_00, "dragon-banker": 100_00}
EVENINGS = 400


def test_95_evenings_in_100_lie_within_196_hundredths_of_a_standard_deviation():
    """Sixty coups an evening. As if no wager hung together with another, six in ten would."""
    inside = Counter()
    random = Random(20261121)
    edges = {spot: spot_odds(SHEET, spot, 8).edge for spot in STAKES}
    for _ in range(EVENINGS):
        off, products = _evening(random, 60, edges)
        together = sum(each * of_eight_decks()[pair] for pair, each in products.items())
        apart = sum(products[spot, spot] * of_eight_decks()[spot, spot] for spot in STAKES) / 7
        inside["together"] += 100**2 * off**2 <= 196**2 * together
        inside["apart"] += 100**2 * off**2 <= 196**2 * apart  # of seven patrons alike

    assert {"together": 386, "apart": 250} == inside


def _evening(random, coups, edges):
    """By how much the house won more than expected, and the products of the stakes."""
    shoe = [*DECK * 8]
    random.shuffle(shoe)
    off, staked, products = Fraction(0), Counter(), Counter()
    for _ in range(coups):
        stakes = {spot: stake * random.randint(0, 2) for spot, stake in STAKES.items()}
        result = _dealt(shoe)
        for spot, stake in stakes.items():
            payment = pay(SHEET, spot, stake, result)
            off += stake - payment.paid + payment.commission_charged
            staked[spot] += stake
            for other in STAKES:
                products[spot, other] += stake * stakes[other]
    return off + sum(staked[spot] * edges[spot] for spot in STAKES), products


def _dealt(shoe):
    """The result of a coup whose cards leave the back of the list."""
    for count in (4, 5, 6):
        hands = play([shoe[-n] for n in range(1, count + 1)])
        if hands.result:
            del shoe[-count:]
            return hands.result
    raise AssertionError
