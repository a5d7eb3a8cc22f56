"""The addresses of tables, shoes, coups and so on, and the stream of each one's events.

>>> coup = Coup.parse("B01/2026-11-21/2/17")
>>> str(coup.shoe), coup.number, coup.shoe.table_day.day.isoformat()
('B01/2026-11-21/2', 17, '2026-11-21')
>>> stream_id("coup", str(coup), coup.shoe.table_day.day)
UUID('01a1fb67-1800-81b4-a602-de52bd4bd866')
>>> Coup.parse("B01/17")
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: coup cannot be 'B01/17': write table/day/shoe/coup, as in \
`B01/2026-11-21/1/17`.
"""

import hashlib
import re
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import ClassVar, Self
from uuid import UUID

from msgspec import Struct

from domain.rules.refusals import BadValue
from domain.rules.wording import N_, Words

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
        written = N_("write table/day, as in `B01/2026-11-21`")
        parts = _read(rf"({_TABLE})/({_DAY})", text, "table day", written)
        return cls(parts[1], parse_day(parts[2]))


class Shoe(Struct, frozen=True):
    """The shoes of a table day are numbered from 1: `B01/2026-11-21/2`."""

    table_day: TableDay
    number: int

    def __str__(self) -> str:
        return f"{self.table_day}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> "Shoe":
        """Refuses: BadValue."""
        written = N_("write table/day/shoe, as in `B01/2026-11-21/1`")
        parts = _read(rf"({_TABLE}/{_DAY})/({_NUMBER})", text, "shoe", written)
        return cls(TableDay.parse(parts[1]), int(parts[2]))


class Coup(Struct, frozen=True):
    """The coups of a shoe are numbered from 1: `B01/2026-11-21/2/17`."""

    shoe: Shoe
    number: int

    def __str__(self) -> str:
        return f"{self.shoe}/{self.number}"

    @classmethod
    def parse(cls, text: str) -> "Coup":
        """Refuses: BadValue."""
        written = N_("write table/day/shoe/coup, as in `B01/2026-11-21/1/17`")
        parts = _read(rf"({_TABLE}/{_DAY}/{_NUMBER})/({_NUMBER})", text, "coup", written)
        return cls(Shoe.parse(parts[1]), int(parts[2]))


class Receipt(Struct, frozen=True):
    """The receipts of a stay are numbered from 1: `B01/2026-11-21/stay-3/receipt-2`."""

    table_day: TableDay
    stay_number: int
    number: int

    def __str__(self) -> str:
        return f"{self.stay}/receipt-{self.number}"

    @property
    def stay(self) -> str:
        """The stay that the receipt is for: `B01/2026-11-21/stay-3`."""
        return f"{self.table_day}/stay-{self.stay_number}"

    @classmethod
    def parse(cls, text: str) -> "Receipt":
        """Refuses: BadValue."""
        written = N_("write table/day/stay/receipt, as in `B01/2026-11-21/stay-3/receipt-2`")
        pattern = rf"({_TABLE}/{_DAY})/stay-({_NUMBER})/receipt-({_NUMBER})"
        parts = _read(pattern, text, "receipt", written)
        return cls(TableDay.parse(parts[1]), int(parts[2]), int(parts[3]))


class Form(Struct, frozen=True):
    """The forms of a year, numbered from 1 in each series: `UV-2026-000001`, `VR-2026-000001`."""

    series: str  # UV: Uncollected Vigorish; VR: Vigorish Recovery; JP: jackpot, paid by a meter
    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.series}-{self.year}-{self.number:06}"

    @classmethod
    def parse(cls, text: str) -> "Form":
        """Refuses: BadValue."""
        written = N_("write its number as printed, as in `UV-2026-000001`")
        number = r"(?!000000)[0-9]{6}|[1-9][0-9]{6}"
        parts = _read(rf"(UV|VR|JP)-([1-9][0-9]{{3}})-({number})", text, "form", written)
        return cls(parts[1], int(parts[2]), int(parts[3]))


class _OfYear(Struct, frozen=True):
    """What is numbered from 1 in each year, after a letter."""

    LETTER: ClassVar[str]
    WHAT: ClassVar[str]
    WRITTEN: ClassVar[str]

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.LETTER}-{self.year}-{self.number:04}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Refuses: BadValue."""
        number = r"(?!0000)[0-9]{4}|[1-9][0-9]{4,5}"
        pattern = rf"{cls.LETTER}-([1-9][0-9]{{3}})-({number})"
        parts = _read(pattern, text, cls.WHAT, cls.WRITTEN)
        return cls(int(parts[1]), int(parts[2]))


class Case(_OfYear, frozen=True):
    """The disputes of a year are numbered from 1: `C-2026-0007`."""

    LETTER, WHAT = "C", "case"
    WRITTEN = N_("write C-year-number, as in `C-2026-0007`")


class Inquiry(_OfYear, frozen=True):
    """The inquiries of a year are numbered from 1: `I-2026-0003`."""

    LETTER, WHAT = "I", "inquiry"
    WRITTEN = N_("write I-year-number, as in `I-2026-0003`")


class Incident(_OfYear, frozen=True):
    """The incidents of a year are numbered from 1: `IR-2026-0012`."""

    LETTER, WHAT = "IR", "incident"
    WRITTEN = N_("write IR-year-number, as in `IR-2026-0012`")


class AmlCase(_OfYear, frozen=True):
    """The cases of money laundering of a year are numbered from 1: `AML-2026-0004`."""

    LETTER, WHAT = "AML", "aml_case"
    WRITTEN = N_("write AML-year-number, as in `AML-2026-0004`")


class Alert(Struct, frozen=True):
    """An alert's kind, and the position of the event that began it: `late-bet/48213`."""

    kind: str  # in words, as in `late bet`
    position: int

    def __str__(self) -> str:
        return f"{self.kind.replace(' ', '-')}/{self.position}"

    @classmethod
    def parse(cls, text: str) -> "Alert":
        """Refuses: BadValue."""
        written = N_("write kind/position, as in `late-bet/48213`")
        parts = _read(r"([a-z]+(?:-[a-z]+)*)/([1-9][0-9]{0,17})", text, "alert", written)
        kind = parts[1].replace("-", " ")
        for word in _HYPHENATED:
            kind = kind.replace(word.replace("-", " "), word)
        return cls(kind, int(parts[2]))


def kind_of_alert(text: str) -> str:
    """The kind of an alert, in words, of whatever somebody wrote as its address.

    >>> kind_of_alert("late-bet/48213"), kind_of_alert("late-bet/48213+")
    ('late bet', 'late bet')
    """
    return text.partition("/")[0].replace("-", " ")


def day_of_stay(stay: str) -> TableDay:
    """The table day on which a stay began: of `B01/2026-11-21/stay-3`, `B01/2026-11-21`."""
    return TableDay.parse(stay.rpartition("/")[0])


@lru_cache(maxsize=4096)
def _read(pattern: str, text: str, field: str, written: str) -> re.Match[str]:
    match = re.fullmatch(pattern, text)
    if not match:
        raise BadValue(field=field, value=repr(text), why=Words(written))
    return match


@lru_cache(maxsize=512)
def parse_day(text: str) -> date:
    """A gaming day written YYYY-MM-DD, from 1970 to 2199. Refuses: BadValue."""
    with suppress(ValueError):
        if re.fullmatch(_DAY, text) and "1970" < text < "2200":
            return date.fromisoformat(text)
    raise BadValue(field="day", value=repr(text), why=Words("write YYYY-MM-DD, as in `2026-11-21`"))


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
