"""What each page takes by name in its address; anything else is refused."""

from collections.abc import Mapping
from typing import Any

from ops.finding.opening import LISTED_IN, named
from ops.reports.narrowings import options_of
from ops.web.turned_away import NotTrusted
from ops.words import pages as words

# What the form of an inquiry is filled in with: the subject, and which row about it.
OF_INQUIRY = ("about", "subject", "text", "question", "day", "beside", "position")
OF_GROUP = ("house", "per", "table", "day", "from", "to", "as_of", "into", "rate")
# By address, what it takes by name, as in `?day=2026-11-21`; a report takes what narrows it, too.
_TAKES: Mapping[str, tuple[str, ...]] = {
    "/": ("search", "sort"),
    "/live/pit": ("search", "sort"),
    "/alerts": ("kind", "table", "from", "to", "after", "before"),
    "/coups/{coup:path}": ("event", "at", "for", "what-if"),
    "/coups/{coup:path}/pack.{form}": ("for",),
    "/reports/{report}": ("as_of", "sort", "after", "before"),
    **dict.fromkeys(
        (
            *("/shoes/{shoe:path}", "/patrons/{patron:path}", "/stays/{stay:path}"),
            *("/days/{day}", "/staff/{staff}", "/slips/{slip}"),
        ),
        ("of", "after", "before"),
    ),
    **dict.fromkeys(("/cases", "/coupons", "/incidents", *LISTED_IN), ("after", "before")),
    "/slips": ("table", "after", "before"),
    "/aml": ("patron", "text", "alert", "positions", "after", "before"),
    "/inquiries": (*OF_INQUIRY, "after", "before"),
    "/reports/{report}.{form}": ("as_of", "sort"),
    "/ledger": (
        *("table", "patron", "kind", "actor", "stream", "command"),
        *("since", "as_of", "until"),
    ),
    "/group/{question}": (*OF_GROUP, "after", "before"),
    "/group/{question}.{form}": OF_GROUP,
    "/find": ("q",),
    "/manual": ("words",),
    "/sign-on": ("then",),
    **dict.fromkeys(
        ("/wall", "/wall/{table}", "/live/wall", "/live/wall/{table}"), ("theme", "letters")
    ),
    "/roads/{shoe:path}.svg": ("coups", "theme", "letters"),
}


def require_known(at: str, path: Mapping[str, Any], query: Mapping[str, str]) -> None:
    """Checks what somebody asks for by name. Refuses: NotFound. Raises NotTrusted."""
    takes = _TAKES.get(at, ())
    if "report" in path:
        takes = (*options_of(named(path["report"])), *takes)
    if unknown := sorted(query.keys() - set(takes)):
        raise NotTrusted(words.takes_no(unknown[0], takes), 422)
