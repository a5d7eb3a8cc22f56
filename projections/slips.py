"""Slips: every fill and credit by its number, how far it came, and through whose hands."""

import json
from collections.abc import Callable, Iterator

from domain.events import slip_book
from domain.rules.permissions import BOSSES, WATCH, Reading
from projections.model import Fact, Projection, Report, Statement, View, narrowed
from projections.words import proof_in

_TABLES = """
-- One row a fill or credit.
CREATE TABLE slips (
    slip           text   NOT NULL PRIMARY KEY,  -- its number, without a gap in its year
    kind           text   NOT NULL,              -- fill or credit
    requested_at   timestamptz NOT NULL,
    table_code     text   NOT NULL,
    chips          jsonb  NOT NULL,              -- denomination to how many
    total          bigint NOT NULL,              -- minor units
    requested_by   text   NOT NULL,
    cashier        text,
    runner         text,
    dealer         text,
    supervisor     text,
    status         text   NOT NULL,              -- requested, issued, carried, received or voided
    reason         text,                         -- why it was voided
    first_position bigint NOT NULL,
    gaming_day     date   NOT NULL,
    proved         jsonb  NOT NULL DEFAULT '{}'  -- how each of those who signed was known
);
"""

_REQUESTED = """
INSERT INTO slips
    (slip, kind, requested_at, table_code, gaming_day, chips, total, requested_by, status,
     first_position, proved)
VALUES (%(slip)s, %(kind)s, %(at)s, %(table)s, %(day)s, %(chips)s::jsonb, %(total)s,
        %(requested_by)s, 'requested', %(position)s, %(proved)s::jsonb)
"""

_ISSUED = """
UPDATE slips SET
    status = 'issued', cashier = %(cashier)s, proved = proved || %(proved)s::jsonb
WHERE slip = %(slip)s
"""

_CARRIED = """
UPDATE slips SET
    status = 'carried', runner = %(runner)s, proved = proved || %(proved)s::jsonb
WHERE slip = %(slip)s
"""

_RECEIVED = """
UPDATE slips SET
    status = 'received', dealer = %(dealer)s, supervisor = %(supervisor)s,
    proved = proved || %(proved)s::jsonb
WHERE slip = %(slip)s
"""

_VOIDED = """
UPDATE slips SET status = 'voided', reason = %(reason)s WHERE slip = %(slip)s
"""


def _requested(fact: Fact) -> Iterator[Statement]:
    told = fact.told
    table, _, day = told["table_day"].partition("/")  # the book is the house's
    place = {"table": table, "day": day, "at": fact.at, "position": fact.position}
    proved = {"proved": _proved(fact, "requested_by")}
    yield _REQUESTED, {**told, "chips": json.dumps(told["chips"]), **place, **proved}


def _proved(fact: Fact, *people: str) -> str:
    """How it is known that each of them signed, as JSON; nobody is left out who is named."""
    proofs = {name: proof_in(fact, fact.told[name]) for name in people}
    return json.dumps({name: proof for name, proof in proofs.items() if proof})


def _step(sql: str, *people: str) -> Callable[[Fact], Iterator[Statement]]:
    """A change that sets what the fact itself tells, and how each of these people is proved."""

    def change(fact: Fact) -> Iterator[Statement]:
        told = {name: fact.told[name] for name in ("slip", *people)}
        yield sql, {**told, "proved": _proved(fact, *people)}

    return change


def _voided(fact: Fact) -> Iterator[Statement]:
    yield _VOIDED, {name: fact.told[name] for name in ("slip", "reason")}


_VIEWS = (
    View(
        name="slips",
        what="Every fill and credit, by its number. One row a slip.",
        sql="""
SELECT slip, kind, requested_at, table_code, gaming_day, chips, total, requested_by, cashier,
       runner, dealer, supervisor, status, reason, first_position AS position
  FROM projections.slips
""",
        columns={
            "slip": "Its number, without a gap in its year.",
            "kind": "fill, from the cage to the tray, or credit, back.",
            "requested_at": "When it was asked for.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "chips": "Denomination in minor units to how many.",
            "total": "What they come to, in minor units.",
            "requested_by": "The number of who asked for it.",
            "cashier": "The number of who issued it.",
            "runner": "The number of who carried it.",
            "dealer": "The number of the dealer who received it.",
            "supervisor": "The number of the supervisor who did.",
            "status": "requested, issued, carried, received or voided.",
            "reason": "Why it was voided.",
            "position": "Where in the ledger it begins.",
        },
    ),
)

PROJECTION = Projection(
    name="slips",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        slip_book.SlipRequested.TOPIC: _requested,
        slip_book.SlipIssued.TOPIC: _step(_ISSUED, "cashier"),
        slip_book.SlipCarried.TOPIC: _step(_CARRIED, "runner"),
        slip_book.SlipReceived.TOPIC: _step(_RECEIVED, "dealer", "supervisor"),
        slip_book.SlipVoided.TOPIC: _voided,
    },
)

REPORT = Report(
    name="slips",
    title="Slips",
    read_by=Reading((*BOSSES, "cage", "security", *WATCH)),
    projections=("slips",),
    columns=(
        *("slip", "kind", "at", "table", "chips", "total", "requested_by", "cashier", "runner"),
        *("dealer", "supervisor", "status", "reason", "proved"),
    ),
    sql=f"""
SELECT slip, kind, requested_at AS at, table_code AS "table", chips, total, requested_by,
       cashier, runner, dealer, supervisor, status, reason, proved
  FROM slips
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=("total",),
    narrowings=("table", "day"),
    shown=("slip", "kind", "at", "table", "total", "status", "reason"),
    adds_up=False,
)
