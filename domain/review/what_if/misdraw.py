"""Another disposition of a card that came before a coup when none was due (R-IRR-1).

A carried card begins the coup; a burned one is in no coup; as a dummy it begins a coup without
bets, which takes its cards before this coup does.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from domain.review.what_if.changes import Change, Misdraw, refused
from domain.review.what_if.later import Left
from domain.review.what_if.redeal import Redealt, redeal


class Misdrawn(Struct, frozen=True):
    """The undue cards before a coup, in order: those that it took, and those burned."""

    carried: int = 0  # how many of the coup's own first cards
    burned: tuple[str, ...] = ()


class Begun(Struct, frozen=True):
    """The cards of a coup, those after it, and those that were out before it."""

    own: tuple[str, ...]
    afterwards: tuple[Left, ...]
    out_before: Counter[str] = field(default_factory=Counter)
    misdrawn: tuple[str, ...] = ()  # those with another disposition
    disposition: str = ""
    dummy: Redealt | None = None


def begun(
    recorded: Sequence[str],
    afterwards: tuple[Left, ...],
    out_before: Counter[str],
    misdrawn: Misdrawn,
    changes: Sequence[Change],
) -> Begun:
    """The cards on record, or with another disposition if that is asked. Refuses: BadValue."""
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
