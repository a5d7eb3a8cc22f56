"""Whether the words of a line for spots are spots, of the trade's or of a rule set of the house."""

from collections.abc import Iterator

from domain.rules.choices import one_of
from domain.rules.refusals import BadValue
from domain.rules.spots import SPOT
from ops.commands.casino import know_own_spots
from ops.commands.command import Command
from ops.commands.table import TableLimits
from ops.handlers.desk import Desk


def require_spots(desk: Desk, command: Command) -> None:
    """Refuses a word that is no spot: BadValue. Which of them a table offers, its rule set says."""
    main = ("main",) if isinstance(command, TableLimits) else ()
    for field, spot in _spots(command):
        if spot in SPOT or spot in main:
            continue
        know_own_spots(desk.casino)
        if spot not in SPOT:
            why = one_of((*main, *SPOT), spot, "`sabot manual integrator`")
            raise BadValue(field=field, value=f'"{spot}"', why=why)


def _spots(command: Command) -> Iterator[tuple[str, str]]:
    """Each field that has spots, with each of them."""
    for name, field in (("spot", "spot"), ("as_spot", "as")):
        spot = getattr(command, name, None)
        if spot is not None:
            yield field, spot
    yield from (("stakes", spot) for spot in getattr(command, "stakes", ()))
    yield from (("spot", wager.spot) for wager in getattr(command, "wagers", ()))
