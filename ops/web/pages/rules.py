"""A rule of play by its number."""

from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from domain.rules.rulebook import RULEBOOK
from domain.rules.wording import Words
from ops.web.pages.desk import Desk
from ops.web.pages.visitor import Visitor


async def show_rule(desk: Desk, request: Request, who: Visitor) -> Response:
    """A rule by its number."""
    number = request.path_params["rule"]
    if number not in RULEBOOK:
        raise NotFound(what=Words("rule {number}", number=number))
    return desk.page(request, who, "rule.html", rule=RULEBOOK[number])
