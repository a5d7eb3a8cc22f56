"""Checks who may give a command, and who may read, before either is done.

In open house staff numbers are taken as given. After the first administrator is enrolled, a
command needs a person who is signed on in a role that may give it. Where it takes two, the second
person types their own PIN at the same place. Only a device enrolled for that command may name a
second person who is signed on and types nothing.
"""

from typing import TypeGuard

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.staff import StaffMember
from domain.aggregates.terminal import Terminal
from domain.rules.permissions import Permission, Reading
from domain.rules.refusals import NotPermitted, NotSignedOn, Refusal
from domain.rules.roles import one_of_roles, role_label
from domain.rules.wording import Words
from ops.commands.accounts import AccountBet, AccountDeal
from ops.commands.casino import Casino
from ops.commands.command import Command, name_of
from ops.commands.second_person import SecondPerson
from ops.commands.signed_on import SignedOn, Token
from ops.commands.staff import (
    StaffChangePin,
    StaffEnrol,
    StaffLanguage,
    StaffRecover,
    StaffSignOff,
    StaffSignOn,
)
from ops.ledger import machine as place
from ops.ledger.secrets import People, Proof


class Authority:
    """The checks for one terminal, shell or feed, which may have a token."""

    def __init__(self, casino: Casino, token: Token) -> None:
        self.casino = casino
        self._signed_on = SignedOn(casino, token)
        self._second_person = SecondPerson(self._signed_on)

    @property
    def token(self) -> Token:
        """The token that commands come with."""
        return self._signed_on.token

    def require(self, command: Command, *, second_presumed: bool = False) -> None:
        """Checks a command and sets who acts; `second_presumed`: as if the second person signed.

        Refuses: NotSignedOn; NotPermitted, SecondPersonNeeded, WrongPin and PinLocked, as events.
        """
        if not self._signed_on.house_is_closed():
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
        actor = self._who_acts(command)
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
        permission = command.permitted
        if not permission.grants(actor.role):
            raise actor.refuse(name, table, "role", _words(actor, permission.roles))
        self._second_person.require(command, actor, table, presumed=second_presumed)
        self._require_named(command, actor, permission, table)

    def _position(self, command: Command) -> str:
        """The position whose terminal bets for it, or has it dealt; '' for any other command.

        A terminal that was approved as `E01/3` bets at seat 3 of E01, without a sign-on.
        """
        if self.token.staff or not isinstance(command, AccountBet | AccountDeal):
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
        return holder if holder and self._signed_on.holds(holder) else None

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
        holder = self._signed_on.holder()
        return holder is not None and holder.role in StaffEnrol.permission.roles

    def require_one_of(self, roles: tuple[str, ...], act: Words) -> StaffMember | None:
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
            self.require_one_of(kind.permission.roles, Words("do this"))
        except Refusal:
            return False
        return True

    def require_reading(
        self, reading: Reading, act: Words, table: str | None
    ) -> StaffMember | None:
        """The person who reads, or None in open house. Refuses: NotSignedOn, NotPermitted.

        `act`: what they would do, in words.
        """
        holder = self.require_one_of(reading.roles, act)
        if holder and not reading.grants(holder.role, holder.table or "", table):
            raise NotPermitted(message=_about_another_table(holder, act))
        return holder

    def _who_asks(self) -> StaffMember | None:
        """The person signed on now, or None in open house. Refuses: NotSignedOn."""
        self._begin_afresh()
        return self._who_acts(self.casino.command) if self._signed_on.house_is_closed() else None

    def _begin_afresh(self) -> None:
        """Drops every aggregate held: no later append would check that they were current."""
        self.casino.forget()
        self.casino.begin(Command())

    def _who_acts(self, command: Command) -> StaffMember:
        """The person who acts: the holder of the token, or whom a device names, if signed on."""
        holder = self._signed_on.holder()
        if holder is None:
            raise NotSignedOn(message=self._signed_on.why_not(self.token.staff or command.by or ""))
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
        named = self._signed_on.member(command.by or "")
        if named is None or not self._signed_on.at_work(named):
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
            member = self._signed_on.member(staff)
            if member is None or not self._signed_on.at_work(member) or member.role not in roles:
                words = Words(
                    "{person} is not signed on as {roles}",
                    person=staff,
                    roles=one_of_roles(roles),
                )
                raise actor.refuse(name_of(command), table, "named", words, second=staff)


def _proves_itself(command: Command, proof: Proof | None) -> TypeGuard[StaffSignOn | StaffSignOff]:
    """Whether the PIN that comes with the command proves who acts, so that no token is needed."""
    if isinstance(command, StaffSignOff):
        return proof is not None
    return isinstance(command, StaffSignOn)


def _about_another_table(holder: StaffMember, act: Words) -> Words:
    """Why somebody does not read about this table."""
    named = {"staff": holder.staff, "act": act, "role": role_label(holder.role)}
    if not holder.table:
        return Words(
            "{staff} may not {act}: {role} reads only about their own table, and {staff} is at "
            "none. Sign on there, with `--table`.",
            **named,
        )
    return Words(
        "{staff} may not {act}: {role} reads only about their own table. Narrow it with "
        "`--table {table}`.",
        **named,
        table=holder.table,
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
