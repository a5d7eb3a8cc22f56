"""Reports about cash that were filed, each with the number by which it was acknowledged."""

from collections.abc import Mapping
from datetime import date

from domain.aggregates.cash import CashDay
from domain.aggregates.cash_reports import Reported
from domain.rules.addresses import parse_day
from domain.rules.aml import Filing
from domain.rules.refusals import BadValue, NotFound
from domain.rules.regimes import Threshold
from domain.rules.wording import Words, listed
from ops.commands import filing as commands
from ops.handlers.aml import day_given, why_taken_back
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.regimes import regime_of
from ops.handlers.reported import Sums, in_one_report, to_report


@handles(commands.FilingRecord)
def record(desk: Desk, command: commands.FilingRecord) -> None:
    """Records that a day's cash was reported. Refuses: BadValue, NotFound.

    A first report of cash that is not to be reported is refused; one that is amended may be of
    cash that never was. With `withdrawn` the newest is taken back.
    """
    day = parse_day(command.of_day)
    patron = desk.names.identity(command.patron)
    cash = desk.casino.find(CashDay, CashDay.stream(patron, day))
    if cash is None:
        raise NotFound(
            message=Words("{patron} has no cash on {day}.", patron=patron, day=day.isoformat())
        )
    if why := why_taken_back(command):
        _take_back(desk, cash, command.reference, why)
        return
    threshold, due = _threshold(desk, cash, command.threshold)
    about = _about(command, patron, threshold, due)
    filed_on, _ = day_given(desk, command.filed_on)
    last = threshold.last_day_due(day)
    filing = Filing(
        filing=command.filing,
        reference=command.reference,
        filed_on=filed_on.isoformat(),
        late=last is not None and filed_on > last,
        sha256=command.sha256 or "",
    )
    others = in_one_report(desk, cash, threshold)
    if not (about.cash_in or about.cash_out or cash.filed(about, others)):
        raise _nothing_due(patron, day, command.position)
    cash.file(about, filing, desk.casino.actor, others)


def _take_back(desk: Desk, cash: CashDay, reference: str, why: str) -> None:
    """Takes back the newest report of a day's cash, of everybody in it. Refuses: BadValue."""
    report = cash.newest(reference)
    if report.in_report_of:
        raise BadValue(
            message=Words(
                "{reference} was recorded for {patron}, with this cash. Take it back there.",
                reference=reference,
                patron=report.in_report_of,
            )
        )
    day = date.fromisoformat(cash.day)
    others = [desk.casino.find(CashDay, CashDay.stream(each, day)) for each in report.with_cash_of]
    for each in (cash, *filter(None, others)):
        each.take_back(report, desk.casino.actor, why)


def _threshold(desk: Desk, cash: CashDay, name: str | None) -> tuple[Threshold, Mapping[int, Sums]]:
    """What was reported, with the cash that reaches it: the threshold of this name.

    Without a name it is the first that cash reaches, or the first of all. Refuses: BadValue.
    """
    regime = regime_of(desk, date.fromisoformat(cash.day))
    reported = [
        (each, due) for each, due in to_report(desk, cash, regime) if name in (None, each.name)
    ]
    if not reported:
        raise BadValue(
            message=Words(
                "The regime {regime} has no such report. `sabot regime show` has its thresholds.",
                regime=regime.name,
            )
        )
    return next((each for each in reported if each[1]), reported[0])


def _about(
    command: commands.FilingRecord, patron: str, threshold: Threshold, due: Mapping[int, Sums]
) -> Reported:
    """What of the cash that is to be reported was reported. Refuses: BadValue."""
    transaction = 0
    if threshold.counts == "one":
        if command.position is None and len(due) > 1:
            raise BadValue(
                message=Words(
                    "{patron} has {positions} to be reported on {day}, each alone. Write "
                    "`position` with the one that the report is about.",
                    patron=patron,
                    positions=listed(f"#{each}" for each in sorted(due)),
                    day=command.of_day,
                )
            )
        transaction = command.position or next(iter(due), 0)
    elif command.position is not None:
        raise BadValue(
            message=Words(
                "The whole day's cash is in one {paper}. Leave `position` out.",
                paper=threshold.paper,
            )
        )
    sums = due.get(transaction, {"in": 0, "out": 0})
    return Reported(
        threshold=threshold.name,
        transaction=transaction,
        cash_in=sums["in"],
        cash_out=sums["out"],
    )


def _nothing_due(patron: str, day: date, position: int | None) -> NotFound | BadValue:
    """The refusal of a report of what is not to be reported."""
    if position is not None:
        return NotFound(
            message=Words(
                "#{position} is no cash of {patron} on {day} that is to be reported. `sabot report "
                "ctr` has what is.",
                position=position,
                patron=patron,
                day=day.isoformat(),
            )
        )
    return BadValue(
        message=Words(
            "{patron} has no cash on {day} that is to be reported. `sabot report ctr` has what is.",
            patron=patron,
            day=day.isoformat(),
        )
    )
