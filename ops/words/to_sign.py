"""What a second person signs: the events that a command decided, in words, before they happen.

First what each of them says, then which money goes from where to where. All of it is computed from
the events, so the same words can be made again from the record.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain.rules.wording import Amount, Words
from ops.words.event_values import Event
from ops.words.events import event_sentences
from ops.words.movements import movements
from ops.words.show import each_chips_words, outcome_words

# Chips by denomination, and as they were before; in the order of what people count.
_CHIPS = ("opener", "closer", "chips")
_OF_A_COUP = ("PaymentCorrected", "CardCorrected", "WagerMoved", "WagerFound", "WagerSettledLate")
# Events that tell what nobody may know before it happened: a card face down, a secret.
_UNSEEN = {
    "HandTurned": Words("Cards that are face down are turned."),
    "Resulted": None,
    "OrderRevealed": Words("The order of the shoe is published."),
}


def to_sign(events: Sequence[dict[str, Any]], currency: str) -> tuple[Words, ...]:
    """What whoever signs is shown, as sentences; each of them once."""
    words = [
        *_about(events),
        *_bets(events, currency),
        *_sentences(events, currency),
        *(each.words(currency) for each in movements(events)),
    ]
    return tuple(dict.fromkeys(words))


def digest(words: Iterable[str]) -> str:
    """The SHA-256 in hex of the English sentences, one a line."""
    return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()


def _about(events: Sequence[Event]) -> Iterator[Words]:
    """The coup in which something is put right; a void names it by its bets."""
    named = dict.fromkeys(each["coup"] for each in events if each["type"] in _OF_A_COUP)
    for coup in named:
        yield Words("In coup {coup}:", coup=coup)


def _sentences(events: Sequence[dict[str, Any]], currency: str) -> Iterator[Words]:
    """What each event says, or in its place what may be known of it before."""
    turned = any(each["type"] == "HandTurned" for each in events)
    for event, words in event_sentences(events, currency, marked=False):
        if event["type"] in _UNSEEN and (turned or event["type"] != "Resulted"):
            if unseen := _UNSEEN[event["type"]]:
                yield unseen
        else:
            yield words
            yield from _in_full(event, currency)


def _in_full(event: Event, currency: str) -> Iterator[Words]:
    """The chips that an event names, what is owed before it, the result of corrected cards."""
    for name in _CHIPS:
        if isinstance(event.get(name), dict) and any(event[name].values()):
            yield _chips(event, name, currency)
    if "owed_before" in event:
        owed = Amount(event["owed_before"], currency)
        yield Words("Now {patron} owes {amount}.", patron=event["patron"], amount=owed)
    if event["type"] == "CardCorrected" and event["outcome"]:
        totals = event["player_total"], event["banker_total"]
        yield Words("It is then: {outcome}.", outcome=outcome_words(event["outcome"], *totals))


def _chips(event: Event, name: str, currency: str) -> Words:
    chips = each_chips_words(event[name], currency)
    before = event.get(f"{name}_before") or {}
    if not any(before.values()):
        return Words("In chips: {chips}.", chips=chips)
    was = each_chips_words(before, currency)
    return Words("In chips: {chips}; it was {before}.", chips=chips, before=was)


def _bets(events: Sequence[Event], currency: str) -> Iterator[Words]:
    """What was bet and paid in a coup that will be void."""
    for coup in dict.fromkeys(each["coup"] for each in events if each["type"] == "WagerReturned"):
        wagers = [each for each in events if _is_return(each, coup)]
        staked = Amount(sum(each["stake"] for each in wagers), currency)
        if any(each["paid_before"] is None for each in wagers):
            yield Words("{coup}: {staked} in bets.", coup=coup, staked=staked)
        else:
            paid = Amount(sum(each["paid_before"] for each in wagers), currency)
            words = "{coup}: {staked} was bet and {paid} paid."
            yield Words(words, coup=coup, staked=staked, paid=paid)


def _is_return(event: Event, coup: str) -> bool:
    return bool(event["type"] == "WagerReturned" and event["coup"] == coup)
