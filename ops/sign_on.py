"""Signing on and standing by, for every face that can ask for a PIN unseen.

What was typed is judged here and goes no further: a proof stands in no line, no event, no answer.
"""

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from ops.authority import Authority, Token
from ops.database import OutcomeUnknown
from ops.dispatcher import Answer, Dispatcher
from ops.people import People, Proof, digest

if TYPE_CHECKING:
    from domain.staff import StaffMember

SHORTEST_PIN = 4


def who_is_here(dispatcher: Dispatcher) -> "StaffMember | None":
    """Who is signed on with the mouth's token, as it stands now. Raises LedgerLost."""
    return dispatcher.authority.holder()


def awaits_code(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether a sign-on takes the one-time code and a new PIN, twice typed. Raises LedgerLost."""
    return People(dispatcher.casino.ledger).awaits_code(staff)


def is_pin(typed: str) -> bool:
    """Whether it may be chosen as one."""
    return typed.isascii() and typed.isdecimal() and len(typed) >= SHORTEST_PIN


def sign_on(
    dispatcher: Dispatcher,
    staff: str,
    secret: str,
    new_pin: str | None = None,
    table: str | None = None,
) -> tuple[Answer, Token]:
    """Begins work; from then on the mouth speaks with the token, which is the face's to keep.

    `secret`: the PIN, or the one-time code, with which a `new_pin` is chosen. Refused, the mouth
    keeps the token that it had. Raises LedgerLost; OutcomeUnknown, and then the mouth has the
    token all the same: `who_is_here` tells whether it was heard, once the ledger is back.
    """
    token = Token(staff, secrets.token_urlsafe(24))
    proof = People(dispatcher.casino.ledger).proof(staff, secret, new_pin)
    line = {"command": "staff.sign-on", "staff": staff} | ({"table": table} if table else {})
    try:
        answer = dispatcher.dispatch(line, replace(proof, session=digest(token.secret)))
    except OutcomeUnknown:
        dispatcher.authority = Authority(dispatcher.casino, token)
        raise
    if answer.ok:
        dispatcher.authority = Authority(dispatcher.casino, token)
    return answer, token


def second_proof(dispatcher: Dispatcher, staff: str, pin: str) -> Proof | None:
    """What to dispatch a line with that is `with` STAFF, who typed this PIN. Raises LedgerLost.

    None in open house, where nobody is asked for one.
    """
    if not dispatcher.authority.house_is_closed():
        return None
    return People(dispatcher.casino.ledger).proof(staff, pin)
