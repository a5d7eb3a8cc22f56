"""Reports about cash that were filed, each with the number by which it was acknowledged."""

from collections.abc import Sequence
from datetime import date

from domain.aggregates.cash import CashDay, Reported
from domain.rules.addresses import parse_day
from domain.rules.aml import Filing
from domain.rules.refusals import BadValue, NotFound
from domain.rules.regimes import Regime, Threshold
from domain.rules.wording import Words, listed
from ops.commands import filing as commands
from ops.handlers.aml import day_given
from ops.handlers.cash_together import DIRECTIONS, counted_with
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.regimes import regime_of
from ops.reports.ask import Row, ask
from projections import REPORTS


@handles(commands.FilingRecord)
def record(desk: Desk, command: commands.FilingRecord) -> None:
    """Records that a day's cash was reported. Refuses: BadValue, NotFound.

    A first report of cash that is not to be reported is refused; one that is amended may be of
    cash that never was.
    """
    day = parse_day(command.of_day)
    patron = desk.names.identity(command.patron)
    cash = desk.casino.find(CashDay, CashDay.stream(patron, day))
    if cash is None:
        raise NotFound(
            message=Words("{patron} has no cash on {day}.", patron=patron, day=day.isoformat())
        )
    rows = ask(desk.casino.ledger.database, REPORTS["ctr"], day=day.isoformat(), patron=patron).rows
    threshold = _threshold(regime_of(desk, day), command.threshold, rows)
    about = _about(command, patron, threshold, rows)
    filed_on, _ = day_given(desk, command.filed_on)
    last = threshold.last_day_due(day)
    filing = Filing(
        filing=command.filing,
        reference=command.reference,
        filed_on=filed_on.isoformat(),
        late=last is not None and filed_on > last,
        sha256=command.sha256 or "",
    )
    others = _others(desk, cash, threshold)
    if not (about.cash_in or about.cash_out or cash.filed(about, others)):
        raise _nothing_due(patron, day, command.position)
    cash.file(about, filing, desk.casino.actor, others)


def _others(desk: Desk, cash: CashDay, threshold: Threshold) -> Sequence[CashDay]:
    """Whose cash is in the same report: nobody's, where it is about one transaction."""
    if threshold.counts == "one":
        return ()
    return [
        each
        for direction in threshold.directions
        for each in counted_with(desk, cash, direction).every
    ]


def _about(
    command: commands.FilingRecord, patron: str, threshold: Threshold, rows: Sequence[Row]
) -> Reported:
    """What of the rows of the report of cash was reported. Refuses: BadValue."""
    of_it = [each for each in rows if (each["threshold"] or "") == threshold.name]
    transaction = 0
    if threshold.counts == "one":
        own = {
            each["components"][0]["position"]: each for each in of_it if each["patron"] == patron
        }
        if command.position is None and len(own) > 1:
            raise BadValue(
                message=Words(
                    "{patron} has {positions} to be reported on {day}, each alone. Write "
                    "`position` with the one that the report is about.",
                    patron=patron,
                    positions=listed(f"#{each}" for each in sorted(own)),
                    day=command.of_day,
                )
            )
        transaction = command.position or next(iter(own), 0)
        of_it = [own[transaction]] if transaction in own else []
    elif command.position is not None:
        raise BadValue(
            message=Words(
                "The whole day's cash is in one {paper}. Leave `position` out.",
                paper=threshold.paper,
            )
        )
    sums = {
        way: sum(each["total"] for each in of_it if each["direction"] == way) for way in DIRECTIONS
    }
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


def _threshold(regime: Regime, name: str | None, rows: Sequence[Row]) -> Threshold:
    """What was reported: the one of this name, or the first that has a row. Refuses: BadValue."""
    reported = [
        each for each in regime.thresholds if "report" in each.due and name in (None, each.name)
    ]
    if not reported:
        raise BadValue(
            message=Words(
                "The regime {regime} has no such report. `sabot regime show` has its thresholds.",
                regime=regime.name,
            )
        )
    reached = {each["threshold"] or "" for each in rows}
    return next((each for each in reported if each.name in reached), reported[0])
