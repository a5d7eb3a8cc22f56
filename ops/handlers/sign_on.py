"""Signing on and standing by, for every face that can ask for a PIN unseen.

What was typed is judged here and goes no further: a proof stands in no line, no event, no answer.
"""

import secrets
from dataclasses import replace

from domain.aggregates.staff import StaffMember
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.commands.authority import NOBODY, Authority, Token
from ops.commands.staff import StaffSignOff
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import OutcomeUnknown
from ops.ledger.secrets import People, Proof, digest


def who_is_here(dispatcher: Dispatcher) -> StaffMember | None:
    """Who is signed on with the mouth's token, as it stands now. Raises LedgerLost."""
    return dispatcher.authority.holder()


def awaits_code(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether a sign-on takes the one-time code and a new PIN, twice typed. Raises LedgerLost."""
    casino = dispatcher.casino
    return casino.ask(lambda: People(casino.ledger).awaits_code(staff))


def sign_on(
    dispatcher: Dispatcher,
    staff: str,
    secret: str,
    new_pin: str | None = None,
    table: str | None = None,
    before: Token | None = None,
) -> tuple[Answer, Token]:
    """Begins work; from then on the mouth speaks with the token, which is the face's to keep.

    `secret`: the PIN, or the one-time code, with which a `new_pin` is chosen; '' costs no try.
    `before`: the token that the new one replaces, whose sign-on ends; default the mouth's.
    Refused, the mouth keeps the token that it had. Raises LedgerLost; OutcomeUnknown, and then
    the mouth has the token all the same: `who_is_here` tells whether it was heard, once the
    ledger is back.
    """
    line = {"command": "staff.sign-on", "staff": staff} | ({"table": table} if table else {})
    if not secret:
        empty = BadValue(message=Words("The PIN is empty. Type the PIN of {staff}.", staff=staff))
        return refused(line, empty), NOBODY
    casino, token = dispatcher.casino, Token(staff, secrets.token_urlsafe(24))
    ends = before or dispatcher.authority.token
    proof = replace(
        casino.ask(lambda: People(casino.ledger).proof(staff, secret, new_pin)),
        session=digest(token.secret),
        before=(ends.staff, digest(ends.secret)),
    )
    try:
        answer = dispatcher.dispatch(line, proof)
    except OutcomeUnknown:
        dispatcher.authority = Authority(dispatcher.casino, token)
        raise
    if answer.ok:
        dispatcher.authority = Authority(dispatcher.casino, token)
    return answer, token


def sign_off_takes_pin(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether the one who ends this number's work has to type its PIN. Raises LedgerLost.

    Not they themselves where they signed on, nor whoever may end anybody's.
    """
    if not dispatcher.authority.house_is_closed():
        return False
    holder = who_is_here(dispatcher)
    if holder is None:
        return True
    return staff != holder.staff and holder.role not in StaffSignOff.permission.roles


def sign_off(dispatcher: Dispatcher, staff: str, pin: str) -> Answer:
    """Ends work by its own PIN, wherever it was begun. Raises LedgerLost, OutcomeUnknown."""
    casino = dispatcher.casino
    proof = casino.ask(lambda: People(casino.ledger).proof(staff, pin))
    return dispatcher.dispatch({"command": "staff.sign-off", "staff": staff}, proof)


def change_pin(dispatcher: Dispatcher, staff: str, old: str, new: str) -> Answer:
    """Another PIN, for whoever is signed on here. Raises LedgerLost, OutcomeUnknown.

    Nobody else's old PIN is judged, so that no stranger finds it out.
    """
    casino, holder = dispatcher.casino, who_is_here(dispatcher)
    proof = None
    if not dispatcher.authority.house_is_closed() or (holder and holder.staff == staff):
        proof = casino.ask(lambda: People(casino.ledger).proof(staff, old, new))
    return dispatcher.dispatch({"command": "staff.change-pin", "staff": staff}, proof)


def second_proof(dispatcher: Dispatcher, staff: str, pin: str) -> Proof | None:
    """What to dispatch a line with that is `with` STAFF, who typed this PIN. Raises LedgerLost.

    None when nobody typed one, which costs no try; and in open house, where nobody is asked.
    """
    if not pin or not dispatcher.authority.house_is_closed():
        return None
    casino = dispatcher.casino
    return casino.ask(lambda: People(casino.ledger).proof(staff, pin))
