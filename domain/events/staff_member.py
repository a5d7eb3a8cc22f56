"""A staff number, of an employee or a device: role, PIN, sign-ons, refused acts."""

from datetime import datetime

from domain.events import base
from domain.rules.place import NOWHERE, Place


class Event(base.Event):
    """About one number."""

    NAMED_BY = ("staff",)
    staff: str = ""


class Enrolled(Event, topic="staff-member.enrolled", first=True):
    """A staff number was enrolled, for a person or a device."""

    role: str
    for_two: list[str]  # of a device: the commands that it may send for two people


class State(base.State):
    """The role of the number, and whether it is signed on."""

    def __init__(self, enrolled: Enrolled) -> None:
        super().__init__(enrolled)
        self.staff = enrolled.staff
        self.role = enrolled.role
        self.for_two = enrolled.for_two
        self.table: str | None = None  # where signed on, '' for no table; None: not signed on
        self.session = ""
        self.place = NOWHERE  # of the last sign-on, with its moment
        self.since: datetime | None = None
        self.wrong = 0
        self.locked = False
        self.retired = False
        self.key = ""  # of a device: its public key
        self.licence = ""  # its number; '' if none is on record
        self.licence_until = ""  # the last day on which it holds; '': no end is on record
        self.language = ""  # of their terminal; '': the terminal's own
        self.tried: set[tuple[str, str, str]] = set()  # what was refused since they signed on


class RoleChanged(Event, topic="staff-member.role-changed"):
    """The number has another role."""

    role: str
    before: str

    def apply(self, state: State) -> None:
        state.role = self.role


class ForTwoChanged(Event, topic="staff-member.for-two-changed"):
    """A device may send other commands for two people."""

    for_two: list[str]
    before: list[str]

    def apply(self, state: State) -> None:
        state.for_two = self.for_two


class CodeIssued(Event, topic="staff-member.code-issued"):
    """A one-time code was issued, which unlocks the number, to choose a PIN with."""

    digest: str  # SHA-256 of what is stored of the code, in hex

    def apply(self, state: State) -> None:
        state.locked = False
        state.wrong = 0


class KeyRegistered(Event, topic="staff-member.key-registered"):
    """A device has this key now, with which it signs its lines; one before works no more."""

    key: str  # its public half: Ed25519, base64

    def apply(self, state: State) -> None:
        state.key = self.key
        state.locked = False
        state.wrong = 0


class LinesMissing(Event, topic="staff-member.lines-missing"):
    """Lines of a device did not arrive: it numbers them, and some numbers are missing."""

    first: int
    last: int
    table: str  # of the line after them; '' for none


class PinChosen(Event, topic="staff-member.pin-chosen"):
    """They chose their PIN."""

    digest: str  # SHA-256 of what is stored of the PIN, in hex

    def apply(self, state: State) -> None:
        state.wrong = 0


class PinProved(Event, topic="staff-member.pin-proved"):
    """They proved who they are as a second person, after wrong PINs."""

    table: str

    def apply(self, state: State) -> None:
        state.wrong = 0


class SignedOn(Event, topic="staff-member.signed-on"):
    """They signed on."""

    table: str  # '' for no table
    session: str  # SHA-256 of the token of this sign-on, in hex
    machine: str  # the only one where the token works; '' for a device
    user: str
    place: str  # identifies the machine and account

    def apply(self, state: State) -> None:
        state.tried.clear()
        state.since = self.timestamp
        state.table = self.table
        state.session = self.session
        state.place = Place(self.machine, self.user, self.place)
        state.wrong = 0


class SignedOff(Event, topic="staff-member.signed-off"):
    """They signed off, or were signed off."""

    table: str
    # `signed-off`; `by-pin`: with their own PIN, from anywhere; `signed-on-again`, `replaced`: they
    # or another signed on at the same place; `ended`: after the hours of a session; `idle`:
    # after too long without a request;
    # `locked`, `enrolled-again`, or `retired`
    why: str

    def apply(self, state: State) -> None:
        state.table = None
        state.session = ""
        if self.why == "by-pin":
            state.wrong = 0


class SignOnRefused(Event, topic="staff-member.sign-on-refused"):
    """A sign-on with the number was refused."""

    table: str
    why: str  # `wrong-pin`, `locked`, `retired`, `licence-over`, or `signed-on-elsewhere`
    machine: str  # where it was typed; '' if unknown
    user: str

    def apply(self, state: State) -> None:
        state.wrong += self.why == "wrong-pin"


class Locked(Event, topic="staff-member.locked"):
    """The number was locked after too many wrong PINs in a row."""

    wrong: int  # how many wrong PINs in a row
    table: str  # of the last of them; '' at no table

    def apply(self, state: State) -> None:
        state.locked = True
        state.wrong = self.wrong


class ActRefused(Event, topic="staff-member.act-refused"):
    """They tried a command that they may not use: the first time since they signed on."""

    command: str
    table: str
    error: str
    why: str  # `role`, `retired`, `by`, `named`, or the problem with the second person
    second: str

    def apply(self, state: State) -> None:
        state.tried.add((self.command, self.error, self.why))


class LanguageChosen(Event, topic="staff-member.language-chosen"):
    """They chose the language of their terminal."""

    language: str  # as in `zh-Hant`
    before: str  # '' if none was chosen

    def apply(self, state: State) -> None:
        state.language = self.language


class LicenceRecorded(Event, topic="staff-member.licence-recorded"):
    """Their licence by the regulator, as it holds from now on."""

    licence: str
    until: str  # the last day on which it holds; '' if it has no end
    before: str  # '' if none was on record
    until_before: str

    def apply(self, state: State) -> None:
        state.licence, state.licence_until = self.licence, self.until


class Retired(Event, topic="staff-member.retired"):
    """The number was retired, and is never used again."""

    reason: str
    left_at: str = ""  # when they had left the house, UTC; '' if that is not on record

    LEFT_OUT = frozenset({"left_at"})

    def apply(self, state: State) -> None:
        state.retired = True
