"""The meters of spots follow the coups of their tables (R-PROG-1 to 6)."""

from collections.abc import Collection
from fractions import Fraction

from msgspec.structs import replace

from domain.aggregates.corrections import Change
from domain.aggregates.coup import Coup
from domain.aggregates.forms import Jackpot
from domain.aggregates.meter import Meter, MeterDay
from domain.rules.house_rules import Progressive
from domain.rules.layout import Wager
from domain.rules.money import decimal_string
from domain.rules.must_hit import Point, Standing
from domain.rules.progressives import NOT_BROUGHT, NOTHING, Brought
from domain.rules.refusals import SecondPersonNeeded
from domain.rules.settlement import Payment
from domain.rules.wording import Amount, Words
from ops.commands.command import Command
from ops.handlers import forms
from ops.handlers.desk import Desk
from ops.ledger.pepper import derived_key


def standing(desk: Desk, coup: Coup, spots: Collection[str] = ()) -> dict[str, Standing]:
    """What the meter of each spot with a bet stands at when it pays the coup.

    `spots`: also those of these spots. A meter that paid the coup before stands as it did then.
    """
    stood = coup.stood
    for spot, lay in coup.lying_on_meters(spots).items():
        if spot not in stood:
            stood[spot] = _standing(desk, coup, spot, lay)
    return stood


def _standing(desk: Desk, coup: Coup, spot: str, lay: int) -> Standing:
    """What a meter stands at with a coup's share, and the point that it reaches."""
    terms, meter = coup.rules.progressives[spot], _meter(desk, coup, spot)
    day = _last_day(desk, meter)
    amount = (day.standing if day else terms.seed) + Brought.of(terms, lay, 0).share
    point = _point(meter) if terms.must_hit_by is not None else None
    reached = point is not None and amount >= terms.payable(Fraction(point.amount))
    return Standing(amount, point if reached else None)


def _point(meter: Meter | None) -> Point | None:
    """The point that is fixed, from the house's pepper; None: none is, or by another pepper."""
    if meter is None or meter.fixed is None:
        return None
    point = Point(_secret(meter.meter, meter.points), meter.fixed.lowest, meter.fixed.highest)
    return point if point.commitment == meter.fixed.commitment else None


def _secret(meter: str, nth: int) -> str:
    return derived_key(f"sabot point {nth} of {meter}".encode(), anew=True).hex()


def read(desk: Desk, coup: Coup, spot: str | None) -> None:
    """Has a settled coup know what the meter of a spot stands at, on which a bet comes now.

    Only when a coup is settled its meter may be won because it reaches a point.
    """
    if spot is None or spot not in coup.rules.progressives:
        return
    if coup.phase == "settled" and spot not in coup.meters:
        day = _open_day(desk, coup, spot)
        stood = replace(standing(desk, coup, [spot])[spot], reached=None)
        coup.follow_meter(spot, day.meter, stood, NOT_BROUGHT, NOTHING)


def needs_two(desk: Desk, coup: Coup) -> bool:
    """Whether two people settle the coup, by a command of its own (R-PROG-5)."""
    result = coup.hands.result
    if result is None or not coup.rules.asks_for_two:
        return False
    payments = coup.by_the_cards(result, (), standing(desk, coup))
    return any(_takes_two(coup, wager, payments[wager.seat, wager.spot]) for wager in coup.wagers())


def sign(desk: Desk, coup: Coup, wager: Wager, payment: Payment, command: Command) -> None:
    """Has two people sign what a meter pays above its amount, with a form (R-PROG-5).

    Refuses: SecondPersonNeeded.
    """
    spot = coup.counts_on(wager)
    if not _takes_two(coup, wager, payment):
        return
    second = desk.second(command)
    act = Words("Paying more than {amount} of a meter", amount=_most_alone(coup, spot))
    if not second:
        raise SecondPersonNeeded(rule="R-PROG-5", act=act, who=Words("a supervisor"))
    desk.require_two(act, command)
    jackpot = Jackpot(
        table_day=str(coup.table_day),
        coup=str(coup.address),
        **wager.whose,
        meter=_address(coup, spot),
        stood=decimal_string(standing(desk, coup)[spot].amount),
        amount=payment.winnings,
        currency=coup.rules.currency,
        prepared_by=desk.casino.actor,
        approved_by=second,
    )
    forms.issue_jackpot(desk, jackpot)


def sign_again(desk: Desk, coup: Coup, change: Change) -> None:
    """Has two people sign what a correction has a meter pay more, as when it is settled."""
    before = change.before.winnings if change.before.by_meter else 0
    if change.after.winnings > before:
        sign(desk, coup, change.wager, change.after, desk.casino.command)


def _takes_two(coup: Coup, wager: Wager, payment: Payment) -> bool:
    terms = coup.rules.progressives.get(coup.counts_on(wager))
    return terms is not None and payment.by_meter and terms.takes_two(payment.winnings)


def _most_alone(coup: Coup, spot: str) -> Amount:
    return Amount(coup.rules.progressives[spot].two_people_above or 0, coup.rules.currency)


def follow(desk: Desk, coup: Coup) -> None:
    """Has each meter follow what changed in a coup: wagers, payments, a void."""
    stood = standing(desk, coup) if coup.phase == "settled" else coup.stood
    now = coup.staked(stood)
    for spot in sorted({*coup.meters, *now}):
        terms, before = coup.rules.progressives[spot], coup.meters.get(spot)
        lay, paid = now.get(spot, (0, 0))
        had = before.brought if before else NOT_BROUGHT
        brought = Brought.of(terms, lay - had.staked, paid - had.paid)
        if not brought.staked and not brought.paid:
            continue
        day, reached = _open_day(desk, coup, spot), None if before else stood[spot].reached
        done = before.refilled if before else NOTHING
        refilled = day.follow(str(coup.address), brought, terms, done, reached)
        coup.follow_meter(spot, day.meter, stood[spot], brought, refilled)
        _fix_point(desk, coup, spot, terms, anew=reached is not None)


def _fix_point(desk: Desk, coup: Coup, spot: str, terms: Progressive, *, anew: bool) -> None:
    """Fixes where a meter must be won, from what it stands at on, if it is not fixed (R-PROG-6)."""
    if terms.must_hit_by is None:
        return
    meter = _meter(desk, coup, spot)
    day = _last_day(desk, meter)
    assert meter
    assert day
    if anew or _point(meter) is None:
        lowest = -int(-terms.payable(day.standing) // 1)
        meter.fix_point(Point(_secret(meter.meter, meter.points + 1), lowest, terms.must_hit_by))


def _address(coup: Coup, spot: str) -> str:
    terms = coup.rules.progressives[spot]
    return terms.address(spot, coup.table_day.table, coup.rules.currency)


def _meter(desk: Desk, coup: Coup, spot: str) -> Meter | None:
    """The meter of a spot; None before its first wager was settled."""
    return desk.casino.find(Meter, Meter.stream(_address(coup, spot)))


def _last_day(desk: Desk, meter: Meter | None) -> MeterDay | None:
    """The last gaming day of a meter."""
    if meter is None or not meter.last_day:
        return None
    return desk.casino.find(MeterDay, MeterDay.stream(meter.meter, meter.last_day))


def _open_day(desk: Desk, coup: Coup, spot: str) -> MeterDay:
    """The gaming day of a spot's meter; the first wager of the house's day opens it."""
    rules, casino = coup.rules, desk.casino
    meter = _meter(desk, coup, spot)
    meter = meter or casino.make(Meter.place(_address(coup, spot), rules.currency, casino.moment))
    today, before = desk.house().clock.day_of(casino.moment).isoformat(), _last_day(desk, meter)
    if before and today <= before.day:
        return before
    meter.begin_day(today)
    seed = rules.progressives[spot].seed
    return casino.make(MeterDay.open(meter, today, before, seed, casino.moment))
