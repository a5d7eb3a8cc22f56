"""One employee, or one device: role, PIN, sign-on, lock-out, retirement.

No PIN and no name ever stands in an event: they are kept beside the ledger and can be erased.
What somebody was not allowed to do is an event of theirs. Nobody is signed on in two places.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import staff_member as events
from domain.rules.addresses import stream_id
from domain.rules.gaming_day import GamingClock
from domain.rules.pins import WRONG_PINS
from domain.rules.place import NOWHERE, Place
from domain.rules.refusals import (
    BadValue,
    NotPermitted,
    NotSignedOn,
    PinLocked,
    SecondPersonNeeded,
    WrongPin,
)

_UTC = GamingClock("UTC", "06:00")


class StaffMember(Aggregate, events.State):
    """One staff number."""

    MANY_CLOCKS = True

    @property
    def signed_on(self) -> bool:
        """Whether they are at work now."""
        return self.table is not None

    def over(self, now: datetime, hours: int) -> bool:
        """Whether they signed on so many hours ago that it counts no more; a device's key stays."""
        return (
            self.role != "device"
            and self.since is not None
            and self.signed_on
            and now - self.since >= timedelta(hours=hours)
        )

    @staticmethod
    def stream(staff: str) -> UUID:
        """Where this staff number's events are."""
        return stream_id("staff-member", staff)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def enrol(cls, staff: str, role: str, at: datetime, for_two: Sequence[str] = ()) -> Self:
        """A new staff number, which chooses its PIN with a one-time code. Refuses: BadValue.

        `for_two`: the commands that a device may say for two people, of whom nobody types a PIN.
        """
        _require_device(role, for_two)
        member = cls.begin(
            events.Enrolled(staff=staff, role=role, for_two=sorted(set(for_two))),
            cls.stream(staff),
            at,
        )
        member.record(events.CodeIssued())
        return member

    def enrol_again(self, role: str, for_two: Sequence[str] = ()) -> None:
        """Another role, or a new code for a PIN forgotten or locked.

        Refuses: NotPermitted, BadValue.
        """
        _require_device(role, for_two)
        if self.retired:
            raise self.refuse("staff.enrol", "", "retired", "the number is retired")
        if self.table is not None:
            self.record(
                events.SignedOff(table=self.table, why="enrolled-again")
            )  # the old PIN is out
        if role != self.role:
            self.record(events.RoleChanged(role=role, before=self.role))
        if set(for_two) != set(self.for_two):
            self.record(events.ForTwoChanged(for_two=sorted(set(for_two)), before=self.for_two))
        self.record(events.CodeIssued())

    def sign_on(
        self,
        table: str,
        session: str,
        *,
        right: bool,
        chooses: bool = False,
        tries: int = 0,
        place: Place = NOWHERE,
        clock: GamingClock = _UTC,
    ) -> None:
        """Begins work; `right`: the PIN was, or the code, with which a PIN `chooses` itself.

        It ends their sign-on before it at the same place. `tries`: how many PINs were typed
        since the last right one, those that no event tells of included. `clock`: the house's.
        Refuses, as events: NotPermitted (retired, or at work elsewhere), PinLocked, WrongPin.
        """
        if self.retired:
            self.record(events.SignOnRefused(table=table, why="retired", **_typed_at(place)))
            raise NotPermitted(who=self.staff, act="sign on", why="the number is retired")
        self._require_pin(table, right=right, tries=tries, place=place, code=chooses)
        if self.table is not None:
            self._require_same(place, table, clock)
            self.record(events.SignedOff(table=self.table, why="signed-on-again"))
        if chooses:
            self.record(events.PinChosen())
        self.record(
            events.SignedOn(table=table, session=session, **_typed_at(place), place=place.mark)
        )

    def _require_same(self, place: Place, table: str, clock: GamingClock) -> None:
        if place.mark == self.place.mark:
            return
        self.record(
            events.SignOnRefused(table=table, why="signed-on-elsewhere", **_typed_at(place))
        )
        assert self.since is not None
        at = f"{self.table} on {self.place}" if self.table else str(self.place)
        why = (
            f"they are signed on at {at} since {clock.local(self.since):%H:%M}. Sign off there, or "
            f"type `sabot staff sign-off {self.staff}` here with {self.staff}'s own PIN; "
            "a pit boss can end it too"
        )
        raise NotPermitted(who=self.staff, act="sign on", why=why)

    def prove(self, table: str, *, right: bool, tries: int = 0, place: Place = NOWHERE) -> None:
        """Who stands by as the second person, at work or not, types their own PIN.

        Refuses, as events: PinLocked, WrongPin.
        """
        self._require_pin(table, right=right, tries=tries, place=place)
        if self.wrong:
            self.record(events.PinProved(table=table))

    def _require_pin(
        self, table: str, *, right: bool, tries: int, place: Place, code: bool = False
    ) -> None:
        if self.locked:
            self.record(events.SignOnRefused(table=table, why="locked", **_typed_at(place)))
            raise PinLocked(staff=self.staff, wrong=self.wrong)
        if not right:
            raise self._wrong_pin(table, tries, place, code=code)

    def _wrong_pin(
        self, table: str, tries: int, place: Place, *, code: bool
    ) -> WrongPin | PinLocked:
        self.record(events.SignOnRefused(table=table, why="wrong-pin", **_typed_at(place)))
        if max(self.wrong, tries) < WRONG_PINS:
            return WrongPin(staff=self.staff, typed="one-time code" if code else "PIN")
        self.record(events.Locked(wrong=max(self.wrong, tries), table=table))
        if self.table is not None:
            self.record(events.SignedOff(table=self.table, why="locked"))
        return PinLocked(staff=self.staff, wrong=self.wrong)

    def sign_off(self, why: str = "signed-off") -> None:
        """Ends work. Refuses: NotSignedOn."""
        if self.table is None:
            raise NotSignedOn(who=self.staff)
        self.record(events.SignedOff(table=self.table, why=why))

    def leave(self, *, right: bool, tries: int = 0, place: Place = NOWHERE) -> None:
        """Ends work by their own PIN, from anywhere.

        Refuses: NotSignedOn; and as events PinLocked, WrongPin.
        """
        self._require_pin("", right=right, tries=tries, place=place)
        self.sign_off("by-pin")

    def change_pin(self, *, right: bool, tries: int = 0, place: Place = NOWHERE) -> None:
        """Another PIN, by whoever knows the old one. Refuses: NotPermitted, WrongPin, PinLocked."""
        if self.retired:
            raise self.refuse("staff.change-pin", "", "retired", "the number is retired")
        self._require_pin("", right=right, tries=tries, place=place)
        self.record(events.PinChosen())

    def choose_language(self, language: str) -> None:
        """Chooses the language of their terminal. Refuses: NotPermitted."""
        if self.retired:
            raise self.refuse("staff.language", "", "retired", "the number is retired")
        self.record(events.LanguageChosen(language=language, before=self.language))

    def retire(self, reason: str) -> None:
        """The number is never used again. Refuses: NotPermitted, when it is retired."""
        if self.retired:
            raise self.refuse("staff.retire", "", "retired", "the number is retired already")
        if self.table is not None:
            self.record(events.SignedOff(table=self.table, why="retired"))
        self.record(events.Retired(reason=reason))

    def refuse(
        self, command: str, table: str, why: str, words: str, *, second: str = ""
    ) -> NotPermitted:
        """Records that somebody may not do what they said; what it returns is to be raised."""
        self.record(
            events.ActRefused(
                command=command, table=table, error="NotPermitted", why=why, second=second
            )
        )
        return NotPermitted(who=self.staff, act=_spoken(command), why=words)

    def miss_second(
        self, command: str, table: str, roles: str, second: str, why: str
    ) -> SecondPersonNeeded:
        """Records that a second person was missing, or no other, or may not."""
        self.record(
            events.ActRefused(
                command=command, table=table, error="SecondPersonNeeded", why=why, second=second
            )
        )
        but = _BUT[why].format(second)
        missing = SecondPersonNeeded(act=_spoken(command), who=f"a {roles}", but=but)
        missing.recorded = True
        return missing

    def miss_proof(self, command: str, table: str, second: str, error: str) -> None:
        """Records that whoever was named as the second person did not prove who they are."""
        self.record(
            events.ActRefused(
                command=command, table=table, error=error, why="second-pin", second=second
            )
        )


# Why a second person does not do; the number that was named stands in the braces.
_BUT = {
    "second-missing": "",
    "second-same": "; {} is the first already",
    "second-unknown": "; {} is nobody's number",
    "second-off": "; {} is not signed on",
    "second-unproved": (
        "; being named is not enough: {} types their PIN, at the dealer's terminal or at the shell "
        "when it asks"
    ),
    "second-device": (
        "; the device that says so was not enrolled for it: say it where {} can type their PIN"
    ),
    "second-not-named": "; {} is not who gave out or carried the chips on it",
    "second-retired": "; {} is retired",
    "second-no-pin": "; {} has no PIN yet, and chooses one at the first sign-on",
    "second-role": "; {} holds another role",
}


def _typed_at(place: Place) -> dict[str, Any]:
    return {"machine": place.machine, "user": place.user}


def _require_device(role: str, for_two: Sequence[str]) -> None:
    if for_two and role != "device":
        why = "only a device says a command for two people: a person's second types their PIN"
        raise BadValue(field="for_two", value=", ".join(for_two), why=why)


def _spoken(command: str) -> str:
    """A command as it is typed, at whichever mouth."""
    return f"`{command.replace('.', ' ')}`"
