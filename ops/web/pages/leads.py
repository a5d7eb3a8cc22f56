"""Where a value of a report leads: to the page about it, or nearer to what the row is about."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from ops.finding.opening import PAGE_OF
from ops.reports.ask import Row
from ops.web.pages.viewer import may
from ops.words import pages
from ops.words.language import shown


class Lead(Struct, frozen=True):
    """An address, or '' for none; `button`: its words, where the row has no value to show."""

    href: str = ""
    button: str = ""


def lead_of(report: str, name: str, row: Row) -> Lead:
    """Where a value of a row leads."""
    if make := _OF_REPORT.get((report, name)):
        return make(row)
    return page_about(name, row[name])


def page_about(name: str, value: Any) -> Lead:
    """The page about what a column of this name has."""
    leads = PAGE_OF.get(name) if isinstance(value, str | int) and value != "" else None
    return Lead(f"{leads}{quote(str(value), safe='/')}" if leads else "")


def at_event(coup: str, position: int | None) -> str:
    """The replay of a coup up to the event at a position of the ledger; None: all of it."""
    page = f"{PAGE_OF['coup']}{quote(coup, safe='/')}"
    return page if position is None else f"{page}?at={position}"


def _where_it_was_seen(row: Row) -> Lead:
    return Lead(at_event(row["coup"], row["position"]) if row["coup"] else "")


def _inquiry(row: Row) -> Lead:
    """The open inquiry about a row of `protection`; else the form to open one from it."""
    if row["inquiry"]:
        return page_about("inquiry", row["inquiry"])
    if not may("inquiry.open"):
        return Lead()
    about = next(each for each in ("patron", "dealer", "shoe") if row[each])
    filled = {"about": about, "subject": row[about], "question": row["question"]}
    if about != "shoe":  # somebody has a row for each gaming day, and for each person beside
        filled |= {"day": row["day"], "position": row["position"]}
    if beside := row["partner"] or (about == "patron" and row["dealer"]):
        filled["beside"] = beside
    return Lead(f"/inquiries?{urlencode(filled)}", shown(pages.OPEN_INQUIRY))


_OF_REPORT: Mapping[tuple[str, str], Callable[[Row], Lead]] = {
    ("protection", "coup"): _where_it_was_seen,
    ("protection", "inquiry"): _inquiry,
}
