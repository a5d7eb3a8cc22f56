r"""Follows a stream of server-sent events as it comes.

>>> lines = [b": sign of life\n", b"id: 7\n", b"event: seen\n", b'data: {"read": 7}\n', b"\n"]
>>> list(signs_of(lines))
[('beat', ''), ('seen', '{"read": 7}')]
"""

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from ops.door.connection import Connection

SILENCE = 4.0  # seconds: the server gives a sign of life each second
AGAIN = 0.3  # seconds between two tries to open a stream
OPEN = "open"  # the server lets this terminal in
BEAT = "beat"  # a sign of life


class TurnedAway(Exception):
    """The house does not let this terminal in, or ended its stream; the text says why."""


def followed(connection: Connection, target: str) -> Iterator[tuple[str, str]]:
    """Yields the kind and data of each event of a stream, `OPEN` first, until it breaks.

    Raises TurnedAway, and OSError or HTTPException where the server is away.
    """
    with connection.stream(target, SILENCE) as answer:
        if answer.status != HTTPStatus.OK:
            words = str(object_of(answer.read()).get("message", answer.status))
            at_fault = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            raise (OSError if at_fault else TurnedAway)(words)
        yield OPEN, ""
        for kind, text in signs_of(answer):
            if kind == "ended":
                raise TurnedAway(text)
            yield kind, text


def signs_of(answer: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yields the kind and data of each event; a comment is a sign of life, `BEAT`."""
    kind = ""
    for raw in answer:
        name, _, value = raw.decode().rstrip("\r\n").partition(": ")
        if raw.startswith(b":"):
            yield BEAT, ""
        elif name == "event":
            kind = value
        elif name == "data":
            yield kind, value


def object_of(content: bytes) -> Mapping[str, Any]:
    """The JSON object in an answer, or {} if there is none."""
    try:
        read = msgspec.json.decode(content)
    except msgspec.MsgspecError:
        return {}
    return read if isinstance(read, Mapping) else {}
