"""Disputes: every case by its number, what was frozen, and its status (R-IRR-5)."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import dispute
from domain.rules.permissions import OF_THE_PIT
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.proofs import proof_in
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a case. A step that is done again replaces the one before; amounts of several decisions
-- add up. Amounts are minor units.
CREATE TABLE disputes (
    case_number           text    NOT NULL PRIMARY KEY,
    position              bigint  NOT NULL,      -- of the opening
    coup                  text    NOT NULL,
    table_code            text    NOT NULL,      -- of the coup, as is the gaming day
    gaming_day            date    NOT NULL,
    patron                text    NOT NULL,      -- the name by which the case was opened
    complaint             text    NOT NULL,
    amount                bigint,                -- in dispute; NULL: not known
    opened_at             timestamptz NOT NULL,
    opened_by             text    NOT NULL,
    frozen_at             bigint  NOT NULL,      -- the ledger's last position then
    disagreements         jsonb   NOT NULL,      -- of the replay then; none: it agreed
    holds                 boolean NOT NULL,      -- no further coup at the table
    notes                 int     NOT NULL DEFAULT 0,
    decision              text,                  -- stand, correct or void
    decided_position      bigint,
    decided_at            timestamptz,
    decided_by            text,
    approved_by           text,
    reason                text,
    effect                text,                  -- what each decision came to, in words
    changes_hands         bigint,                -- to patrons by all decisions; below 0: from them
    patron_told_at        timestamptz,           -- of this decision
    patron_until          timestamptz,           -- they may appeal to the regulator
    regulator_notified_at timestamptz,           -- the first time
    reference             text,                  -- the regulator's own
    notify_by             timestamptz,           -- NULL: the regulator need not be notified
    tell_by               timestamptz,           -- by when the patron must be informed
    closed_at             timestamptz,
    approved_proved       text                   -- how who approved was known
);
CREATE INDEX disputes_by_day ON disputes (gaming_day, table_code);
CREATE INDEX disputes_open ON disputes (position) WHERE closed_at IS NULL;
"""


class Case(Row):
    """A patron's complaint about a coup, with the status of the case."""

    case_number: str
    position: int
    coup: str
    table_code: str
    gaming_day: date
    patron: str
    complaint: str
    amount: int | None
    opened_at: datetime
    opened_by: str
    frozen_at: int
    disagreements: list[Any]
    holds: bool
    notes: int = 0
    decision: str | None = None
    decided_position: int | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    approved_by: str | None = None
    reason: str | None = None
    effect: str | None = None
    changes_hands: int | None = None
    patron_told_at: datetime | None = None
    patron_until: datetime | None = None
    regulator_notified_at: datetime | None = None
    reference: str | None = None
    notify_by: datetime | None = None
    tell_by: datetime | None = None
    closed_at: datetime | None = None
    approved_proved: str | None = None


CASES = Table("disputes", Case, "case_number")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield CASES.by_key, (event.fields["case"],)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    case = Case(
        case_number=fields["case"],
        position=event.position,
        coup=fields["coup"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        patron=fields["patron"],
        complaint=fields["complaint"],
        amount=fields["amount"],
        opened_at=event.at,
        opened_by=fields["opened_by"],
        frozen_at=fields["frozen_at"],
        disagreements=fields["disagreements"],
        holds=fields["hold"],
        notify_by=_moment(fields["notify_by"]),
    )
    rows.put(CASES, case)


def _of(event: Event, rows: Rows) -> Case | None:
    """The row of the event's case, or None if there is none."""
    return rows.change(CASES, event.fields["case"])


def _noted(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.notes += 1


def _decided(event: Event, rows: Rows) -> None:
    """Records a decision, of which the patron must be informed; amounts of several add up."""
    fields = event.fields
    if case := _of(event, rows):
        case.effect = _effects(case.effect, fields["number"], fields["effect"])
        case.changes_hands = (case.changes_hands or 0) + fields["changes_hands"]
        case.decision, case.reason = fields["decision"], fields["reason"]
        case.decided_position, case.decided_at = event.position, event.at
        case.decided_by, case.approved_by = fields["decided_by"], fields["approved_by"]
        case.approved_proved = proof_in(event, fields["approved_by"])
        case.tell_by, case.notify_by = _moment(fields["tell_by"]), _moment(fields["notify_by"])
        case.patron_told_at = case.patron_until = None


def _effects(before: str | None, number: int, effect: str) -> str:
    if number == 1:
        return effect
    first = f"1: {before}" if number == 2 else before
    return f"{first}; {number}: {effect}"


def _patron_informed(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.patron_told_at, case.patron_until = event.at, _moment(event.fields["until"])


def _notified(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.regulator_notified_at = case.regulator_notified_at or event.at
        case.reference = event.fields["reference"] or case.reference


def _held(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.holds = True


def _released(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.holds = False


def _closed(event: Event, rows: Rows) -> None:
    if case := _of(event, rows):
        case.closed_at = event.at


_VIEWS = (
    View(
        name="disputes",
        what=(
            "Disputes of patrons about coups, and how they were settled (R-IRR-5). One row a case, "
            "with the last of what is done more than once."
        ),
        sql="""
SELECT disputes.case_number, disputes.coup, disputes.table_code, disputes.gaming_day,
       coalesce(known.patron, disputes.patron) AS patron, disputes.patron AS patron_at_table,
       disputes.complaint, disputes.amount, disputes.opened_at, disputes.opened_by,
       disputes.frozen_at, disputes.disagreements = '[]' AS agreed, disputes.disagreements,
       disputes.holds, disputes.notes, disputes.decision, disputes.decided_at, disputes.decided_by,
       disputes.approved_by, disputes.reason, disputes.effect, disputes.changes_hands,
       disputes.tell_by, disputes.patron_told_at, disputes.patron_until, disputes.notify_by,
       disputes.regulator_notified_at, disputes.reference, disputes.closed_at, disputes.position
  FROM projections.disputes
  LEFT JOIN projections.patron_identities AS known ON known.alias = disputes.patron
""",
        columns={
            "case_number": "Its number, as in C-2026-0001.",
            "coup": "The coup that it is about.",
            "table_code": "The table of the coup.",
            "gaming_day": "The gaming day of the coup.",
            "patron": "Who complains, under the name known today.",
            "patron_at_table": "The name by which the case was opened.",
            "complaint": "What they say.",
            "amount": "What is in dispute, in minor units; null when nobody knows.",
            "opened_at": "When the case was opened.",
            "opened_by": "The staff number of the person who opened it.",
            "frozen_at": "The ledger's last position then.",
            "agreed": "Whether the record agreed with the rules when the case was opened.",
            "disagreements": "The lines in which it did not.",
            "holds": "Whether the case stops play at the table.",
            "notes": "How many notes were added.",
            "decision": "The last one: stand, correct or void; null until it is decided.",
            "decided_at": "When that was decided.",
            "decided_by": "The staff number of the person who decided it.",
            "approved_by": "The number of the second person.",
            "reason": "Why, in their words.",
            "effect": "What each decision came to, in words and in their order.",
            "changes_hands": (
                "What went to patrons by all decisions, in minor units; less than 0: from them."
            ),
            "tell_by": "By when the patron must be informed.",
            "patron_told_at": "When they were informed; null when they have not been.",
            "patron_until": (
                "Until when they may appeal to the regulator; null without such a term."
            ),
            "notify_by": "By when the regulator must be notified; null when it need not be.",
            "regulator_notified_at": "When it was notified first; null when it has not been.",
            "reference": "The regulator's own; null for none.",
            "closed_at": "When the case was closed; null when it is not.",
            "position": "The position in the ledger where it was opened.",
        },
    ),
)

PROJECTION = Projection(
    name="disputes",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        dispute.Opened.TOPIC: _opened,
        dispute.Noted.TOPIC: _noted,
        dispute.Decided.TOPIC: _decided,
        dispute.PatronTold.TOPIC: _patron_informed,
        dispute.RegulatorNotified.TOPIC: _notified,
        dispute.HoldPlaced.TOPIC: _held,
        dispute.HoldReleased.TOPIC: _released,
        dispute.Closed.TOPIC: _closed,
    },
    loads=_loads,
)

# Moments inside JSON are texts; these are written in the house's time zone, like all others.
_MOMENTS = ("opened_at", "decided_at", "patron_told_at", "regulator_notified_at", "closed_at")

REPORT = Report(
    name="disputes",
    title="Disputes",
    about="cases with their deadlines and decisions",
    read_by=OF_THE_PIT,
    projections=("disputes", "patrons", "coups"),
    columns=(
        *("case", "coup", "complaint", "frozen_at", "replay", "decision", "decided_by", "effect"),
        *("patron_told_at", "regulator_notified_at", "deadlines", "status"),
        *("patron", "in_dispute", "opened_at", "opened_by", "decided_at", "approved_by", "reason"),
        *("changes_hands", "reference", "holds", "notes", "approved_proved", "dealer"),
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
       {IDENTITY.format("disputes")} AS patron, amount AS in_dispute,
       opened_at, opened_by, decided_at, approved_by, reason,
       changes_hands, reference, holds, notes, approved_proved,
       (SELECT dealer FROM coups WHERE coups.coup = disputes.coup) AS dealer
  FROM disputes {KNOWN.format("disputes")}
 WHERE {narrowed(at=_MOMENTS)}
   AND {ASKED.format(IDENTITY.format("disputes"))}
 ORDER BY position
""",  # noqa: S608
    money=("in_dispute", "changes_hands"),
    narrowings=("table", "day", "patron", "span"),
    shown=("case", "coup", "status", "decision", "effect", "deadlines"),
    no_total=no_total.MIXED,
    words={
        "complaint": ("complaint", "what the patron says"),
        "frozen_at": ("frozen at", "the newest event of the record when the case was opened"),
        "replay": ("replay", "whether the record agreed with the rules when the case was opened"),
        "decision": ("decision", "stand: payment unchanged; correct; void"),
        "decided_by": ("decided by", "who decided the case"),
        "effect": ("effect", "what each decision changed, in order"),
        "patron_told_at": ("patron informed at", "when the patron was informed of the decision"),
        "regulator_notified_at": ("regulator notified at", "when the regulator was notified"),
        "deadlines": (
            "deadlines",
            "when the regulator and the patron must be informed, and how long the patron may "
            "appeal",
        ),
        "in_dispute": (
            "in dispute",
            "the amount the patron claims; without a claim, the most their wagers could be paid",
        ),
        "opened_by": ("opened by", "who opened the case"),
        "decided_at": ("decided at", "when the case was decided"),
        "changes_hands": (
            "changes hands",
            "total paid to patrons by the decisions; negative if taken back",
        ),
        "reference": ("reference", "the regulator's own number"),
        "holds": ("holds", "whether the case stops play at the table"),
        "notes": ("notes", "how many notes the case has"),
    },
)
