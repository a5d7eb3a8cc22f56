"""Protection: what is on record that chance does not explain, as soon as it is (`domain.review`).

Nothing here accuses anybody: each row says how seldom chance alone does as much.
`protection_rows.py` has the table; `protection_cards.py`, `protection_right.py`,
`protection_counting.py` and `protection_first.py` the questions.
"""

from collections.abc import Iterator
from typing import Any

from domain.events import coup_wagers
from domain.rules.permissions import WATCH, Reading
from projections.attention import (
    protection_cards,
    protection_counting,
    protection_first,
    protection_right,
    protection_rows,
)
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Rows, Value


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic in protection_rows.CHANGES:
        yield from protection_rows.loads_level(event)
    elif event.topic in protection_cards.CHANGES:
        yield from protection_cards.loads(event)
    elif event.topic in _SETTLED:
        yield from protection_right.loads(event)
        yield from protection_counting.loads(event)
        yield from protection_first.loads(event)


def _settled(event: Event, rows: Rows) -> None:
    """A wager was settled: what does its patron know?"""
    protection_right.settled(event, rows)
    protection_counting.settled(event, rows)
    protection_first.settled(event, rows)


_SETTLED = (coup_wagers.WagerSettled.TOPIC, coup_wagers.WagerSettledLate.TOPIC)


PROJECTION = Projection(
    name="protection",
    schema=protection_rows.SQL
    + protection_cards.SQL
    + protection_right.SQL
    + protection_counting.SQL
    + protection_first.SQL,
    changes={
        **protection_rows.CHANGES,
        **protection_cards.CHANGES,
        **dict.fromkeys(_SETTLED, _settled),
    },
    loads=_loads,
)

# What was seen about the shoes of the gaming days that are played now, the newest first.
SEEN_NOW = """
SELECT at, table_code AS "table", coup, detail
  FROM protection
 WHERE gaming_day >= (SELECT least(%(today)s::date, min(gaming_day)) FROM tables_now
                       WHERE closed_at IS NULL)
 ORDER BY position DESC, question
"""

REPORT = Report(
    name="protection",
    title="Protection",
    about="what is on record that chance does not explain",
    read_by=Reading(WATCH),
    projections=("protection", "patrons"),
    columns=("at", "table", "shoe", "coup", "patron", "question", "power", "detail", "one_in"),
    sql=f"""
SELECT at, table_code AS "table", shoe, coup, {IDENTITY.format("noted")} AS patron, question,
       power, detail, one_in
  FROM protection AS noted {KNOWN.format("noted")}
 WHERE {narrowed(shoe="shoe")}
   AND {ASKED.format(IDENTITY.format("noted"))}
 ORDER BY position, question
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("at", "coup", "patron", "question", "detail"),
    has_total=False,
    days_independent=False,  # a shoe is looked at beside those of days before
    words={
        "question": (
            "question",
            "what was asked: the order of the cards, or what a patron knows",
        ),
        "power": ("power", "by chance alone it comes in at most one of 10^power"),
        "one_in": ("one in", "the house's setting when the row came: at most one of so many"),
    },
)
