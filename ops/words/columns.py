"""The title of a report, the heading and the meaning of each of its columns, and values by code.

Every report shows the same thing under the same heading, on a screen, on a page and in the manual.
JSON and CSV have the key. The words are beside the columns, in `projections`.

>>> heading("win_loss"), heading("burned")
('win/loss', 'burned')
>>> meanings(REPORTS["cards"])["burned"], meanings(REPORTS["shoe-log"])["burned"]
('cards burned that were seen or named later', 'cards burned, with those face down')
"""

from collections.abc import Iterable, Mapping

from domain.rules.spots import SPOT
from domain.rules.wording import N_, worded
from ops.words.alerts import KINDS
from ops.words.incident_events import CODES as OF_INCIDENTS
from ops.words.inquiry_events import OUTCOMES
from ops.words.language import _, commas, shown
from ops.words.terms import ROLES, spot_called
from projections import REPORTS
from projections.columns import SHARED
from projections.model import Report

# Keys that mean the same in every report that has them: heading, and meaning.
COLUMNS: Mapping[str, tuple[str, str]] = {
    **{key: words for report in REPORTS.values() for key, words in report.words.items()},
    **SHARED,
}
HEADED, TITLED = "column", "report"  # what the message of a heading, or of a title, is about
# Columns whose values are codes of the record, with the words of those codes that several have.
BY_CODE = (
    *(column for report in REPORTS.values() for column in report.codes),
    *("kind", "exception", "result", "status", "decision", "direction", "item", "period"),
    *("moment", "level", "how", "spot", "replay", "shuffle_method", "audited", "scope"),
    *("ended", "about", "conclusion", "access", "in_time", "whose", "counts_over", "role", "best"),
    *("phase", "commission_due", "part"),
)
CODES: Mapping[str, str] = {
    **ROLES,
    **OUTCOMES,
    **KINDS,
    **OF_INCIDENTS,
    **{
        code: called
        for report in REPORTS.values()
        for codes in report.codes.values()
        for code, called in codes.items()
    },
    "adjusted": N_("adjusted"),
    "agrees": N_("agrees"),
    "at-payout": N_("at payout"),
    "bets": N_("bets"),
    "betting": N_("betting"),
    "board": N_("board"),
    "box": N_("box"),
    "box difference": N_("box difference"),
    "box not counted": N_("box not counted"),
    "box on table": N_("box on table"),
    "buy-in": N_("buy-in"),
    "cage": N_("cage"),
    "cancelled": N_("cancelled"),
    "carried": N_("carried"),
    "cash-out": N_("cash-out"),
    "case open": N_("case open"),
    "closed": N_("closed"),
    "closer": N_("closer"),
    "closer off": N_("closer off"),
    "commission": N_("commission"),
    "collection corrected": N_("collection corrected"),
    "commission waived": N_("commission waived"),
    "commission walked": N_("commission walked"),
    "correct": N_("payment corrected"),
    "coup not settled": N_("coup not settled"),
    "coup": N_("coup"),
    "credit": N_("credit"),
    "day": N_("day"),
    "dealer": N_("dealer"),
    "dealing": N_("dealing"),
    "decided": N_("decided"),
    "deferred": N_("deferred"),
    "drop counted again": N_("drop counted again"),
    "feed": N_("feed"),
    "fill": N_("fill"),
    "fill requested": N_("fill requested"),
    "fill issued": N_("fill issued"),
    "fill carried": N_("fill carried"),
    "credit requested": N_("credit requested"),
    "credit issued": N_("credit issued"),
    "credit carried": N_("credit carried"),
    "colour-change": N_("colour change"),
    "good": N_("good"),
    "hand": N_("by hand"),
    "house": N_("house"),
    "in": N_("in"),
    "free-bet": N_("free bet"),
    "issued": N_("issued"),
    "laid": N_("laid"),
    "in-time": N_("in time"),
    "locked": N_("locked"),
    "lose": N_("loses"),
    "machine": N_("by machine"),
    "match-play": N_("match play"),
    "money on account": N_("money on account"),
    "month": N_("month"),
    "none": N_("nobody"),
    "open": N_("open"),
    "opener": N_("opener"),
    "out": N_("out"),
    "patron": N_("patron"),
    "pre-shuffled": N_("pre-shuffled"),
    "projections": N_("projections"),
    "push": N_("returned"),
    "received": N_("received"),
    "regulator": N_("regulator"),
    "report": N_("report"),
    "retired": N_("retired"),
    "requested": N_("requested"),
    "resulted": N_("resulted"),
    "run": N_("run"),
    "screen": N_("screen"),
    "server": N_("server"),
    "settled": N_("settled"),
    "shift": N_("shift"),
    "shoe": N_("shoe"),
    "shoe counted again": N_("shoe counted again"),
    "shoe not ended": N_("shoe not ended"),
    "signed-off": N_("signed off"),
    "signed-on": N_("signed on"),
    "slip voided": N_("slip voided"),
    "stand": N_("payment unchanged"),
    "table": N_("table"),
    "table open": N_("table open"),
    "tray counted again": N_("tray counted again"),
    "told": N_("patron informed"),
    "too-late": N_("too late"),
    "uncollected": N_("uncollected"),
    "unused": N_("unused"),
    "used": N_("used"),
    "void": N_("void"),
    "voided": N_("voided"),
    "week": N_("week"),
    "win": N_("wins"),
    "withdrawn": N_("never lay there"),
    "year": N_("year"),
}


def heading(key: str) -> str:
    """The column's heading on a screen and on paper; its key in words where it has none."""
    return COLUMNS[key][0] if key in COLUMNS else key.replace("_", " ")


def meanings(report: Report) -> dict[str, str]:
    """The meanings of the report's columns, in their order; '' for one without words."""
    words = {**SHARED, **report.words}
    return {key: words[key][1] if key in words else "" for key in report.columns}


def title_here(report: Report) -> str:
    """The report's title in the reader's language."""
    return shown(worded(TITLED, report.title))


def about_here(report: Report) -> str:
    """What the report shows, in the reader's language."""
    return _(report.about)


def heading_here(key: str) -> str:
    """The column's heading in the reader's language."""
    return shown(worded(HEADED, heading(key)))


def headings_here(keys: Iterable[str]) -> str:
    """Several columns in a sentence, in the reader's language: `fills, credits, cash out`."""
    return commas(heading_here(key) for key in keys)


def meaning_here(meaning: str) -> str:
    """A column's meaning in the reader's language; '' for none."""
    return _(meaning) if meaning else ""


def code_called(column: str, value: str) -> str:
    """A value of the record in words, if its column has codes; any other value unchanged.

    >>> code_called("result", "push"), code_called("spot", "tie"), code_called("text", "push")
    ('returned', 'Tie', 'push')
    """
    if column not in BY_CODE:
        return value
    if value in SPOT:
        return shown(spot_called(value))
    return _(CODES[value]) if value in CODES else value
