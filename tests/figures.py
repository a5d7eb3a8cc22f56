"""How soon each cheat is seen, and how often an honest shoe is taken for one: `scripts/figures`.

Prints the table of `ops/manual/protection.md`. Each evening is another seed; nothing is recorded.
"""

from collections.abc import Iterator
from random import Random

from domain.review.protection.following import SELDOM, Gambler
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import EARLIER, repeated_slug
from domain.review.protection.right import Copied
from domain.rules.spots import OPPOSITE
from ops.simulation.cheats import KNOWING, SHUFFLES, SLUG
from ops.simulation.evening import DealtShoe

DECKS, EVENINGS, HONEST = 8, 100, 1_000
STAKES = (100_00, 200_00, 500_00)
LONGEST = 1_500  # coups of a patron


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


def of_a_patron(knows: float, random: Random, most: int = LONGEST) -> int | None:
    """After how many coups a patron is seen who knows so many of the winners; None: never."""
    copied, coups = Copied(), 0
    for shoe in fair(random):
        for _, result in shoe.coups(4):
            winner = result.outcome
            coups += 1
            if winner == "tie":
                continue
            if random.random() < knows:
                right, stake = True, max(STAKES)
            else:
                right, stake = random.choice(tuple(OPPOSITE)) == winner, random.choice(STAKES)
            copied = copied.after(winner, right * stake, (not right) * stake)
            if copied.held >= SELDOM:
                return coups
            if coups >= most:
                return None
    raise AssertionError


def false_alarms() -> tuple[int, int, int]:
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
    patrons = sum(of_a_patron(0.0, random, 70) is not None for _ in range(HONEST))
    return decks, slugs, patrons


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
        seen = [of_a_patron(knows, Random(seed)) for seed in range(EVENINGS)]
        print(line(cheat, seen))
    decks, slugs, patrons = false_alarms()
    print(f"\nOf {HONEST:,} honest shoes: {decks} as a new deck, {slugs} as an earlier shoe, "
          f"{patrons} patrons as right.")  # fmt: skip


if __name__ == "__main__":
    main()
