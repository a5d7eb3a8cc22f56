"""An electronic table for whoever watches on a telephone: no sign-on, no names, and no bets."""

from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.web.pages import play
from ops.web.pages.desk import Desk
from ops.web.pages.floor import Floor
from ops.web.pages.live import Drawn, Pieces, View
from ops.web.pages.visitor import Visitor
from ops.web.pages.wall import limits_of, of_table
from ops.words.language import reading

NOBODY = 0  # a seat that no table has
PARTS = ("play-lost", "play-state", "play-shoe", "play-hands", "play-road", "play-meters")


async def show_watch(desk: Desk, request: Request, who: Visitor) -> Response:
    """The page; for electronic tables only, where no dealer looks after the patrons' display."""
    table = request.path_params["table"]
    now = (await desk.floor()).tables.get(table)
    if now is None or now.rules is None or not now.rules.accounts:
        raise NotFound(what=Words("electronic table {table}", table=table))
    view, limits = view_of(who.language, table), limits_of(now)
    return await desk.going_on(request, who, "watch.html", view, table=table, limits=limits)


async def follow_watch(desk: Desk, request: Request, who: Visitor) -> Response:
    """What changes on it."""
    view = view_of(who.language, request.path_params["table"])
    return await desk.stream_to_anybody(view, request)


def view_of(language: str, table: str) -> View:
    """The page, for all who watch the table."""

    def draw(floor: Floor, _: Pieces) -> Drawn:
        with reading(language):
            drawn = play.drawn(floor, table, NOBODY)
        return Drawn({name: drawn.parts[name] for name in PARTS if name in drawn.parts})

    return View(("watch", language, table), draw, of_table(table))
