"""Rows of the report `protection`, with all their numbers, to be stored as evidence."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from domain.events.inquiry import Row
from projections.attention.protection import OPEN_INQUIRY, PARTNER, PARTNER_KNOWN, PROJECTION
from projections.people.patrons import IDENTITY, KNOWN

if TYPE_CHECKING:
    import psycopg

_PEOPLE = f"(noted.patron, {IDENTITY.format('noted')}, noted.partner, {PARTNER}, noted.dealer)"
_ROWS = f"""
SELECT noted.position, to_json(noted.at) #>> '{{}}', noted.table_code, noted.gaming_day::text,
       noted.shoe, noted.coup, noted.patron, noted.partner, noted.dealer, noted.one_in,
       noted.power, progress.position, noted.detail
  FROM protection AS noted {KNOWN.format("noted")} {PARTNER_KNOWN}, progress
 WHERE progress.projection = '{PROJECTION.name}' AND noted.question = %(question)s
   AND CASE WHEN %(day)s::date IS NULL THEN noted.subject = %(about)s
            ELSE noted.gaming_day = %(day)s AND %(about)s IN {_PEOPLE} END
   AND (%(beside)s::text IS NULL OR %(beside)s IN {_PEOPLE})
   AND (%(position)s::bigint IS NULL OR noted.position = %(position)s)
 ORDER BY noted.position, noted.subject
"""  # noqa: S608
# A row that went and came back, by what was put right, is at another position.
_GONE = f"""
SELECT progress.position >= %(counted_to)s AND NOT EXISTS (
           SELECT FROM protection AS noted
            WHERE question = %(question)s AND patron IS NOT DISTINCT FROM %(patron)s
              AND partner IS NOT DISTINCT FROM %(partner)s
              AND dealer IS NOT DISTINCT FROM %(dealer)s
              AND CASE WHEN patron IS NULL AND dealer IS NULL THEN shoe = %(shoe)s
                       ELSE gaming_day = %(day)s END)
  FROM progress
 WHERE progress.projection = '{PROJECTION.name}'
"""  # noqa: S608
_OPEN_INQUIRY = OPEN_INQUIRY.format(
    position="%(position)s::bigint",
    **{each: f"%({each})s::text" for each in ("question", "patron", "partner", "dealer")},
)
_NAMES = (
    *("position", "at", "table", "day", "shoe", "coup", "patron", "partner", "dealer"),
    *("one_in", "power", "counted_to"),
)


def protection_rows(
    connection: "psycopg.Connection[Any]",
    question: str,
    about: str,
    *,
    day: str | None = None,
    beside: str | None = None,
    position: int | None = None,
) -> list[Row]:
    """The rows about a shoe, or about somebody on a gaming day, as they are counted now.

    `beside`: only those that name this person too; `position`: only those seen by this event.
    `counted_to`, of each: the ledger's position up to which it is.
    """
    asked = {
        "question": question,
        "about": about,
        "day": day,
        "beside": beside,
        "position": position,
    }
    return [
        {**detail, "question": question, **dict(zip(_NAMES, columns, strict=True))}
        for *columns, detail in connection.execute(_ROWS, asked)
    ]


def open_inquiry_with(connection: "psycopg.Connection[Any]", row: Row) -> str | None:
    """The first open inquiry that has a row as evidence, or None."""
    inquiry = connection.execute(_OPEN_INQUIRY, row).fetchone()
    return inquiry and inquiry[0]


def rows_gone(connection: "psycopg.Connection[Any]", rows: Mapping[int, Row]) -> set[int]:
    """Of rows that were stored, by the position of their events, those that the report lost."""

    def is_gone(row: Row) -> bool:
        answer = connection.execute(_GONE, row).fetchone()
        return bool(answer and answer[0])

    return {position for position, row in rows.items() if is_gone(row)}
