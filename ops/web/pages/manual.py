"""The manual in the browser: its topics, each as a page, and a search through all of them."""

from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from ops.manual.sections import search
from ops.manual.topics import topic, topics
from ops.web.pages.desk import Desk
from ops.web.pages.markdown import page_of
from ops.web.pages.visitor import Visitor


async def list_topics(desk: Desk, request: Request, who: Visitor) -> Response:
    """Every topic, or the sections that have what is looked for."""
    text = request.query_params.get("words", "").strip()[:100]
    return desk.page(
        request, who, "manual.html", topics=topics(), words=text, sections=search(text)
    )


async def show_topic(desk: Desk, request: Request, who: Visitor) -> Response:
    """One topic."""
    name = request.path_params["topic"]
    page = topic(name)
    if page is None:
        raise NotFound(what=f"topic {name} in the manual")
    return desk.page(request, who, "topic.html", topic=page, page=page_of(page))
