"""Wagers that were entered late: which chance they have, and what is no chance at all."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from domain.review.protection.beside import Staked
from domain.review.protection.late import SPOTS, Late, is_open, share_of
from domain.review.protection.late_wins import EVEN_IF, LateWins
from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.settlement import pay

LEFT = ["9C", "4S", "KD", "2H", "7S", "AD", "6C"]
PAIRS = named("pairs@1")


def results_by_hand(out):
    """How every coup ends that these cards deal and that so many of them do not decide."""
    for cards in permutations(LEFT, 6):
        n, result = next((n, result) for n in (4, 5, 6) if (result := play(cards[:n]).result))
        if n > out:
            yield result


@pytest.mark.parametrize("spot", SPOTS)
@pytest.mark.parametrize("out", [1, 3, 4, 5])
def test_the_share_is_that_of_all_coups_which_are_as_long(spot, out):
    before = [card for card in DECK if card not in LEFT]
    ended = [pay(PAIRS, spot, 100, each).result for each in results_by_hand(out)]
    won, lost = ended.count("win"), ended.count("lose")
    share = Fraction(won, won + lost) if won and lost else None
    seen = [share_of(PAIRS, 1, before, spot, out, wins=wins) for wins in (True, False)]

    assert seen == ([float(share), float(1 - share)] if share else [None, None])


def test_nobody_can_expect_to_win_against_chance_however_they_are_changed():
    """Over both ends of a coup, of a stake that grew and one that shrank together."""
    for share in (0.2, 0.5, 0.9):
        ends = {
            wins: Late().paid_together([Staked(100, share, wins), Staked(40, 1 - share, not wins)])
            for wins in (True, False)
        }
        mean = share * ends[True].held + (1 - share) * ends[False].held

        assert mean == pytest.approx(1)
        assert (ends[True].right, ends[True].wrong) == (1, 1)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ([], False),  # nobody can know anything yet
        (["9C"], True),
        (["9C", None], False),
        (["9C", "5S", "7C", "QD"], True),  # both draw
        (["KC", "9S", "2C", "QD"], False),  # a natural
        (["9C", "5S", "7C", "QD", "9S"], False),  # all cards are out
        (["KC", "9S", "2C", "QD", "9S"], False),  # a card too many
    ],
)  # fmt: skip
def test_a_coup_is_open_from_its_first_card_until_it_is_decided(cards, expected):
    assert is_open(cards) == expected


def test_who_bets_late_on_the_side_that_is_ahead_is_seen():
    random, late = Random(4), Late()
    for _ in range(80):
        late = late.paid(500_00, 0.49, right=random.random() < 0.8)

    assert late.held > 10_000


@pytest.mark.parametrize("others", [1, 2, 6])
def test_nobody_can_expect_to_win_by_whose_wagers_were_forgotten(others):
    """Not even if theirs are as much likelier to be forgotten as it allows; if less, they lose."""
    ends = {theirs: LateWins().after(others, theirs=theirs).held for theirs in (True, False)}
    chance = EVEN_IF / (EVEN_IF + others)

    assert chance * ends[True] + (1 - chance) * ends[False] == pytest.approx(1)
    assert ends[True] / (others + 1) + ends[False] * others / (others + 1) < 1
