"""Who may come in: an approved terminal, a device by its key, and in what state a sign-on is."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from msgspec import Struct, structs

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.staff import StaffMember
from domain.aggregates.terminal import Terminal
from domain.events import terminal as terminal_events
from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.commands.rights import Rights
from ops.ledger import sessions
from ops.ledger.database import Database
from ops.ledger.reading import last_topic
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import digest
from ops.web.callers import Caller
from ops.web.turned_away import NotTrusted

NOTED = 5.0  # seconds for which a sign-on that was used is not noted again
MOST_NOTED = 10_000  # callers
SETTINGS = 1.0  # seconds for which the settings of a closed house are not read again
_OPEN = (
    "Nobody is enrolled in this house yet, so it answers its own machine only. Enrol the first "
    "administrator there, with `sabot staff enrol`."
)
_NAME = "Nobody is enrolled in this house yet, so it answers to 127.0.0.1 and localhost only."
_UNSIGNED = "A terminal or a device comes in by its key only."
_NOT_APPROVED = (
    "This terminal is not approved in this house. An administrator types "
    "`sabot staff approve-terminal {terminal} NAME` on the server's machine, or at a terminal that "
    "is approved."
)
_RETIRED = "This terminal was retired: {terminal}. An administrator can approve a new key of it."
_NOT_ITS_KEY = (
    "{device} is no device of this house with the key {key}. An administrator enrols it with this "
    "key: `sabot staff enrol {device} NAME device --public-key {key}`."
)


class Admission:
    """Asks the record about each request, before anything else is done with it.

    Whoever was admitted a moment ago still is, as long as nothing was recorded about the house.
    """

    def __init__(self, database: Database, moved: Callable[[], int | None]) -> None:
        """`moved`: the last position of the house's own events; None while it is not known."""
        self._ledger = Ledger(database)
        self._casino = Casino(self._ledger)
        self._asking = threading.Lock()  # one request at a time uses the connection
        self._house: Property | None = None
        self._read_at = 0.0
        self._moved = moved
        self._counting = threading.Lock()
        self._forgotten = 0  # how often something was recorded here about the house
        self._known: OrderedDict[Hashable, _Known] = OrderedDict()
        with self._asking:
            self._casino.ask(lambda: sessions.forget_old(self._ledger))

    def admitted(self, caller: Caller, *, uses: bool = True) -> Caller:
        """The caller, with how long their sign-on was idle. Raises NotTrusted, LedgerLost.

        While the house is open to everybody, only its own machine comes in; in a closed house a
        terminal whose key was approved, or a device by its own key.
        """
        as_of = self._as_of()
        with self._asking:
            admitted = self._casino.ask(lambda: self._admitted(caller, uses=uses))
            if uses and not admitted.idle:
                self._keep(_name(caller), as_of)
        return admitted

    def knows(self, caller: Caller) -> bool:
        """Whether this caller was admitted a moment ago and still is; waits for nothing."""
        known, as_of = self._lately(_name(caller)), self._as_of()
        return bool(known and as_of and known.as_of == as_of)

    def _lately(self, name: Hashable) -> "_Known | None":
        """What is known of a caller whose use was noted a moment ago."""
        known = self._known.get(name)
        return known if known and time.monotonic() - known.noted < NOTED else None

    def _keep(self, name: Hashable, as_of: "tuple[int, int] | None") -> None:
        """Keeps that a caller was admitted, and drops the oldest one when there are too many."""
        known = self._lately(name)
        self._known.pop(name, None)
        self._known[name] = _Known(known.noted if known else time.monotonic(), as_of)
        if len(self._known) > MOST_NOTED:
            self._known.popitem(last=False)

    @property
    def house(self) -> Property | None:
        """The house as it was read last; waits for nothing."""
        return self._house

    def forget(self) -> None:
        """Something about the house was recorded here: the record is asked again."""
        with self._counting:
            self._forgotten += 1

    def _as_of(self) -> "tuple[int, int] | None":
        """How much is known of the house; None while it is not known how much that is."""
        moved = self._moved()
        return None if moved is None else (self._forgotten, moved)

    def is_open(self) -> bool:
        """Whether the house is open to everybody on its own machine. Raises LedgerLost."""
        with self._asking:
            house = self._casino.ask(self._settings)
        return house is None or not house.closed

    def language_of(self, caller: Caller) -> str:
        """The language of whoever is signed on, '' if they chose none. Raises LedgerLost."""
        with self._asking:
            return self._casino.ask(lambda: self._language_of(caller))

    def rights_of(self, caller: Caller) -> Rights:
        """What a caller may read and do in a closed house. Raises LedgerLost."""
        caller.acts()
        with self._asking:
            return Rights.of(Authority(self._casino, caller.token).holder())

    def name_of(self, caller: Caller) -> str:
        """The name under which a caller's terminal was approved. Raises LedgerLost."""
        with self._asking:
            terminal = self._casino.ask(lambda: self._terminal(caller.terminal))
        return terminal.name if terminal and not terminal.retired else ""

    def _terminal(self, key: str) -> Terminal | None:
        self._casino.begin(Command())
        return self._casino.find(Terminal, Terminal.stream(key), rely=False)

    def _language_of(self, caller: Caller) -> str:
        self._casino.begin(Command())
        stream = StaffMember.stream(caller.token.staff)
        member = self._casino.find(StaffMember, stream, rely=False)
        return member.language if member and caller.token.is_known_to(member) else ""

    def _admitted(self, caller: Caller, *, uses: bool) -> Caller:
        house = self._settings()
        if house is None or not house.closed:
            if not caller.is_here:
                raise NotTrusted(_OPEN, 403)
            if not caller.names_this_machine:
                raise NotTrusted(_NAME, 403)
            return caller
        if not caller.terminal:
            raise NotTrusted(_UNSIGNED)
        if caller.token.key:
            self._require_device(caller)
            return caller
        self._require_approved(caller.terminal)
        if not caller.token.staff or self._goes_on(caller, house.session_idle_minutes, uses=uses):
            return caller
        return structs.replace(caller, idle=house.session_idle_minutes)

    def _settings(self) -> Property | None:
        """The house; a closed one stays closed, and is read again after a second."""
        now = time.monotonic()
        if not (self._house and self._house.closed and now - self._read_at < SETTINGS):
            self._casino.begin(Command())
            self._house = self._casino.find(Property, PROPERTY_STREAM, rely=False)
            self._read_at = now
        return self._house

    def _require_approved(self, terminal: str) -> None:
        with self._ledger.connection() as connection:
            topic = last_topic(connection, Terminal.stream(terminal))
        if topic != terminal_events.Approved.TOPIC:
            words = _RETIRED if topic else _NOT_APPROVED
            raise NotTrusted(words.format(terminal=terminal), 403)

    def _require_device(self, caller: Caller) -> None:
        device, stream = caller.token.staff, StaffMember.stream(caller.token.staff)
        self._casino.begin(Command())
        member = self._casino.find(StaffMember, stream, rely=False)
        if member is None or not caller.token.is_of(member):
            raise NotTrusted(_NOT_ITS_KEY.format(device=device, key=caller.token.key), 403)

    def _goes_on(self, caller: Caller, minutes: int, *, uses: bool) -> bool:
        """Whether the sign-on was used lately, or nothing says for how long it may be idle."""
        if uses:
            return self._uses(caller, minutes)
        return not sessions.is_idle(self._ledger, digest(caller.token.secret), minutes)

    def _uses(self, caller: Caller, minutes: int) -> bool:
        """Whether the sign-on was used lately; notes that it is used now."""
        named = digest(caller.token.secret), caller.place.mark
        return bool(self._lately(_name(caller))) or sessions.use(self._ledger, *named, minutes)

    def close(self) -> None:
        """Closes the connection."""
        self._casino.close()


class _Known(Struct, frozen=True):
    """When a caller's use was noted, and how much was known of the house when they came last."""

    noted: float
    as_of: tuple[int, int] | None


def _name(caller: Caller) -> Hashable:
    """Everything of a caller on which it depends whether they may come in."""
    return caller.terminal, caller.token, caller.place.mark, caller.address, caller.host
