"""Readings: who read or exported what, on whom. Not a projection: there are no events of it.

Those of inquiries and of cases of money laundering are a report of their own: whom somebody looks
at, administrators may not learn. The rows are the lines that `ops.commands.reader` writes. A
rebuild does not touch them.
"""

from msgspec.structs import replace

from domain.rules.permissions import OF_THE_HOUSE, WATCH, Reading
from projections.model import Report, narrowed

_SECRET = (
    *(
        "aml show",
        "filing sar",
        "report aml-cases",
        "report aml-patterns",
        "report ids-not-shown",
        "inquiry show",
        "report inquiries",
    ),
    "report secret-readings",
)
_OTHERS = f"command NOT IN {_SECRET}"

REPORT = Report(
    name="readings",
    title="Readings",
    about="who read a report, a replay or an export",
    read_by=OF_THE_HOUSE,
    projections=(),
    columns=(
        *("at", "who", "command", "how", "patron", "table", "shoe", "coup", "case"),
        *("first_day", "last_day", "as_of", "refused", "login", "machine"),
    ),
    sql=f"""
SELECT at, who, command, how, patron, table_code, shoe, coup, case_number, first_day, last_day,
       as_of, refused, login, machine
  FROM ledger.readings
 WHERE {_OTHERS}
   AND {narrowed(shoe="shoe", at=["at"])}
   AND (%(patron)s::text IS NULL OR patron = %(patron)s)
   AND (%(moment)s::timestamptz IS NULL OR at <= %(moment)s)
 ORDER BY n
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "patron", "span"),
    shown=("at", "who", "command", "how", "patron", "coup", "refused"),
    codes={"refused": {"NotPermitted": "not permitted"}},
    words={
        "who": ("who", "who read it"),
        "command": ("command", "the command that was read with"),
        "how": ("how", "in which form it was read"),
        "first_day": ("first day", "the first gaming day that was asked about"),
        "last_day": ("last day", "the last gaming day that was asked about"),
        "as_of": ("as of", "the past moment that was asked about"),
        "refused": ("refused", "why nothing was shown"),
        "login": ("login", "the database login"),
    },
)

SECRET = replace(
    REPORT,
    name="secret-readings",
    title="Readings of inquiries and cases",
    about="who read what only surveillance and auditors may",
    read_by=Reading(WATCH),
    sql=REPORT.sql.replace(_OTHERS, f"command IN {_SECRET}"),
)
