"""How soon each cheat is seen, and how often an honest shoe is taken for one: `scripts/figures`.

Prints the table of `ops/manual/protection.md`. Each evening is another seed; nothing is recorded.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.counting import (
    OnSpot,
    all_after,
    edge_by_count,
    held,
    sides_before,
)
from domain.review.protection.first_card import OnFirstCard, is_good, share_of_good
from domain.review.protection.following import Gambler
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import EARLIER, repeated_slug
from domain.review.protection.right import Copied
from domain.review.protection.worth import worth
from domain.rules.house_rules import HouseRules, named
from domain.rules.protection_levels import SELDOM
from domain.rules.spots import OPPOSITE
from ops.simulation.cheats import COUNTING, EDGE_SORTER, KNOWING, SHUFFLES, SLUG
from ops.simulation.evening import DealtShoe, by_its_back

DECKS, EVENINGS, HONEST = 8, 100, 1_000
STAKES = (100_00, 200_00, 500_00)
LONGEST = 1_500  # coups of a patron
Bets = Callable[[list[str]], dict[str, int]]


def fair(random: Random) -> Iterator[DealtShoe]:
    """Shoes that were shuffled."""
    while True:
        yield DealtShoe.shuffled("K-1", DECKS, random)


def seen_after(gambler: Gambler, cards: list[str]) -> int | None:
    """After how many cards."""
    held = (gambler.see_all([card]).odds for card in cards)
    return next((n for n, odds in enumerate(held, 1) if odds >= SELDOM), None)


def coup_of(shoe: DealtShoe, card: int) -> int:
    """Whether the first, second, … coup has the card with this number."""
    used = 4  # one burned face up, three face down
    for number, (cards, _) in enumerate(shoe.coups(used), 1):
        used += len(cards)
        if card <= used:
            return number
    raise ValueError(card)


def of_a_shuffle(cheat: str, seed: int) -> int | None:
    """How many coups of what was not shuffled were dealt when it was seen; None: it was not."""
    random = Random(seed)
    shoes = SHUFFLES[cheat](fair(random), random)
    first = next(shoes)
    if cheat != "false-shuffle":
        card = seen_after(new_deck(DECKS), first.cards)
        return card and coup_of(first, card)
    second = next(shoes)
    earlier = {f"shoe {n}": next(fair(random)).cards for n in range(1, EARLIER)}
    card = seen_after(repeated_slug(DECKS, {"shoe 0": first.cards, **earlier}), second.cards)
    begins = begin_of(second.cards, first.cards)
    return card and coup_of(second, card) - coup_of(second, begins) + 1


def begin_of(cards: list[str], earlier: list[str]) -> int:
    """The number of the card with which the slug begins."""
    slugs = {tuple(earlier[n : n + SLUG]) for n in range(len(earlier))}
    return next(n for n in range(len(cards)) if tuple(cards[n : n + SLUG]) in slugs) + 1


Sides = Callable[[list[str], str], tuple[str, int]]  # side and stake, by cards and winner


def knowing(knows: float, random: Random) -> Sides:
    """Who knows the winner of so many of the coups, and guesses the others."""

    def bets(_: list[str], winner: str) -> tuple[str, int]:
        if random.random() < knows:
            return winner, max(STAKES)
        return random.choice(tuple(OPPOSITE)), random.choice(STAKES)

    return bets


def edge_sorting(cards: list[str], _: str) -> tuple[str, int]:
    """Who tells the first card by its back."""
    return by_its_back(cards[0], STAKES)


def of_a_patron(bets: Sides, random: Random, most: int = LONGEST) -> int | None:
    """After how many coups a patron who bets so is seen; None: never."""
    copied, coups = Copied(), 0
    for shoe in fair(random):
        for cards, result in shoe.coups(4):
            winner = result.outcome
            coups += 1
            if winner == "tie":
                continue
            side, stake = bets(cards, winner)
            right = side == winner
            copied = copied.after(winner, right * stake, (not right) * stake)
            if copied.held >= SELDOM:
                return coups
            if coups >= most:
                return None
    raise AssertionError


def dealt(shoe: DealtShoe, rules: HouseRules) -> Iterator[list[str]]:
    """The coups after the burn, until the cut card is out."""
    left = len(shoe.cards) - 4
    for cards, _ in shoe.coups(4):
        if left <= rules.cut_card:
            return
        yield cards
        left -= len(cards)


class Seated:
    """A patron at a table, and what is held against chance beside them, coup by coup."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules = rules
        self.beside: dict[str, OnSpot] = {}

    def shoes(self, random: Random, bets: Bets) -> Iterator[float]:
        """What is held after each coup; `bets`: the stakes by the cards that were seen."""
        for shoe in fair(random):
            gone = CardsLeft([shoe.cards[0], None, None, None], [""] * 4)
            left, numbers = gone.left, gone.numbers
            for coup, cards in enumerate(dealt(shoe, self.rules), 1):
                staked = bets([card for card in left if card])
                sides = sides_before(gone, coup, self.rules, DECKS, {**self.beside, **staked})
                self.beside = all_after(self.beside, staked, sides) if staked else self.beside
                left += cards
                numbers += [f"{coup}/{n}" for n in range(1, len(cards) + 1)]
                yield held(self.beside)


def of_a_counter(cheat: str, seed: int) -> int | None:
    """After how many coups one is seen who counts a spot, and bets a little on Player meanwhile."""
    name, spot = COUNTING[cheat]
    rules = named(name)

    def bets(seen: list[str]) -> dict[str, int]:
        favoured = edge_by_count(rules, spot, DECKS, seen) > 0
        staked = {"player": min(STAKES)}
        return staked | ({spot: max(STAKES)} if favoured else {})

    coups = islice(Seated(rules).shoes(Random(seed), bets), LONGEST)
    return next((n for n, each in enumerate(coups, 1) if each >= SELDOM), None)


def false_counters() -> int:
    """Honest patrons, each in a shoe of their own, who are taken for counters."""
    random, rules, taken = Random(1), named("ez@1"), 0

    def bets(_: list[str]) -> dict[str, int]:
        spots = random.sample(sorted(rules.spots), k=random.randint(0, 3))
        return {spot: random.choice(STAKES) for spot in spots}

    for _ in range(HONEST):
        coups = islice(Seated(rules).shoes(random, bets), 70)
        taken += any(each >= SELDOM for each in coups)
    return taken


def worth_of(name: str, shoes: int = 30) -> Iterator[str]:
    """What a perfect counter makes in a shoe, on each spot, in stakes."""
    rules, made, above, random = named(name), Counter[str](), Counter[str](), Random(2)
    for shoe in islice(fair(random), shoes):
        left: list[str | None] = [shoe.cards[0], None, None, None]
        numbers = [""] * 4
        for coup, cards in enumerate(dealt(shoe, rules), 1):
            left += cards
            numbers += [f"{coup}/{n}" for n in range(1, len(cards) + 1)]
        for each in worth(rules, DECKS, left, numbers):
            made[each.spot] += float(each.made)
            above[each.spot] += each.coups
    for spot in rules.spots:
        yield f"| {spot} | {above[spot] / shoes:.2f} | {made[spot] / shoes:.4f} |"


def of_an_edge_sorter(bets: Sides, random: Random, most: int = LONGEST) -> int | None:
    """After how many coups a patron's side follows the first card beyond chance; None: never."""
    beside, coups = OnFirstCard(), 0
    for shoe in fair(random):
        seen: list[str | None] = [shoe.cards[0], None, None, None]
        for cards, result in shoe.coups(4):
            coups += 1
            side, stake = bets(cards, result.outcome)
            if side in OPPOSITE:
                on = {"on_player": 0, "on_banker": 0} | {f"on_{side}": stake}
                share = share_of_good(DECKS, seen)
                beside = beside.after(share, good=is_good(cards[0]), **on)
            if beside.held >= SELDOM:
                return coups
            if coups >= most:
                return None
            seen += cards
    raise AssertionError


def false_alarms() -> tuple[int, int, int, int]:
    """Honest shoes for which each question is answered with so much."""
    random = Random(0)
    shoes = [next(fair(random)).cards for _ in range(EARLIER)]
    decks = slugs = 0
    for _ in range(HONEST):
        cards = next(fair(random)).cards
        earlier = {f"shoe {n}": order for n, order in enumerate(shoes[-EARLIER:])}
        decks += seen_after(new_deck(DECKS), cards) is not None
        slugs += seen_after(repeated_slug(DECKS, earlier), cards) is not None
        shoes.append(cards)
    patrons = sum(of_a_patron(knowing(0.0, random), random, 70) is not None for _ in range(HONEST))
    first = sum(
        of_an_edge_sorter(knowing(0.0, random), random, 70) is not None for _ in range(HONEST)
    )
    return decks, slugs, patrons, first


def line(cheat: str, seen: list[int | None]) -> str:
    """A line of the table."""
    coups = sorted(each for each in seen if each is not None)
    power = f"{len(coups)} of {len(seen)}"
    if not coups:
        return f"| {cheat} | {power} | · | · |"
    return f"| {cheat} | {power} | {coups[len(coups) // 2]} | {coups[len(coups) * 9 // 10]} |"


def main() -> None:
    """Prints the table."""
    print("| Cheat | Seen | Coups, half of them | Coups, nine in ten |")
    print("|---|---|---|---|")
    for cheat in SHUFFLES:
        print(line(cheat, [of_a_shuffle(cheat, seed) for seed in range(EVENINGS)]))
    for cheat, knows in KNOWING.items():
        dealt = (Random(seed) for seed in range(EVENINGS))
        print(line(cheat, [of_a_patron(knowing(knows, each), each) for each in dealt]))
    dealt = (Random(seed) for seed in range(EVENINGS))
    print(line(EDGE_SORTER, [of_an_edge_sorter(edge_sorting, each) for each in dealt]))
    for cheat in COUNTING:
        print(line(cheat, [of_a_counter(cheat, seed) for seed in range(EVENINGS)]))
    decks, slugs, patrons, first = false_alarms()
    print(f"\nOf {HONEST:,} honest shoes: {decks} as a new deck, {slugs} as an earlier shoe, "
          f"{patrons} patrons as right, {false_counters()} as counting, "
          f"{first} as one who knows first cards.")  # fmt: skip
    print("\n| Spot | Coups of a shoe with an edge | Stakes made in a shoe |\n|---|---|---|")
    for each in worth_of("ez@1"):
        print(each)


if __name__ == "__main__":
    main()
