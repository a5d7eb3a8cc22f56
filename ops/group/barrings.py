"""Who may not play at a house: barred by it, or excluded by their own wish, as long as it lasts."""

from collections.abc import Iterator
from typing import Any

from domain.events import patron
from projections.model import Event, Projection
from projections.rows import Page, Row, Rows, Table, Value


class Barring(Row):
    """A patron who may not play, under the name that was barred; `kind` is that of the event."""

    patron: str
    kind: str


BARRINGS = Table("barrings", Barring, "patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield BARRINGS.by_key, (event.fields["patron"],)


def _barred(event: Event, rows: Rows) -> None:
    _unbarred(event, rows)
    name, kind = event.fields["patron"], event.fields["kind"]
    rows.put(BARRINGS, Barring(patron=name, kind=kind))


def _unbarred(event: Event, rows: Rows) -> None:
    if barring := rows.get(BARRINGS, event.fields["patron"]):
        rows.drop(BARRINGS, barring)


# A group alone has these rows: in a house the patron's own events say it.
PROJECTION = Projection(
    name="barrings",
    schema="",
    changes={patron.Barred.TOPIC: _barred, patron.Unbarred.TOPIC: _unbarred},
    loads=_loads,
)
