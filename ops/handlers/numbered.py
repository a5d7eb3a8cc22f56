"""The lines of a device, each with the next number: none is taken twice, and a gap is recorded.

A line without an `id` has one made of the device, its key and its number. So the same line, sent
again under its number, is answered as it was.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from domain.rules.refusals import MissingField, NumberReused, Reading
from ops.commands.command import TableCode
from ops.commands.read import Line, read
from ops.commands.signed_on import Token
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import content_of
from ops.handlers.several import Heard, dispatch_several
from ops.ledger import device_lines

T = TypeVar("T")
FIELD = "device_n"


def taken(
    dispatcher: Dispatcher,
    lines: Sequence[Line],
    *,
    until_refused: bool = False,
    heard: Heard = lambda _: None,
) -> Iterator[Answer]:
    """The answers to lines, a device's by their numbers; see `dispatch_several`."""
    authority = dispatcher.authority
    by_device = bool(lines) and bool(authority.token.key)
    if not (by_device and _patiently(dispatcher, authority.house_is_closed)):
        named = [_named(each, authority.token) for each in lines] if by_device else lines
        yield from dispatch_several(dispatcher, named, until_refused=until_refused, heard=heard)
        return
    for answer in _numbered(dispatcher, lines, heard):
        yield answer
        if until_refused and not answer.ok:
            return


def _numbered(dispatcher: Dispatcher, lines: Sequence[Line], heard: Heard) -> Iterator[Answer]:
    """Decides lines whose numbers are next together, others one by one."""
    device, casino = dispatcher.authority.token, dispatcher.casino
    highest = max((_number(line) or 0 for line in lines), default=0)
    named = (device.staff, device.key, highest, _digest_of(lines))
    noted = _patiently(dispatcher, lambda: device_lines.note(casino.ledger, *named))
    last, waiting, fresh = noted.last, list[Line](), set[str]()

    def decided() -> Iterator[Answer]:
        yield from dispatch_several(dispatcher, waiting, heard=heard)
        waiting.clear()
        fresh.clear()

    for each in lines:
        n, line = _number(each), _named(each, device)
        if n is not None and n <= last:
            if not noted.again and str(line["id"]) in fresh:
                yield from decided()
            if noted.again or _is_on_record(dispatcher, line):
                waiting.append(line)  # which is answered as it was
                continue
            yield from decided()
            yield _of_an_old_number(dispatcher, line, n, last)
            continue
        if n != last + 1:
            yield from decided()
        if FIELD not in line:
            yield refused(line, MissingField(command=line.get("command", "A line"), field=FIELD))
        elif n is None:
            yield dispatcher.dispatch(line)  # which refuses the number in words
        else:
            if n > last + 1:
                _record_missing(dispatcher, last + 1, n - 1, line)
            waiting.append(line)
            fresh.add(str(line["id"]))
            last = n
    yield from decided()


def _is_on_record(dispatcher: Dispatcher, line: Line) -> bool:
    ledger = dispatcher.casino.ledger
    return _patiently(dispatcher, lambda: ledger.answered(str(line["id"]), content_of(line)))


def _of_an_old_number(dispatcher: Dispatcher, line: Line, n: int, last: int) -> Answer:
    """The refusal of a line of which nothing is on record, and whose number is not new."""
    try:
        read(line, dispatcher.commands)  # nothing was kept of it, if it was refused as this
    except Reading as refusal:
        return refused(line, refusal)
    device = dispatcher.authority.token.staff
    return refused(line, NumberReused(n=n, device=device, next=last + 1))


def _record_missing(dispatcher: Dispatcher, first: int, last: int, line: Line) -> None:
    """Records that these lines did not arrive, once."""
    device = dispatcher.authority.token
    missing = {
        "command": "device.lines-missing",
        "id": f"missing:{_id(device, first)}-{last}",
        "by": device.staff,
        "of": device.staff,
        "first": first,
        "last": last,
    }
    with suppress(msgspec.ValidationError):  # the line itself is refused for such a table
        missing["at_table"] = msgspec.convert(line.get("table"), TableCode)
    answer = dispatcher.for_own_commands().dispatch(missing)
    assert answer.ok, answer


def _patiently(dispatcher: Dispatcher, question: Callable[[], T]) -> T:
    """The answer to a question that records nothing, as soon as the ledger is there."""
    return dispatcher.patiently(lambda: dispatcher.casino.ask(question))


def _number(line: Line) -> int | None:
    n = line.get(FIELD)
    usable = isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 2**53
    return n if usable else None


def _named(line: Line, device: Token) -> Line:
    """The line, with an id of its number if it has none."""
    n = _number(line)
    return line if n is None or line.get("id") is not None else {**line, "id": _id(device, n)}


def _id(device: Token, n: int) -> str:
    return device_lines.line_id(device.staff, device.key, n)


def _digest_of(lines: Sequence[Line]) -> str:
    return hashlib.sha256(msgspec.json.encode(lines, order="deterministic")).hexdigest()
