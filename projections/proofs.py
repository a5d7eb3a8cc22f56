"""How the signature of somebody who agreed to a command is known: by a PIN, or by name alone.

>>> how_proved("S-11", "D-204", {"proved": "pin", "with": "S-11"})
'PIN typed'
"""

from collections.abc import Mapping
from typing import Any

from projections.model import Event

PIN_TYPED = "PIN typed"
SIGNED_ON = "signed on"
NAMED = "named, not proved"
NAMED_IN_OPEN_HOUSE = "named in open house"
# The SQL array of the people in a text of people, each maybe `with_proof`.
PEOPLE_IN = "regexp_split_to_array({}, ', | [(]')"


def how_proved(staff: str | None, actor: str, metadata: Mapping[str, Any]) -> str | None:
    """How the signature of `staff` under a command is known, or None if nobody signed.

    `actor`: who entered the command. `metadata`: what else is recorded of it.
    """
    if not staff:
        return None
    if metadata.get("house") == "open":
        return NAMED_IN_OPEN_HOUSE
    if metadata.get("proved") == "pin" and metadata.get("with") == staff:
        return PIN_TYPED
    return SIGNED_ON if staff == actor and "device" not in metadata else NAMED


def proof_in(event: Event, staff: str | None) -> str | None:
    """How the signature of `staff` under the event's command is known, or None if nobody signed."""
    return how_proved(staff, event.actor, event.metadata)


def with_proof(staff: str, proved: str | None) -> str:
    """A person, with how their signature is known: `S-11 (PIN typed)`."""
    return f"{staff} ({proved})" if staff and proved else staff
