"""The meters of spots follow the coups of their tables (R-PROG-1 to 4)."""

from collections.abc import Collection
from fractions import Fraction

from domain.aggregates.corrections import Change
from domain.aggregates.coup import Coup
from domain.aggregates.forms import Jackpot
from domain.aggregates.meter import Meter, MeterDay
from domain.rules.layout import Wager
from domain.rules.money import decimal_string
from domain.rules.progressives import NOT_BROUGHT, NOTHING, Brought
from domain.rules.refusals import SecondPersonNeeded
from domain.rules.settlement import Payment
from domain.rules.wording import Amount, Words
from ops.commands.command import Command
from ops.handlers import forms
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
        meter=_day(desk, coup, spot).meter,
        stood=decimal_string(standing(desk, coup)[spot]),
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
