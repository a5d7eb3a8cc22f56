"""The words for what is on record that chance does not explain."""

from collections.abc import Iterator, Sequence

from domain.rules.protection_levels import TRAY_SHORT
from domain.rules.wording import N_, Figure, Number, Words
from ops.words.alerts import KINDS
from ops.words.event_values import Detail
from ops.words.terms import spot_called
from projections.people.patrons_compared import IN_FAVOUR

_KINDS = {**KINDS, IN_FAVOUR: N_("put right in favour"), TRAY_SHORT: N_("tray short")}


def compared_words(kinds: Sequence[Detail]) -> Iterator[Words]:
    """The sentences for what happened to a dealer or a patron more often than to the others."""
    for each in kinds:
        if each["named"]:
            yield Words(
                "{kind}: {times} times; from now on {rate} in 1,000 coups are to be expected. By "
                "chance once in {seldom}.",
                kind=Words(_KINDS[each["kind"]]),
                times=Number(each["times"]),
                rate=Figure(each["per_1000"]),
                seldom=Words("10^{power}", power=Number(each["power"])),
            )


def results_words(one: Detail) -> Words:
    """What patrons won against theory."""
    if not one["named"]:
        return Words("{deviations}", deviations=Figure(one["deviations"]))
    return Words(
        "{deviations} standard deviations above theory; from now on {expected} of the wagers are "
        "to be expected above it. By chance once in {seldom}.",
        deviations=Figure(one["deviations"]),
        expected=Figure(f"{one['expected']}%"),
        seldom=Words("10^{power}", power=Number(one["power"])),
    )


def pace_words(one: Detail) -> Words:
    """How many coups an hour a dealer deals, beside others."""
    if not one["named"]:
        return Words(
            "{pace}, others {others}", pace=Figure(one["an_hour"]), others=Figure(one["others"])
        )
    return Words(
        "{pace}, others {others}; from now on {expected} coups an hour are to be expected. By "
        "chance once in {seldom}.",
        pace=Figure(one["an_hour"]),
        others=Figure(one["others"]),
        expected=Figure(one["expected"]),
        seldom=Words("10^{power}", power=Number(one["power"])),
    )


def unlike_words(one: Detail) -> Words:
    """How seldom who does as the others do moves cash as somebody did."""
    if not one["named"]:
        return Words("others {share}", share=Figure(f"{one['others']}%"))
    return Words(
        "others {share}. By chance once in {seldom}.",
        share=Figure(f"{one['others']}%"),
        seldom=Words("10^{power}", power=Number(one["power"])),
    )


def worth_words(spots: Sequence[Detail]) -> Iterator[Words]:
    """The sentences for what the spots of a shoe are worth to a patron."""
    for each in spots:
        spot, full = spot_called(each["spot"]), _percent(each["full"])
        if each["edge"] is None:
            yield Words("{spot}: not counted now, {full} with the full shoe.", spot=spot, full=full)
        elif each["coups"]:
            yield Words(
                "{spot}: {edge}, {full} with the full shoe; above zero in {coups} coups, {made} of "
                "a stake together.",
                spot=spot,
                edge=_percent(each["edge"]),
                full=full,
                coups=Number(each["coups"]),
                made=_percent(each["made"]),
            )
        else:
            yield Words(
                "{spot}: {edge}, {full} with the full shoe.",
                spot=spot,
                edge=_percent(each["edge"]),
                full=full,
            )


def _percent(edge: str) -> Figure:
    return Figure(f"{float(edge):+z.2%}")
