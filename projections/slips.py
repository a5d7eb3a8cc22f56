"""Slips: every fill and credit by its number, how far it came, and through whose hands."""

import json
from collections.abc import Callable, Iterator

from domain.slips import SlipBook
from projections.model import Fact, Projection, Report, Statement, narrowed

_REQUESTED = """
INSERT INTO slips
    (slip, kind, requested_at, table_code, gaming_day, chips, total, requested_by, status,
     first_position)
VALUES (%(slip)s, %(kind)s, %(at)s, %(table)s, %(day)s, %(chips)s::jsonb, %(total)s,
        %(requested_by)s, 'requested', %(position)s)
"""

_ISSUED = """
UPDATE slips SET status = 'issued', cashier = %(cashier)s WHERE slip = %(slip)s
"""

_CARRIED = """
UPDATE slips SET status = 'carried', runner = %(runner)s WHERE slip = %(slip)s
"""

_RECEIVED = """
UPDATE slips SET
    status = 'received', dealer = %(dealer)s, supervisor = %(supervisor)s
WHERE slip = %(slip)s
"""

_VOIDED = """
UPDATE slips SET status = 'voided', reason = %(reason)s WHERE slip = %(slip)s
"""


def _requested(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    table, _, day = told["table_day"].partition("/")  # the book is the house's
    place = {"table": table, "day": day, "at": fact.at, "position": fact.position}
    yield _REQUESTED, {**told, "chips": json.dumps(told["chips"]), **place}


def _step(sql: str, *people: str) -> Callable[[Fact], Iterator[Statement]]:
    """A change that sets only what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield sql, {name: fact.told[name] for name in ("slip", *people)}

    return change


PROJECTION = Projection(
    name="slips",
    tables=("slips",),
    changes={
        SlipBook.SlipRequested.TOPIC: _requested,
        SlipBook.SlipIssued.TOPIC: _step(_ISSUED, "cashier"),
        SlipBook.SlipCarried.TOPIC: _step(_CARRIED, "runner"),
        SlipBook.SlipReceived.TOPIC: _step(_RECEIVED, "dealer", "supervisor"),
        SlipBook.SlipVoided.TOPIC: _step(_VOIDED, "reason"),
    },
)

REPORT = Report(
    name="slips",
    title="Slips",
    projections=("slips",),
    columns=(
        *("slip", "kind", "at", "table", "chips", "total", "requested_by", "cashier", "runner"),
        *("dealer", "supervisor", "status", "reason"),
    ),
    sql=f"""
SELECT slip, kind, requested_at AS at, table_code AS "table", chips, total, requested_by,
       cashier, runner, dealer, supervisor, status, reason
  FROM slips
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=("total",),
    narrowings=("table", "day"),
    shown=("slip", "kind", "at", "table", "total", "status", "reason"),
    adds_up=False,
)
