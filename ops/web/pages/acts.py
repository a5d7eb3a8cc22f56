"""What the forms of pages do: a line each, which a second person signs if two have to."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from domain.rules.refusals import NotPermitted, Refusal, WrongPin
from domain.rules.wording import Words
from ops.commands.casino import house_of
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.for_two import answer_for_two
from ops.handlers.to_sign import ToSign
from ops.typed.shell import line_of, with_forms
from ops.web.callers import Caller
from ops.web.lines import Lines
from ops.web.pages.desk import Desk, Reply, id_of_form
from ops.web.pages.visitor import Visitor
from ops.words import pages
from ops.words.language import shown

_OF_SIGNING = ("id", "pin", "seen")  # fields of a form that the page for the signature has anew


class _Unsigned(Exception):
    """The second person has not read and signed this yet."""

    def __init__(self, second: str, to_sign: ToSign) -> None:
        super().__init__()
        self.second, self.to_sign = second, to_sign


class NotDone(Exception):
    """What a form asked for was refused, by a `rule` if there is one; one goes on at `then`."""

    def __init__(self, why: Words | str, rule: str, status: int, then: str) -> None:
        super().__init__(why)
        self.why, self.rule, self.status, self.then = why, rule, status, then


class Signed(Struct, frozen=True):
    """What a second person typed on the page for the signature, and the mark of what it showed."""

    pin: str = ""
    seen: str = ""


class Form(Struct, frozen=True):
    """The command of a form, its fields as typed at a shell, and what signs it."""

    command: str
    typed: Mapping[str, Any]
    id: str = ""
    signed: Signed = Signed()


def given(form: Mapping[str, str], *names: str) -> dict[str, str]:
    """The fields of a form that are not empty."""
    return {name: form[name].strip() for name in names if form.get(name, "").strip()}


def read(command: str, typed: Mapping[str, Any], form: Mapping[str, str], who: Visitor) -> Form:
    """A form's command; in open house it has the number of whoever acts."""
    by = {"by": who.number} if who.open_house and who.number else {}
    signed = Signed(form.get("pin", ""), form.get("seen", ""))
    return Form(command, {**typed, **by, **given(form, "with")}, id_of_form(form), signed)


def done(lines: Lines, caller: Caller, form: Form) -> Answer | _Unsigned:
    """The answer to a form, on disk; or what a second person has to read and sign first.

    Raises TooManyRefused, LedgerLost, OutcomeUnknown.
    """
    return lines.use(caller, lambda dispatcher: _answer(dispatcher, form))


def _answer(dispatcher: Dispatcher, form: Form) -> Answer | _Unsigned:
    def pin_of(second: str, to_sign: ToSign) -> str:
        if not form.signed.pin or form.signed.seen != to_sign.mark:
            raise _Unsigned(second, to_sign)
        return form.signed.pin

    try:
        house = dispatcher.casino.ask(lambda: house_of(dispatcher.casino))
        line = line_of(form.command, dict(form.typed), house)
    except Refusal as refusal:  # it never became a line
        return refused({"command": form.command}, refusal)
    try:
        return answer_for_two(dispatcher, {**line, "id": form.id}, pin_of)
    except _Unsigned as unsigned:
        return unsigned


async def act(
    desk: Desk, request: Request, who: Visitor, form: Form, fields: Mapping[str, str], then: str
) -> Answer | Response:
    """What a form did; or the page on which the second person reads and signs it.

    After a wrong PIN that page says so, and asks again. `fields`: of the form, for that page.
    """
    lines, caller = desk.house.lines, who.caller
    answer = await desk.in_thread(lambda: done(lines, caller, form))
    refusal = None
    if isinstance(answer, Answer) and not answer.ok and form.signed.pin:
        unsigned = Form(form.command, form.typed, id_of_form({}))
        again = await desk.in_thread(lambda: done(lines, caller, unsigned))
        if isinstance(again, _Unsigned):
            refusal, answer = _asked_again(answer, again.second), again
    if isinstance(answer, Answer):
        return answer
    return desk.page(
        request, who, "sign.html", 422 if refusal else 200, reply=refusal,
        to_sign=answer.to_sign, question=Words("PIN of {staff}", staff=answer.second),
        action=request.url.path, then=then,
        fields={name: each for name, each in fields.items() if name not in _OF_SIGNING},
    )  # fmt: skip


def _asked_again(answer: Answer, second: str) -> Reply:
    """Why somebody's PIN did not sign; it alone was typed, so it alone is to be typed again."""
    if answer.error == WrongPin.__name__:
        return Reply("refused", shown(Words(pages.NOT_THEIR_PIN, staff=second)))
    return reply_of(answer)


def go_on(answer: Answer | Response, then: str) -> Response:
    """Where to go on after an act. Raises NotDone: the form comes again, with why."""
    if isinstance(answer, Response):
        return answer
    if answer.ok:
        return RedirectResponse(then, 303)
    raise NotDone(answer.words, answer.rule or "", status_of(answer), then)


async def done_or_signed(
    desk: Desk,
    request: Request,
    who: Visitor,
    form: Form,
    fields: Mapping[str, str],
    here: str,
    opens: str = "",
) -> Response:
    """What a form asks for is done, and one goes on `here`, or to the page of what it opened.

    `opens`: the field of the answer that has the number of what was opened. Raises NotDone.
    """
    answer = await act(desk, request, who, form, fields, here)
    opened = answer.body.get(opens, "") if opens and isinstance(answer, Answer) else ""
    return go_on(answer, f"{here}/{opened}" if opened else here)


def reply_of(answer: Answer) -> Reply:
    """The refusal, with its rule."""
    return Reply("refused", with_forms(answer.reason), answer.rule or "")


def status_of(answer: Answer) -> int:
    """The status of a refusal's page."""
    return 403 if answer.error == NotPermitted.__name__ else 422
