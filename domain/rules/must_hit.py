"""The point at which a meter must be won, fixed before and shown when it is reached (R-PROG-6).

A secret of 32 random bytes fixes the point. Its SHA-256 is recorded before, the secret itself when
the point is reached. Who has both computes the point with any calculator.

>>> fixed = Point("00" * 31 + "07", lowest=1_000_00, highest=5_000_00)
>>> fixed.amount
100007
>>> fixed.commitment[:16]
'48428bdb7ddd8294'
"""

import hashlib
from fractions import Fraction
from typing import Any, Self

from msgspec import Struct


class Point(Struct, frozen=True):
    """The amount at which a meter must be won: any from `lowest` to `highest`, in minor units."""

    secret: str  # 32 bytes in hex
    lowest: int
    highest: int

    @property
    def amount(self) -> int:
        """The point: the secret as a number, divided by the many amounts; what is left counts."""
        return self.lowest + int(self.secret, 16) % (self.highest - self.lowest + 1)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret's bytes, in hex."""
        return hashlib.sha256(bytes.fromhex(self.secret)).hexdigest()


class Standing(Struct, frozen=True):
    """What a meter stands at when it pays a coup, and the point that it reaches with it, if any."""

    amount: Fraction
    reached: Point | None = None

    @classmethod
    def of(cls, event: Any) -> Self:
        """What an event of a meter says that it stood at."""
        point = Point(event.secret, event.lowest, event.highest) if event.secret else None
        return cls(Fraction(event.stood), point)
