"""The roles of a house in sentences: `a supervisor`, `a pit boss`."""

from collections.abc import Iterable, Mapping

from domain.rules.wording import N_, Words, as_words, either

LABELS: Mapping[str, str] = {
    "dealer": N_("a dealer"),
    "supervisor": N_("a supervisor"),
    "pit-boss": N_("a pit boss"),
    "cage": N_("a cashier"),
    "security": N_("a security officer"),
    "surveillance": N_("a surveillance officer"),
    "auditor": N_("an auditor"),
    "administrator": N_("an administrator"),
    "device": N_("a device"),
}


def role_label(role: str) -> Words:
    """A role with its article; an unknown one unchanged."""
    return Words(LABELS[role]) if role in LABELS else as_words(role)


def one_of_roles(roles: Iterable[str]) -> Words:
    """Several roles, of which one is needed: `a supervisor or a pit boss`."""
    return either(role_label(role) for role in roles)
