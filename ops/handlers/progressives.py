"""The meters of spots follow the coups of their tables (R-PROG-1 to 4)."""

from collections.abc import Collection
from fractions import Fraction

from domain.aggregates.coup import Coup
from domain.aggregates.meter import Meter, MeterDay
from domain.rules.progressives import NOT_BROUGHT, NOTHING, Brought
from ops.handlers.desk import Desk


def standing(desk: Desk, coup: Coup, spots: Collection[str] = ()) -> dict[str, Fraction]:
    """What the meter of each spot with a bet stands at when it pays the coup.

    `spots`: also those of these spots. A meter that paid the coup before stands as it did then.
    """
    stood = {spot: each.stood for spot, each in coup.meters.items()}
    for spot, lay in coup.lying_on_meters(spots).items():
        if spot not in stood:
            brought = Brought.of(coup.rules.progressives[spot], lay, 0)
            stood[spot] = _day(desk, coup, spot).would_stand(brought)
    return stood


def read(desk: Desk, coup: Coup, spot: str | None) -> None:
    """Has a settled coup know what the meter of a spot stands at, on which a bet comes now."""
    if spot is None or spot not in coup.rules.progressives:
        return
    if coup.phase == "settled" and spot not in coup.meters:
        stood, meter = standing(desk, coup, [spot])[spot], _day(desk, coup, spot).meter
        coup.follow_meter(spot, meter, stood, NOT_BROUGHT, NOTHING)


def follow(desk: Desk, coup: Coup) -> None:
    """Has each meter follow what changed in a coup: wagers, payments, a void."""
    now = coup.staked
    stood = standing(desk, coup) if now else {}
    for spot in sorted({*coup.meters, *now}):
        terms, before = coup.rules.progressives[spot], coup.meters.get(spot)
        lay, paid = now.get(spot, (0, 0))
        had = before.brought if before else NOT_BROUGHT
        brought = Brought.of(terms, lay - had.staked, paid - had.paid)
        if not brought.staked and not brought.paid:
            continue
        day = _day(desk, coup, spot)
        refilled = day.follow(
            str(coup.address), brought, terms, before.refilled if before else NOTHING
        )
        at = before.stood if before else stood[spot]
        coup.follow_meter(spot, day.meter, at, brought, refilled)


def _day(desk: Desk, coup: Coup, spot: str) -> MeterDay:
    """The gaming day of a spot's meter; the first wager of the house's day opens it."""
    rules, terms = coup.rules, coup.rules.progressives[spot]
    address = terms.address(spot, coup.table_day.table, rules.currency)
    casino = desk.casino
    meter = casino.find(Meter, Meter.stream(address))
    meter = meter or casino.make(Meter.place(address, rules.currency, casino.moment))
    today, last = desk.house().clock.day_of(casino.moment).isoformat(), meter.last_day
    before = casino.find(MeterDay, MeterDay.stream(address, last)) if last else None
    if before and today <= before.day:
        return before
    meter.begin_day(today)
    return casino.make(MeterDay.open(meter, today, before, terms.seed, casino.moment))
