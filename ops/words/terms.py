"""The words for codes of the record: a spot, a hand, a reason.

A code that this program does not know is unchanged.

>>> spot_called("pair-banker"), hand_called("player"), holder_called("seat 5")
('Banker Pair', 'Player', 'seat 5')
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from domain.rules.cards import symbol
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Words, listed

A_PATRON = Words("a patron")  # a holder in the copy for another patron
WITHHELD = "…"  # what somebody wrote, in a patron's copy
ROLES = {
    "dealer": N_("dealer"),
    "supervisor": N_("supervisor"),
    "pit-boss": N_("pit boss"),
    "cage": N_("cage"),
    "security": N_("security"),
    "surveillance": N_("surveillance"),
    "auditor": N_("auditor"),
    "administrator": N_("administrator"),
    "device": N_("device"),
}
_SHUFFLES = {
    "hand": N_("by hand"),
    "machine": N_("by machine"),
    "pre-shuffled": N_("pre-shuffled"),
    "generated": N_("by generator"),
}
_BARRED = {"barred": N_("barred by the house"), "self-excluded": N_("self-excluded")}
_DISCARDED = {
    "face-up": N_("it was face up in the shoe"),
    "foreign": N_("it is not of this shoe"),
    "damaged": N_("it is damaged"),
}
_SIGN_ON_REFUSED = {
    "wrong-pin": N_("wrong PIN"),
    "locked": N_("locked"),
    "retired": N_("retired"),
    "licence-over": N_("licence over"),
    "signed-on-elsewhere": N_("signed on elsewhere"),
}
_NOT_RECOVERED = {
    "wrong-secret": N_("wrong recovery secret"),
    "another-can": N_("another administrator can"),
}
_RECOVERED = {
    "recovery-secret": N_("with the recovery secret"),
    "database-superuser": N_("by the database's superuser"),
    "administrator": N_("by another administrator"),
}
_SECRET_ISSUED = {
    "first-administrator": N_("for the first administrator"),
    "asked-for": N_("an administrator requested it"),
    "used": N_("the one before it was used"),
}
_NOT_ALLOWED = {
    "role": N_("the role may not do this"),
    "retired": N_("retired"),
    "by": N_("another person was named as the one who does it"),
    "named": N_("a person was named whose role may not do this"),
    "second-missing": N_("a second person is needed"),
    "second-same": N_("the second person must be somebody else"),
    "second-unknown": N_("the second person is not enrolled"),
    "second-role": N_("the second person's role may not sign this"),
    "second-not-named": N_("the second person takes no part in it"),
    "second-off": N_("the second person is not signed on"),
    "second-device": N_("the device may not enter this for two people"),
    "second-unproved": N_("the second person typed no PIN"),
    "second-retired": N_("the second person is retired"),
    "second-licence": N_("the second person's licence is over"),
    "second-no-pin": N_("the second person has no PIN"),
    "second-pin": N_("the second person's PIN was wrong"),
}
_STATUSES = {
    "open": N_("open"),
    "decided": N_("decided"),
    "told": N_("patron informed"),
    "closed": N_("closed"),
}
_DECISIONS = {
    "stand": N_("payment unchanged"),
    "correct": N_("payment corrected"),
    "void": N_("coup voided"),
}


def spot_called(spot: str) -> str:
    """The label of a spot, or of a hand."""
    return spot_label(spot)


def hand_called(hand: str) -> str:
    """`Player` or `Banker`."""
    return spot_called(hand)


def card_called(card: str | None) -> str:
    """A card with its suit's symbol, as in `K♣`; '' for none."""
    return symbol(card) if card else ""


def holder_called(holder: str) -> str:
    """The holder of the shoe or of a hand: `the dealer`, or `seat 5`."""
    if holder == "dealer":
        return Words("the dealer")
    if holder == A_PATRON:
        return A_PATRON
    noun, _, seat = holder.partition(" ")
    return Words("seat {seat}", seat=seat) if noun == "seat" and seat else holder


def role_called(role: str) -> str:
    """A role of staff: `pit boss`."""
    return _called(ROLES, role)


def shuffle_called(method: str) -> str:
    """A method of shuffling: `by hand`."""
    return _called(_SHUFFLES, method)


def barring_called(kind: str) -> str:
    """A kind of barring: why a patron may not play."""
    return _called(_BARRED, kind)


def discard_called(reason: str) -> str:
    """A reason for discarding a card."""
    return _called(_DISCARDED, reason)


def sign_on_refusal_called(why: str) -> str:
    """The reason why a sign-on was refused."""
    return _called(_SIGN_ON_REFUSED, why)


def recovery_called(how: str) -> str:
    """The way in which an administrator was let in again."""
    return _called(_RECOVERED, how)


def recovery_refusal_called(why: str) -> str:
    """The reason why an administrator was not let in again."""
    return _called(_NOT_RECOVERED, why)


def secret_called(why: str) -> str:
    """The reason for a new recovery secret."""
    return _called(_SECRET_ISSUED, why)


def prohibition_called(why: str) -> str:
    """The reason why a member of staff was not permitted to do something."""
    return _called(_NOT_ALLOWED, why)


def status_called(status: str) -> str:
    """The status of a case."""
    return _called(_STATUSES, status)


def decision_called(decision: str) -> str:
    """The decision of a case."""
    return _called(_DECISIONS, decision)


def moment_called(moment: str) -> Words:
    """A moment to the minute, with its offset: `2026-11-21 20:44 +01:00`."""
    at = datetime.fromisoformat(moment)
    return Words(
        "{day} {time} {offset}", day=at.date(), time=f"{at:%H:%M}", offset=at.isoformat()[-6:]
    )


def _called(terms: Mapping[str, str], code: str) -> str:
    return Words(terms[code]) if code in terms else code


def people_called(detail: Mapping[str, Any]) -> Words | str:
    """A patron with everybody whose cash counts together with theirs, as the subject of a sentence.

    >>> str(people_called({"patron": "P-1", "alike": [], "agents": ["P-2", "P-3"]}))
    'P-1, together with P-2 and P-3,'
    """
    others = [*(detail.get("alike") or ()), *(detail.get("agents") or ())]
    if not others:
        return str(detail["patron"])
    return Words(
        "{patron}, together with {others},", patron=detail["patron"], others=listed(others)
    )


def counted_with_called(detail: Mapping[str, Any]) -> Iterator[Words]:
    """Why others' cash counts together with a patron's, of the fields of an event about cash."""
    alike, agents = detail.get("alike") or (), detail.get("agents") or ()
    if alike and agents:
        names = listed([detail["patron"], *alike])
        yield Words("The names {names} look the same, and all play for one person.", names=names)
    elif alike:
        yield Words("Their names look the same.")
    elif agents:
        yield Words("They play for one person.")
