"""Strict reading for audits: every field is there and has its type, else NotWhole.

Commands may trust the record, which the chain protects; an audit may not.
"""

from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import asdict

from domain.events.base import Event
from domain.rules.cards import DECK
from domain.rules.refusals import SENSELESS
from domain.rules.spots import A_NAME
from ops.ledger.mapper import COMMON, UnknownEvent, decoded, kind_of


class NotWhole(ValueError):
    """The event lacks a field, or has one of another kind: {why}."""

    def __init__(self, why: str) -> None:
        super().__init__((type(self).__doc__ or "").format(why=why))
        self.why = why


def whole(topic: str, stored: bytes) -> Event:
    """The domain's event, without its stream. Raises UnknownEvent, NotWhole."""
    kind = kind_of(topic)
    decoder = _decoder(kind)
    with suppress(ValueError, RecursionError):
        read = asdict(decoder.decode(stored))
        if read.pop("class_version") == kind.VERSION:
            return kind(**read)
    try:  # again, slowly: it is an older version, or something is wrong with it
        read = asdict(msgspec.convert(decoded(topic, stored)[1], decoder.type))
    except UnknownEvent:
        raise
    except SENSELESS as error:
        raise NotWhole(str(error)) from None
    del read["class_version"]
    return kind(**read)


@cache
def _decoder(kind: type[Event]) -> msgspec.json.Decoder[Any]:
    """A decoder for all fields of an event under their stored names.

    None may be missing but those that were added later.
    """
    own: list[Any] = []
    added_later = kind.added_later()
    for each in msgspec.structs.fields(kind):
        if each.name in COMMON:
            continue
        field = each.name, _type(kind.TOPIC, each.name, each.type)
        own.append((*field, _default(each)) if each.name in added_later else field)
    shape = msgspec.defstruct(
        "Shape",
        [("timestamp", datetime), *own, ("class_version", int, 1)],
        rename=_STORED.get,
        kw_only=True,
    )
    return msgspec.json.Decoder(shape)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """What a field is that an event was recorded without."""
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    return field.default


_GAME = ("coup.", "shoe.", "commission-account.", "meter-day.")
_STORED = {"timestamp": "at"}
_EXACT = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]{1,18}(\.[0-9]{1,18})?\Z")]
_TO_ONE = "[0-9]{1,9}:[1-9][0-9]{0,8}"
_ODDS = rf"^({_TO_ONE}( \+ meter)?|meter|[0-9.]{{1,8}}% of the meter)\Z"
# Fields that are looked up or computed with, and the only values that they may have.
_VALUES: dict[str, Any] = {
    "card": Literal[DECK],
    "hand": Literal["player", "banker"],
    "spot": Annotated[str, msgspec.Meta(pattern=A_NAME)],
    "outcome": Literal["player", "banker", "tie"],
    "result": Literal["win", "lose", "push"],
    "act": Literal["bet", "withdraw"],
    "secret": Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64})?\Z")],
    "odds": Annotated[str, msgspec.Meta(pattern=_ODDS)],
    "exact": _EXACT,
    **dict.fromkeys(("share", "stood", "standing", "reserve"), _EXACT),
    **dict.fromkeys(("to_reserve", "from_reserve"), _EXACT),
    "commission_exact": _EXACT,
    "commission_due": Literal["deferred", "at-payout"],
}


def _type(topic: str, name: str, declared: Any) -> Any:
    """A field's type: the stricter one of `_VALUES` for events of the game."""
    values = _VALUES.get(name) if topic.startswith(_GAME) else None
    if values is None:
        return declared
    return values if declared is str else values | None
