"""Signing on, and proving who the second person is, for every screen that can ask for a PIN.

A PIN is checked here and goes no further: it is in no line, no event and no answer.
"""

import secrets
from dataclasses import replace

from domain.aggregates.staff import StaffMember
from domain.rules.pins import may_be_pin
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.commands.authority import Authority
from ops.commands.command import Command
from ops.commands.signed_on import NOBODY, Token
from ops.commands.staff import StaffSignOff
from ops.handlers.answer import Answer, refused
from ops.handlers.as_enrolled import number_as_enrolled
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.to_sign import Signature, ToSign
from ops.ledger.database import OutcomeUnknown
from ops.ledger.secrets import People, digest


def new_token(staff: str) -> Token:
    """A token that nobody can guess."""
    return Token(staff, secrets.token_urlsafe(24))


def who_is_here(dispatcher: Dispatcher) -> StaffMember | None:
    """Whoever is signed on with the dispatcher's token now, or None. Raises LedgerLost."""
    return dispatcher.authority.holder()


def as_enrolled(dispatcher: Dispatcher, staff: str) -> str:
    """A staff number as it is enrolled, in whatever capitals it was typed. Raises LedgerLost."""
    casino = dispatcher.casino
    return casino.ask(lambda: number_as_enrolled(casino, staff))


def awaits_code(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether this number signs on with its one-time code and a new PIN. Raises LedgerLost."""
    casino = dispatcher.casino
    number = as_enrolled(dispatcher, staff)
    return casino.ask(lambda: People(casino.ledger).awaits_code(number))


def is_signed_on(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether this number is signed on, at whichever place. Raises LedgerLost."""
    casino, stream = dispatcher.casino, StaffMember.stream(as_enrolled(dispatcher, staff))
    casino.begin(Command())
    member = casino.ask(lambda: casino.find(StaffMember, stream, rely=False))
    return member is not None and member.signed_on


def may_be_pin_as_number(dispatcher: Dispatcher, staff: str) -> bool:
    """Whether somebody may have typed a PIN in place of a number, which nobody has.

    Raises LedgerLost.
    """
    if not may_be_pin(staff):
        return False
    casino = dispatcher.casino
    casino.begin(Command())
    stream = StaffMember.stream(staff)
    return casino.ask(lambda: casino.find(StaffMember, stream, rely=False)) is None


def sign_on(
    dispatcher: Dispatcher,
    staff: str,
    secret: str,
    new_pin: str | None = None,
    table: str | None = None,
    before: Token | None = None,
    token: Token | None = None,
) -> tuple[Answer, Token]:
    """Signs on; the answer, and the new token, which the dispatcher uses and the caller saves.

    `secret`: the PIN, or the one-time code, with which a `new_pin` is chosen; '' costs no try.
    `before`: the token that the new one replaces, whose sign-on ends; default the dispatcher's.
    `token`: the new one, where the caller made it.
    When refused, the dispatcher's token does not change. Raises LedgerLost; OutcomeUnknown, and
    then the dispatcher has the new token: once the ledger is back, `who_is_here` shows whether it
    counts.
    """
    staff = as_enrolled(dispatcher, staff)
    line = {"command": "staff.sign-on", "staff": staff} | ({"table": table} if table else {})
    if not secret:
        empty = BadValue(message=Words("The PIN is empty. Type the PIN of {staff}.", staff=staff))
        return refused(line, empty), NOBODY
    if may_be_pin_as_number(dispatcher, staff):  # nothing of it is kept; a guess costs as much
        dispatcher.casino.ask(lambda: People(dispatcher.casino.ledger).proof("", secret))
        no_number = BadValue(message=Words("Type the staff number first, then its PIN."))
        return refused({"command": line["command"]}, no_number), NOBODY
    casino, token = dispatcher.casino, token or new_token(staff)
    token = Token(staff, token.secret, token.key)
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
    """Whether signing this number off takes its PIN. Raises LedgerLost.

    It takes none from the person where they signed on, nor from whoever may sign anybody off.
    """
    if not dispatcher.authority.house_is_closed():
        return False
    holder = who_is_here(dispatcher)
    if holder is None:
        return True
    return (
        as_enrolled(dispatcher, staff) != holder.staff
        and holder.role not in StaffSignOff.permission.roles
    )


def sign_off(dispatcher: Dispatcher, staff: str, pin: str) -> Answer:
    """Signs a number off with its own PIN, from any machine. Raises LedgerLost, OutcomeUnknown."""
    casino, staff = dispatcher.casino, as_enrolled(dispatcher, staff)
    proof = casino.ask(lambda: People(casino.ledger).proof(staff, pin))
    return dispatcher.dispatch({"command": "staff.sign-off", "staff": staff}, proof)


def change_pin(dispatcher: Dispatcher, staff: str, old: str, new: str) -> Answer:
    """Changes the PIN of whoever is signed on here. Raises LedgerLost, OutcomeUnknown.

    Nobody else's old PIN is checked, so that no stranger can try it out.
    """
    casino, holder = dispatcher.casino, who_is_here(dispatcher)
    proof, staff = None, as_enrolled(dispatcher, staff)
    if not dispatcher.authority.house_is_closed() or (holder and holder.staff == staff):
        proof = casino.ask(lambda: People(casino.ledger).proof(staff, old, new))
    return dispatcher.dispatch({"command": "staff.change-pin", "staff": staff}, proof)


def signature(dispatcher: Dispatcher, staff: str, pin: str, shown: ToSign) -> Signature:
    """The second person's signature, to dispatch a line that is `with` them. Raises LedgerLost.

    `shown`: what they were shown before they typed the PIN. The PIN is not checked if it is empty,
    which costs no try, nor in open house, where none is asked for.
    """
    if not pin or not dispatcher.authority.house_is_closed():
        return Signature(shown)
    casino, staff = dispatcher.casino, as_enrolled(dispatcher, staff)
    return Signature(shown, casino.ask(lambda: People(casino.ledger).proof(staff, pin)))
