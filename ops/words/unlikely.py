"""The sentence of a row of protection: what it is, and how seldom chance does as much."""

from typing import Any

from domain.review.protection.clumps import NEIGHBOUR, NEXT_RANK, RANK, SUIT, VALUE
from domain.review.protection.new_deck import ORDERS
from domain.review.protection.repeated_slug import BACKWARDS
from domain.review.protection.whole_decks import TENS
from domain.rules.cards import SYMBOLS
from domain.rules.protection_levels import (
    CLUMP,
    COUNTS,
    DEALER_LOSES,
    EARLIER_SHOE,
    FIRST_CARD,
    LATE_BETS,
    LATE_WINS,
    NEW_DECK,
    NOT_WHOLE,
    RIGHT,
    TOGETHER,
    TRAY_SHORT,
    WINS_WITH,
)
from domain.rules.wording import N_, Figure, Number, Words
from ops.words.event_values import Detail
from ops.words.terms import spot_called

_CLUMPS = {
    SUIT: N_("Cards of the same suit come together, about {back} apart"),
    RANK: N_("Cards of the same rank come together, about {back} apart"),
    VALUE: N_("Cards of the same value come together, about {back} apart"),
    NEXT_RANK: N_("Cards of neighbouring ranks come together, about {back} apart"),
    NEIGHBOUR: N_("Neighbours of a new deck come together, about {back} apart"),
}

_OF_PEOPLE = {
    RIGHT: N_(
        "{patron} was right in {right} of {coups} coups, with the stakes that they had: by "
        "chance at most one of {seldom} patrons is."
    ),
    COUNTS: N_(
        "{patron} bet much on {spot} in {much} coups, in {favoured} of them with an edge by "
        "the cards that were left: by chance at most one of {seldom} patrons does."
    ),
    FIRST_CARD: N_(
        "{patron} was on the side of the first card in {followed} of {coups} coups, with the "
        "stakes that they had: by chance at most one of {seldom} patrons is."
    ),
    LATE_BETS: N_(
        "{patron} was right with {right} of {wagers} wagers that were entered or changed after the "
        "first card, {times} of them by {by}: by chance at most one of {seldom} patrons is."
    ),
    LATE_WINS: N_(
        "{right} of {coups} wagers that won and were entered or raised once the coup was decided "
        "were {patron}'s, though others won as well; {times} of them by {by}: by chance at most "
        "one of {seldom} patrons has so many."
    ),
    TOGETHER: N_(
        "{patron} and {partner} were on opposite sides in {opposite} of {coups} coups, in {equal} "
        "of them with nearly equal stakes: by chance at most one of {seldom} patrons has such a "
        "partner."
    ),
    TRAY_SHORT: N_(
        "{dealer}: of {counts} counts of their trays that were off, {short} were short: by chance "
        "at most for one of {seldom} dealers."
    ),
    DEALER_LOSES: N_(
        "Patrons won more from {dealer} than their bets explain: {deviations} standard deviations "
        "in {coups} coups; by chance at most from one of {seldom} dealers."
    ),
    WINS_WITH: N_(
        "{patron} won more from {dealer} than the bets explain: {deviations} standard deviations "
        "in {coups} coups; by chance at most one of {seldom} patrons does with a dealer."
    ),
}


def unlikely_words(detail: Detail) -> Words:
    """The sentence: what it is, and how seldom chance does as much."""
    seldom = Words("10^{power}", power=Number(detail["power"]))
    if sentence := _OF_PEOPLE.get(detail["question"]):
        values = {name: _shown(name, value) for name, value in detail.items()}
        who = Words(sentence, **values, seldom=seldom)
        return _in_company(who, detail) if "met" in detail else who
    what = _OF_SHOES[detail["question"]](detail)
    return Words("{what}: by chance in at most one of {seldom} shoes.", what=what, seldom=seldom)


def _in_company(what: Words, detail: Detail) -> Words:
    """The sentence about two patrons, and how often they came and left together."""
    return Words(
        "{what} Together at one table: {met} times; sat down within five minutes of each other: "
        "{came}; left within five minutes of each other: {left}.",
        what=what,
        met=Number(detail["met"]),
        came=Number(detail["came"]),
        left=Number(detail["left"]),
    )


def _shown(name: str, value: Any) -> object:
    """A value of a row's detail, as its sentence has it."""
    if name == "spot":
        return spot_called(value)
    if name == "deviations":
        return Figure(value)
    return Number(value) if isinstance(value, int) else value


def _followed(detail: Detail) -> Words:
    first, last, order = Number(detail["first"]), Number(detail["last"]), detail["order"]
    if order in ORDERS:
        return Words(
            "Cards {first} to {last} follow the order of new decks", first=first, last=last
        )
    if order.endswith(BACKWARDS):
        return Words(
            "Cards {first} to {last} follow shoe {shoe} backwards",
            first=first,
            last=last,
            shoe=order.removesuffix(BACKWARDS),
        )
    return Words(
        "Cards {first} to {last} follow shoe {shoe}, from its card {place} on",
        first=first,
        last=last,
        shoe=order,
        place=Number(detail["place"]),
    )


def _clumped(detail: Detail) -> Words:
    return Words(_CLUMPS[detail["likeness"]], back=Number(detail["back"]))


def _not_whole(detail: Detail) -> Words:
    kind = detail["kind"]
    of_kind = SYMBOLS.get(kind, kind.replace("T", "10"))
    cards = Words("tens and pictures") if kind == TENS else of_kind
    numbers = {name: Number(detail[name]) for name in ("of", "came", "expected", "shoes")}
    if detail["shoes"] == 1:
        sentence = N_("Of {of} cards, {came} are {cards}; of whole decks about {expected} would be")
    else:
        sentence = N_(
            "Of {of} cards in {shoes} shoes, {came} are {cards}; of whole decks about {expected} "
            "would be"
        )
    return Words(sentence, cards=cards, **numbers)


_OF_SHOES = {
    **dict.fromkeys((NEW_DECK, EARLIER_SHOE), _followed),
    CLUMP: _clumped,
    NOT_WHOLE: _not_whole,
}
