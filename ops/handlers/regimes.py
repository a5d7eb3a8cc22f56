"""The regime for cash: chosen from a gaming day on, by two people (R-CASH-1)."""

from datetime import date
from pathlib import Path

from msgspec.structs import replace

from domain.aggregates.regime import REGIMES_STREAM, Regimes
from domain.events import cash_day
from domain.rules.addresses import parse_day
from domain.rules.refusals import BadValue, NotFound
from domain.rules.regimes import Regime, of_amount, programs, read
from domain.rules.wording import Words
from ops.commands import regimes as commands
from ops.commands import rule_file_text
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.ledger.reading import recorded_where


@handles(commands.RegimeChoose)
def choose(desk: Desk, command: commands.RegimeChoose) -> None:
    """Chooses a regime; earlier gaming days keep theirs."""
    desk.require_two(Words("Choosing a regime for cash"), command)
    regime = named(command.file)
    house = desk.house()
    if regime.currency != house.currency:
        raise BadValue(
            message=Words(
                "{regime} is in {currency}, and the house counts in {ours}. Write a file of your "
                "own with amounts in {ours}.",
                regime=regime.name,
                currency=regime.currency,
                ours=house.currency,
            )
        )
    if command.at_the_table:
        regime = replace(regime, at_the_table=command.at_the_table)
    first = parse_day(command.day)
    _require_not_past(desk, first)
    casino = desk.casino
    chosen = casino.find(Regimes, REGIMES_STREAM) or casino.make(
        Regimes.begin_choices(casino.moment)
    )
    chosen.choose(regime, first, _day_counted(desk, first), command.second or "")


def named(file: str) -> Regime:
    """The program's regime of this name, or that of a file, or of its text.

    Refuses: NotFound, BadValue.
    """
    if regime := programs().get(file):
        return regime
    if "\n" not in file and not file.endswith(".toml") and not Path(file).is_file():
        raise NotFound(
            message=Words(
                "There is no regime {name}. `sabot regime list` names them; for one of your own, "
                "write a file and name that.",
                name=file,
            )
        )
    return read(rule_file_text.contents(file))


def _require_not_past(desk: Desk, first_day: date) -> None:
    today = desk.house().clock.day_of(desk.casino.moment)
    if first_day < today:
        raise BadValue(
            message=Words(
                "{day} is over. A regime holds from {today} on, or from a later day.",
                day=first_day.isoformat(),
                today=today.isoformat(),
            )
        )


def _day_counted(desk: Desk, first: date) -> date | None:
    """A gaming day from this one on of which cash is counted already, if there is one."""
    with desk.casino.ledger.connection() as connection:
        counted = recorded_where(
            connection,
            "gaming_day >= %s AND topic = %s ORDER BY position DESC LIMIT 1",
            (first, cash_day.Begun.TOPIC),
        )
    return counted[0].gaming_day if counted else None


def regime_of(desk: Desk, day: date) -> Regime:
    """What holds for cash on a gaming day: the regime of that day, or the reporting amount."""
    chosen = desk.casino.find(Regimes, REGIMES_STREAM)
    return (chosen and chosen.on(day)) or of_amount(desk.house().reporting_amount)


def require_no_regime(desk: Desk) -> None:
    """Refuses another reporting amount where a regime says what is reported: BadValue."""
    chosen = desk.casino.find(Regimes, REGIMES_STREAM)
    if chosen and chosen.choices:
        newest = chosen.choices[-1]
        raise BadValue(
            message=Words(
                "The regime {regime} says which cash is reported, from {day} on. Choose another, "
                "with `regime choose`.",
                regime=newest.regime,
                day=newest.from_day,
            )
        )
