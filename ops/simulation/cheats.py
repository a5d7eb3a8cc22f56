"""Evenings on which somebody cheats, to see how soon the house sees it.

`SHUFFLES` change the shoes that a table deals; the patrons know nothing of it. `KNOWING`: the share
of the coups whose winner its first patron knows, who bets their most then: whoever is shown the
order knows all, who recognises some cards by their backs a part. `COUNTING`: the rule set and the
spot on which its first patron bets their most while the cards that are left favour it.
`EDGE_SORTER` sees on its back whether the first card is good for Player, as Ivey and Sun did (Ivey
v Genting [2017] UKSC 67). `PAST_POSTER` bets on some coups only once a side is far ahead or has
won, on that side, and the dealer enters it as a bet that was forgotten; the table is crowded.
`COLLUDING_PAIR`: its second patron bets what the first one does, on the other side, in nine of ten
coups; they arrive and leave together. `SIGNALLING`: the rule set, and the share of the Ties that
its dealer, who sees the next cards, signals to its first patron. `OVERPAYING`: the share of the
winning payments to the first patron in which the dealer of the first table hands out a chip too
many. Nobody enters it; it is missing when the tray is counted. Every other dealer errs as well
(`ERRING`), as often for the house as against. `LAUNDERING`: how many of the first patrons launder
money, and how.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from random import Random

from msgspec import Struct

from domain.rules.cards import RANKS, points
from ops.simulation.evening import DealtShoe
from ops.simulation.habits import PASSES, Hands

SLUG = 80  # cards that stay together
MISSING = 16  # of the 128 tens and pictures of eight decks
Shoes = Iterable[DealtShoe]


def new_decks(shoes: Shoes, random: Random) -> Iterator[DealtShoe]:
    """Nobody shuffles: decks as their maker sends them, cut somewhere."""
    up = [rank + suit for suit in "HC" for rank in RANKS]
    down = [rank + suit for suit in "DS" for rank in reversed(RANKS)]
    for shoe in shoes:
        at = random.randrange(1, 52)
        yield _of(shoe, _cut([*up, *down] * shoe.decks, at))


def riffled(times: int, shoes: Shoes, random: Random) -> Iterator[DealtShoe]:
    """New decks that are cut by coins and riffled, so often (Gilbert, Shannon and Reeds)."""
    for shoe in new_decks(shoes, random):
        cards = shoe.cards
        for _ in range(times):
            of_top = [random.random() < 0.5 for _ in cards]
            top, bottom = iter(cards[: sum(of_top)]), iter(cards[sum(of_top) :])
            cards = [next(top if first else bottom) for first in of_top]
        yield _of(shoe, cards)


def false_shuffle(shoes: Shoes, random: Random, after: int = 0) -> Iterator[DealtShoe]:
    """A false shuffle: eighty cards of each shoe are kept together for the next.

    `after`: how many other cards come before them; 0: some place in its first half.
    """
    before: DealtShoe | None = None
    for shoe in shoes:
        if before is not None:
            begin = random.randrange(20, 100)
            slug = before.cards[begin : begin + SLUG]
            rest = _without(shoe.cards, slug)
            at = after or random.randrange(20, len(rest) // 2)
            shoe = _of(shoe, [*rest[:at], *slug, *rest[at:]])  # noqa: PLW2901
        yield shoe
        before = shoe


def short_of_tens(shoes: Shoes, random: Random) -> Iterator[DealtShoe]:
    """Tens and pictures are missing from every shoe."""
    for shoe in shoes:
        tens = [n for n, card in enumerate(shoe.cards) if points(card) == 0]
        gone = set(random.sample(tens, MISSING))
        yield _of(shoe, (card for n, card in enumerate(shoe.cards) if n not in gone))


FALSE_SHUFFLE = "false-shuffle"
SHUFFLES: Mapping[str, Callable[[Shoes, Random], Iterator[DealtShoe]]] = {
    "new-decks": new_decks,
    "riffled-once": partial(riffled, 1),
    "riffled-twice": partial(riffled, 2),
    "riffled-four-times": partial(riffled, 4),
    "riffled-five-times": partial(riffled, 5),
    "riffled-six-times": partial(riffled, 6),
    FALSE_SHUFFLE: false_shuffle,
    "short-of-tens": short_of_tens,
}
KNOWING: Mapping[str, float] = {"knows-all": 1.0, "knows-half": 0.5, "knows-some": 0.2}
COUNTING: Mapping[str, tuple[str, str]] = {
    "counts-dragon-7": ("ez@1", "dragon-7"),
    "counts-panda-8": ("ez@1", "panda-8"),
    "counts-tie": ("ez@1", "tie"),
    "counts-player": ("ez@1", "player"),
}
EDGE_SORTER = "edge-sorter"
OVERPAYS = "overpays"
OVERPAYING: Mapping[str, float] = {OVERPAYS: 1 / 20, "overpays-seldom": 1 / 100}
ERRING = Hands(slips=1 / 500, counts_every=40)
PAST_POSTER = "past-poster"
POSTS = 0.7  # of the coups: the others they bet on like everybody
COLLUDING_PAIR = "colluding-pair"
SIGNALLING: Mapping[str, tuple[str, float]] = {"signals-ties": ("pairs@1", 0.5)}
CASHES = 0.85  # the share of evenings on which somebody honest does not take their chips along
HONEST = (5, 130)  # hundreds that somebody brings, at any table of a house where some launder


class Laundering(Struct, frozen=True, kw_only=True):
    """How money is laundered: by how many, and how much each brings to a table every evening.

    `tables`: at how many of them, one after the other. `offset`: the second one bets as the first,
    on the other side. `keeps`: the chips are taken along, and the others cash theirs at the table.
    """

    brings: int
    several: int = 1
    passes: float = PASSES  # the share of the coups on which they bet nothing
    tables: int = 1
    offset: bool = False
    keeps: bool = False


LAUNDERING: Mapping[str, Laundering] = {
    "stays-just-under": Laundering(brings=9_500_00),
    "hardly-plays": Laundering(brings=6_000_00, passes=0.95),
    "two-share-an-amount": Laundering(brings=6_000_00, several=2),
    "splits-over-tables": Laundering(brings=4_000_00, tables=3),
    "walks-with-chips": Laundering(brings=6_000_00, passes=0.7, keeps=True),
    "two-bet-opposite": Laundering(brings=6_000_00, several=2, offset=True),
}
CHEATS = (
    *(*SHUFFLES, *KNOWING, *COUNTING, EDGE_SORTER, PAST_POSTER, COLLUDING_PAIR, *SIGNALLING),
    *(*OVERPAYING, *LAUNDERING),
)  # fmt: skip
# Not at an electronic table.
NEEDS_DEALER = (*COUNTING, PAST_POSTER, *SIGNALLING, *OVERPAYING, *LAUNDERING)


def _of(shoe: DealtShoe, cards: Iterable[str]) -> DealtShoe:
    return DealtShoe(shoe.serial, shoe.decks, list(cards))


def _cut(cards: list[str], at: int) -> list[str]:
    return cards[at:] + cards[:at]


def _without(cards: Iterable[str], slug: Iterable[str]) -> list[str]:
    """The cards in their order without as many of each as the slug has."""
    gone, rest = Counter(slug), []
    for card in cards:
        if gone[card]:
            gone[card] -= 1
        else:
            rest.append(card)
    return rest
