"""Every alert: those that are open as the board has them, the gravest first, then the others."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.choices import one_of
from domain.rules.refusals import BadValue
from ops.board.alerts import order
from ops.board.folds import fold_words
from ops.board.rows import Alert, Seen
from ops.commands.reader import Asked
from ops.ledger.database import Database
from ops.reports.ask import ReportAnswer, Row, ask
from ops.reports.cells import detail_sentences
from ops.reports.counted import Counted
from ops.reports.listing import Wanted
from ops.reports.narrowings import require
from ops.reports.paging import FIRST, Part, Place, Turn, place_in, place_words
from ops.web.pages.alert_kinds import kinds_there
from ops.web.pages.desk import Desk
from ops.web.pages.never import never
from ops.web.pages.viewer import acknowledges
from ops.web.pages.visitor import Visitor
from ops.words.alerts import KINDS, kind_name
from ops.words.language import moment, shown
from projections import REPORTS
from projections.attention.alerts import RESTORED
from projections.attention.open_alerts import OF_A_LIST
from projections.attention.passing import DISPUTE_DEADLINE, DISPUTE_OPEN
from projections.ranks import SLIP

MOST = 50
REFUSED = "refused"  # the gravity where the rules held and nothing was lost
ENDED = "ended"
REPORT = REPORTS["alerts"]
_RECORDED = 1  # the first of the place of one that is not on the board; 0 of one that is
ASKED = ("kind", "table", "from", "to")


def look_of(alert: Alert) -> str:
    """How an open one looks: red if it is urgent, amber for a case, grey for a refused slip."""
    if alert.presses:
        return "presses"
    if alert.kind == DISPUTE_OPEN:
        return "case"
    return REFUSED if alert.gravity == REFUSED or alert.is_slip else ""


class Listed(Struct, frozen=True):
    """An alert in the list."""

    name: str
    kind: str
    words: str
    at: str  # '' if it is of no moment
    table: str
    coup: str
    look: str  # open: as in the pit; else ENDED
    place: Place  # in the list
    acknowledgeable: bool
    by: str = ""  # who acknowledged it, and when, and with which words
    when: str = ""
    text: str = ""
    patron: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for somebody."""
        return self.look != ENDED


class Page(Struct, frozen=True):
    """Some of the alerts."""

    lines: list[Listed]
    many: int  # that are open, of all that were asked for
    part: Part


def asked_in(query: Mapping[str, str]) -> dict[str, str]:
    """What the list is narrowed to. Refuses: BadValue."""
    asked = {name: query.get(name, "").strip() for name in ASKED}
    if asked["kind"] and asked["kind"] not in KINDS:
        why = one_of(KINDS, asked["kind"], "`/alerts`")
        raise BadValue(field="kind", value=repr(asked["kind"]), why=why)
    require({name: asked[name] or None for name in ASKED[1:]})
    return asked


def page_of(
    database: Database,
    seen: Seen | None,
    asked: Mapping[str, str],
    turn: Turn = FIRST,
    counted: Counted | None = None,
    *,
    recorded: bool = True,
) -> Page:
    """The alerts that are asked for, one page of them. Refuses: BadValue. Raises LedgerLost.

    `recorded`: also those of the report, that are not on the board.
    """
    waiting = _open(seen, asked) if seen else {}
    place, back = _place(turn), bool(turn.before and not turn.after)

    def is_beyond(line: Listed) -> bool:
        return not place or (line.place < place if back else line.place > place)

    lines = [*filter(is_beyond, sorted(waiting.values(), key=attrgetter("place")))]
    many = len(waiting)
    record = _Record(database, asked, seen, counted) if recorded else None
    if record:
        in_record = place[:1] == (_RECORDED,)
        others, more = record.others(_turn_of_report(place, back=back) if in_record else FIRST)
        many += more
        if in_record or not back:
            lines += filter(is_beyond, others)
    if back and len(lines) <= MOST:  # they fill no page, so it is the first
        return page_of(database, seen, asked, FIRST, counted, recorded=recorded)
    these = lines[-MOST:] if back else lines[:MOST]
    part = Part(
        range(len(these)),
        before=place_words(these[0].place) if these and place else "",
        after=place_words(these[-1].place) if back or len(lines) > MOST else "",
    )
    return Page(record.in_full(these, waiting) if record else these, many, part)


def _place(turn: Turn) -> Place:
    """The place that an address has, or () for the first page. Refuses: BadValue."""
    name = "after" if turn.after else "before"
    text = turn.after or turn.before
    return place_in(text, name, (0, 0, 0, 0, 0, "")) if text else ()


def _turn_of_report(place: Place, *, back: bool) -> Turn:
    """The same turn in the report, of a place of an alert that is not on the board."""
    _, ended, _, _, position, kind = place
    there = place_words((1 - int(ended), -int(position), kind))
    return Turn(before=there) if back else Turn(after=there)


class _Record:
    """The alerts of the report that are asked for, but those that are on the board."""

    def __init__(
        self,
        database: Database,
        asked: Mapping[str, str],
        seen: Seen | None,
        counted: Counted | None,
    ) -> None:
        self._narrowed = {name: each or None for name, each in asked.items()}
        self._database = database
        self._since = seen.since if seen else None
        self._counted = counted

    def others(self, turn: Turn) -> tuple[list[Listed], int]:
        """Those after or before a place of the report, in order, and how many of all wait."""
        answer = self._read(Wanted(turn, MOST + 1), past_since=self._since)
        lines = [_recorded(each, None, answer.house.currency) for each in answer.rows[::-1]]
        return lines, int(answer.listing.sums["waits"]) if answer.listing else 0

    def _read(self, wanted: Wanted | None, **narrowed: str | None) -> ReportAnswer:
        none = {"positions": None, "past_since": None}
        return ask(
            self._database, OF_A_LIST, None, lambda _: None,
            counted=self._counted, wanted=wanted, session=None, or_behind=False,
            **{**self._narrowed, **none, **narrowed},
        )  # fmt: skip

    def in_full(self, lines: Sequence[Listed], waiting: Mapping[str, Listed]) -> list[Listed]:
        """The same, those on the board (`waiting`) with what the record has of them."""
        positions = [-int(each.place[-2]) for each in lines if each.name in waiting]
        if not positions:
            return [*lines]
        answer = self._read(None, positions=f"{{{','.join(map(str, positions))}}}")
        known = {
            row["alert"]: _recorded(row, waiting[row["alert"]], answer.house.currency)
            for row in answer.rows
            if row["alert"] in waiting
        }
        return [known.get(each.name, each) for each in lines]


def _open(seen: Seen, asked: Mapping[str, str]) -> dict[str, Listed]:
    """The board's alerts that are asked for, by name."""
    shown = {}
    for each in seen.alerts:
        days = (asked["from"] or "", each.day or "", asked["to"] or "9")
        of_day = each.day is None or days[0] <= days[1] <= days[2]
        if of_day and asked["kind"] in ("", each.kind) and asked["table"] in ("", each.table):
            shown[each.alert] = _listed(each, seen)
    return shown


def _listed(alert: Alert, seen: Seen) -> Listed:
    return Listed(
        name=alert.alert,
        kind=alert.kind,
        words=fold_words([alert], seen),
        at=moment(datetime.fromisoformat(alert.at)) if alert.at else "",
        table=alert.table or "",
        coup=alert.coup or "",
        look=look_of(alert),
        place=(0, *map(int, order(alert)), _newest_first(alert.alert), alert.alert),
        acknowledgeable=alert.acknowledgeable and acknowledges(alert.kind),
    )


def _recorded(row: Row, known: Listed | None, currency: str) -> Listed:
    """An alert as the record has it; `known`: as the board has it while it is there."""
    name, at = row["alert"], row["at"]
    by, when = row["acknowledged_by"] or "", row["acknowledged_at"]
    return Listed(
        name=name,
        kind=row["kind"],
        words=(known and known.words) or _words(row, currency),
        at=moment(datetime.fromisoformat(at)),
        table=row["table"] or "",
        coup=row["coup"] or "",
        look=known.look if known else _look(row),
        place=known.place
        if known
        else (_RECORDED, 1 - row["waits"], 0, 0, _newest_first(name), row["kind"]),
        acknowledgeable=known.acknowledgeable
        if known
        else bool(row["waits"]) and row["kind"] != RESTORED and acknowledges(row["kind"]),
        by=by,
        when=moment(datetime.fromisoformat(when)) if when else "",
        text=row["text"] or "",
        patron=row["detail"].get("patron") or "",
    )


def _look(row: Row) -> str:
    """How one looks that is not on the board: it has ended, or waits of a closed gaming day."""
    if not row["waits"]:
        return ENDED
    return REFUSED if row["rank"] == SLIP else ""


def _words(row: Row, currency: str) -> str:
    """What it is about; who acknowledged it is beside it."""
    if row["kind"] in (DISPUTE_OPEN, DISPUTE_DEADLINE):  # whose words are those of the moment
        return kind_name(row["kind"])
    row = {**row, "acknowledged_at": None}
    return " ".join(map(shown, detail_sentences(row, currency))) or kind_name(row["kind"])


def _newest_first(name: str) -> int:
    """A number that is smaller for an alert that began later."""
    position = name.rpartition("/")[2]
    return -int(position) if position.isdecimal() else 0


async def list_alerts(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every alert that is asked for."""
    asked = asked_in(request.query_params)
    recorded = who.rights.may_read(Asked("report alerts"))
    counted = await desk.counted([REPORT]) if recorded else None
    seen, turn = (await desk.floor()).seen, Turn.of(request.query_params)
    page = await desk.in_thread(
        lambda: page_of(desk.database, seen, asked, turn, counted, recorded=recorded)
    )
    kinds = await desk.in_thread(
        lambda: kinds_there(desk.database, seen, asked["kind"], recorded=recorded)
    )
    narrowed = {"table": asked["table"]} if not page.lines else {}
    nobody = await desk.in_thread(lambda: never(desk.database, narrowed))
    return desk.page(
        request, who, "alerts.html", page=page, asked=asked, kinds=kinds, nobody_named=nobody,
        counted=counted, query=urlencode({name: value for name, value in asked.items() if value}),
    )  # fmt: skip


def find_listed(database: Database, name: str) -> Listed | None:
    """An alert of the list by its name; None if there is none. Raises LedgerLost."""
    answer = ask(
        database,
        OF_A_LIST,
        None,
        lambda _: None,
        kind=None,
        past_since=None,
        positions=f"{{{-_newest_first(name)}}}",
    )
    row = next((each for each in answer.rows if each["alert"] == name), None)
    return _recorded(row, None, answer.house.currency) if row else None
