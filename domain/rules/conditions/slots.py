"""The words that stand for hands, numbers and cards in a phrase."""

from collections.abc import Mapping
from typing import Any

from domain.rules.cards import RANKS, SUITS
from domain.rules.conditions.facts import Kind
from domain.rules.hands import Hand

NUMBERS = {
    **{str(n): n for n in range(100)},
    **{
        word: n
        for n, word in enumerate(
            ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        )
    },
}
BOUNDS = ("at least", "at most", "exactly")
MANY = 1_000  # more than can be of anything in a coup

PLAYER: Hand = "player"
BANKER: Hand = "banker"
PLACES: Mapping[Hand, tuple[int, ...]] = {PLAYER: (0, 1, 2), BANKER: (3, 4, 5)}

RED = "DH"
_SUIT_WORDS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
_RANK_WORDS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}
_DIGITS = {**{rank: rank for rank in RANKS if rank.isdigit()}, "T": "10"}
_KINDS = {
    "red": Kind(suits=RED),
    "black": Kind(suits="CS"),
    "face": Kind(ranks="JQK"),
    **{word: Kind(suits=suit) for suit, word in _SUIT_WORDS.items()},
    **{word: Kind(ranks=rank) for rank, word in _RANK_WORDS.items()},
    **{word: Kind(ranks=rank) for rank, word in _DIGITS.items()},
}
_WITHOUT_PLURAL = ("red", "black")


def _of_both(words: Mapping[str, Kind]) -> dict[str, Kind]:
    """Every rank of a suit, as in `king of hearts`, `kings of hearts`."""
    return {
        f"{word} of {name}s": Kind(kind.ranks, suit)
        for word, kind in words.items()
        if kind.suits == SUITS
        for suit, name in _SUIT_WORDS.items()
    }


_ONE_CARD = {**_KINDS, **_of_both(_KINDS)}
_PLURALS = {each if each in _WITHOUT_PLURAL else f"{each}s": kind for each, kind in _KINDS.items()}
_SOME_CARDS = {**_PLURALS, **_of_both(_PLURALS)}
_EACH_CARD = {
    f"{nth} {hand} card": PLACES[hand][n]
    for hand in PLACES
    for n, nth in enumerate(("first", "second", "third"))
}
_FIRST_TWO = {f"first two {hand} cards": PLACES[hand][:2] for hand in PLACES}

# By the slot's name: what may stand there, and what it means.
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "hand": {PLAYER: PLAYER, BANKER: BANKER},
    "hands": {
        each: each
        for each in (PLAYER, BANKER, "either hand", "both hands", "the winner", "the loser")
    },
    "first two": _FIRST_TWO,
    "cards": {
        "cards": (*PLACES[PLAYER], *PLACES[BANKER]),
        "player cards": PLACES[PLAYER],
        "banker cards": PLACES[BANKER],
        "first four cards": (*PLACES[PLAYER][:2], *PLACES[BANKER][:2]),
        "third cards": (PLACES[PLAYER][2], PLACES[BANKER][2]),
        **_FIRST_TWO,
    },
    "card": _EACH_CARD,
    "kind": {
        **_ONE_CARD,
        **{f"{a} {each}": _ONE_CARD[each] for a in ("a", "an") for each in _ONE_CARD},
    },
    "kinds": _SOME_CARDS,
    "rank": {
        f"{a}{word}": rank
        for a in ("", "a ", "an ")
        for words in (_RANK_WORDS, _DIGITS)
        for rank, word in words.items()
    },
}
