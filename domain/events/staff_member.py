"""A staff number, of an employee or a device: role, PIN, sign-on, what was not allowed."""

from datetime import datetime

from domain.events import base
from domain.rules.place import NOWHERE, Place


class Event(base.Event):
    """Of one number."""

    NAMED_BY = ("staff",)
    staff: str = ""


class Enrolled(Event, topic="staff-member.enrolled", first=True):
    """A new staff number, of a person or a device."""

    role: str
    for_two: list[str]  # of a device: the commands that it may say for two people


class State(base.State):
    """Who the number is, and whether they are at work."""

    def __init__(self, enrolled: Enrolled) -> None:
        super().__init__(enrolled)
        self.staff = enrolled.staff
        self.role = enrolled.role
        self.for_two = enrolled.for_two
        self.table: str | None = None  # where signed on, '' for no table; None: not signed on
        self.session = ""
        self.place = NOWHERE  # where, and since when; nobody asks while they are not signed on
        self.since: datetime | None = None
        self.wrong = 0
        self.locked = False
        self.retired = False
        self.language = ""  # in which a terminal speaks to them; '': as it is set there


class RoleChanged(Event, topic="staff-member.role-changed"):
    """The number has another role."""

    role: str
    before: str

    def apply(self, state: State) -> None:
        state.role = self.role


class ForTwoChanged(Event, topic="staff-member.for-two-changed"):
    """A device may say other commands for two people."""

    for_two: list[str]
    before: list[str]

    def apply(self, state: State) -> None:
        state.for_two = self.for_two


class CodeIssued(Event, topic="staff-member.code-issued"):
    """A one-time code, with which a PIN is chosen; it unlocks, too."""

    def apply(self, state: State) -> None:
        state.locked = False
        state.wrong = 0


class PinChosen(Event, topic="staff-member.pin-chosen"):
    """They chose their PIN."""

    def apply(self, state: State) -> None:
        state.wrong = 0


class PinProved(Event, topic="staff-member.pin-proved"):
    """They proved who they are as a second person, after wrong PINs."""

    table: str

    def apply(self, state: State) -> None:
        state.wrong = 0


class SignedOn(Event, topic="staff-member.signed-on"):
    """They began work."""

    table: str  # '' for no table
    session: str  # SHA-256 of the token that the mouth was given, in hex
    machine: str  # where that was, and where alone the token works; '' for a device
    user: str
    place: str  # by which the same machine and account is known again

    def apply(self, state: State) -> None:
        # Since when they are signed on is when that happened
        state.since = self.timestamp
        state.table = self.table
        state.session = self.session
        state.place = Place(self.machine, self.user, self.place)
        state.wrong = 0


class SignedOff(Event, topic="staff-member.signed-off"):
    """They ended work, or somebody ended it for them."""

    table: str
    # `signed-off`, or `by-pin`, their own, from anywhere; `signed-on-again` or `replaced`, when
    # they or another signed on at the same place; `ended`, after the hours of a session;
    # `locked`, `enrolled-again`, or `retired`
    why: str

    def apply(self, state: State) -> None:
        state.table = None
        state.session = ""
        if self.why == "by-pin":
            state.wrong = 0


class SignOnRefused(Event, topic="staff-member.sign-on-refused"):
    """Somebody tried to sign on with the number, and may not."""

    table: str
    why: str  # `wrong-pin`, `locked`, `retired`, or `signed-on-elsewhere`
    machine: str  # where it was typed; '' where nobody knows
    user: str

    def apply(self, state: State) -> None:
        state.wrong += self.why == "wrong-pin"


class Locked(Event, topic="staff-member.locked"):
    """Too many wrong PINs in a row."""

    wrong: int  # how many wrong PINs in a row
    table: str  # where the last of them was typed; '' at no table

    def apply(self, state: State) -> None:
        state.locked = True
        state.wrong = self.wrong


class ActRefused(Event, topic="staff-member.act-refused"):
    """They may not do what they said."""

    command: str
    table: str
    error: str
    why: str  # `role`, `retired`, `by`, `named`, or what was wrong with the second person
    second: str


class LanguageChosen(Event, topic="staff-member.language-chosen"):
    """The language in which a terminal speaks to them while they are signed on there."""

    language: str  # as in `zh-Hant`
    before: str  # '' where none was chosen

    def apply(self, state: State) -> None:
        state.language = self.language


class Retired(Event, topic="staff-member.retired"):
    """The number is never used again."""

    reason: str

    def apply(self, state: State) -> None:
        state.retired = True
