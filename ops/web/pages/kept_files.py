"""What the pages of incidents, inquiries and cases of money laundering do in one way.

Each has a list with a form that opens one, a page with a form for each thing that may be done next,
and a pack.
"""

from collections.abc import Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from ops.web.pages import acts
from ops.web.pages.desk import Desk
from ops.web.pages.forms import exported, read_form
from ops.web.pages.visitor import Visitor

Form = Mapping[str, str]
OPEN = "open"  # the act that has no file yet


class KeptFiles(Struct, frozen=True):
    """One kind of such files; `noun`: of its commands, `name`: the field that has its number."""

    page: str
    noun: str
    name: str
    fields: Mapping[str, tuple[str, ...]]  # what a form may send to each command
    flags: tuple[str, ...] = ()
    several: tuple[str, ...] = ()  # several in one field, with commas between
    of_numbers: tuple[str, ...] = ()  # several numbers, as people part them
    one_each: tuple[str, ...] = ()  # several at a shell, one in a form

    async def open(self, desk: Desk, request: Request, who: Visitor) -> Response:
        """Begins one."""
        form = await read_form(request)
        asked = acts.read(f"{self.noun}.{OPEN}", self._typed(form, OPEN), form, who)
        return await acts.done_or_signed(desk, request, who, asked, form, self.page, self.name)

    async def act(self, desk: Desk, request: Request, who: Visitor) -> Response:
        """What a form of the page asks for."""
        name, act = request.path_params[self.name], request.path_params["act"]
        form = await read_form(request)
        if act not in self.fields or act == OPEN:
            raise NotFound(what=f"`{self.noun} {act}`")

        typed = {self.name: name, **self._typed(form, act)}
        asked = acts.read(f"{self.noun}.{act}", typed, form, who)
        here = f"{self.page}/{name}"
        return await acts.done_or_signed(desk, request, who, asked, form, here)

    async def export(self, desk: Desk, request: Request, who: Visitor) -> Response:
        """The pack of one; that it was made is recorded."""
        name = request.path_params[self.name]
        return await exported(desk, request, who, self.noun, name, f"{self.page}/{name}")

    def _typed(self, form: Form, act: str) -> dict[str, object]:
        """The fields of a form as they are typed at a shell, where some are lists."""
        sent = acts.given(form, *self.fields[act])
        return {name: self._value(name, text) for name, text in sent.items()}

    def _value(self, name: str, text: str) -> object:
        if name in self.flags:
            return True
        if name in self.several:
            return tuple(filter(None, map(str.strip, text.split(","))))
        if name in self.of_numbers:
            return tuple(text.replace("#", " ").replace(",", " ").split())
        return (text,) if name in self.one_each else text
