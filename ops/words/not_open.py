"""The words of pages while no table is open, or one is not: what was last, what comes next."""

from domain.rules.wording import worded

LAST_DAY = worded("label: the last gaming day before this one", "last gaming day")
OPENED_LAST = worded("column: of a table", "opened last")
CLOSED_LAST = worded("heading: the closer of a table, who counted it, its variance", "Closed")
LAST_SHOE = worded("label: of a table that is closed", "last shoe")
LAST_COUP = worded("label: of a table that is closed", "last coup")
WIN_THEN = worded("link: the report of that day's win", "win of each table")
WAITS = worded("link: the report of what of a gaming day is not finished", "what still waits")
ALL_DAYS = worded("link: the list of gaming days", "all gaming days")
TO_OPEN = worded(
    "page: no table is open",
    "A table is opened at a terminal: `sabot table open`. `sabot manual pit-boss` has the evening.",
)
NO_SUCH_TABLE = worded("page: the pit, filtered", "No table has what is looked for.")
