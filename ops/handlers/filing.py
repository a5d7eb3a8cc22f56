"""Reports about cash that were filed, each with the number by which it was acknowledged."""

from domain.aggregates.cash import CashDay
from domain.rules.addresses import parse_day
from domain.rules.aml import Filing
from domain.rules.refusals import BadValue, NotFound
from domain.rules.regimes import Regime, Threshold
from domain.rules.wording import Words
from ops.commands import filing as commands
from ops.handlers.aml import day_given
from ops.handlers.cash_together import counted_with
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.regimes import regime_of


@handles(commands.FilingRecord)
def record(desk: Desk, command: commands.FilingRecord) -> None:
    """Records that a day's cash was reported. Refuses: BadValue, NotFound."""
    day = parse_day(command.of_day)
    patron = desk.names.identity(command.patron)
    cash = desk.casino.find(CashDay, CashDay.stream(patron, day))
    if cash is None:
        raise NotFound(
            message=Words("{patron} has no cash on {day}.", patron=patron, day=day.isoformat())
        )
    threshold = _threshold(regime_of(desk, day), command.threshold)
    filed_on, _ = day_given(desk, command.filed_on)
    last = threshold.last_day_due(day)
    filing = Filing(
        filing=command.filing,
        reference=command.reference,
        filed_on=filed_on.isoformat(),
        late=last is not None and filed_on > last,
        sha256=command.sha256 or "",
    )
    others = [
        each
        for direction in threshold.directions
        for each in counted_with(desk, cash, direction).every
    ]
    cash.file(threshold.name, filing, desk.casino.actor, others)


def _threshold(regime: Regime, name: str | None) -> Threshold:
    """What was reported: the one of this name, or the only one. Refuses: BadValue."""
    reported = [each for each in regime.thresholds if "report" in each.due]
    for each in reported:
        if name in (None, each.name):
            return each
    raise BadValue(
        message=Words(
            "The regime {regime} has no such report. `sabot regime show` has its thresholds.",
            regime=regime.name,
        )
    )
