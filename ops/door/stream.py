r"""Reads a stream of server-sent events as it comes.

>>> lines = [b": sign of life\n", b"id: 7\n", b"event: seen\n", b'data: {"read": 7}\n', b"\n"]
>>> list(signs_of(lines))
[(0, 'beat', ''), (7, 'seen', '{"read": 7}')]
"""

from collections.abc import Iterable, Iterator

BEAT = "beat"  # a sign of life


def signs_of(answer: Iterable[bytes]) -> Iterator[tuple[int, str, str]]:
    """Its events, and signs of life in between: number, kind and data."""
    number, kind = 0, ""
    for raw in answer:
        name, _, value = raw.decode().rstrip("\r\n").partition(": ")
        if raw.startswith(b":"):
            yield 0, BEAT, ""
        elif name == "id":
            number = int(value)
        elif name == "event":
            kind = value
        elif name == "data":
            yield number, kind, value
