"""Sentences for limits of play, breaks, and what a dealer is shown at the seat (R-PLAY-3)."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from domain.rules.wording import N_, Amount, Moment, Until, Words, counted
from ops.words.durations import duration
from ops.words.event_values import Event, Values, Wording, worded_with

_LIMITED = {  # by what is limited, and whether it is lifted
    ("deposit", False): N_("{patron} deposits at most {amount} in a {period}, from {since} on."),
    ("deposit", True): N_("{patron} has no limit of deposits in a {period}, from {since} on."),
    ("loss", False): N_("{patron} loses at most {amount} in a {period}, from {since} on."),
    ("time", False): N_("{patron} plays at most {time} in a {period}, from {since} on."),
    ("time", True): N_("{patron} has no limit of time in a {period}, from {since} on."),
    ("loss", True): N_("{patron} has no limit of losses in a {period}, from {since} on."),
}
_UNCARDED = {
    "bet": N_(
        "Seat {seat} has {amount} on the coup without a card; above {above} play is by card."
    ),
    "cash": N_("Seat {seat} brought {amount} today without a card; above {above} play is by card."),
}
_PERIODS = {"day": N_("day"), "week": N_("week"), "month": N_("month")}


def _limit_stated(event: Event, values: Values) -> Words:
    minutes = event.get("minutes")
    template = _LIMITED[event["kind"], event["amount"] is None and minutes is None]
    time = duration(timedelta(minutes=minutes)) if minutes else ""
    since = Moment(datetime.fromisoformat(event["holds_from"]).replace(microsecond=0))
    period = Words(_PERIODS[event["period"]])
    return worded_with(template, values, period=period, since=since, time=time)


def _break_begun(event: Event, values: Values) -> Words:
    until = Until(datetime.fromisoformat(event["until"]))
    return worded_with(N_("{patron} takes a break until {until}."), values, until=until)


def pause_words(seat: int, until: str) -> Words:
    """Which seat pauses, in a line that shames nobody; `until`: '' where a limit is reached."""
    if until:
        return Words("Seat {seat} takes a break until {until}.", seat=seat, until=until)
    return Words("Seat {seat} takes no further chips for cash today.", seat=seat)


def _rest_announced(event: Event, _: Values) -> Words:
    return counted(
        event["minutes"],
        "Seat {seat}: a rest is due in {n} minute.",
        "Seat {seat}: a rest is due in {n} minutes.",
        seat=event["seat"],
    )


_HELD = {
    "deposit": N_("Deposits at most {amount} in a {period}."),
    "loss": N_("Loses at most {amount} in a {period}."),
    "time": N_("Plays at most {time} in a {period}."),
}


def held_words(held: Iterable[Mapping[str, Any]], currency: str) -> list[Words]:
    """The limits that held, a sentence each, as the patron reads them."""
    return [
        worded_with(
            _HELD[each["item"]],
            {"amount": Amount(each["limit"], currency)},
            time=duration(timedelta(minutes=each["limit"])),
            period=Words(_PERIODS[each["counts_over"]]),
        )
        for each in held
    ]


def _limit_near(event: Event, _: Values) -> Words:
    return Words("Seat {seat} soon takes no further chips for cash.", seat=event["seat"])


def _played_uncarded(event: Event, values: Values) -> Words:
    above = Amount(event["above"], str(values["currency"]))
    return worded_with(_UNCARDED[event["what"]], values, above=above)


PLAY: Mapping[str, Wording] = {
    "LimitStated": _limit_stated,
    "BreakBegun": _break_begun,
    "RestAnnounced": _rest_announced,
    "LimitNear": _limit_near,
    "PlayedUncarded": _played_uncarded,
    "PlayedOn": lambda event, _: pause_words(event["seat"], event["until"]),
}
