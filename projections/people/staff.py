"""Staff: who may sign on, since when, with which licence, and how long a leaver still could."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from domain.events import staff_member
from domain.rules.permissions import OF_THE_HOUSE
from projections.model import Event, Projection, Report
from projections.rows import Page, Row, Rows, Table, Value

# Within these hours after somebody has left, their access has to end: 25 CFR 543.16(c)(3)(iv).
LAWFUL_HOURS = 72

_TABLES = """
-- One row a staff number, of a person or a device.
CREATE TABLE staff_members (
    staff          text NOT NULL PRIMARY KEY,
    role           text NOT NULL,
    enrolled_at    timestamptz NOT NULL,
    licence        text,         -- NULL: none is on record
    licence_until  date,         -- the last day on which it holds; NULL: it has no end
    table_code     text,         -- where signed on, '' for no table; NULL: not signed on
    locked         boolean NOT NULL DEFAULT false,
    last_sign_on   timestamptz,  -- NULL: never
    last_day       date NOT NULL,  -- the gaming day of the last sign-on; enrolled, if never
    left_at        timestamptz,  -- when the person had left the house; NULL: not on record
    retired_at     timestamptz,  -- when the number's access ended; NULL: it goes on
    first_position bigint NOT NULL
);
"""


class Member(Row):
    """A staff number."""

    staff: str
    role: str
    enrolled_at: datetime
    licence: str | None = None
    licence_until: date | None = None
    table_code: str | None = None
    locked: bool = False
    last_sign_on: datetime | None = None
    last_day: date
    left_at: datetime | None = None
    retired_at: datetime | None = None
    first_position: int


MEMBERS = Table("staff_members", Member, "staff")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield MEMBERS.by_key, (event.fields["staff"],)


def _enrolled(event: Event, rows: Rows) -> None:
    member = Member(
        staff=event.fields["staff"],
        role=event.fields["role"],
        enrolled_at=event.at,
        last_day=event.gaming_day,
        first_position=event.position,
    )
    rows.put(MEMBERS, member)


def _changes(change: Callable[[Event, Member], None]) -> Callable[[Event, Rows], None]:
    """A change of the member that an event is about."""

    def apply(event: Event, rows: Rows) -> None:
        if member := rows.change(MEMBERS, event.fields["staff"]):
            change(event, member)

    return apply


def _role_changed(event: Event, member: Member) -> None:
    member.role = event.fields["role"]


def _let_in_again(_: Event, member: Member) -> None:
    member.locked = False


def _signed_on(event: Event, member: Member) -> None:
    member.table_code = event.fields["table"]
    member.last_sign_on, member.last_day = event.at, event.gaming_day


def _signed_off(_: Event, member: Member) -> None:
    member.table_code = None


def _locked(_: Event, member: Member) -> None:
    member.locked = True


def _licence(event: Event, member: Member) -> None:
    until = event.fields["until"]
    member.licence = event.fields["licence"]
    member.licence_until = date.fromisoformat(until) if until else None


def _retired(event: Event, member: Member) -> None:
    left = event.fields.get("left_at")  # left out where it is not on record
    member.left_at = datetime.fromisoformat(left) if left else None
    member.retired_at = event.at


PROJECTION = Projection(
    name="staff",
    schema=_TABLES,
    changes={
        staff_member.Enrolled.TOPIC: _enrolled,
        staff_member.RoleChanged.TOPIC: _changes(_role_changed),
        staff_member.CodeIssued.TOPIC: _changes(_let_in_again),
        staff_member.KeyRegistered.TOPIC: _changes(_let_in_again),
        staff_member.SignedOn.TOPIC: _changes(_signed_on),
        staff_member.SignedOff.TOPIC: _changes(_signed_off),
        staff_member.Locked.TOPIC: _changes(_locked),
        staff_member.LicenceRecorded.TOPIC: _changes(_licence),
        staff_member.Retired.TOPIC: _changes(_retired),
    },
    loads=_loads,
)

# Days are counted up to the newest gaming day of a table or of an act of staff.
REPORT = Report(
    name="staff",
    title="Staff",
    about="who may sign on, licences, the last sign-on, and how long access went on after leaving",
    read_by=OF_THE_HOUSE,
    projections=("staff", "table_win"),
    columns=(
        *("staff", "role", "access", "enrolled_at", "licence", "licence_until", "licence_days"),
        *("last_sign_on", "days_away", "left_at", "access_ended_at", "hours_after", "in_time"),
    ),
    sql=f"""
SELECT staff, role,
       CASE WHEN retired_at IS NOT NULL THEN 'retired' WHEN locked THEN 'locked'
            WHEN table_code IS NOT NULL THEN 'signed-on' ELSE 'signed-off' END AS access,
       enrolled_at, licence, licence_until,
       CASE WHEN retired_at IS NULL THEN licence_until - newest.day END AS licence_days,
       last_sign_on, CASE WHEN retired_at IS NULL THEN newest.day - last_day END AS days_away,
       left_at, retired_at AS access_ended_at,
       round(extract(epoch FROM retired_at - left_at) / 3600, 1)::text AS hours_after,
       CASE WHEN left_at IS NOT NULL
            THEN CASE WHEN retired_at - left_at <= interval '{LAWFUL_HOURS} hours'
                      THEN 'in-time' ELSE 'too-late' END END AS in_time
  FROM staff_members, (
       SELECT greatest((SELECT max(gaming_day) FROM table_wins),
                       (SELECT max(last_day) FROM staff_members)) AS day) AS newest
 ORDER BY first_position
""",  # noqa: S608
    money=(),
    narrowings=(),
    shown=(
        *("staff", "role", "access", "licence", "licence_until", "last_sign_on", "days_away"),
        *("hours_after", "in_time"),
    ),
    newest_first=False,
    words={
        "role": ("role", "what the number may do, as `sabot manual commands` lists it"),
        "access": ("access", "whether they are signed on, or can be"),
        "enrolled_at": ("enrolled at", "since when the number may sign on"),
        "licence": ("licence", "its number by the regulator; nobody signs on after it has ended"),
        "licence_until": (
            "licence until",
            "the last day on which it holds; empty if it has no end",
        ),
        "licence_days": (
            "licence days",
            "how many days it holds after the newest gaming day on record; below 0 it is over",
        ),
        "last_sign_on": ("last sign-on", "when they signed on last; empty if never"),
        "days_away": (
            "days away",
            "gaming days since they signed on last, or were enrolled; up to the newest on record",
        ),
        "left_at": ("left at", "when the person left the house, as the administrator stated it"),
        "access_ended_at": ("access ended at", "when the number was retired"),
        "hours_after": ("hours after", "from leaving the house to the end of access"),
        "in_time": (
            "in time",
            f"whether access ended within {LAWFUL_HOURS} hours of leaving (25 CFR 543.16)",
        ),
    },
)
