"""Programs: each start of a long-running part, with the version and the digest of its files."""

from datetime import date, datetime

from domain.events import program_day
from domain.rules.permissions import OF_THE_HOUSE
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Row, Rows, Table

_TABLES = """
-- One row a start of a long-running part of the program.
CREATE TABLE programs (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    gaming_day date   NOT NULL,
    part       text   NOT NULL,  -- dealer, pit, board, feed, projections
    table_code text   NOT NULL,  -- '' if it belongs to none
    machine    text   NOT NULL,
    version    text   NOT NULL,
    digest     text   NOT NULL,  -- SHA-256 of the installed files
    "by"       text   NOT NULL   -- '' if nobody was signed on
);
"""


class Start(Row):
    """A start of a part."""

    position: int
    at: datetime
    gaming_day: date
    part: str
    table_code: str
    machine: str
    version: str
    digest: str
    by: str


STARTS = Table("programs", Start, "position")


def _started(event: Event, rows: Rows) -> None:
    start = Start(
        position=event.position,
        at=event.at,
        gaming_day=event.gaming_day,
        part=event.fields["part"],
        table_code=event.fields["table"],
        machine=event.fields["machine"],
        version=event.fields["version"],
        digest=event.fields["digest"],
        by=event.actor,
    )
    rows.put(STARTS, start)


_VIEWS = (
    View(
        name="programs",
        what="Starts of long-running parts of the program. One row a start.",
        sql="""
SELECT position, at, gaming_day, part, table_code, machine, version, digest, "by" AS started_by
  FROM projections.programs
""",
        columns={
            "position": "Its position in the ledger.",
            "at": "When it was started.",
            "gaming_day": "The gaming day.",
            "part": "The part: dealer, pit, board, feed or projections.",
            "table_code": "The table; empty if it belongs to none.",
            "machine": "The machine on which it was started.",
            "version": "The version of the program.",
            "digest": "The SHA-256 of its installed files, as hexadecimal digits.",
            "started_by": "The staff number of whoever was signed on there; empty for nobody.",
        },
    ),
)

PROJECTION = Projection(
    name="programs",
    schema=_TABLES,
    views=_VIEWS,
    changes={program_day.ProgramStarted.TOPIC: _started},
)

REPORT = Report(
    name="programs",
    title="Programs",
    about="each start of a part of the program, and its files",
    read_by=OF_THE_HOUSE,
    projections=("programs",),
    columns=("at", "part", "table", "machine", "version", "digest", "by"),
    sql=f"""
SELECT at, part, nullif(table_code, '') AS "table", machine, version, digest, "by"
  FROM programs WHERE {narrowed(at=["at"])} ORDER BY position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "span"),
    shown=("at", "part", "table", "machine", "version", "digest", "by"),
    dropped_first=("digest",),
    words={
        "part": (
            "part",
            "the part of the program: dealer, pit, board, feed, projections or server",
        ),
        "machine": ("machine", "the machine on which it was started"),
        "version": ("version", "the version of the program"),
        "digest": ("digest", "the SHA-256 of the installed files"),
        "by": ("by", "who was signed on there; empty for nobody"),
    },
)
