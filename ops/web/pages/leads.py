"""Where a value of a report leads: to the page about it, or nearer to what the row is about."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from ops.finding import opening
from ops.finding.opening import PAGE_OF
from ops.reports.ask import Row
from ops.web.pages.viewer import may
from ops.words import pages
from ops.words.aml_on_pages import OPEN_CASE, suspicion
from ops.words.columns import code_called
from ops.words.language import shown
from projections.attention.exception_kinds import BET_LEFT_OPEN


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
    has_page = name in PAGE_OF and isinstance(value, str | int) and value != ""
    return Lead(opening.page_about(name, value) if has_page else "")


def at_event(coup: str, position: int | None) -> str:
    """The replay of a coup up to the event at a position of the ledger; None: all of it."""
    page = opening.page_about("coup", coup)
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


def _aml_case(row: Row) -> Lead:
    """The open case about whom a row of `aml-patterns` has; else the form to open one from it."""
    if row["aml_case"]:
        return page_about("aml_case", row["aml_case"])
    if not may("aml.open"):
        return Lead()
    pattern = code_called("pattern", row["pattern"])
    doubt = suspicion(pattern, row["beside"], row["times"], row["occasions"])
    positions = ", ".join(map(str, row["positions"]))
    filled = {"patron": row["patron"], "text": shown(doubt), "positions": positions}
    return Lead(f"/aml?{urlencode(filled)}", shown(OPEN_CASE))


# What a row of `unfinished` is about, if it is no slip; its number is in the column `which`.
_WAITING = {
    **dict.fromkeys(("commission owed", BET_LEFT_OPEN, "money on account"), "stay"),
    "shoe not ended": "shoe",
    "coup not settled": "coup",
    "case open": "case",
}


def _waiting(row: Row) -> Lead:
    """What is not finished; a box or a ticket has no page but its table's."""
    if about := _WAITING.get(row["kind"]):
        return page_about(about, row["which"])
    if row["kind"].partition(" ")[0] in ("fill", "credit"):
        return page_about("slip", row["which"])
    return page_about("table", row["table"])


_PUT_RIGHT = {"slip voided": "slip", "shoe counted again": "shoe", "alias separated": "patron"}


def _put_right(row: Row) -> Lead:
    """The coup, the slip or the event that was voided or corrected; a tray's table and day."""
    what, _, rest = row["original"].partition(" ")
    if about := _PUT_RIGHT.get(row["kind"]):
        return page_about(about, what)
    if rest.startswith("#"):
        return page_about("position", rest.removeprefix("#"))
    if "/stay-" in what:
        return page_about("stay", what)
    return page_about("coup", what) if what.count("/") == 3 else Lead()


_OF_REPORT: Mapping[tuple[str, str], Callable[[Row], Lead]] = {
    ("boxes", "counted_by"): lambda _: Lead(),  # three people
    ("protection", "coup"): _where_it_was_seen,
    ("protection", "inquiry"): _inquiry,
    ("aml-patterns", "aml_case"): _aml_case,
    ("unfinished", "which"): _waiting,
    ("voids", "original"): _put_right,
    ("commission-proof", "key"): lambda row: page_about(row["scope"], row["key"]),
    ("inquiries", "subject"): lambda row: page_about(row["about"], row["subject"]),
}
