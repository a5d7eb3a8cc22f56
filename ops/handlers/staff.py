"""Staff: enrolment, sign-on and sign-off, PINs, recovery of an administrator, retirement."""

from domain.aggregates.staff import StaffMember
from domain.aggregates.terminal import Terminal
from domain.events.terminal import Approved
from domain.rules import addresses
from domain.rules.likeness import alike
from domain.rules.pins import least_digits, weakness
from domain.rules.refusals import (
    BadValue,
    ConfirmationNeeded,
    NotFound,
    NotPermitted,
    NotSignedOn,
    WeakPin,
    WrongPin,
)
from domain.rules.roles import role_label
from domain.rules.wording import Words
from ops.commands import staff as commands
from ops.handlers.desk import Desk
from ops.handlers.enrolled import member as member_of
from ops.handlers.handlers import handles
from ops.ledger import machine as place
from ops.ledger import sessions
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events
from ops.ledger.secrets import (
    People,
    Proof,
    code_for,
    digest,
    hashed_code,
    hashed_recovery_secret,
    recovery_secret,
    save_enrolment,
    save_pin,
    save_recovery_secret,
)

_TERMINALS = 100_000  # no house ever approved so many


@handles(commands.StaffEnrol)
def enrol(desk: Desk, command: commands.StaffEnrol) -> None:
    """Enrols a number, or enrols it again; the first administrator closes the open house."""
    house = desk.house()
    member = desk.casino.find(StaffMember, StaffMember.stream(command.staff))
    is_device, key = command.role == "device", command.public_key or ""
    People(desk.casino.ledger).require_pepper()
    code = None if is_device else code_for(desk.casino.command_id)
    hashed = digest(hashed_code(code)) if code else ""
    if member is None:
        _require_new(desk, command.staff)
        moment = desk.casino.moment
        member = desk.casino.make(
            StaffMember.enrol(
                command.staff, command.role, moment, command.for_two, code=hashed, key=key
            )
        )
    else:
        _require_meant(command, member)
        member.enrol_again(command.role, command.for_two, code=hashed, key=key)
    was_closed = house.closed
    house.administer(
        command.staff,
        administrator=command.role == "administrator",
        secret=_new_secret_digest(desk),
    )
    if house.closed and not was_closed:
        _save_new_secret(desk)
    desk.casino.beside.append(save_enrolment(command.staff, command.name, code))
    if key:  # a device signs each line, so it is always signed on
        member.sign_on("", digest(key), right=True)


def _require_new(desk: Desk, staff: str) -> None:
    """Refuses a number that looks like another one: two people would be taken for one, BadValue."""
    for other in People(desk.casino.ledger).numbers():
        if alike(staff, other):
            raise BadValue(
                message=Words(
                    "{other} is a staff number, and {staff} looks the same. Choose another number.",
                    other=other,
                    staff=staff,
                )
            )


@handles(commands.StaffRecover)
def recover(desk: Desk, command: commands.StaffRecover) -> None:
    """Enrols an administrator again: by another one, or with the secret if no other could."""
    house, proof, staff = desk.house(), desk.casino.proof, command.staff
    if staff not in house.administrators:
        raise NotFound(what=Words("administrator {staff}", staff=staff))
    if proof is None and staff == desk.casino.actor:
        raise BadValue(
            message=Words(
                "{staff} is signed on. Change the PIN, with `sabot staff change-pin`.", staff=staff
            )
        )
    others = [
        each for each in house.administrators if each != staff and not member_of(desk, each).locked
    ]
    how, right = (proof.how, _holds_now(desk, proof)) if proof else ("administrator", True)
    house.recover(staff, how, right=right, others=others, secret=_new_secret_digest(desk))
    member = member_of(desk, staff)
    people = People(desk.casino.ledger)
    people.require_pepper()
    code = code_for(desk.casino.command_id)
    member.enrol_again(member.role, code=digest(hashed_code(code)))
    desk.casino.beside.append(save_enrolment(staff, people.name(staff) or staff, code))
    if how == "recovery-secret":
        _save_new_secret(desk)


def _holds_now(desk: Desk, proof: Proof) -> bool:
    """Whether a proof holds now; a recovery secret that was renewed since does not."""
    if proof.how == "recovery-secret":
        stored = People(desk.casino.ledger).recovery_digest()
        return proof.right and stored == proof.against[0]
    return proof.right


@handles(commands.StaffNewSecret)
def renew_secret(desk: Desk, command: commands.StaffNewSecret) -> None:
    """Makes a new recovery secret; the old one works no more."""
    desk.house().renew_secret(_new_secret_digest(desk))
    _save_new_secret(desk)


def _new_secret_digest(desk: Desk) -> str:
    """The digest, for the record, of the recovery secret that this command can issue."""
    return digest(hashed_recovery_secret(recovery_secret(desk.casino.command_id)))


def _save_new_secret(desk: Desk) -> None:
    """Stores the hash of a new recovery secret; the answer shows the secret once."""
    desk.casino.beside.append(save_recovery_secret(recovery_secret(desk.casino.command_id)))


@handles(commands.StaffSignOn)
def sign_on(desk: Desk, command: commands.StaffSignOn) -> None:
    """Signs on with a PIN, or with the one-time code and a new PIN; in open house with neither.

    Whoever was signed on at the same terminal is signed off.
    """
    proof, house = desk.casino.proof, desk.house()
    if proof is None and house.closed:
        raise NotSignedOn(who=command.staff)
    proof = proof or Proof(right=True)
    member = _who_typed(desk, command.staff, proof)
    if member.over(desk.casino.asked, house.session_hours):
        member.sign_off("ended")
    elif member.signed_on and sessions.is_idle(
        desk.casino.ledger, member.session, house.session_idle_minutes
    ):
        member.sign_off("idle")
    try:
        member.sign_on(
            command.table or "",
            proof.session,
            right=proof.right,
            new_pin=proof.new_digest,
            tries=proof.tries,
            place=place.here(),
            clock=house.clock,
            day=house.clock.day_of(desk.casino.asked),
        )
    except NotPermitted as refusal:
        if member.retired and house.closed:  # strangers must not learn which numbers exist
            raise WrongPin(staff=command.staff, typed=proof.typed) from refusal
        raise
    _replace(desk, *proof.before, by=command.staff)
    _keep_pin(desk, member, proof)
    if place.is_another() and proof.session:
        desk.casino.beside.append(sessions.begin(proof.session, place.here().mark))


def _who_typed(desk: Desk, staff: str, proof: Proof) -> StaffMember:
    """The member whose PIN was typed. Refuses: PinsSlowed; WrongPin, also for an unknown number.

    A device has a key and does not sign on.
    """
    proof.require_turn()
    member = desk.casino.find(StaffMember, StaffMember.stream(staff))
    if desk.house().closed and (member is None or member.role == "device"):
        raise WrongPin(staff=staff, typed=proof.typed)
    return member or member_of(desk, staff)


def _replace(desk: Desk, staff: str, session: str, *, by: str) -> None:
    """Signs off the person whose token is replaced at this terminal.

    A token that was copied from another machine signs nobody off there.
    """
    if staff in ("", by):
        return
    member = desk.casino.find(StaffMember, StaffMember.stream(staff))
    if member is None or not member.signed_on or member.session != session:
        return
    if member.place.mark == place.here().mark:
        member.sign_off("replaced")


@handles(commands.StaffSignOff)
def sign_off(desk: Desk, command: commands.StaffSignOff) -> None:
    """Signs a number off: by the person, by whoever may, or with its PIN from any machine."""
    proof = desk.casino.proof
    if proof is None:
        member_of(desk, command.staff).sign_off()
        return
    member = _who_typed(desk, command.staff, proof)
    member.leave(right=proof.right, tries=proof.tries, place=place.here())


@handles(commands.StaffChangePin)
def change_pin(desk: Desk, command: commands.StaffChangePin) -> None:
    """Changes a PIN; the terminal asks for the old and the new one."""
    proof = desk.casino.proof
    if proof is None:
        raise NotSignedOn(who=command.staff)
    proof.require_turn()
    member = member_of(desk, command.staff)
    member.change_pin(proof.new_digest, right=proof.right, tries=proof.tries, place=place.here())
    _keep_pin(desk, member, proof)


@handles(commands.StaffLanguage)
def choose_language(desk: Desk, command: commands.StaffLanguage) -> None:
    """Sets the language of somebody's terminal."""
    member_of(desk, command.staff).choose_language(command.language)


@handles(commands.StaffRetire)
def retire(desk: Desk, command: commands.StaffRetire) -> None:
    """Retires a number, which can never be enrolled again."""
    if command.left and command.left > desk.casino.moment:
        raise BadValue(
            message=Words(
                "That moment is in the future. Give the moment when the person left the house."
            )
        )
    desk.house().administer(command.staff, administrator=False)
    member_of(desk, command.staff).retire(command.reason, command.left)


@handles(commands.StaffLicence)
def license_member(desk: Desk, command: commands.StaffLicence) -> None:
    """Records a licence. Refuses: NotFound, BadValue, NotPermitted, ConfirmationNeeded."""
    until = addresses.parse_day(command.until) if command.until else None
    member = member_of(desk, command.staff)
    member.license(command.licence, until)
    today = desk.local(desk.casino.moment).date()
    if until and until < today and not command.confirmed:
        raise ConfirmationNeeded(
            so=Words(
                "The licence of {staff} ended on {day}, so that they cannot sign on",
                staff=member.staff,
                day=command.until,
            )
        )


@handles(commands.StaffApproveTerminal)
def approve_terminal(desk: Desk, command: commands.StaffApproveTerminal) -> None:
    """Approves a terminal's key."""
    terminal = desk.casino.find(Terminal, Terminal.stream(command.terminal))
    if terminal:
        raise terminal.refuse_again()
    _require_free(desk, command.name)
    desk.house()
    desk.casino.make(Terminal.approve(command.terminal, command.name, desk.casino.moment))


def _require_free(desk: Desk, name: str) -> None:
    """Refuses the name of a place that has a terminal. Refuses: BadValue."""
    if not Terminal.is_place(name):
        return
    desk.table(name.rpartition("/")[0])  # which somebody may have typed in other capitals
    wanted = Wanted((Approved.TOPIC,))
    with desk.casino.ledger.connection() as connection:
        approved = [
            event_of(each) for each in read_events(connection, 0, _TERMINALS, wanted=wanted)
        ]
    for event in approved:
        assert isinstance(event, Approved)
        former = desk.casino.find(Terminal, Terminal.stream(event.terminal))
        if former:
            former.require_left(name)


@handles(commands.StaffRetireTerminal)
def retire_terminal(desk: Desk, command: commands.StaffRetireTerminal) -> None:
    """Retires a terminal's key for good."""
    terminal = desk.casino.find(Terminal, Terminal.stream(command.terminal))
    if terminal is None:
        raise NotFound(what=Words("terminal {terminal}", terminal=command.terminal))
    terminal.retire(command.reason)


def _keep_pin(desk: Desk, member: StaffMember, proof: Proof) -> None:
    """Saves a new PIN, if one was chosen. Refuses: WeakPin."""
    if not proof.new_pin:
        return
    least = least_digits(member.role, desk.house().pin_digits)
    weak = Words("the old one") if proof.repeats else weakness(proof.new_pin, member.staff, least)
    if weak:
        raise WeakPin(why=weak)
    desk.casino.beside.append(save_pin(member.staff, proof))


def _require_meant(command: commands.StaffEnrol, member: StaffMember) -> None:
    """Refuses to enrol a number again in another role without `again`: BadValue."""
    if member.retired or command.again or command.role == member.role:
        return
    raise BadValue(
        message=Words(
            "{staff} is enrolled as {role}. To give another role, add `--again`.",
            staff=command.staff,
            role=role_label(member.role),
        )
    )
