"""Words that the papers of a coup and its page on the screen share, in the reader's language."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction

from domain.rules.wording import Amount
from ops.words import show
from ops.words.language import N_, _, marked, shown
from ops.words.terms import holder_called, spot_called

# How betting was closed, and the rule for it.
_CLOSED: Mapping[str, tuple[str, str]] = {
    "dealer": (N_("The dealer called no more bets"), "R-DEAL-2"),
    "first-card": (N_("The first card closed the betting"), "R-DEAL-2"),
    "dummy": (N_("A dummy coup takes no bets"), "R-IRR-1"),
}
PROOFS = (N_("PIN typed"), N_("signed on"), N_("named, not proved"), N_("named in open house"))


def spot_name(spot: str) -> str:
    """The label of a spot or a hand, in the reader's language."""
    return shown(spot_called(spot))


def holder(who: str) -> str:
    """The holder of a hand, for use inside a sentence: `the dealer`, or `seat 5`."""
    return shown(holder_called(who))


def outcome(winner: str, player_total: int, banker_total: int) -> str:
    """The outcome: `Player wins, 6 to 4`."""
    return shown(show.outcome_words(winner, player_total, banker_total))


def closed(by: str) -> tuple[str, str]:
    """The words for how betting was closed, and the rule for it."""
    words, rule = _CLOSED.get(by, (N_("The betting was closed"), "R-DEAL-2"))
    return _(words), rule


def proved(staff: str, how: str | None) -> str:
    """A person, with how their agreement is known: `S-11 (PIN typed)`."""
    if not (staff and how):
        return staff
    return _("{staff} ({proof})", staff=staff, proof=_(how) if how in PROOFS else how)


def proof_here(text: str) -> str:
    """A text of the record that is, or has in brackets, how somebody's agreement is known."""
    for each in PROOFS if "(" in text else ():
        text = text.replace(f"({each})", f"({_(each)})")
    return _(text) if text in PROOFS else text


def seconds_before(first: datetime, second: datetime) -> str:
    """The time by which `first` was before `second`, to a tenth: `12.5 s`."""
    return _("{seconds} s", seconds=marked(f"{(second - first).total_seconds():.1f}"))


def entered_late(position: int, closed_by: int, result: int | None) -> str:
    """That a wager was entered after the card that closed its betting (R-BET-5); '' if not.

    Positions in the record are compared. The time that was given for the wager does not count.
    """
    if position < closed_by:
        return ""
    after_result = result is not None and position > result
    return _("entered after the result") if after_result else _("entered late")


def with_late(words: str, position: int, closed_by: int, result: int | None) -> str:
    """When a wager was placed, in words, with that it was entered late: see `entered_late`."""
    return ", ".join(filter(None, [words, entered_late(position, closed_by, result)]))


def exactly(minor_units: Fraction, currency: str) -> str:
    """An amount that was not rounded, with all its digits."""
    return marked(show.exactly(minor_units, currency))


Wagered = tuple[int, str, int, int | None]  # of a wager: seat, patron, stake, what it was paid


def before_put_right(first: Wagered, last: Wagered, as_spot: str | None, currency: str) -> str:
    """What stood of a wager before it was put right, and the other spot that it counts as."""
    (seat, patron, stake, paid), (_seat, _patron, stake_now, paid_now) = first, last
    parts = []
    if first[:2] != last[:2]:
        parts.append(_("was seat {seat} {patron}'s", seat=seat, patron=patron))
    if as_spot:
        parts.append(_("counts as {spot}", spot=spot_name(as_spot)))
    if stake != stake_now:
        parts.append(_("was {stake}", stake=Amount(stake, currency)))
    if paid is not None and paid_now not in (None, paid):
        parts.append(_("was paid {paid}", paid=Amount(paid, currency)))
    return "; ".join(parts)
