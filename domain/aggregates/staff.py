"""One employee, or one device: role, PIN, sign-on, lock-out, retirement.

No event has a PIN or a name: those are stored beside the ledger and can be erased. An act that
somebody was not allowed is an event of theirs. Nobody is signed on in two places.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import staff_member as events
from domain.rules.acts import act_called
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
from domain.rules.roles import one_of_roles, role_label
from domain.rules.wording import N_, Moment, Words, as_words

_UTC = GamingClock("UTC", "06:00")


class StaffMember(Aggregate, events.State):
    """One staff number."""

    MANY_CLOCKS = True

    @property
    def signed_on(self) -> bool:
        """Whether they are signed on."""
        return self.table is not None

    def over(self, now: datetime, hours: int) -> bool:
        """Whether their sign-on has expired after so many hours; a device's never does."""
        return (
            self.role != "device"
            and self.since is not None
            and self.signed_on
            and now - self.since >= timedelta(hours=hours)
        )

    def licence_over(self, day: date) -> bool:
        """Whether their licence has ended before a day.

        An administrator's is not asked for: it is they who record the next one.
        """
        if not self.licence_until or self.role == "administrator":
            return False
        return day > date.fromisoformat(self.licence_until)

    @staticmethod
    def stream(staff: str) -> UUID:
        """The stream of a staff number."""
        return stream_id("staff-member", staff)

    # Commands: decide; refuse, or record an event.
    @classmethod
    def enrol(
        cls,
        staff: str,
        role: str,
        at: datetime,
        for_two: Sequence[str] = (),
        *,
        code: str,
        key: str = "",
    ) -> Self:
        """Enrols a person, who chooses a PIN with a one-time code, or a device by its key.

        A device without a key sends nothing until it is enrolled again with one.

        `for_two`: the commands that a device may send for two people without a PIN.
        `code`: the digest of what is stored of the code. `key`: a device's public key.
        Refuses: BadValue.
        """
        _require_device(role, for_two, key)
        member = cls.begin(
            events.Enrolled(staff=staff, role=role, for_two=sorted(set(for_two))),
            cls.stream(staff),
            at,
        )
        member._let_in(code, key)
        return member

    def _let_in(self, code: str, key: str) -> None:
        """Issues a person's one-time code, or registers a device's key, if it has one yet."""
        if key:
            self.record(events.KeyRegistered(key=key))
        elif self.role != "device":
            self.record(events.CodeIssued(digest=code))

    def enrol_again(
        self, role: str, for_two: Sequence[str] = (), *, code: str, key: str = ""
    ) -> None:
        """Gives another role, a new code for a PIN that is forgotten or locked, or a new key.

        `code`: the digest of what is stored of the code. `key`: a device's public key.
        Refuses: NotPermitted, BadValue.
        """
        _require_device(role, for_two, key)
        if self.retired:
            raise self.refuse("staff.enrol", "", "retired", Words("the number is retired"))
        if self.table is not None:
            # The old PIN no longer works
            self.record(events.SignedOff(table=self.table, why="enrolled-again"))
        if role != self.role:
            self.record(events.RoleChanged(role=role, before=self.role))
        if set(for_two) != set(self.for_two):
            self.record(events.ForTwoChanged(for_two=sorted(set(for_two)), before=self.for_two))
        self._let_in(code, key)

    def sign_on(
        self,
        table: str,
        session: str,
        *,
        right: bool,
        new_pin: str = "",
        tries: int = 0,
        place: Place = NOWHERE,
        clock: GamingClock = _UTC,
        day: date | None = None,
    ) -> None:
        """Signs on, with a right PIN, or with the right code and a new PIN.

        `new_pin`: the digest of what is stored of it; '': none is chosen.
        It ends their earlier sign-on at the same place. `tries`: the number of PINs typed since
        the last right one, with those that no event has. `clock`: the house's. `day`: the
        gaming day on which their licence has to hold; None: on none.
        Refuses, recorded: NotPermitted (retired, licence over, or signed on elsewhere), PinLocked,
        WrongPin.
        """
        if self.retired:
            self.record(events.SignOnRefused(table=table, why="retired", **_typed_at(place)))
            raise NotPermitted(
                who=self.staff, act=Words("sign on"), why=Words("the number is retired")
            )
        self._require_pin(table, right=right, tries=tries, place=place, code=bool(new_pin))
        if day and self.licence_over(day):
            self.record(events.SignOnRefused(table=table, why="licence-over", **_typed_at(place)))
            raise NotPermitted(
                who=self.staff,
                act=Words("sign on"),
                why=Words(
                    "licence {licence} ended on {day}; an administrator records the next one, with "
                    "`sabot staff licence`",
                    licence=self.licence,
                    day=self.licence_until,
                ),
            )
        if self.table is not None:
            self._require_same(place, table, clock)
            self.record(events.SignedOff(table=self.table, why="signed-on-again"))
        if new_pin:
            self.record(events.PinChosen(digest=new_pin))
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
        raise NotPermitted(
            message=Words(
                "{staff} is signed on at {place}, since {time}. Sign off there, or here with "
                "`sabot staff sign-off {staff}` and {staff}'s PIN; a pit boss can do it too.",
                staff=self.staff,
                place=self._where,
                time=f"{clock.local(self.since):%H:%M}",
            )
        )

    @property
    def _where(self) -> Words:
        """The table and the machine of their sign-on."""
        if not self.table:
            return self.place.words
        return Words("{table} on {machine}", table=self.table, machine=self.place.words)

    def prove(self, table: str, *, right: bool, tries: int = 0, place: Place = NOWHERE) -> None:
        """Proves who they are as a second person, by their PIN, signed on or not.

        Refuses, recorded: PinLocked, WrongPin.
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
        """Signs off. Refuses: NotSignedOn."""
        if self.table is None:
            raise NotSignedOn(who=self.staff)
        self.record(events.SignedOff(table=self.table, why=why))

    def leave(self, *, right: bool, tries: int = 0, place: Place = NOWHERE) -> None:
        """Signs off by their own PIN, from anywhere.

        Refuses: NotSignedOn; and recorded: PinLocked, WrongPin.
        """
        self._require_pin("", right=right, tries=tries, place=place)
        self.sign_off("by-pin")

    def change_pin(
        self, new_pin: str, *, right: bool, tries: int = 0, place: Place = NOWHERE
    ) -> None:
        """Changes the PIN, with the old one. Refuses: NotPermitted, WrongPin, PinLocked.

        `new_pin`: the digest of what is stored of it.
        """
        if self.retired:
            raise self.refuse("staff.change-pin", "", "retired", Words("the number is retired"))
        self._require_pin("", right=right, tries=tries, place=place)
        self.record(events.PinChosen(digest=new_pin))

    def choose_language(self, language: str) -> None:
        """Chooses the language of their terminal. Refuses: NotPermitted."""
        if self.retired:
            raise self.refuse("staff.language", "", "retired", Words("the number is retired"))
        self.record(events.LanguageChosen(language=language, before=self.language))

    def miss_lines(self, first: int, last: int, table: str) -> None:
        """Records that lines of this device, by their numbers, did not arrive."""
        self.record(events.LinesMissing(first=first, last=last, table=table))

    def license(self, licence: str, until: date | None) -> None:
        """Records their licence, and the last day on which it holds.

        Refuses: NotPermitted, BadValue.
        """
        if self.retired:
            raise self.refuse("staff.licence", "", "retired", Words("the number is retired"))
        if self.role == "device":
            raise BadValue(message=Words("A device has no licence. Name a person."))
        end = str(until) if until else ""
        if (licence, end) == (self.licence, self.licence_until):
            raise BadValue(message=Words("That is the licence on record already."))
        self.record(
            events.LicenceRecorded(
                licence=licence, until=end, before=self.licence, until_before=self.licence_until
            )
        )

    def retire(self, reason: str, left_at: datetime | None = None) -> None:
        """Retires the number, which is never used again.

        `left_at`: when the person had left the house. Refuses: NotPermitted, and BadValue for a
        moment before the enrolment.
        """
        if self.retired:
            raise self.refuse("staff.retire", "", "retired", Words("the number is already retired"))
        if left_at and left_at < self.created_on:
            raise BadValue(
                message=Words(
                    "{staff} was enrolled at {at}, and nobody leaves before that. Give the moment "
                    "when the person left the house.",
                    staff=self.staff,
                    at=Moment(self.created_on),
                )
            )
        if self.table is not None:
            self.record(events.SignedOff(table=self.table, why="retired"))
        left = left_at.astimezone(UTC).isoformat() if left_at else ""
        self.record(events.Retired(reason=reason, left_at=left))

    def refuse(
        self, command: str, table: str, why: str, words: Words, *, second: str = ""
    ) -> NotPermitted:
        """Records an act that they may not do, and returns the refusal to raise."""
        self._try(command, table, "NotPermitted", why, second)
        return NotPermitted(who=self.staff, act=act_called(command), why=words)

    def miss_second(
        self, command: str, table: str, roles: Sequence[str], second: str, why: str
    ) -> SecondPersonNeeded:
        """Records that the second person is missing or cannot be it, and returns the refusal."""
        self._try(command, table, "SecondPersonNeeded", why, second)
        missing = SecondPersonNeeded(
            message=Words(_SECOND[why], act=_typed(command), who=one_of_roles(roles), second=second)
        )
        missing.recorded = True
        return missing

    def miss_proof(self, command: str, table: str, second: str, error: str) -> None:
        """Records that the second person who was named did not prove who they are."""
        self._try(command, table, error, "second-pin", second)

    def _try(self, command: str, table: str, error: str, why: str, second: str) -> None:
        """Records that an act was refused, once for each reason since they signed on.

        The first time is worth knowing; a thousand more say nothing new and fill the record.
        """
        if (command, error, why) not in self.tried:
            self.record(
                events.ActRefused(command=command, table=table, error=error, why=why, second=second)
            )


# Why somebody cannot be the second person.
_SECOND = {
    "second-missing": N_("{act} takes two people. Name {who} as the second."),
    "second-same": N_(
        "{act} takes two people, and {second} is already the first. Name {who} as the second."
    ),
    "second-unknown": N_(
        "{act} takes two people, and {second} is no staff number. Name {who} as the second."
    ),
    "second-off": N_(
        "{act} takes two people, and {second} is not signed on. Name {who} who is signed on."
    ),
    "second-unproved": N_(
        "{act} takes two people, and naming {second} is not enough. On a pipe or a feed nobody can "
        "type a PIN: {second} types theirs at the dealer's terminal, or at a shell with a keyboard."
    ),
    "second-device": N_(
        "{act} takes two people, and this device may not send it for two. Enter it where {second} "
        "can type their PIN."
    ),
    "second-not-named": N_(
        "{act} takes two people, and {second} neither issued nor carried the chips. Name one who "
        "did."
    ),
    "second-retired": N_(
        "{act} takes two people, and {second} is retired. Name {who} as the second."
    ),
    "second-licence": N_(
        "{act} takes two people, and the licence of {second} is over. Name {who} as the second."
    ),
    "second-no-pin": N_(
        "{act} takes two people, and {second} has no PIN yet. {second} chooses one at the first "
        "sign-on."
    ),
    "second-role": N_(
        "{act} takes two people, and {second} has another role. Name {who} as the second."
    ),
}


def _typed_at(place: Place) -> dict[str, Any]:
    return {"machine": place.machine, "user": place.user}


def _require_device(role: str, for_two: Sequence[str], key: str) -> None:
    """Refuses what only a device has for others: BadValue."""
    if key and role != "device":
        raise BadValue(
            message=Words(
                "Only a device has a key. Leave `public_key` out for {role}.", role=role_label(role)
            )
        )
    if for_two and role != "device":
        raise BadValue(
            message=Words(
                "Only a device may send commands for two people. Leave `for_two` out for {role}.",
                role=role_label(role),
            )
        )


def _typed(command: str) -> Words:
    """A command as it is typed at a shell."""
    return as_words(f"`{command.replace('.', ' ')}`")
