"""How the things of the floor are written, and the stream that holds each one's events.

>>> coup = Coup.parse("B01/2026-11-21/2/17")
>>> str(coup.shoe), coup.number, coup.shoe.table_day.day.isoformat()
('B01/2026-11-21/2', 17, '2026-11-21')
>>> stream_id("coup", str(coup), coup.shoe.table_day.day)
UUID('01a1fb67-1800-81b4-a602-de52bd4bd866')
>>> Coup.parse("B01/17")
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: coup cannot be 'B01/17': write table/day/shoe/coup, as in \
B01/2026-11-21/1/17.
"""

import hashlib
import re
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from uuid import UUID

from msgspec import Struct

from domain.rules.refusals import BadValue

_TABLE = r"[A-Za-z0-9][A-Za-z0-9_-]{0,15}"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NUMBER = r"[1-9][0-9]{0,5}"
TABLE_CODE = re.compile(_TABLE)
_HYPHENATED = ("re-adjudication",)  # words of an alert's kind that keep their hyphen


class TableDay(Struct, frozen=True):
    """One table on one gaming day: `B01/2026-11-21`."""

    table: str
    day: date

    def __str__(self) -> str:
        return f"{self.table}/{self.day.isoformat()}"

    @classmethod
    def parse(cls, text: str) -> "TableDay":
        """Refuses: BadValue."""
        found = _read(rf"({_TABLE})/({_DAY})", text, "table day", "table/day, as in B01/2026-11-21")
        return cls(found[1], parse_day(found[2]))


class Shoe(Struct, frozen=True):
    """The shoes of a table day are numbered from 1: `B01/2026-11-21/2`."""

    table_day: TableDay
    number: int

    def __str__(self) -> str:
        return f"{self.table_day}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> "Shoe":
        """Refuses: BadValue."""
        written = "table/day/shoe, as in B01/2026-11-21/1"
        found = _read(rf"({_TABLE}/{_DAY})/({_NUMBER})", text, "shoe", written)
        return cls(TableDay.parse(found[1]), int(found[2]))


class Coup(Struct, frozen=True):
    """The coups of a shoe are numbered from 1: `B01/2026-11-21/2/17`."""

    shoe: Shoe
    number: int

    def __str__(self) -> str:
        return f"{self.shoe}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> "Coup":
        """Refuses: BadValue."""
        written = "table/day/shoe/coup, as in B01/2026-11-21/1/17"
        found = _read(rf"({_TABLE}/{_DAY}/{_NUMBER})/({_NUMBER})", text, "coup", written)
        return cls(Shoe.parse(found[1]), int(found[2]))


class Receipt(Struct, frozen=True):
    """The receipts of a stay are numbered from 1: `B01/2026-11-21/stay-3/receipt-2`."""

    table_day: TableDay
    stay_number: int
    number: int

    def __str__(self) -> str:
        return f"{self.stay}/receipt-{self.number}"

    @property
    def stay(self) -> str:
        """Whose receipt it is: `B01/2026-11-21/stay-3`."""
        return f"{self.table_day}/stay-{self.stay_number}"

    @classmethod
    def parse(cls, text: str) -> "Receipt":
        """Refuses: BadValue."""
        written = "table/day/stay/receipt, as in B01/2026-11-21/stay-3/receipt-2"
        pattern = rf"({_TABLE}/{_DAY})/stay-({_NUMBER})/receipt-({_NUMBER})"
        found = _read(pattern, text, "receipt", written)
        return cls(TableDay.parse(found[1]), int(found[2]), int(found[3]))


class Case(Struct, frozen=True):
    """The disputes of a year are numbered from 1: `C-2026-0007`."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"C-{self.year}-{self.number:04}"

    @classmethod
    def parse(cls, text: str) -> "Case":
        """Refuses: BadValue."""
        written = "C-year-number, as in C-2026-0007"
        number = r"(?!0000)[0-9]{4}|[1-9][0-9]{4,5}"
        found = _read(rf"C-([1-9][0-9]{{3}})-({number})", text, "case", written)
        return cls(int(found[1]), int(found[2]))


class Alert(Struct, frozen=True):
    """Its kind, and the position of the event since which it holds: `late-bet/48213`."""

    kind: str  # in words, as in `late bet`
    position: int

    def __str__(self) -> str:
        return f"{self.kind.replace(' ', '-')}/{self.position}"

    @classmethod
    def parse(cls, text: str) -> "Alert":
        """Refuses: BadValue."""
        written = "kind/position, as in late-bet/48213"
        found = _read(r"([a-z]+(?:-[a-z]+)*)/([1-9][0-9]{0,17})", text, "alert", written)
        kind = found[1].replace("-", " ")
        for word in _HYPHENATED:
            kind = kind.replace(word.replace("-", " "), word)
        return cls(kind, int(found[2]))


def _read(pattern: str, text: str, field: str, written: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    if not found:
        raise BadValue(field=field, value=repr(text), why=f"write {written}")
    return found


@lru_cache(maxsize=512)
def parse_day(text: str) -> date:
    """A gaming day as YYYY-MM-DD, of a year that a casino may be in. Refuses: BadValue."""
    with suppress(ValueError):
        if re.fullmatch(_DAY, text) and "1970" < text < "2200":
            return date.fromisoformat(text)
    raise BadValue(field="day", value=repr(text), why="write YYYY-MM-DD, as in 2026-11-21")


@lru_cache(maxsize=8192)
def stream_id(kind: str, address: str, day: date | None = None) -> UUID:
    """The stream of one thing: sorts by gaming day, and the same address is the same stream.

    48 bits of the day at 00:00 UTC in milliseconds (zeros for what has no day), then a hash
    of kind and address, laid out as RFC 9562 asks of version 8.
    """
    begins = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() if day else 0
    hashed = int.from_bytes(hashlib.sha256(f"{kind}:{address}".encode()).digest()[:10])
    layout = int(begins * 1000) << 80 | hashed
    return UUID(int=layout & ~(0xF << 76) & ~(0b11 << 62) | 0x8 << 76 | 0b10 << 62)
