"""The pit: every table now, the one that needs a person first."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.spots import MAIN_SPOTS
from ops.board.lines import coup_number, limits_of_main_bets, note, what_is_due
from ops.board.rows import BoardRow, Seen
from ops.commands.reader import Asked
from ops.now.table_now import TableNow
from ops.web.pages import alerts
from ops.web.pages.beside import meters_of, offers_of, slips_of
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.render import part
from ops.web.pages.seated import NAMES
from ops.web.pages.viewer import Viewer, drawn_for, reads
from ops.web.pages.visitor import Visitor
from ops.words import board, pages, show
from ops.words.language import shown
from ops.words.pauses import pause_soon
from projections.people.limits_used import REPORT as LIMITS_USED

SORTS = ("need", "table", "idle", "owed", "win")


class Wanted(Struct, frozen=True):
    """What somebody wants to see of the pit."""

    search: str = ""
    sort: str = "need"


class Staked(Struct, frozen=True):
    """What is staked on a coup, in minor units: on each main spot, and on all side bets."""

    main: dict[str, int]
    side: int

    @property
    def total(self) -> int:
        """Everything that is staked."""
        return sum(self.main.values()) + self.side

    @property
    def apart(self) -> int:
        """The difference between Player and Banker, which one of them wins from the house."""
        return abs(self.main["player"] - self.main["banker"])


class TableCard(Struct, frozen=True):
    """A table in the pit."""

    row: BoardRow
    now: TableNow | None  # None: its record cannot be read
    presses: bool
    names: Mapping[str, str] = {}  # of who sits, if whoever looks may read them
    pauses: Mapping[int, str] = {}  # by seat: why it should pause soon, if they may read that

    @property
    def staked(self) -> Staked:
        """What is staked on the coup that is in play."""
        return staked(self.now)

    @property
    def coup(self) -> str:
        """The number of the coup."""
        return coup_number(self.row)

    @property
    def state(self) -> str:
        """What happens there, in words."""
        return state(self.row, self.now)

    def limits(self, currency: str) -> str:
        """The limits of the main bets."""
        return limits_of_main_bets(self.row, currency)

    def win(self, currency: str) -> str:
        """The house's win, with its sign."""
        (text,) = show.whole([self.row.win], currency, signed=True)
        return text

    @property
    def wins(self) -> tuple[int, ...]:
        """The win since the table opened, as a line; none before there are two points of it."""
        tray = self.now.tray if self.now else None
        return tray.wins if tray and len(tray.wins) > 1 else ()

    @property
    def meters(self) -> list[tuple[str, str]]:
        """What is in the meter of each spot that has one."""
        return meters_of(self.now)

    @property
    def offers(self) -> list[str]:
        """The bets that are taken after the first four cards."""
        return offers_of(self.now)

    @property
    def slips(self) -> list[tuple[str, str]]:
        """The fills and credits under way, each by its number."""
        return slips_of(self.now)

    @property
    def why(self) -> str:
        """Why somebody is needed there, or ''."""
        return note(self.row)


def view_of(viewer: Viewer, wanted: Wanted) -> View:
    """The pit for all who see it alike, in one window or many."""
    name = ("pit", *viewer.name, wanted.search, wanted.sort)

    def draw(floor: Floor, pieces: Pieces) -> Drawn:
        with drawn_for(viewer):
            return drawn(floor, wanted, partial(_table, pieces, viewer))

    return View(name, draw, rights=viewer.rights)


def drawn(floor: Floor, wanted: Wanted, table: Callable[[TableCard, Seen], str]) -> Drawn:
    """The parts of the page: its head, what needs somebody, and each table by `table`."""
    seen = floor.seen
    parts = {
        "house": part(
            "pit_parts.html", "house", head=seen and head_of(seen), seen=seen, lost=floor.lost
        )
    }
    if seen is None:
        return Drawn(parts)
    parts["alerts"] = alerts.drawn(seen)
    parts["people"] = part("pit_parts.html", "people", some=seen.on_the_floor)
    tables = {f"table-{each.row.table}": table(each, seen) for each in cards_of(floor, wanted)}
    if not tables or not seen.open_tables:
        searched = bool(seen.open_tables)
        tables["no-table"] = part("pit_parts.html", "nothing_open", seen=seen, searched=searched)
    return Drawn(parts | tables, {"tables": list(tables)})


def _table(pieces: Pieces, viewer: Viewer, card: TableCard, seen: Seen) -> str:
    """A table, which all pits of such viewers show alike."""
    return pieces.of(
        ("pit", *viewer.name, card.row.table),
        (card.row, card.now, card.presses, card.names, card.pauses, seen.currency),
        lambda: part("pit_parts.html", "table", card=card, seen=seen),
    )


def head_of(seen: Seen) -> str:
    """The time and the totals of the pit."""
    parts = board.head_parts(
        seen.at,
        seen.day,
        tables=(len(seen.open_tables), len(seen.placed)),
        only=seen.only,
        patrons=sum(each.patrons for each in seen.tables),
        win=sum(each.win for each in seen.tables),
        estimated=seen.win_estimated,
        currency=seen.currency,
        wide=True,
    )
    return " · ".join([*parts, shown(seen.counted.words)] if seen.counted else parts)


def cards_of(floor: Floor, wanted: Wanted) -> list[TableCard]:
    """The tables that are wanted, in the order that is wanted."""
    assert floor.seen is not None
    pressing = {each.table for each in floor.seen.alerts if each.presses}
    names = names_on(floor)
    rows = [each for each in floor.seen.tables if _lets(each, names, wanted.search)]
    if wanted.sort == "table":
        rows.sort(key=lambda row: row.table)
    elif wanted.sort == "idle":
        rows.sort(key=lambda row: -(row.idle_minutes or 0))
    elif wanted.sort in ("owed", "win"):
        rows.sort(key=lambda row: -row.owed if wanted.sort == "owed" else row.win)
    return [
        TableCard(
            row=row,
            now=floor.tables.get(row.table),
            presses=row.table in pressing,
            names=_seated(row, names),
            pauses=pauses_at(floor.seen, row.table),
        )
        for row in rows
    ]


def names_on(floor: Floor) -> Mapping[str, str]:
    """The names of who sits, if whoever looks may read them."""
    return floor.names if reads(NAMES) else {}


def pauses_at(seen: Seen, table: str) -> dict[int, str]:
    """By seat: why it should pause now or soon, if whoever looks may read the report of limits."""
    if not reads(f"report {LIMITS_USED.name}"):
        return {}
    why: dict[int, list[str]] = {}
    for each in seen.pauses:
        if each.table == table:
            words = pause_soon(each.what, each.at, seen.at)
            why.setdefault(each.seat, []).append(shown(words))
    return {seat: ", ".join(each) for seat, each in why.items()}


def _seated(row: BoardRow, names: Mapping[str, str]) -> dict[str, str]:
    """The names of who sits at a table."""
    return {each: names[each] for each in row.seats.by.values() if each in names}


def _lets(row: BoardRow, names: Mapping[str, str], search: str) -> bool:
    patrons = (*row.seats.by.values(), *_seated(row, names).values())
    words = " ".join((row.table, row.rules, row.dealer, row.supervisor, *patrons)).lower()
    return all(word in words for word in search.lower().split())


def state(row: BoardRow, now: TableNow | None, *, rule: bool = True) -> str:
    """What happens at a table, in words: what is due, or that it is closed."""
    if not row.open:
        return shown(pages.CLOSED)
    if now and now.coup and now.coup.phase == "betting":
        return shown(pages.BETS_OPEN)
    if now and now.coup and now.coup.offers:
        return shown(pages.AFTER_FOUR)
    return what_is_due(row.due, rule=rule)


def staked(now: TableNow | None) -> Staked:
    """What is staked on the coup that is in play; nothing once it is over."""
    main: Counter[str] = Counter(dict.fromkeys(MAIN_SPOTS, 0))
    side = 0
    if now and now.coup and not now.coup.over:
        for wager in (each for seat in now.seats for each in seat.wagers):
            if wager.spot in MAIN_SPOTS:
                main[wager.spot] += wager.stake
            else:
                side += wager.stake
    return Staked(dict(main), side)


async def require_names(desk: Desk, who: Visitor) -> None:
    """Records that names of who sits are read, by whom they are shown to."""
    if reads(NAMES):
        await desk.require(who, Asked(NAMES))


async def show_pit(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every table now; names of patrons are a reading of their own."""
    await require_names(desk, who)
    view, wanted = _pit(request, who)
    query = urlencode({"search": wanted.search, "sort": wanted.sort})
    return await desk.going_on(
        request, who, "pit.html", view, wanted=wanted, stream=f"/live/pit?{query}"
    )


async def follow_pit(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes in the pit, as it changes."""
    view, _ = _pit(request, who)
    return await desk.stream(view, who, "board", {"table": None}, desk.rooms.people)


def _pit(request: Request, who: Visitor) -> tuple[View, Wanted]:
    sort = request.query_params.get("sort", "need")
    wanted = Wanted(
        search=request.query_params.get("search", "")[:80],
        sort=sort if sort in SORTS else "need",
    )
    return view_of(who.viewer, wanted), wanted
