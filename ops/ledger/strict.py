"""Facts for those who trust nobody: whole and of the right kinds, or told as unreadable.

Whoever decides may trust the record, which the chain protects; whoever examines it may not.
"""

from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import asdict

from domain.rules.cards import DECK
from domain.rules.refusals import SENSELESS
from domain.rules.spots import SPOTS
from ops.ledger.mapper import LIBRARY_FIELDS, UnknownFact, decoded, facts_of


class NotWhole(ValueError):
    """The fact lacks a field, or has one of another kind: {why}."""

    def __init__(self, why: str) -> None:
        super().__init__((type(self).__doc__ or "").format(why=why))
        self.why = why


def whole(topic: str, stored: bytes) -> Any:
    """The fact as the domain knows it, out of its stream. Raises UnknownFact, NotWhole."""
    try:
        kind, told = _newest(topic, stored) or _upcast(topic, stored)
    except UnknownFact:
        raise
    except SENSELESS as error:
        raise NotWhole(str(error)) from None
    fact = object.__new__(kind)
    fact.__dict__.update(told)
    return fact


@dataclass(frozen=True)
class _Kind:
    """How facts of one topic are read when they are of the newest version."""

    fact: Any
    version: int
    decoder: msgspec.json.Decoder[Any]
    shape: type[msgspec.Struct]


@cache
def _kind(topic: str) -> _Kind:
    """Raises UnknownFact."""
    fact = facts_of(topic.partition(".")[0]).get(topic)
    if fact is None:
        raise UnknownFact(topic)
    own = [
        (each.name, _type(topic, each.name, each.type))
        for each in fields(fact)
        if each.name not in LIBRARY_FIELDS
    ]
    shape = msgspec.defstruct(
        "Shape", [("timestamp", datetime), *own, ("class_version", int, 1)], rename=_STORED.get
    )
    version = getattr(fact, "class_version", 1)
    return _Kind(fact, version, msgspec.json.Decoder(shape), shape)


_GAME = ("coup.", "shoe.", "commission-account.")
_STORED = {"timestamp": "at"}
_EXACT = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]{1,18}(\.[0-9]{1,18})?\Z")]
# Words and figures of the game that whoever tells of it looks up, or reckons with.
_SAID: dict[str, Any] = {
    "card": Literal[DECK],
    "hand": Literal["player", "banker"],
    "spot": Literal[SPOTS],
    "outcome": Literal["player", "banker", "tie"],
    "result": Literal["win", "lose", "push"],
    "act": Literal["bet", "withdraw"],
    "odds": Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,9}:[1-9][0-9]{0,8}\Z")],
    "exact": _EXACT,
    "commission_exact": _EXACT,
    "commission_due": Literal["deferred", "at-payout"],
}


def _type(topic: str, name: str, declared: Any) -> Any:
    said = _SAID.get(name) if topic.startswith(_GAME) else None
    if said is None:
        return declared
    return said if declared is str else said | None


def _newest(topic: str, stored: bytes) -> tuple[Any, dict[str, Any]] | None:
    """Reads and examines it at once; None: it is of an older version, or not whole."""
    kind = _kind(topic)
    with suppress(ValueError, RecursionError):
        found = kind.decoder.decode(stored)
        if found.class_version == kind.version:
            told = asdict(found)
            del told["class_version"]
            return kind.fact, told
    return None


def _upcast(topic: str, stored: bytes) -> tuple[Any, dict[str, Any]]:
    """Takes its time, and says what is wrong."""
    fact, state = decoded(topic, stored)
    found = msgspec.convert(state, _kind(topic).shape)
    told = asdict(found)
    del told["class_version"]
    return fact, told
