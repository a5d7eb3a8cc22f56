"""Whether the cards of a shoe clump, and whether they are whole decks."""

from collections import Counter
from copy import deepcopy
from itertools import islice, permutations
from random import Random

import pytest

from domain.review.protection import clumps, whole_decks
from domain.review.protection.clumps import Clumps
from domain.review.protection.spread import by_any_order, spread
from domain.review.protection.whole_decks import WholeDecks
from domain.rules.cards import DECK
from domain.rules.protection_levels import SELDOM
from ops.simulation.cheats import SHUFFLES
from ops.simulation.evening import DealtShoe

DECKS = 8


def shoes(cheat, seed):
    rng = Random(seed)
    honest = iter(lambda: DealtShoe.shuffled("K-1", DECKS, rng), None)
    return (each.cards for each in (SHUFFLES[cheat](honest, rng) if cheat else honest))


def expected_after(looks, left):
    """The mean of what is held after the next card, by each that is left."""
    held = []
    for card in set(left.elements()):
        after = deepcopy(looks)
        after.see(card)
        held += [after.held] * left[card]
    return sum(held) / len(held)


QUESTIONS = [
    lambda: Clumps(1),
    lambda: WholeDecks(1),
    lambda: WholeDecks(1, [[*DECK[:30], None], DECK[20:50]]),
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_nobody_can_expect_to_win_by_the_next_card(question):
    """Whatever came before it: by the mean over the cards that are left nothing is won."""
    looks, left, rng = question(), Counter(DECK), Random(1)
    for card in rng.sample(DECK[:26], 6):
        assert expected_after(looks, left) == pytest.approx(looks.held, rel=1e-9)

        looks.see(card)
        left[card] -= 1
    assert looks.held != pytest.approx(1, rel=1e-3)


def overpaid(suppositions, came):
    """As if the next card were a little likelier by each supposition, whichever it is."""
    return 1.001 ** came[..., -1, None] * suppositions.likelier[:, 0]


OVERPAID = [
    (
        clumps,
        "beside_chance",
        lambda sums, left: sums / left * 0.9,
    ),
    (whole_decks._Suppositions, "odds", overpaid),
]


@pytest.mark.parametrize(("question", "overpaid"), [*zip(QUESTIONS, OVERPAID, strict=False)])
def test_one_who_is_overpaid_is_noticed(question, overpaid, monkeypatch):
    monkeypatch.setattr(*overpaid)

    with pytest.raises(AssertionError):
        test_nobody_can_expect_to_win_by_the_next_card(question)


@pytest.mark.parametrize(
    ("cheat", "cards"),
    [("riffled-twice", 40), ("riffled-four-times", 130), ("riffled-five-times", 300)],
)
def test_decks_that_were_riffled_too_little_clump(cheat, cards):
    seen = Clumps(DECKS).see_all(next(shoes(cheat, 1))[:cards])

    assert seen.odds >= SELDOM
    assert seen.what.likeness == clumps.NEIGHBOUR


@pytest.mark.parametrize("alike", [lambda c: c[1], lambda c: c[0]])
def test_cards_that_were_laid_together_clump(alike):
    """By suit or rank, in runs of three that nobody ordered otherwise."""
    rng = Random(3)
    kinds = {}
    for card in next(shoes("", 2)):
        kinds.setdefault(alike(card), []).append(card)
    runs = [run for cards in kinds.values() for run in zip(*[iter(cards)] * 3, strict=False)]
    rng.shuffle(runs)

    seen = Clumps(DECKS).see_all(card for run in runs for card in run)

    assert seen.odds >= SELDOM
    assert seen.what.likeness in (clumps.SUIT, clumps.RANK)


def test_a_card_that_nobody_saw_is_let_pass():
    cards = next(shoes("riffled-four-times", 4))
    hidden = [None if n % 7 == 3 else card for n, card in enumerate(cards)]

    assert Clumps(DECKS).see_all(hidden).odds >= SELDOM


def test_tens_that_are_missing_are_seen_in_the_second_shoe_or_the_third():
    first, second, third = (cards[:-14] for cards in islice(shoes("short-of-tens", 5), 3))
    alone = WholeDecks(DECKS).see_all(third)
    seen = WholeDecks(DECKS, [first, second]).see_all(third)

    assert alone.odds < SELDOM <= seen.odds
    assert (seen.what.kind, seen.what.shoes) == ("tens", 3)
    assert seen.what.came < seen.what.expected


def test_nines_that_were_added_are_seen_as_they_come():
    """Sixteen of them instead of sixes; the thirty-third is more than the decks have."""
    rng = Random(6)
    cards = [*DECK] * DECKS
    sixes = rng.sample([n for n, card in enumerate(cards) if card[0] == "6"], 16)
    for n in sixes:
        cards[n] = f"9{cards[n][1]}"
    rng.shuffle(cards)
    seen = WholeDecks(DECKS).see_all(cards[:350])

    assert seen.odds >= SELDOM
    assert seen.what.kind in ("9", "6")


@pytest.mark.parametrize("kinds", ["aabbc", "aaabbcd", "aaaab"])
def test_neighbours_are_counted_beside_every_order_there_is(kinds):
    every = [sum(map(str.__eq__, order, order[1:])) for order in permutations(kinds)]
    mean = sum(every) / len(every)
    variance = sum((each - mean) ** 2 for each in every) / len(every)

    assert by_any_order(Counter(kinds)) == pytest.approx((mean, variance))


def test_the_numbers_of_shuffled_shoes_are_as_often_far_off_as_they_say():
    """The mean of chi-squared is its degrees of freedom; one in ten is by chance one in ten."""
    every = [spread(DECKS, cards[:390]) for cards in islice(shoes("", 8), 300)]
    for numbers in zip(*every, strict=True):
        mean = sum(each.score for each in numbers) / 300

        assert mean == pytest.approx(numbers[0].free, abs=0.35 * max(numbers[0].free, 1) ** 0.5)
        assert 13 <= sum(each.chance < 0.1 for each in numbers) <= 52


def far_off(cards):
    return [each.what for each in spread(DECKS, cards) if each.chance < 1e-5]


def test_the_numbers_of_a_shoe_name_what_chance_does_not_do():
    cards = next(shoes("", 9))
    tens_last = sorted(cards[:390], key=lambda card: card[0] in "TJQK")
    no_nines = [card for card in cards if card[0] != "9"][:390]

    assert far_off(cards[:390]) == []
    assert "places" in far_off(tens_last)
    assert far_off(no_nines) == ["ranks"]
    assert "neighbours of one suit" in far_off(next(shoes("riffled-twice", 9)))


def test_a_shoe_of_which_few_cards_were_seen_has_no_numbers():
    assert [*spread(DECKS, next(shoes("", 1))[:200])] == []


def test_shoes_that_were_shuffled_are_let_pass():
    every = [each[:400] for each in islice(shoes("", 7), 26)]
    most = [Clumps(DECKS).see_all(cards).odds for cards in every]
    most += [WholeDecks(DECKS, every[n : n + 6]).see_all(every[n + 6]).odds for n in range(20)]

    assert max(most) < 1_000
