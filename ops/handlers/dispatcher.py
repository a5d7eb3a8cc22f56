"""From a line to its answer: each command counts once, and its answer is on disk.

Shell, feed and terminals all dispatch here: the line is read, whoever sends it may do it, its
handler decides, and the events are appended with the answer. So a command that is sent again, or
whose reply was lost, gets the same answer as the first time.
"""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.rules.refusals import BadValue, Conflict, IdReused, Refusal, WrongPin
from domain.rules.wording import Words
from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.command import Command, name_of
from ops.commands.read import Line
from ops.commands.signed_on import NOBODY, Token
from ops.commands.staff import StaffSignOff, StaffSignOn
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.handlers import shown_once
from ops.handlers.answer import Answer, as_stored, placed, refused, restored, with_file
from ops.handlers.as_enrolled import read_as_enrolled
from ops.handlers.decided import accepted, decide, events_of
from ops.handlers.desk import Desk
from ops.handlers.identity import content_of, id_of
from ops.handlers.metadata import metadata
from ops.handlers.spots import require_spots
from ops.handlers.to_sign import Signature
from ops.handlers.turns import Turns
from ops.handlers.unkept import Unkept, is_worth_keeping
from ops.ledger.appending import NotAppended
from ops.ledger.database import LedgerLost, OnStandby, OutcomeUnknown
from ops.ledger.recorder import Stored
from ops.ledger.secrets import Proof
from ops.words.failure import FOR_STANDBY, Unconfirmed

ATTEMPTS = 5  # at a command while others keep writing to the same streams
T = TypeVar("T")


class Dispatcher:
    """Decides lines one after the other; `channel` is where they come from, as in `shell`.

    `in_person`: people are there to type a PIN, so the second person that a line names is asked.
    `commands`: those that it takes.
    """

    def __init__(
        self,
        casino: Casino,
        channel: str,
        patience: float = 5.0,
        sleep: Callable[[float], None] = time.sleep,
        token: Token = NOBODY,
        *,
        in_person: bool = False,
        commands: Mapping[str, type[Command]] = COMMANDS,
    ) -> None:
        self.casino = casino
        self.desk = Desk(casino)
        self.authority = Authority(casino, token)
        self.channel = channel
        self.patience = patience
        self.in_person = in_person
        self.commands = commands
        self.turns = Turns(casino, sleep)
        self._sleep = sleep

    def for_own_commands(self) -> "Dispatcher":
        """A dispatcher of the same casino for what this program records by itself."""
        return Dispatcher(
            self.casino,
            self.channel,
            self.patience,
            token=self.authority.token,
            commands=OWN_COMMANDS,
            in_person=self.in_person,
        )

    def dispatch(
        self, line: Line, proof: Proof | None = None, second: Signature | None = None
    ) -> Answer:
        """The answer to a line, on disk before it is returned. Raises OutcomeUnknown.

        `second`: the signature of the second person, whom the line names under `with`. The PIN is
        no part of the line: after a wrong one the line is sent again with another id. What is
        recorded is what they were shown, or nothing: ChangedSince.
        """
        return self.dispatch_as(id_of(line), line, proof, second)

    def dispatch_as(
        self,
        command_id: str,
        line: Line,
        proof: Proof | None = None,
        second: Signature | None = None,
        *,
        in_doubt: bool = False,
    ) -> Answer:
        """The answer to a line under an id; `in_doubt`: it was sent under it before.

        If the connection breaks, the line is dispatched again under the same id: a recorded
        command gives its stored answer, a lost one is decided again. Raises OutcomeUnknown.
        """

        def answer() -> Answer:
            nonlocal in_doubt
            try:
                self.casino.ledger.require_leader()
                answered = self._answer(line, command_id, proof, second)
                self.casino.ledger.flush()
            except LedgerLost as error:
                in_doubt |= error.may_be_recorded
                raise
            return answered

        try:
            return self.patiently(answer)
        except LedgerLost as error:
            raise OutcomeUnknown(error.why) if in_doubt else error from error

    def patiently(self, act: Callable[[], T]) -> T:
        """The result of an act, as soon as the ledger is there. Raises LedgerLost."""
        gives_up, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                return act()
            except LedgerLost as error:
                self.casino.forget()
                waits = FOR_STANDBY if isinstance(error.__cause__, Unconfirmed) else pause
                here_never = isinstance(error, OnStandby)
                if here_never or time.monotonic() + waits > gives_up:
                    raise
            self._sleep(pause)
            pause = min(pause * 2, 1.0)

    def _answer(
        self, line: Line, command_id: str, proof: Proof | None, second: Signature | None
    ) -> Answer:
        """The line's answer, tried again each time that another writer was first."""
        if second is not None and self.casino.ledger.used_ids([command_id]):
            second = None  # the answer is stored: how long it takes must not depend on the PIN
        with self.turns.attempts(line, ATTEMPTS) as attempts:
            for _ in attempts:
                try:
                    return self.attempt(line, command_id, proof, second)
                except NotAppended as error:
                    outcome = error.outcome
                self.casino.forget()
                if outcome == "seen":
                    return self.stored(line, command_id)
                if outcome == "reused":
                    return refused(line, IdReused(id=command_id))
        return refused(line, Conflict(times=ATTEMPTS))

    def attempt(
        self,
        line: Line,
        command_id: str,
        proof: Proof | None = None,
        second: Signature | None = None,
        unkept: Unkept | None = None,
    ) -> Answer:
        """Reads a line, checks that they may, decides it, and appends it with its answer.

        `unkept`: notes a refusal of which nothing is kept, to be checked with others like it.
        Raises NotAppended, LedgerLost.
        """
        casino = self.casino
        casino.begin(Command())
        content = content_of(line)
        try:
            command = read_as_enrolled(casino, line, self.commands)
            casino.begin(command, command_id, proof, second.proof if second else None)
            require_spots(self.desk, command)
            casino.time.require_right(casino.act)
            self.authority.require(command, second_presumed=bool(second and second.presumed))
            _require_not_lost(casino)
            before = len(casino.act.events)  # who was asked for a PIN is no part of the command
            decide(self.desk, command)
            if second:
                decided = events_of(self.desk)[before:]
                casino.shown = second.shown.require_same(decided, command.second_person)
            answer = accepted(self.desk, line)
        except Refusal as refusal:
            if not refusal.recorded:
                casino.take_back()
            events = [] if _hides(refusal, casino.command) else events_of(self.desk)
            answer = refused(line, refusal, events, self.desk.local)
            if not (is_worth_keeping(refusal, casino) or casino.act.events):
                if unkept is None:
                    casino.require_new(command_id, content)
                else:
                    unkept.note(command_id, casino.relied_on)
                return answer
        known = metadata(casino, self.authority.token, self.channel)
        placed(answer, casino.record(command_id, content, as_stored(answer), known))
        if name_of(casino.command) in shown_once.COMMANDS:
            shown_once.show(answer, line, command_id)
        return with_file(answer, self.desk.ahead)

    def stored(self, line: Line, command_id: str, known: Stored | None = None) -> Answer:
        """The stored answer to a line that is on record; `known`: if it was read already."""
        known = known or self.casino.ledger.stored_answers([command_id])[command_id]
        answer = restored(known, line)
        if answer.command in shown_once.COMMANDS:
            shown_once.show_again(answer, line, command_id, self.authority)
        return answer


def _require_not_lost(casino: Casino) -> None:
    """Refuses a line that a restore lost, about which two people decide: BadValue."""
    house = casino.find(Property, PROPERTY_STREAM)
    if house and casino.command_id in house.lost_lines:
        raise BadValue(
            message=Words(
                "This line was acknowledged before the record was restored. Two people decide "
                "about it: see its alert on the board, `line missing`."
            )
        )


def _hides(refusal: Refusal, command: Command) -> bool:
    """Whether to hide the events: a stranger who typed a number must not learn if it exists."""
    return isinstance(refusal, WrongPin) and isinstance(command, StaffSignOn | StaffSignOff)
