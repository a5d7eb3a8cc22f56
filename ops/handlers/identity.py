"""By which a line is known again: its id, and the digest of what it says."""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count

import msgspec

from ops.commands.read import Line
from ops.commands.vocabulary import PERSONAL
from ops.door.fresh_id import fresh_id
from ops.ledger.pepper import derived_key


def content_of(line: Line) -> bytes:
    """The digest by which the same line is recognised, also under another number of a device.

    It is on record. So that of a line about a person is made with the house's key: nobody can try
    out what was in it.
    """
    if "device_n" in line:
        line = {name: value for name, value in line.items() if name != "device_n"}
    line_as_json = msgspec.json.encode(line, order="deterministic")
    if str(line.get("command")) in PERSONAL:
        return hmac.digest(derived_key(b"lines about a person", anew=True), line_as_json, "sha256")
    return hashlib.sha256(line_as_json).digest()


_numbered: Iterator[str] | None = None  # ids for lines without one; None: random ones


def number_from(first: str) -> None:
    """From now on, in this process, lines without an id get this one; later ones with a number.

    So that a whole command of the shell can be run again, and counts once.
    """
    global _numbered  # noqa: PLW0603  (of the process)
    _numbered = (first if n == 1 else f"{first}:{n}" for n in count(1))


def is_numbered() -> bool:
    """Whether a terminal sent this process its command, which the terminal can repeat."""
    return _numbered is not None


def id_of(line: Line) -> str:
    """The sender's id, or a new one, so that our own retries count once too."""
    given = line.get("id")
    usable = isinstance(given, str) and 0 < len(given) <= 200 and "\x00" not in given
    if usable:
        return str(given)
    return next(_numbered) if _numbered else f"sabot:{fresh_id()}"
