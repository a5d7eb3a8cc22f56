"""Words that every paper of a coup shares: hands, spots, outcomes, how the betting was closed.

All of them in the reader's language.
"""

from collections.abc import Mapping
from datetime import datetime

from domain.rules.spots import SPOT
from ops.words import show
from ops.words.language import N_, _, marked, moment, shown

# By what the betting was closed, and the rule of it.
_CLOSED: Mapping[str, tuple[str, str]] = {
    "dealer": (N_("The dealer called no more bets"), "R-DEAL-2"),
    "first-card": (N_("The first card closed the betting"), "R-DEAL-2"),
    "dummy": (N_("A dummy coup takes no bets"), "R-IRR-1"),
}
_PHASES: Mapping[str, str] = {
    "betting": N_("Bets are being taken"),
    "dealing": N_("The cards are being dealt"),
    "resulted": N_("Not settled yet"),
    "settled": N_("Settled"),
    "voided": N_("Void, every wager was returned"),
}
_PROOFS = (N_("PIN typed"), N_("signed on"), N_("named, not proved"), N_("named in open house"))


def spot_name(spot: str) -> str:
    """A spot, or the hand of that name; a spot that does not exist unchanged."""
    return _(SPOT[spot].label) if spot in SPOT else spot


def outcome(called: str, player_total: int, banker_total: int) -> str:
    """`Player wins, 6 to 4`."""
    return shown(show.outcome_words(called, player_total, banker_total))


def closed(by: str) -> tuple[str, str]:
    """How the betting was closed, and the rule of it."""
    words, rule = _CLOSED.get(by, (N_("The betting was closed"), "R-DEAL-2"))
    return _(words), rule


def phase_words(phase: str | None) -> str:
    """How far a coup came; of one whose record is damaged that it cannot be read."""
    return _(_PHASES.get(phase or "", N_("The record of the coup cannot be read")))


def at_a_hand(by: str) -> str:
    """Who handled a hand, inside a sentence: `the dealer`, or `seat 5`."""
    if by == "dealer":
        return _("the dealer")
    return _("seat {seat}", seat=by.removeprefix("seat ")) if by.startswith("seat ") else by


def proved(staff: str, how: str | None) -> str:
    """Somebody, with how it is known that they agreed: `S-11 (PIN typed)`."""
    if not (staff and how):
        return staff
    return _("{staff} ({proof})", staff=staff, proof=_(how) if how in _PROOFS else how)


def seconds_apart(first: datetime, second: datetime) -> str:
    """How long the second came after the first, to a tenth: `12.5 s`."""
    apart = f"{abs((second - first).total_seconds()):.1f}"
    return _("{seconds} s", seconds=marked(apart))


def dated(at: datetime) -> str:
    """A date and a time, to the tenth of a second."""
    return moment(at, places=1)
