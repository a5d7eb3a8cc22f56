"""Sentences for the events of a meter, and for what a coup brought it and was paid by it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from domain.rules.must_hit import Point
from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import Event, Values, Wording, run_on, worded_with
from ops.words.terms import spot_called


def meter_called(meter: str) -> str:
    """A meter as people call it: `Fortune, house` for `fortune/house/USD`."""
    spot, _, rest = meter.partition("/")
    return Words("{spot}, {whose}", spot=spot_called(spot), whose=rest.rpartition("/")[0])


def whole(exact: str, currency: str) -> Amount:
    """What a meter stands at, in whole minor units, as it is shown."""
    return Amount(int(Fraction(exact) // 1), currency)


def _moved(event: Event, _values: Values) -> Words:
    return run_on(_sentences(event))


def _sentences(event: Mapping[str, Any]) -> Iterator[Words]:
    meter, currency = str(event["meter"]), str(event["meter"]).rpartition("/")[2]
    values = {
        "meter": meter_called(meter),
        "stood": whole(event["stood"], currency),
        "paid": Amount(abs(event["paid"]), currency),
    }
    if event["paid"] > 0:
        yield worded_with(
            N_("The meter {meter} was at {stood} and pays {paid} (R-PROG-3)."), values
        )
    elif event["paid"] < 0:
        yield worded_with(N_("The meter {meter} gets {paid} back (R-PROG-4)."), values)
    else:
        yield worded_with(N_("The meter {meter} is at {stood}."), values)
    if event.get("secret"):
        point = Point(event["secret"], event["lowest"], event["highest"])
        yield Words(
            "It had to be won at {amount} (R-PROG-6).", amount=Amount(point.amount, currency)
        )
    if event["seeded"]:
        house = Amount(abs(event["seeded"]), currency)
        words = N_("The house puts {house} into it.")
        if event["seeded"] < 0:
            words = N_("The house takes {house} out of it again.")
        yield Words(words, house=house)


METERS: Mapping[str, Wording] = {
    "MeterPlaced": None,
    "DayBegun": None,
    "PointFixed": None,
    "MeterDayOpened": None,
    "MeterMoved": None,
    "MeterFollowed": _moved,
}
