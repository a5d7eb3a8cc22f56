"""What a second person signs: the events that a command decided, in words, before they happen.

First what each of them says, then which money goes from where to where. All of it is computed from
the events, so the same words can be made again from the record.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from domain.rules.hands import played
from domain.rules.wording import N_, Amount, Words, counted
from ops.words.event_values import Event, worded_with
from ops.words.events import event_sentences, reason_of
from ops.words.movements import movements
from ops.words.show import each_chips_words, outcome_words
from ops.words.terms import card_called, hand_called

# Chips by denomination, and as they were before; in the order of what people count.
_CHIPS = ("opener", "closer", "chips")
# Events of money or of cards, after which it is said if no money moves.
_OF_MONEY = (
    *("PaymentCorrected", "CardCorrected", "Voided", "WagerMoved", "WagerFound", "CardMisdrawn"),
    *("CardDiscarded", "Recounted", "Decided", "CommissionWaived", "CommissionWalked"),
    *("LeftOpenSettled", "ChipsCorrected", "DropCounted", "CloserRecounted", "ShiftCounted"),
    *("SlipRequested", "SlipVoided"),
)
_LEFT_OPEN = ("BetLeftOpen", "CommissionLeftOpen")
_OF_A_COUP = (
    *("PaymentCorrected", "StakeCorrected", "CardCorrected", "WagerMoved"),
    *("WagerFound", "WagerSettledLate", "CouponCorrected"),
)
_FIRST = ("TableClosed",)  # the tray's difference, before who leaves which seat
# Events that tell what nobody may know before it happened: a card face down, a secret.
_UNSEEN = {
    "HandTurned": Words("Cards that are face down are turned."),
    "Resulted": None,
    "OrderRevealed": Words("The order of the shoe is published."),
}


def to_sign(
    events: Sequence[Event], currency: str, beside: Iterable[Words] = ()
) -> tuple[Words, ...]:
    """What whoever signs is shown, as sentences; each of them once.

    `beside`: what else they must know, which no event says.
    """
    moved = [each.words(currency) for each in movements(events)]
    if not moved and any(each["type"] in _OF_MONEY and not _differs(each) for each in events):
        moved = [_none_moved(events)]
    words = [
        *_about(events),
        *_bets(events, currency),
        *_sentences(events, currency),
        *beside,
    ]
    return tuple(dict.fromkeys([*words, *_written(events), *moved]))


def _none_moved(events: Sequence[Event]) -> Words:
    """No money is handed over; who has left is owed it, or owes it."""
    if any(each["type"] in _LEFT_OPEN and each["balance"] for each in events):
        return Words("No money moves now: what is left open is settled later.")
    return Words("No money moves.")


def _differs(event: Event) -> bool:
    """Whether an opener was worth more or less, which came from nowhere that is named."""
    return event.get("kind") == "opener" and bool(event["total"] != event["total_before"])


def _written(events: Sequence[Event]) -> Iterator[Words]:
    """What somebody wrote that goes on record, on a line of its own whatever else has it."""
    for event in events:
        if why := reason_of(event):
            yield Words("Reason: {written}", written=why)
        if text := event.get("text"):
            yield Words("Note: {written}", written=text)


def digest(words: Iterable[str]) -> str:
    """The SHA-256 in hex of the English sentences, one a line."""
    return hashlib.sha256("\n".join(map(str, words)).encode()).hexdigest()


def _about(events: Sequence[Event]) -> Iterator[Words]:
    """The coup in which something is put right; a void names it by its bets."""
    named = dict.fromkeys(each["coup"] for each in events if each["type"] in _OF_A_COUP)
    for coup in named:
        yield Words("In coup {coup}:", coup=coup)


def _sentences(events: Sequence[Event], currency: str) -> Iterator[Words]:
    """What each event says, or in its place what may be known of it before; the tray first.

    The result of corrected cards is said with them.
    """
    turned = any(each["type"] == "HandTurned" for each in events)
    with_cards = any(each["type"] == "CardCorrected" and each["outcome"] for each in events)
    sentences = event_sentences(events, currency, marked=False)
    for event, words in sorted(sentences, key=lambda each: each[0]["type"] not in _FIRST):
        if event["type"] in _UNSEEN and (turned or with_cards or event["type"] != "Resulted"):
            if unseen := _UNSEEN[event["type"]]:
                yield unseen
        elif event["type"] in _IN_FULL:
            yield _IN_FULL[event["type"]](event)
        else:
            yield words
            yield from _in_full(event, currency)


def _misdrawn(event: Event) -> Words:
    """What becomes of a card that came when none was due, with the coups by address."""
    last, following = (f"{event['shoe']}/{event['coup'] + more}" for more in (0, 1))
    templates = {
        "carry": N_(
            "{card} came when none was due, after coup {coup} was dealt: it goes to the next "
            "coup, {next}, before any card is drawn for it."
        ),
        "burn": N_("{card} came when none was due, after coup {coup} was dealt: it is burned."),
        "dummy": N_(
            "{card} came when none was due, after coup {coup} was dealt: it goes to a dummy coup, "
            "{next}."
        ),
    }
    before_all = {
        "carry": N_("{card} came before the first coup: it goes to coup {next}."),
        "burn": N_("{card} came before the first coup: it is burned."),
        "dummy": N_("{card} came before the first coup: it goes to a dummy coup, {next}."),
    }
    names = {"card": card_called(event["card"]), "coup": last, "next": following}
    template = (templates if event["coup"] else before_all)[event["disposition"]]
    return worded_with(template, names)


def _ended(event: Event) -> Words:
    """Which shoe ends, and why; a reason is given before its cut card shows."""
    if not event["reason"]:
        return counted(
            event["coups"],
            "Shoe {shoe} has ended after {n} coup.",
            "Shoe {shoe} has ended after {n} coups.",
            shoe=event["shoe"],
        )
    return counted(
        event["coups"],
        "Shoe {shoe} has ended after {n} coup: {reason}.",
        "Shoe {shoe} has ended after {n} coups: {reason}.",
        shoe=event["shoe"],
        reason=event["reason"],
    )


# Events that name no coup or shoe in the sentence that is read at their table.
_IN_FULL: Mapping[str, Callable[[Event], Words]] = {"CardMisdrawn": _misdrawn, "Ended": _ended}


def _in_full(event: Event, currency: str) -> Iterator[Words]:
    """The chips that an event names, what is owed before it, the result of corrected cards."""
    if event.get("kind") == "colour-change":
        yield from _exchanged(event, currency)
    else:
        for name in _CHIPS:
            if isinstance(event.get(name), dict) and any(event[name].values()):
                yield _chips(event, name, currency)
    if _differs(event):
        yield _opener_off(event, currency)
    if "owed_before" in event:
        yield _owed(event, currency)
    if event["type"] == "WagerMoved" and event["paid"] is not None:
        yield _paid_along(event, currency)
    if event["type"] == "CardCorrected":
        yield from _moved(event)
        yield from _results(event)


def _results(event: Event) -> Iterator[Words]:
    """The result of a coup before its cards were put right, and then."""
    if was := event.get("outcome_before"):
        totals = event["player_total_before"], event["banker_total_before"]
        yield Words("It was: {outcome}.", outcome=outcome_words(was, *totals))
    if event["outcome"]:
        totals = event["player_total"], event["banker_total"]
        yield Words("It is then: {outcome}.", outcome=outcome_words(event["outcome"], *totals))
    if event["phase"] == "resulted":
        yield Words("No bet of it is paid yet.")


def _owed(event: Event, currency: str) -> Words:
    """What a patron owed, and owes after some of it was waived or written off."""
    before, patron = event["owed_before"], event["patron"]
    then = before - event["amount"]
    owed = Amount(before, currency)
    if not then:
        return Words("{patron} owed {amount} until now; then owes nothing.", patron=patron,
                     amount=owed)  # fmt: skip
    return Words(
        "{patron} owed {amount} until now; then owes {rest}.",
        patron=patron,
        amount=owed,
        rest=Amount(then, currency),
    )


def _moved(event: Event) -> Iterator[Words]:
    """The cards that count for the other hand because one of them was another one."""
    cards = [card for card, _, _ in event["cards"]]
    cards[event["n"] - 1] = event["was"]
    was = played((*cards, *event["untyped"], *event["undue"]))
    for n, (before, (card, hand, _)) in enumerate(zip(was.dealt, event["cards"], strict=False), 1):
        if before.hand != hand:
            yield Words(
                "Card {n}, {card}, moves from {hand} to {to}.",
                n=n,
                card=card_called(card),
                hand=hand_called(before.hand),
                to=hand_called(hand),
            )


def _opener_off(event: Event, currency: str) -> Words:
    """By how much the tray began with more or less than was typed."""
    off = event["total"] - event["total_before"]
    template = (
        N_("On record the tray began with {amount} more.")
        if off > 0
        else N_("On record the tray began with {amount} less.")
    )
    return Words(template, amount=Amount(abs(off), currency))


def _paid_along(event: Event, currency: str) -> Words:
    """What a moved wager was paid, which is whose the wager is."""
    if not event["paid"]:
        return Words("It was lost.")
    paid = Amount(event["paid"], currency)
    return Words("The {paid} it was paid is {patron}'s too.", paid=paid, patron=event["to_patron"])


def _exchanged(event: Event, currency: str) -> Iterator[Words]:
    """The chips of a colour change, by where they went, and as it was entered."""
    if any(event["chips"].values()):
        yield Words("In truth: {chips}.", chips=_both_ways(event["chips"], currency))
    yield Words("Entered was: {chips}.", chips=_both_ways(event["chips_before"], currency))


def _both_ways(net: Mapping[str, int], currency: str) -> Words:
    """Chips that came into the tray, and below 0 those that left it."""
    taken = {chip: count for chip, count in net.items() if count > 0}
    given = {chip: -count for chip, count in net.items() if count < 0}
    return Words(
        "{taken} from the patron to the tray, {given} from the tray to the patron",
        taken=each_chips_words(taken, currency),
        given=each_chips_words(given, currency),
    )


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
