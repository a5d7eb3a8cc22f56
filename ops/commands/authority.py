"""Checks who may give a command, and who may read, before either is done.

In open house staff numbers are taken as given. After the first administrator is enrolled, a
command needs a person who is signed on in a role that may give it. Where it takes two, the second
person types their own PIN at the same place. Only a device enrolled for that command may name a
second person who is signed on and types nothing.
"""

from typing import TypeGuard

from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.staff import StaffMember
from domain.aggregates.terminal import Terminal
from domain.rules.permissions import Permission, Reading
from domain.rules.pins import may_be_pin
from domain.rules.refusals import BadValue, NotPermitted, NotSignedOn, PinLocked, Refusal, WrongPin
from domain.rules.roles import one_of_roles, role_label
from domain.rules.wording import Words, counted
from ops.commands.accounts import AccountBet
from ops.commands.casino import Casino
from ops.commands.command import Command, name_of
from ops.commands.staff import (
    StaffChangePin,
    StaffEnrol,
    StaffLanguage,
    StaffRecover,
    StaffSignOff,
    StaffSignOn,
)
from ops.ledger import machine as place
from ops.ledger.secrets import People, Proof, digest


class Token(Struct, frozen=True):
    """The token of a sign-on, `D-204:secret`; or a device's number, with its key."""

    staff: str = ""
    secret: str = ""
    key: str = ""  # of a device: its public key, after it proved that it has the private one

    @classmethod
    def read(cls, text: str) -> "Token":
        """The token in the text of its file."""
        staff, _, secret = text.strip().rpartition(":")
        return cls(staff, secret)

    @property
    def text(self) -> str:
        """As its file has it, and a browser."""
        return f"{self.staff}:{self.secret}"

    def is_of(self, member: StaffMember) -> bool:
        """Whether the person is signed on with it at this place; a device's key works anywhere."""
        return self.is_known_to(member) and (
            member.role == "device" or member.place.mark == place.here().mark
        )

    def is_known_to(self, member: StaffMember) -> bool:
        """Whether the person is signed on with it, at any place; a device by its key."""
        if member.role == "device":
            return member.signed_on and self.key != "" and member.key == self.key
        return member.signed_on and not self.key and member.session == digest(self.secret)


NOBODY = Token()


class Authority:
    """The checks for one terminal, shell or feed, which may have a token."""

    def __init__(self, casino: Casino, token: Token) -> None:
        self.casino = casino
        self.token = token

    def require(self, command: Command, *, second_presumed: bool = False) -> None:
        """Checks a command and sets who acts; `second_presumed`: as if a second person signed.

        Refuses: NotSignedOn; NotPermitted, SecondPersonNeeded, WrongPin and PinLocked, as events.
        """
        if not self._closed():
            self.casino.open_house = True
            return
        if not command.needs_sign_on:
            return
        if _proves_itself(command, self.casino.proof):
            self.casino.actor = command.staff
            return
        if isinstance(command, StaffRecover) and self.casino.proof:
            self.casino.actor = "database administrator"  # proved by the recovery secret
            return
        if place_of_patron := self._position(command):
            self.casino.actor = place_of_patron
            self.casino.from_position = True
            return
        actor = self._signed_on(command)
        self.casino.actor = actor.staff
        match command:
            case (
                StaffSignOff(staff=actor.staff)
                | StaffChangePin(staff=actor.staff)
                | StaffLanguage(staff=actor.staff)
            ):
                return  # everybody may, for themselves
        name = name_of(command)
        table = getattr(command, "table", None) or ""
        permission = command.permission
        if actor.role not in permission.roles:
            raise actor.refuse(name, table, "role", _words(actor, permission.roles))
        if not second_presumed:
            self._require_second(command, actor, permission, name, table)
        self._require_named(command, actor, permission, table)

    def _position(self, command: Command) -> str:
        """The position whose terminal sends a bet for it, '' for any other; its name is its place.

        A terminal that was approved as `E01/3` bets at seat 3 of E01, without a sign-on.
        """
        if self.token.staff or not isinstance(command, AccountBet):
            return ""
        key = place.terminal()
        terminal = self.casino.find(Terminal, Terminal.stream(key)) if key else None
        if terminal is None or terminal.retired:
            return ""
        return terminal.name if terminal.name == f"{command.table}/{command.seat}" else ""

    def house_is_closed(self) -> bool:
        """Whether commands need a sign-on now."""
        self.casino.begin(Command())
        house = self.casino.ask(lambda: self.casino.find(Property, PROPERTY_STREAM, rely=False))
        return house is not None and house.closed

    def holder(self) -> StaffMember | None:
        """The person whose token it is, or None if they are not signed on with it now."""
        if not self.token.staff:
            return None
        self.casino.begin(Command())
        stream = StaffMember.stream(self.token.staff)
        holder = self.casino.ask(lambda: self.casino.find(StaffMember, stream, rely=False))
        return holder if holder and self._holds(holder) else None

    def may_see_code(self, staff: str) -> bool:
        """Whether an enrolment that is sent again is answered with its code again.

        To whoever may enrol now. Until the first administrator has signed on, to anybody, or a
        lost answer would lock the house for ever.
        """
        self._begin_afresh()
        house = self.casino.find(Property, PROPERTY_STREAM)
        if house is None or not house.closed:
            return True
        if house.administrator == staff and People(self.casino.ledger).awaits_code(staff):
            return True
        holder = self._holder()
        return holder is not None and holder.role in StaffEnrol.permission.roles

    def require_one_of(self, roles: tuple[str, ...], act: str) -> StaffMember | None:
        """The person who asks for something that is no command, or None in open house.

        Refuses: NotSignedOn, NotPermitted.
        """
        holder = self.casino.ask(self._who_asks)
        if holder and holder.role not in roles:
            raise NotPermitted(who=holder.staff, act=act, why=_words(holder, roles))
        return holder

    def may_give(self, kind: type[Command]) -> bool:
        """Whether the role of the person signed on may give a command; nothing is recorded."""
        try:
            self.require_one_of(kind.permission.roles, "")
        except Refusal:
            return False
        return True

    def require_reading(self, reading: Reading, what: str, table: str | None) -> StaffMember | None:
        """The person who reads, or None in open house. Refuses: NotSignedOn, NotPermitted."""
        act = f"`{what}`"
        holder = self.require_one_of(reading.roles, act)
        if holder and holder.role in reading.at_own_table:
            _require_own_table(holder, table, act)
        return holder

    def _who_asks(self) -> StaffMember | None:
        """The person signed on now, or None in open house. Refuses: NotSignedOn."""
        self._begin_afresh()
        return self._signed_on(self.casino.command) if self._closed() else None

    def _begin_afresh(self) -> None:
        """Drops every aggregate held: no later append would check that they were current."""
        self.casino.forget()
        self.casino.begin(Command())

    def _signed_on(self, command: Command) -> StaffMember:
        """The person who acts: the holder of the token, or whom a device names, if signed on."""
        holder = self._holder()
        if holder is None:
            raise NotSignedOn(message=self._not_signed_on(self.token.staff or command.by or ""))
        if command.by in (None, holder.staff):
            self.casino.device = holder.staff if holder.role == "device" else ""
            return holder
        name = name_of(command)
        if holder.role != "device":
            words = Words(
                "`by` is {by}, but {staff} is signed on here", by=command.by, staff=holder.staff
            )
            raise holder.refuse(name, "", "by", words)
        in_the_game = "device" in command.permission.roles
        if not in_the_game and name not in holder.for_two:
            words = Words("a device may only send what happens in the game")
            raise holder.refuse(name, "", "role", words)
        named = self._member(command.by or "")
        if named is None or not self._at_work(named):
            raise NotSignedOn(who=command.by)
        self.casino.device = holder.staff
        return named

    def _require_named(
        self, command: Command, actor: StaffMember, permission: Permission, table: str
    ) -> None:
        """Refuses other people named in the command who are not signed on in the right role."""
        for field, roles in permission.named.items():
            staff = getattr(command, field)
            if staff is None:
                continue
            member = self._member(staff)
            if member is None or not self._at_work(member) or member.role not in roles:
                words = Words(
                    "{person} is not signed on as {roles}",
                    person=staff,
                    roles=one_of_roles(roles),
                )
                raise actor.refuse(name_of(command), table, "named", words, second=staff)

    def _require_second(
        self,
        command: Command,
        actor: StaffMember,
        permission: Permission,
        name: str,
        table: str,
    ) -> None:
        """Refuses a command that needs a second person and has none who may."""
        second = command.second_person
        field = permission.for_oneself
        for_oneself = field != "" and getattr(command, field) == actor.staff
        alone = (actor.role in permission.alone or for_oneself) and not self.casino.device
        alone = alone or (name == "staff.new-secret" and self._nobody_else(actor, permission))
        if not second and (not permission.must or alone):
            return
        why = self._wrong_with(second, actor, command)
        if why:
            raise actor.miss_second(name, table, permission.second, second, why)
        if self.casino.second is not None:
            self._require_proof(second, self.casino.second, actor, name, table)

    def _nobody_else(self, actor: StaffMember, permission: Permission) -> bool:
        """Whether nobody else in the house could be the second person."""
        others = map(self._member, People(self.casino.ledger).others_with_pin(actor.staff))
        return not any(
            each and not each.retired and each.role in permission.second for each in others
        )

    def _require_proof(
        self, second: str, proof: Proof, actor: StaffMember, name: str, table: str
    ) -> None:
        """Checks the second person's PIN; wrong ones count as at sign-on."""
        other = self._member(second)
        assert other is not None
        proof.require_turn()
        still = People(self.casino.ledger).secrets(second) == proof.against
        try:
            right = proof.right and still
            other.prove(table, right=right, tries=proof.tries, place=place.here())
        except (WrongPin, PinLocked) as refusal:
            actor.miss_proof(name, table, second, refusal.error)
            raise
        self.casino.second_proved = True

    def _wrong_with(self, second: str, actor: StaffMember, command: Command) -> str | None:
        """Why this number cannot be the second person of the command, or None if it can."""
        permission = command.permission
        if not second:
            return "second-missing"
        if second == actor.staff:
            return "second-same"
        other = self._member(second)
        if other is None:
            if may_be_pin(second):  # and then nothing of it is kept
                raise BadValue(
                    message=Words(
                        "Name the second person by staff number. The PIN is asked for afterwards."
                    )
                )
            return "second-unknown"
        why = self._absent(other, command)
        if why:
            return why
        among = permission.second_among
        if among and second not in [getattr(command, field) for field in among]:
            return "second-not-named"
        return None if other.role in permission.second else "second-role"

    def _absent(self, other: StaffMember, command: Command) -> str | None:
        """Why this person cannot be the second person now; None if they can."""
        if self.casino.second is None and self._speaks_for_two(name_of(command)):
            return None if self._at_work(other) else "second-off"
        if self.casino.second is None:
            return "second-device" if self._device() else "second-unproved"
        if other.retired:
            return "second-retired"
        return None if People(self.casino.ledger).chose_pin(other.staff) else "second-no-pin"

    def _device(self) -> StaffMember | None:
        """The device that sends the command, or None for a person."""
        holder = self._holder()
        return holder if holder and holder.role == "device" else None

    def _speaks_for_two(self, name: str) -> bool:
        """Whether a device sends it that was enrolled for this command for two people."""
        device = self._device()
        return device is not None and name in device.for_two

    def _closed(self) -> bool:
        house = self.casino.find(Property, PROPERTY_STREAM)
        return house is not None and house.closed

    def _holder(self) -> StaffMember | None:
        """The person whose token it is, or None if they are not signed on with it."""
        holder = self._member(self.token.staff)
        return holder if holder and self._holds(holder) else None

    def _holds(self, member: StaffMember) -> bool:
        """Whether the token is of their sign-on here, which has not ended."""
        return self.token.is_of(member) and not self._over(member) and not place.idle()

    def _not_signed_on(self, number: str) -> Words:
        """Why nobody is signed on here; only whoever has the token learns where it ended."""
        if not number:
            return Words("Nobody is signed on here. Sign on first, with `sabot staff sign-on`.")
        member = self._member(self.token.staff)
        if member is None or not self.token.is_known_to(member):
            return Words(NotSignedOn.__doc__ or "", who=number)
        if not self.token.is_of(member):
            return Words(
                "{staff} is not signed on here, only at {place}. Sign on here first, with "
                "`sabot staff sign-on {staff}`.",
                staff=number,
                place=member.place.words,
            )
        if not self._over(member):
            return counted(
                place.idle(),
                "{staff}'s sign-on has ended after {n} minute in which nothing was asked here. "
                "Sign on again, with `sabot staff sign-on {staff}`.",
                "{staff}'s sign-on has ended after {n} minutes in which nothing was asked here. "
                "Sign on again, with `sabot staff sign-on {staff}`.",
                staff=number,
            )
        return counted(
            self._hours(),
            "{staff}'s sign-on has ended after {n} hour. Sign on again, with "
            "`sabot staff sign-on {staff}`.",
            "{staff}'s sign-on has ended after {n} hours. Sign on again, with "
            "`sabot staff sign-on {staff}`.",
            staff=number,
        )

    def _over(self, member: StaffMember) -> bool:
        return member.over(self.casino.asked, self._hours())

    def _hours(self) -> int:
        """How many hours a sign-on lasts."""
        house = self.casino.find(Property, PROPERTY_STREAM, rely=False)
        return house.session_hours if house else 0

    def _at_work(self, member: StaffMember) -> bool:
        """Whether a member is signed on by a PIN or a key, not only by number in open house."""
        return member.signed_on and bool(member.session) and not self._over(member)

    def _member(self, staff: str) -> StaffMember | None:
        return self.casino.find(StaffMember, StaffMember.stream(staff)) if staff else None


def _proves_itself(command: Command, proof: Proof | None) -> TypeGuard[StaffSignOn | StaffSignOff]:
    """Whether the PIN that comes with the command proves who acts, so that no token is needed."""
    if isinstance(command, StaffSignOff):
        return proof is not None
    return isinstance(command, StaffSignOn)


def _require_own_table(holder: StaffMember, table: str | None, act: str) -> None:
    """Refuses another table than the one of the sign-on. Refuses: NotPermitted."""
    if not holder.table:
        raise NotPermitted(
            message=Words(
                "{staff} may not {act}: {role} reads only about their own table, and {staff} is at "
                "none. Sign on there, with `--table`.",
                staff=holder.staff,
                act=act,
                role=role_label(holder.role),
            )
        )
    if table != holder.table:
        raise NotPermitted(
            message=Words(
                "{staff} may not {act}: {role} reads only about their own table. Narrow it with "
                "`--table {table}`.",
                staff=holder.staff,
                act=act,
                role=role_label(holder.role),
                table=holder.table,
            )
        )


def _words(member: StaffMember, roles: tuple[str, ...]) -> Words:
    """Why a role may not do something."""
    if not roles:
        return Words("everybody does that only for themselves")
    return Words(
        "that takes {roles}, and {staff} is {role}",
        roles=one_of_roles(roles),
        staff=member.staff,
        role=role_label(member.role),
    )
