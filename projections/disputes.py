"""Disputes: every case by its number, what was frozen, and how far it came (R-IRR-5)."""

import json
from collections.abc import Callable, Iterator

from domain.events import dispute
from projections.model import Fact, Projection, Report, Statement, narrowed
from projections.words import proof_in

_OPENED = """
INSERT INTO disputes
    (case_number, position, coup, table_code, gaming_day, patron, complaint, amount, opened_at,
     opened_by, frozen_at, disagreements, holds, notify_by)
VALUES (%(case)s, %(position)s, %(coup)s, %(table)s, %(day)s, %(patron)s, %(complaint)s,
        %(amount)s, %(at)s, %(opened_by)s, %(frozen_at)s, %(disagreements)s::jsonb, %(hold)s,
        %(notify_by)s::timestamptz)
"""

_NOTED = "UPDATE disputes SET notes = notes + 1 WHERE case_number = %(case)s"

# A patron is told every decision; what several of them came to adds up.
_DECIDED = """
UPDATE disputes SET
    effect = CASE %(number)s WHEN 1 THEN %(effect)s
             WHEN 2 THEN '1: ' || effect || '; 2: ' || %(effect)s
             ELSE effect || '; ' || %(number)s || ': ' || %(effect)s END,
    changes_hands = coalesce(changes_hands, 0) + %(changes_hands)s,
    decision = %(decision)s, decided_position = %(position)s, decided_at = %(at)s,
    decided_by = %(decided_by)s, approved_by = %(approved_by)s,
    approved_proved = %(approved_proved)s, reason = %(reason)s,
    tell_by = %(tell_by)s::timestamptz, notify_by = %(notify_by)s::timestamptz,
    patron_told_at = NULL, patron_until = NULL
WHERE case_number = %(case)s
"""

_TOLD = """
UPDATE disputes SET patron_told_at = %(at)s, patron_until = %(until)s::timestamptz
WHERE case_number = %(case)s
"""

_NOTIFIED = """
UPDATE disputes SET
    regulator_notified_at = coalesce(regulator_notified_at, %(at)s),
    reference = coalesce(nullif(%(reference)s, ''), reference)
WHERE case_number = %(case)s
"""

_HELD = "UPDATE disputes SET holds = true WHERE case_number = %(case)s"
_RELEASED = "UPDATE disputes SET holds = false WHERE case_number = %(case)s"
_CLOSED = "UPDATE disputes SET closed_at = %(at)s WHERE case_number = %(case)s"


def _opened(fact: Fact) -> Iterator[Statement]:
    told = {**fact.told, "disagreements": json.dumps(fact.told["disagreements"])}
    place = {"table": fact.table, "day": fact.gaming_day}
    yield _OPENED, {**told, **place, "at": fact.at, "position": fact.position}


def _step(sql: str) -> Callable[[Fact], Iterator[Statement]]:
    """A change by what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        yield sql, {**fact.told, "at": fact.at, "position": fact.position}

    return change


def _decided(fact: Fact) -> Iterator[Statement]:
    place = {"at": fact.at, "position": fact.position}
    proved = {"approved_proved": proof_in(fact, fact.told["approved_by"])}
    yield _DECIDED, {**fact.told, **place, **proved}


PROJECTION = Projection(
    name="disputes",
    tables=("disputes",),
    changes={
        dispute.Opened.TOPIC: _opened,
        dispute.Noted.TOPIC: _step(_NOTED),
        dispute.Decided.TOPIC: _decided,
        dispute.PatronTold.TOPIC: _step(_TOLD),
        dispute.RegulatorNotified.TOPIC: _step(_NOTIFIED),
        dispute.HoldPlaced.TOPIC: _step(_HELD),
        dispute.HoldReleased.TOPIC: _step(_RELEASED),
        dispute.Closed.TOPIC: _step(_CLOSED),
    },
)

# Moments in JSON are texts, which come in the zone of the property as all others do.
REPORT = Report(
    name="disputes",
    title="Disputes",
    projections=("disputes",),
    columns=(
        *("case", "coup", "complaint", "frozen_at", "replay", "decision", "decided_by", "effect"),
        *("patron_told_at", "regulator_notified_at", "deadlines", "status"),
        *("patron", "in_dispute", "opened_at", "opened_by", "decided_at", "approved_by", "reason"),
        *("changes_hands", "reference", "holds", "notes", "approved_proved"),
    ),
    sql=f"""
SELECT case_number AS "case", coup, complaint, frozen_at,
       CASE WHEN disagreements = '[]' THEN 'agrees'
            ELSE (SELECT string_agg(each, '; ' ORDER BY n)
                    FROM jsonb_array_elements_text(disagreements) WITH ORDINALITY AS t (each, n))
       END AS replay,
       decision, decided_by, effect, patron_told_at, regulator_notified_at,
       jsonb_build_object('notify_by', notify_by, 'tell_by', tell_by, 'patron_until', patron_until)
           AS deadlines,
       CASE WHEN closed_at IS NOT NULL THEN 'closed'
            WHEN patron_told_at IS NOT NULL THEN 'told'
            WHEN decision IS NOT NULL THEN 'decided' ELSE 'open' END AS status,
       patron, amount AS in_dispute, opened_at, opened_by, decided_at, approved_by, reason,
       changes_hands, reference, holds, notes, approved_proved
  FROM disputes
 WHERE {narrowed()}
 ORDER BY position
""",  # noqa: S608
    money=("in_dispute", "changes_hands"),
    narrowings=("table", "day"),
    shown=("case", "coup", "status", "decision", "effect", "deadlines"),
    adds_up=False,
)
