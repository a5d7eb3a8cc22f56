"""The card that came before a coup when none was due, had something else become of it (R-IRR-1).

Carried, it begins the coup; burned, nobody meets it; as a dummy it begins a coup without bets,
which takes the cards that it needs before this coup has any.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from domain.review.what_if.changes import Change, Misdraw, refused
from domain.review.what_if.later import Left
from domain.review.what_if.redeal import Redealt, redeal


class Misdrawn(Struct, frozen=True):
    """The cards that came before a coup, in order: those that it took up, and those burned."""

    carried: int = 0  # so many of the coup's own first cards
    burned: tuple[str, ...] = ()


class Begun(Struct, frozen=True):
    """What a coup begins with: its own cards, those after it, and what was out before it."""

    own: tuple[str, ...]
    afterwards: tuple[Left, ...]
    out_before: Counter[str] = field(default_factory=Counter)
    misdrawn: tuple[str, ...] = ()  # of which something else became
    disposition: str = ""
    dummy: Redealt | None = None


def begun(
    recorded: Sequence[str],
    afterwards: tuple[Left, ...],
    out_before: Counter[str],
    misdrawn: Misdrawn,
    changes: Sequence[Change],
) -> Begun:
    """As the record has it, unless a change says otherwise. Refuses: BadValue."""
    asked = next((each for each in changes if isinstance(each, Misdraw)), None)
    if asked is None:
        return Begun(tuple(recorded), afterwards, out_before)
    cards = *recorded[: misdrawn.carried], *misdrawn.burned
    if not cards:
        why = "no card came before it when none was due"
        raise refused(asked.written(""), why)
    rest = recorded[misdrawn.carried :]
    own = tuple(rest if asked.disposition == "burn" else (*cards, *rest))
    dummy = None
    taken: tuple[Left, ...] = ()
    if asked.disposition == "dummy":
        dummy = redeal([*own, *(each.card for each in afterwards)])
        taken = afterwards[: max(len(dummy.dealt) - len(own), 0)]
        own = own[len(dummy.dealt) :]
    out = out_before + Counter(recorded) + Counter(each.card for each in taken)
    return Begun(
        own,
        afterwards[len(taken) :],
        out - Counter(own),
        cards,
        asked.disposition,
        dummy,
    )
