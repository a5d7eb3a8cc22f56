"""What the handlers of pages share: who may look, what is recorded, how a page is made."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import anyio
import anyio.to_thread
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from domain.rules.wording import Words
from ops.commands.reader import Asked as AskedToRead
from ops.commands.rights import Rights, rights_of_reader
from ops.door.fresh_id import fresh_id
from ops.finding.opening import opens
from ops.group.members import has_houses
from ops.ledger import clock
from ops.ledger.database import Database
from ops.reports.counted import Counted
from ops.web.house import House
from ops.web.pages.counting import Counter
from ops.web.pages.floor import Floor, Watch
from ops.web.pages.live import Live, View
from ops.web.pages.render import html
from ops.web.pages.visitor import Visitor
from ops.web.requests import Streamed
from ops.web.rooms import Room, network_of
from ops.web.shells import Answered, Asked
from ops.words import aml_on_pages, found, language
from ops.words import group as of_group
from ops.words import pages as words
from projections import Report

PATIENCE = 5.0  # seconds for the first look at the floor
GROUP = "/group"
SILENT = 15.0  # seconds between two signs of life below those of the page itself
_NAV = (
    ("/", words.PIT),
    ("/cases", words.CASES),
    ("/slips", words.SLIPS),
    ("/incidents", words.INCIDENTS),
    ("/inquiries", words.INQUIRIES),
    ("/aml", aml_on_pages.CASES),
    ("/reports", words.REPORTS),
    (GROUP, of_group.GROUP),
    ("/ledger", words.LEDGER),
    ("/wall", words.WALL),
    ("/manual", words.MANUAL),
)
_LISTS = {
    **dict(_NAV),
    **found.LISTS,
    "/alerts": words.ALERT_LIST,
    "/coupons": words.COUPONS,
    "/wall": words.WALL,
}  # by the address below which each of them has its page
_ID = re.compile(r"[0-9a-f]{32}")
# A shell's option, by itself or in backquotes; whatever else is in those is typed so.
_OPTION = re.compile(r"`--(?P<quoted>[a-z-]+)(?P<value>[^`]*)`|`[^`]*`|--(?P<name>[a-z-]+)")
_FIELDS = {**words.NARROWED, "what_if": words.WHAT_IF_CHANGE}
_NAME_OF_ERROR = re.compile(r"^[A-Z][A-Za-z]+(?: \(R-[A-Z]+-[0-9]+\))?: ")  # as at a shell
T = TypeVar("T")
About = dict[str, str | None]


def nav_of(rights: Rights) -> Iterator[tuple[str, str]]:
    """The pages in the head of every page that somebody may see, and where they are at a table.

    A home without a group has no page of it there.
    """
    if rights.table and not opens(rights, "/"):
        yield f"/tables/{rights.table}", rights.table
    for href, name in _NAV:
        if opens(rights, href) and (href != GROUP or has_houses()):
            yield href, name


def list_above(path: str) -> tuple[str, Words] | None:
    """The list of everything of the kind of a page, with its words; None: it is one itself."""
    above = f"/{path.split('/')[1]}"
    return (above, _LISTS[above]) if above in _LISTS and above != path else None


class Link(Struct, frozen=True):
    """A page in the head of every page."""

    href: str
    words: str
    here: bool


class Reply(Struct, frozen=True):
    """What the house answered to something that was done: `done` or `refused`, by a rule."""

    kind: str
    words: str
    rule: str = ""


class Desk:
    """One house, for the handlers of its pages; made within the event loop."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.counter = Counter(house.database)
        self.watch = Watch(house.database, self.counter)
        self.live = Live(self.watch)
        self._ending = anyio.Event()
        self.rooms = house.rooms
        self._turns: dict[str, anyio.Lock] = {}  # by table

    @property
    def database(self) -> Database:
        """The house's database."""
        return self.house.database

    def close(self) -> None:
        """Ends every stream."""
        self._ending.set()
        self.watch.close()
        self.live.close()
        self.counter.close()

    def turn(self, table: str) -> anyio.Lock:
        """The bets of a table's places come one after the other, so that none disturbs another."""
        return self._turns.setdefault(table, anyio.Lock())

    async def require(self, who: Visitor, asked: AskedToRead) -> None:
        """Checks and records who reads. Refuses: NotSignedOn, NotPermitted."""
        await self.in_thread(lambda: self.house.require_reader(who.caller, asked))

    @staticmethod
    async def in_thread(do: Callable[[], T]) -> T:
        """What a function gives that waits for the database."""
        return await anyio.to_thread.run_sync(do)

    async def floor(self, patience: float = PATIENCE) -> Floor:
        """The floor now, for whoever reads; it is waited for after the server has begun."""
        return (await self.watch.begun(patience)).seen_by(rights_of_reader())

    async def counted(self, reports: Iterable[Report]) -> Counted | None:
        """How far the rows of these are while they are counted; None: they are there at once."""
        return await self.in_thread(lambda: self.counter.of_reports(reports))

    async def going_on(
        self, request: Request, who: Visitor, template: str, view: View, **values: Any
    ) -> Response:
        """A page that goes on by itself."""
        floor = await self.floor()
        drawn = await self.live.draw(view, floor)
        return self.page(request, who, template, drawn=drawn, **values)

    async def stream(
        self, view: View, who: Visitor, what: str, about: About, room: Room, place: str = ""
    ) -> Response:
        """What changes on a page that goes on, as long as whoever looks may read it.

        `place`: of an electronic table, of which one browser may show several in an open house.
        Raises TooManyWindows.
        """
        asked = AskedToRead(what, "screen", about)

        async def require_still() -> None:
            await self.in_thread(lambda: self.house.require_reader(who.caller, asked, goes_on=True))

        await require_still()
        return await self._stream(view, room, f"{who.caller.terminal} {place}", require_still)

    async def stream_to_anybody(self, view: View, request: Request) -> Response:
        """What changes on a page that anybody may watch. Raises TooManyWindows."""

        async def require_nothing() -> None:
            pass

        network = network_of(request.client.host if request.client else "")
        return await self._stream(view, self.rooms.strangers, network, require_nothing)

    async def _stream(
        self,
        view: View,
        room: Room,
        who: str,
        require_still: Callable[[], Awaitable[None]],
    ) -> Response:
        await self.floor()
        leave = room.enter(who)
        events = self.live.stream(view, require_still, self._ending)
        return Streamed(events, SILENT, leave=leave, ending=self._ending)

    async def made(self, who: Visitor, asked: list[str]) -> Answered:
        """What a long reading makes, in a process of its own. Raises Busy, TooLong."""
        terminal = {"SABOT_LANGUAGE": who.language, "NO_COLOR": "1"}
        run = Asked(fresh_id(), asked, terminal=terminal, columns=120)
        return await self.house.run(who.caller, run)

    def not_done(
        self,
        request: Request,
        who: Visitor,
        status: int,
        reply: Reply,
        then: str = "/",
        heading: str | None = None,
    ) -> Response:
        """The page of a refusal, and where one goes on; `reply`: why, and what to do.

        `heading`: another one than that of the status.
        """
        heading = heading or words.NOT_DONE.get(status, words.NOTHING_DONE)
        return self.page(
            request, who, "reply.html", status,
            reply=reply, then=then, heading=heading,
        )  # fmt: skip

    def _printed(self) -> tuple[str, str, str]:
        """What the head of a page on paper says of the house and of the moment, and its zone."""
        house = self.house.settings
        zone = house.zone if house else "UTC"
        now = clock.wall_clock().astimezone(ZoneInfo(zone))
        return house.name if house else words.SABOT, language.moment(now), zone

    def page(
        self, request: Request, who: Visitor, template: str, status: int = 200, **values: Any
    ) -> Response:
        """A page from its template.

        One that answers a form has the address at which one goes on, `then`: to load it again, or
        to come back to it, sends nothing again.
        """
        path, query = request.url.path, request.url.query
        answers = request.method == "POST"
        nav = [
            Link(href, name, path == href or (href != "/" and path.startswith(f"{href}/")))
            for href, name in nav_of(who.rights)
        ]
        content = html(
            template,
            **{"reply": None, "counted": None, "visitor": who, "nav": nav, "fresh_id": fresh_id}
            | {"above": list_above(path)}
            | {"here": f"{path}?{query}" if query else path, "printed": self._printed()}
            | {"address": values.get("then", "/") if answers else ""}
            | values,
        )
        return HTMLResponse(content, status)


def id_of_form(form: Mapping[str, str]) -> str:
    """The id of a form, under which it counts once however often it is sent."""
    sent = form.get("id", "")
    return sent if _ID.fullmatch(sent) else fresh_id()


def words_made(answer: Answered) -> str:
    """What a reading printed, or why it was refused."""
    text = (answer.err if answer.status else answer.out).strip() or answer.out.strip()
    return as_fields(_NAME_OF_ERROR.sub("", text)) if answer.status else text


def as_fields(refusal: str) -> str:
    """A refusal with the form's fields where a shell has options: `--as-of` is *As of*."""

    def field(option: re.Match[str]) -> str:
        name = option["quoted"] or option["name"] or ""
        label = _FIELDS.get(name.replace("-", "_"))
        return f"{language.shown(label)}{option['value'] or ''}" if label else option[0]

    return _OPTION.sub(field, refusal)
