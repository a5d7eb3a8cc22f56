"""Two patrons who play as one: nobody wins against chance but beside them."""

from itertools import islice
from math import comb, log, prod
from random import Random

import pytest

from domain.review.protection import together
from domain.review.protection.together import Bets, Board, Linked, Together, share_of
from tests.figures import pairs

CHANCES = (0.03, 0.3, 0.5, 0.9)
COUPS = 16
HERE = ["one situation"] * 4


def counted(both, first, second, neither):
    """What the gambler holds when both chose so often, one, the other, and neither."""
    linked = Linked()
    choices = (
        *[(True, True)] * both,
        *[(True, False)] * first,
        *[(False, True)] * second,
        *[(False, False)] * neither,
    )
    for one, other in choices:
        linked.add(HERE, (one, other), agreed=one != other)
    return linked.held


def mean_beside(ones, chance):
    """The exact mean over what the other chooses by chance, when the one chose so often."""
    others = COUPS - ones
    return sum(
        comb(ones, both)
        * comb(others, second)
        * chance ** (both + second)
        * (1 - chance) ** (COUPS - both - second)
        * counted(both, ones - both, second, others - second)
        for both in range(ones + 1)
        for second in range(others + 1)
    )


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("ones", [0, 3, 8, 13])
def test_nobody_can_expect_to_win_beside_two_who_do_not_look_at_each_other(ones, chance):
    """However the one chose, and however much the other leans."""
    assert mean_beside(ones, chance) <= 1


def test_beside_two_who_always_differ_he_wins():
    assert counted(0, COUPS // 2, COUPS // 2, 0) > 5_000


def test_one_who_takes_nobody_to_lean_can_expect_to_win(monkeypatch):
    """So the leaning that suits the record best is what keeps him honest."""
    monkeypatch.setattr(together, "_gain", lambda *_: log(0.5))

    assert mean_beside(13, 0.1) > 1


def beside(bets, winners="BPPBPBBPBPPPBPBB"):
    """Two patrons who bet so, coup by coup: amounts on Player, below zero on Banker."""
    pair, one, other = Together(), Bets(), Bets()
    sides = [{"B": "banker", "P": "player"}[each] for each in winners]
    for n, (one.now, other.now) in enumerate(bets):
        board = Board.after(sides[: n % len(sides)])
        pair.add(board.faced_by(one), board.faced_by(other))
        one, other = one.after(), other.after()
    return pair


def test_stakes_that_always_agree_are_seen_where_sides_are_always_the_same():
    rng = Random(3)
    amounts = [rng.choice((100_00, 200_00, 500_00)) for _ in range(250)]
    pair = beside((amount, -amount) for amount in amounts)

    assert pair.sides.held < 1
    assert pair.held > 10_000


def test_two_who_never_change_anything_are_not_seen():
    """One always on Player, one always on Banker, with the same stakes: two honest habits."""
    assert beside([(100_00, -100_00)] * 300).held < 1


def test_two_on_the_same_side_are_not_seen():
    rng = Random(4)
    bets = [rng.choice((1, -1)) * rng.choice((100_00, 200_00)) for _ in range(200)]

    assert beside((each, each) for each in bets).held < 1


def test_who_offsets_bets_only_now_and_then_is_seen_by_stakes_that_are_equal():
    rng = Random(5)

    def bets():
        for _ in range(250):
            one = rng.choice((1, -1)) * rng.choice((100_00, 200_00, 500_00))
            yield one, -one if rng.random() < 0.4 else rng.choice((1, -1)) * 50_00

    pair = beside(bets())

    assert pair.equal.held > 10_000 > pair.sides.held
    assert pair.held > 10_000
    assert pair.equal.agreed < pair.sides.agreed < pair.coups == 250


def test_two_who_bet_more_on_one_side_each_are_not_seen():
    """Theirs are different sides, so their stakes are equal only when they are opposite."""
    rng = Random(8)
    sides = [(rng.choice((1, -1)), rng.choice((1, -1))) for _ in range(400)]
    pair = beside(
        (one * (200_00 if one > 0 else 100_00), other * (100_00 if other > 0 else 200_00))
        for one, other in sides
    )

    assert pair.equal.apart == 0
    assert pair.equal.agreed > 150
    assert pair.held < 1


@pytest.mark.parametrize("sided", pairs.SIDED)
@pytest.mark.parametrize("staked", pairs.STAKED)
def test_two_with_one_habit_each_for_themselves_are_not_seen(sided, staked):
    rng = Random(f"{sided.__name__} {staked.__name__}")
    one, other = (pairs.Patron(rng, sided(rng), staked(rng)) for _ in range(2))

    assert max(islice(pairs.held_beside(one, other), pairs.A_DAY)) < 100


def test_a_pair_is_seen_within_two_shoes():
    seen = [pairs.CHEATS["colluding-pair"](seed) for seed in range(6)]

    assert all(each and each < 160 for each in seen)


def test_all_partners_of_a_patron_have_one_unit_together():
    assert sum(map(share_of, range(1, 100))) == pytest.approx(1 - 1 / 100)


def test_what_is_held_stays_a_number():
    rng = Random(6)
    bets = [rng.choice((1, -1)) * rng.choice((100_00, 200_00, 500_00)) for _ in range(4_000)]

    assert 10**100 < beside((each, -each) for each in bets).held < float("inf")


def test_the_leaning_that_suits_best_is_the_product_over_situations():
    leaning = together.Leaning()
    for situation, choice in [("a", True), ("b", False), ("a", False), ("a", True), ("b", False)]:
        leaning.add(situation, choice)

    assert leaning.best == pytest.approx(log(prod([2 / 3, 2 / 3, 1 / 3])))
