"""Sentences for the events of a shoe."""

from collections.abc import Mapping

from domain.rules.wording import N_, Words, counted
from ops.words.event_values import (
    Event,
    Values,
    Wording,
    run_on,
    worded_with,
)
from ops.words.show import missing_words
from ops.words.terms import discard_called, holder_called, shuffle_called


def _loaded(event: Event, values: Values) -> Words:
    decks = event["decks"]
    return counted(
        decks,
        "Shoe {shoe} is loaded: {n} deck.",
        "Shoe {shoe} is loaded: {n} decks.",
        **_of(values, "shoe"),
    )


def _shuffled(event: Event, values: Values) -> Words:
    template = (
        N_("The shoe is shuffled {method}. Its order is sealed by {commitment}.")
        if event.get("commitment")
        else N_("The cards came pre-shuffled.")
        if event["method"] == "pre-shuffled"
        else N_("The shoe is shuffled {method}.")
    )
    return worded_with(template, values, method=shuffle_called(event["method"]))


def _cut(event: Event, values: Values) -> Words:
    return counted(
        event["cut_card"],
        "The shoe is cut by {cut_by}. {n} card is behind the cut card.",
        "The shoe is cut by {cut_by}. {n} cards are behind the cut card.",
        **_of(values, "cut_by"),
    )


def _burned(event: Event, values: Values) -> Words:
    return counted(
        event["face_down"],
        "Burned {card} and {n} more face down.",
        "Burned {card} and {n} more face down.",
        **_of(values, "card"),
    )


def _ended(event: Event, values: Values) -> Words:
    return counted(
        event["coups"], "The shoe has ended after {n} coup.", "The shoe has ended after {n} coups."
    )


def _reconciled(event: Event, values: Values) -> Words:
    return counted(
        event["remaining"],
        "The shoe is counted: {n} card remains, {missing}.",
        "The shoe is counted: {n} cards remain, {missing}.",
        missing=missing_words(-event["difference"]),
    )


def _cut_card_shown(event: Event, values: Values) -> Words:
    return counted(
        event["cards_left"],
        "The cut card shows, {n} card left: coup {last_coup} is the last.",
        "The cut card shows, {n} cards left: coup {last_coup} is the last.",
        **_of(values, "last_coup"),
    )


def _cut_card_passed(event: Event, values: Values) -> Words:
    return counted(
        event["cards_left"],
        "The shoe is past its cut card: {n} card left.",
        "The shoe is past its cut card: {n} cards left.",
    )


def _not_dealt(event: Event, values: Values) -> Words | None:
    if not event["last_coup"]:
        return None
    return worded_with(N_("Coup {coup} does not count: coup {last_coup} is the last."), values)


def _misdrawn(event: Event, values: Values) -> Words:
    templates = {
        "carry": N_("{card} came when none was due: it goes to the next coup."),
        "burn": N_("{card} came when none was due: it is burned."),
        "dummy": N_("{card} came when none was due: a dummy coup follows."),
    }
    return worded_with(templates[event["disposition"]], values)


def _burn_left_out(event: Event, values: Values) -> Words:
    templates = {
        "or-coup-counts": N_("Coup {coup} was begun without the burned card before it: it counts."),
        "or-coup-void": N_("Coup {coup} was begun without the burned card before it: it is void."),
    }
    return worded_with(templates[event["rules_say"]], values)


def _undue(event: Event, values: Values) -> Words:
    templates = {
        "coup-complete": N_("{card} was refused: the coup has all its cards."),
        "no-coup-open": N_("{card} was refused: no coup was open."),
        "all-out": N_("{card} was refused: all of them were out of the shoe."),
    }
    return worded_with(templates[event["why"]], values)


def _discarded(event: Event, values: Values) -> Words:
    reason = discard_called(event["reason"])
    return worded_with(N_("{card} is discarded: {reason}."), values, reason=reason)


def _reuse_refused(event: Event, values: Values) -> Words:
    template = (
        N_("Batch {serial} came a second time: it was in shoe {loaded_in}.")
        if event["kind"] == "batch"
        else N_("Deck {serial} came a second time: it was in shoe {loaded_in}.")
    )
    return worded_with(template, values)


def _passed(event: Event, values: Values) -> Words:
    return Words("The shoe goes to {holder}.", holder=holder_called(event["holder"]))


def _of(values: Values, *names: str) -> dict[str, object]:
    return {name: values[name] for name in names}


def _recounted(event: Event, values: Values) -> Words:
    again = worded_with(
        N_("Counted again, {remaining} cards are left, not {remaining_before}."), values
    )
    return run_on([again, _reconciled(event, values)])


SHOE: Mapping[str, Wording] = {
    "ShoeLoaded": _loaded,
    "CameAlong": N_("Shoe {shoe} goes on, on {table_day}."),
    "Inspected": N_("The shoe is inspected."),
    "Shuffled": _shuffled,
    "Cut": _cut,
    "Burned": _burned,
    "BurnedBetween": N_("A card is burned face down."),
    "BurnLeftOut": _burn_left_out,
    "Passed": _passed,
    "CoupBegun": None,
    "CoupNotDealt": _not_dealt,
    "CardDrawn": None,
    "UndueCardRefused": _undue,
    "CardMisdrawn": _misdrawn,
    "CarriedCardDealt": None,
    "CardDiscarded": _discarded,
    "CutCardShown": _cut_card_shown,
    "CutCardPassed": _cut_card_passed,
    "Ended": _ended,
    "OrderRevealed": N_("The order of the shoe is published. Its secret is {secret}."),
    "OrderUntold": N_("The order of the shoe is lost and stays unknown."),
    "Reconciled": _reconciled,
    "Recounted": _recounted,
    "CardRenamed": None,
    "CardTakenBack": None,
    "DeckLoaded": None,
    "ReuseRefused": _reuse_refused,
}
