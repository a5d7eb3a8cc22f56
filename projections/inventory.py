"""Inventory: what was in the tray when a table opened and closed, who counted it, who signed."""

import json
from collections.abc import Iterator

from domain.events import table_day
from projections.model import Fact, Projection, Report, Statement, narrowed
from projections.words import proof_in

_COUNTED = """
INSERT INTO inventories VALUES
    (%(table)s, %(day)s, %(moment)s, %(chips)s::jsonb, %(total)s, %(counted_by)s, %(signed_by)s,
     %(variance)s, %(level)s, %(position)s, %(signed_proved)s)
"""


def _counted(
    fact: Fact, moment: str, by: str, signed: str, variance: int | None, level: str
) -> Statement:
    told = fact.told
    return _COUNTED, {
        "table": fact.table,
        "day": fact.gaming_day,
        "moment": moment,
        "chips": json.dumps(told[moment]),
        "total": told[f"{moment}_total"],
        "counted_by": by,
        "signed_by": signed,
        "signed_proved": proof_in(fact, signed),
        "variance": variance,
        "level": level,
        "position": fact.position,
    }


def _opened(fact: Fact) -> Iterator[Statement]:
    yield _counted(fact, "opener", fact.told["dealer"], fact.told["supervisor"], None, "none")


def _closed(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    people = told["counted_by"], told["signed_by"]
    yield _counted(fact, "closer", *people, told["variance"], told["level"])


PROJECTION = Projection(
    name="inventory",
    tables=("inventories",),
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.TableClosed.TOPIC: _closed,
    },
)

REPORT = Report(
    name="inventory",
    title="Inventory",
    projections=("inventory",),
    columns=(
        *("table", "day", "moment", "chips", "total", "counted_by", "signed_by"),
        *("variance", "level", "signed_proved"),
    ),
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, moment, chips, total, counted_by, signed_by,
       variance, level, signed_proved
  FROM inventories
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=("total", "variance"),
    narrowings=("table", "day"),
    shown=("table", "day", "moment", "total", "counted_by", "variance", "level"),
    adds_up=False,
)
