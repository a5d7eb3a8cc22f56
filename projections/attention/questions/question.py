"""What a question of protection is made of."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from msgspec import Struct

from projections.model import Change, Finish, Loads, nothing
from projections.rows import Page, Rows, Value


def _loads_nothing(*_: object) -> Iterable[tuple[Page[Any], Value]]:
    return ()


def _asks_nothing(*_: object) -> None:
    """The question is not about the bets of a coup."""


class Question(Struct, frozen=True, kw_only=True):
    """The tables, changes, loads and finish of one file, as in `Projection`.

    `settled`: what it asks of a `SettledCoup` of `bets`, and again of a wager settled late;
    `of_a_patron`: the rows that it needs then about a patron, on a gaming day.
    """

    sql: str
    changes: Mapping[str, Change] = {}
    loads: Loads = _loads_nothing
    finish: Finish = nothing
    settled: Callable[[Any, Rows], object] = _asks_nothing
    of_a_patron: Callable[[str, date], Iterable[tuple[Page[Any], Value]]] = _loads_nothing
