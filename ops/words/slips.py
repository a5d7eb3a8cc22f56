"""How far a fill or a credit is, in a few words."""

from domain.events.slip_book import Slip
from domain.rules.wording import N_, Amount, Words

_STEPS = {
    ("fill", "requested"): N_("Fill {slip} {amount} requested"),
    ("fill", "issued"): N_("Fill {slip} {amount} issued"),
    ("fill", "carried"): N_("Fill {slip} {amount} carried"),
    ("credit", "requested"): N_("Credit {slip} {amount} requested"),
    ("credit", "issued"): N_("Credit {slip} {amount} issued"),
    ("credit", "carried"): N_("Credit {slip} {amount} carried"),
}


def slip_words(serial: str, slip: Slip, currency: str) -> Words:
    """A slip that is under way: what it is worth and its last step."""
    worth = Amount(slip.worth, currency)
    return Words(_STEPS[slip.kind, slip.step], slip=serial, amount=worth)
