"""One employee, or one device: role, PIN, sign-on, lock-out, retirement.

No PIN and no name ever stands in a fact: they are kept beside the ledger and can be erased.
What somebody was not allowed to do is a fact of theirs.
"""

from datetime import datetime
from typing import Any, Self
from uuid import UUID

from eventsourcing.domain import event

from domain.addresses import stream_id
from domain.aggregate import Aggregate
from domain.refusals import (
    NotPermitted,
    NotSignedOn,
    PinLocked,
    SecondPersonNeeded,
    WrongPin,
)

WRONG_PINS = 3  # in a row, and the next sign-on needs an administrator first


class StaffMember(Aggregate):
    """One staff number."""

    TOPIC = "staff-member"
    MANY_CLOCKS = True

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        staff: str

    class Created(Aggregate.Created):
        TOPIC = "staff-member.enrolled"
        staff: str
        role: str

    class RoleChanged(Event):
        TOPIC = "staff-member.role-changed"
        role: str
        before: str

    class CodeIssued(Event):
        TOPIC = "staff-member.code-issued"  # with which a PIN is chosen; it unlocks, too

    class PinChosen(Event):
        TOPIC = "staff-member.pin-chosen"

    class PinProved(Event):
        TOPIC = "staff-member.pin-proved"  # as a second person, after wrong ones
        table: str

    class SignedOn(Event):
        TOPIC = "staff-member.signed-on"
        table: str  # '' for no table
        session: str  # SHA-256 of the token that the mouth was given, in hex

    class SignedOff(Event):
        TOPIC = "staff-member.signed-off"
        table: str
        why: str  # `signed-off`, `enrolled-again`, or `retired`

    class SignOnRefused(Event):
        TOPIC = "staff-member.sign-on-refused"
        table: str
        why: str  # `wrong-pin`, `locked`, `retired`, or `signed-on-elsewhere`

    class Locked(Event):
        TOPIC = "staff-member.locked"
        class_version = 2
        wrong: int  # how many wrong PINs in a row
        table: str  # where the last of them was typed; '' at no table

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version did not say where."""
            state["table"] = ""

    class ActRefused(Event):
        TOPIC = "staff-member.act-refused"
        command: str
        table: str
        error: str
        why: str  # `role`, `retired`, `by`, `named`, or what was wrong with the second person
        second: str

    class Retired(Event):
        TOPIC = "staff-member.retired"
        reason: str

    # State: what later decisions ask.
    def __init__(self, staff: str, role: str) -> None:
        self.staff = staff
        self.role = role
        self.table: str | None = None  # where signed on, '' for no table; None: not signed on
        self.session = ""
        self.wrong = 0
        self.locked = False
        self.retired = False

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"staff": self.staff}

    @property
    def signed_on(self) -> bool:
        """Whether they are at work now."""
        return self.table is not None

    @staticmethod
    def stream(staff: str) -> UUID:
        """Where this staff number's facts are."""
        return stream_id("staff-member", staff)

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def enrol(cls, staff: str, role: str, at: datetime) -> Self:
        """A new staff number, which chooses its PIN with a one-time code."""
        member = cls.begin(cls.Created, cls.stream(staff), at, staff=staff, role=role)
        member._code_issued()
        return member

    def enrol_again(self, role: str) -> None:
        """Another role, or a new code for a PIN forgotten or locked. Refuses: NotPermitted."""
        if self.retired:
            raise self.refuse("staff.enrol", "", "retired", "the number is retired")
        if self.table is not None:
            self._signed_off(table=self.table, why="enrolled-again")  # the old PIN is out
        if role != self.role:
            self._role_changed(role=role, before=self.role)
        self._code_issued()

    def sign_on(self, table: str, session: str, *, right: bool, chooses: bool = False) -> None:
        """Begins work; `right`: the PIN was, or the code, with which a PIN `chooses` itself.

        Refuses, as facts: NotPermitted (retired, or at work elsewhere), PinLocked, WrongPin.
        """
        if self.retired:
            self._sign_on_refused(table=table, why="retired")
            raise NotPermitted(who=self.staff, act="sign on", why="the number is retired")
        self._require_pin(table, right=right)
        if self.table is not None:
            self._sign_on_refused(table=table, why="signed-on-elsewhere")
            where = f"at {self.table}" if self.table else "already"
            why = f"they are signed on {where}; sign off there first"
            raise NotPermitted(who=self.staff, act="sign on", why=why)
        if chooses:
            self._pin_chosen()
        self._signed_on(table=table, session=session)

    def prove(self, table: str, *, right: bool) -> None:
        """Who stands by as the second person, at work or not, types their own PIN.

        Refuses, as facts: PinLocked, WrongPin.
        """
        self._require_pin(table, right=right)
        if self.wrong:
            self._pin_proved(table=table)

    def _require_pin(self, table: str, *, right: bool) -> None:
        if self.locked:
            self._sign_on_refused(table=table, why="locked")
            raise PinLocked(staff=self.staff, wrong=self.wrong)
        if not right:
            raise self._wrong_pin(table)

    def _wrong_pin(self, table: str) -> WrongPin | PinLocked:
        self._sign_on_refused(table=table, why="wrong-pin")
        left = WRONG_PINS - self.wrong
        if left > 0:
            return WrongPin(staff=self.staff, left=left)
        self._locked(wrong=self.wrong, table=table)
        return PinLocked(staff=self.staff, wrong=self.wrong)

    def sign_off(self) -> None:
        """Ends work. Refuses: NotSignedOn."""
        if self.table is None:
            raise NotSignedOn(who=self.staff)
        self._signed_off(table=self.table, why="signed-off")

    def change_pin(self, *, right: bool) -> None:
        """Another PIN, by whoever knows the old one. Refuses: NotPermitted, WrongPin, PinLocked."""
        if self.retired:
            raise self.refuse("staff.change-pin", "", "retired", "the number is retired")
        self._require_pin("", right=right)
        self._pin_chosen()

    def retire(self, reason: str) -> None:
        """The number is never used again. Refuses: NotPermitted, when it is retired."""
        if self.retired:
            raise self.refuse("staff.retire", "", "retired", "the number is retired already")
        if self.table is not None:
            self._signed_off(table=self.table, why="retired")
        self._retired(reason=reason)

    def refuse(
        self, command: str, table: str, why: str, words: str, *, second: str = ""
    ) -> NotPermitted:
        """The fact that somebody may not do what they said; what it returns is to be raised."""
        self._act_refused(
            command=command, table=table, error="NotPermitted", why=why, second=second
        )
        return NotPermitted(who=self.staff, act=_spoken(command), why=words)

    def miss_second(
        self, command: str, table: str, roles: str, second: str, why: str
    ) -> SecondPersonNeeded:
        """The fact that a second person was missing, or no other, or may not."""
        self._act_refused(
            command=command, table=table, error="SecondPersonNeeded", why=why, second=second
        )
        but = _BUT[why].format(second)
        missing = SecondPersonNeeded(act=_spoken(command), who=f"a {roles}", but=but)
        missing.recorded = True
        return missing

    def miss_proof(self, command: str, table: str, second: str, error: str) -> None:
        """The fact that whoever was named as the second person did not prove who they are."""
        self._act_refused(
            command=command, table=table, error=error, why="second-pin", second=second
        )

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(RoleChanged)
    def _role_changed(self, role: str, before: str) -> None:
        self.role = role

    @event(CodeIssued)
    def _code_issued(self) -> None:
        self.locked = False
        self.wrong = 0

    @event(PinChosen)
    def _pin_chosen(self) -> None:
        self.wrong = 0

    @event(PinProved)
    def _pin_proved(self, table: str) -> None:
        self.wrong = 0

    @event(SignedOn)
    def _signed_on(self, table: str, session: str) -> None:
        self.table = table
        self.session = session
        self.wrong = 0

    @event(SignedOff)
    def _signed_off(self, table: str, why: str) -> None:
        self.table = None
        self.session = ""

    @event(SignOnRefused)
    def _sign_on_refused(self, table: str, why: str) -> None:
        self.wrong += why == "wrong-pin"

    @event(Locked)
    def _locked(self, wrong: int, table: str) -> None:
        self.locked = True

    @event(ActRefused)
    def _act_refused(self, command: str, table: str, error: str, why: str, second: str) -> None:
        pass  # worth knowing; who may do what is not theirs to change

    @event(Retired)
    def _retired(self, reason: str) -> None:
        self.retired = True


# Why a second person does not do; the number that was named stands in the braces.
_BUT = {
    "second-missing": "",
    "second-same": "; {} is the first already",
    "second-unknown": "; {} is nobody's number",
    "second-off": "; {} is not signed on",
    "second-unproved": "; {} has to type their PIN here, being named is not enough",
    "second-retired": "; {} is retired",
    "second-no-pin": "; {} has no PIN yet, and chooses one at the first sign-on",
    "second-role": "; {} holds another role",
}


def _spoken(command: str) -> str:
    """A command as it is typed, at whichever mouth."""
    return f"`{command.replace('.', ' ')}`"
