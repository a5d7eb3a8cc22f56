"""A bet on the next coups of its shoe (R-BET-9)."""

import random
from fractions import Fraction
from itertools import product

import pytest

from domain.rules.cards import DECK
from domain.rules.hands import Result, play
from domain.rules.odds import count_deals, whole
from domain.rules.odds.over_coups import coups_odds
from domain.rules.over_coups import Decided, OverCoups, Score, judge_coups, score
from domain.rules.wagers import PayLine, PayTable

# WSR 13-19-057: either hand winning the next three consecutive games. The odds are an example.
THREE = OverCoups(coups=3, wins="banker wins")
# wizardofodds.com, Banker Streak, pay table 2, as at the Orleans from May 2017.
PAYS = {10: 250, 9: 100, 8: 60, 7: 40, 6: 25, 5: 15, 4: 10}
STREAK = OverCoups(coups=10, wins="banker wins")
TWO_OF_FOUR = OverCoups(coups=4, wins="player wins", skips="tie")
EXACTLY_TWO = OverCoups(coups=4, wins="player wins")
TABLES: dict[OverCoups, PayTable] = {
    THREE: (PayLine("won 3", (8, 1)),),
    STREAK: tuple(PayLine(f"in a row {n}", (to, 1)) for n, to in PAYS.items()),
    TWO_OF_FOUR: (PayLine("won 4", (9, 1)), PayLine("won 2 or more", (1, 2))),
    EXACTLY_TWO: (PayLine("won 2", (1, 1)),),
}

COUP = {
    "P": Result("player", 7, 3, 2, 3),
    "B": Result("banker", 3, 7, 3, 2),
    "T": Result("tie", 6, 6, 2, 2),
}


def pays(bet: OverCoups, coups: str) -> tuple[int, int] | str | None:
    """What a bet pays after these coups; `goes on` if that is not known yet."""
    decided = judge_coups(bet, TABLES[bet], score(bet, [COUP[each] for each in coups]))
    if decided is None:
        return "goes on"
    return decided.line.pays if decided.line else None


def by_hand(bet: OverCoups, coups: str) -> set[tuple[int, int] | None]:
    """What a bet may still pay, by dealing every order of the coups to come: another model."""
    mine, other = ("B", "P") if bet.wins == "banker wins" else ("P", "B")
    counted = [each for each in coups if not (bet.skips and each == "T")][: bet.coups]
    owed: set[tuple[int, int] | None] = set()
    for rest in product(mine + other, repeat=bet.coups - len(counted)):
        whole = "".join("x" if each == mine else "." for each in (*counted, *rest))
        if bet is THREE:
            owed.add((8, 1) if whole == "xxx" else None)
        elif bet is STREAK:
            run = len(whole.split(".")[0])
            owed.add((PAYS[run], 1) if run >= 4 else None)
        elif bet is TWO_OF_FOUR:
            owed.add({4: (9, 1), 3: (1, 2), 2: (1, 2)}.get(whole.count("x")))
        else:
            owed.add((1, 1) if whole.count("x") == 2 else None)
    return owed


@pytest.mark.parametrize("bet", [THREE, STREAK, TWO_OF_FOUR, EXACTLY_TWO])
def test_a_bet_is_decided_as_soon_as_no_coup_to_come_can_change_it(bet):
    for length in range(6):
        for coups in map("".join, product("PBT", repeat=length)):
            owed = by_hand(bet, coups)
            assert pays(bet, coups) == (owed.pop() if len(owed) == 1 else "goes on"), coups


def test_three_in_a_row_is_lost_at_the_first_coup_that_is_not_won_and_a_tie_is_not():
    assert [pays(THREE, coups) for coups in ("", "B", "BB", "BBB")] == [*["goes on"] * 3, (8, 1)]
    assert [pays(THREE, coups) for coups in ("P", "BT", "BBT")] == [None] * 3


def test_a_skipped_tie_neither_wins_nor_loses():
    assert pays(TWO_OF_FOUR, "TTTT") == "goes on"
    assert pays(TWO_OF_FOUR, "PTPTBT") == (1, 2)
    assert pays(TWO_OF_FOUR, "BTBTB") is None


def test_a_streak_of_ten_is_paid_without_an_eleventh_coup():
    assert pays(STREAK, "B" * 9) == "goes on"
    assert pays(STREAK, "B" * 10) == pays(STREAK, "B" * 11) == (250, 1)


def test_a_line_that_cannot_be_read_names_what_can():
    wrong = (PayLine("three times", (8, 1)),)
    with pytest.raises(ValueError, match="like `won 3` or `in a row 4 or more`"):
        judge_coups(THREE, wrong, Score())


def test_the_chances_of_a_banker_streak_are_those_published():
    odds = coups_odds(STREAK, TABLES[STREAK], whole(8))
    published = {10: 411, 9: 486, 8: 1059, 7: 2310, 6: 5036, 5: 10982, 4: 23947}
    chances = {line.when: chance for line, chance in odds.chances.items() if line}
    for n, in_a_million in published.items():
        assert round(float(chances[f"in a row {n}"]) * 10**6) == in_a_million
    assert round(float(odds.chances[None]), 6) == 0.955769


def test_a_skipped_tie_leaves_only_the_hands():
    skipped, table = (
        OverCoups(coups=1, wins="banker wins", skips="tie"),
        (PayLine("won 1", (1, 1)),),
    )
    won = count_deals(8).outcomes
    hands = won["banker"] + won["player"]
    assert coups_odds(skipped, table, whole(8)).edge == Fraction(
        won["banker"] - won["player"], hands
    )


def test_real_shoes_come_near_the_odds_of_independent_coups():
    """The first three coups of 4000 shoes: within four deviations of what is counted."""
    table = TABLES[THREE]
    counted = coups_odds(THREE, table, whole(8)).chances[table[0]]
    shoes = 4000
    won = 0
    for seed in range(shoes):
        now = score(THREE, first_three(seed))
        won += judge_coups(THREE, table, now) == Decided(table[0])
    deviation = float(shoes * counted * (1 - counted)) ** 0.5
    assert abs(won - float(shoes * counted)) < 4 * deviation


def first_three(seed: int) -> list[Result]:
    """The first three coups of a shuffled shoe of eight decks."""
    shoe = random.Random(seed).sample([*DECK] * 8, 18)
    results = []
    for _ in range(3):
        cards: list[str] = []
        while (ended := play(cards).result) is None:
            cards.append(shoe.pop())
        results.append(ended)
    return results
