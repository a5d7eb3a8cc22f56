"""From a line to its answer: each command counts once, and its answer is on disk.

Shell, feed and terminals all dispatch here. The answer is stored with the events, so that a
command that is sent again, or whose reply was lost, gets the same answer as the first time.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import count
from random import uniform
from socket import gethostname
from typing import Any
from uuid import uuid4

import msgspec

from domain.events.coup import OfWager
from domain.rules import addresses
from domain.rules.refusals import Conflict, GivenUp, IdReused, Refusal, SecondPersonNeeded, WrongPin
from ops import VERSION
from ops.commands.authority import NOBODY, Authority, Token
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.commands.coup import Bet, Bets
from ops.commands.read import read
from ops.commands.staff import StaffSignOff, StaffSignOn
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.handlers.answer import (
    Answer,
    enrols,
    issues_secret,
    placed,
    refused,
    with_code,
    with_secret,
)
from ops.handlers.desk import Desk
from ops.handlers.handlers import handler_of
from ops.handlers.to_sign import ANYBODY, Signature, ToSign
from ops.ledger import machine
from ops.ledger.appending import Decided, Decision, NotAppended, NotGathered
from ops.ledger.database import LedgerHeld, LedgerLost, OutcomeUnknown
from ops.ledger.mapper import as_answer
from ops.ledger.secrets import People, Proof, recovery_secret

APP = VERSION
_OF_A_CARD = ("CardDrawn", "CarriedCardDealt", "CardDealt", "CardMoved")
_FORMS = ("UncollectedFormIssued", "RecoveryFormIssued")
ATTEMPTS = 5  # at a command while others keep writing to the same streams
IN_TURN = 5.0  # seconds for which a dispatcher takes turns at a table after it was overtaken there
TOGETHER = 100  # lines at most that are appended in one call
WRITTEN = 500  # events after which a call takes no further line: others wait to append theirs
PAUSE = 0.005  # seconds; doubled after each attempt, and a random part of that


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
        self._sleep = sleep
        self._overtaken: dict[str, float] = {}  # table -> until when it takes turns there

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
        self, line: dict[str, Any], proof: Proof | None = None, second: Signature | None = None
    ) -> Answer:
        """The answer to a line, on disk before it is returned. Raises OutcomeUnknown.

        `second`: the signature of the second person, whom the line names under `with`. The PIN is
        no part of the line: after a wrong one the line is sent again with another id. What is
        recorded is what they were shown, or nothing: ChangedSince.

        If the connection breaks, the line is dispatched again under the same id: a recorded
        command gives its stored answer, a lost one is decided again.
        """
        return self._dispatch(line, _id_of(line), proof, second)

    def dispatch_several(
        self, lines: Sequence[dict[str, Any]], *, until_refused: bool = False
    ) -> Iterator[Answer]:
        """The answers to several lines, each on disk before it is yielded. Raises OutcomeUnknown.

        The lines are decided one after the other and appended in one call. Lines that cannot go
        together, or were overtaken by another writer, are dispatched one by one, under the same
        ids. `until_refused`: nothing after the first refused line is decided.
        """
        waiting = [(line, _id_of(line)) for line in lines]
        while waiting:
            together = waiting[:TOGETHER] if len(waiting) > 1 else []
            gathered = self._gather(together, until_refused=until_refused)
            answers: Iterator[Answer] = iter(gathered.answers)
            appended = bool(gathered.answers) and self._append(gathered)
            if not appended:
                in_doubt, alone = appended is None, waiting[: len(gathered.answers) or 1]
                answers = (self._dispatch(*each, in_doubt=in_doubt) for each in alone)
            for answer in answers:
                yield answer
                del waiting[0]
                if until_refused and not answer.ok:
                    return

    def _gather(
        self, waiting: Sequence[tuple[dict[str, Any], str]], *, until_refused: bool
    ) -> "_Gathered":
        """Decides as many of these lines as can be appended in one call; appends nothing yet."""
        gathered = _Gathered([], [], [])
        ids: set[str] = set()
        if not waiting:
            return gathered
        try:
            used = self.casino.ledger.used_ids([command_id for _, command_id in waiting])
            with self.casino.ledger.gather() as decided:
                for line, command_id in waiting:
                    if command_id in used | ids or self._was_overtaken(line):
                        break
                    before = len(decided)
                    answer = self._attempt(line, command_id, None, None)
                    ids.add(command_id)
                    gathered.answers.append(answer)
                    gathered.decided.extend(decided[before:])
                    gathered.recorded.extend([len(gathered.answers) - 1] * (len(decided) - before))
                    written = sum(len(each.events) for each in decided)
                    if written >= WRITTEN or (until_refused and not answer.ok):
                        break
        except (NotGathered, NotAppended, LedgerLost):
            self.casino.forget()
        return gathered

    def _append(self, gathered: "_Gathered") -> bool | None:
        """Whether all of these are on record now; their answers then have their positions.

        None: unknown, because the connection broke.
        """
        try:
            outcomes = self.casino.ledger.append_several(gathered.decided)
            self.casino.ledger.flush()  # an answer may be one that another process just stored
        except LedgerLost as error:
            self.casino.forget()
            return False if isinstance(error, LedgerHeld) else None
        if any(outcome != "done" for outcome, _ in outcomes):
            self.casino.forget()
            return False
        for n, (_, first) in zip(gathered.recorded, outcomes, strict=True):
            answer = gathered.answers[n]
            if first and answer.body.get("position"):
                placed(answer, first - 1 + answer.body["position"])
        return True

    def _dispatch(
        self,
        line: dict[str, Any],
        command_id: str,
        proof: Proof | None = None,
        second: Signature | None = None,
        *,
        in_doubt: bool = False,
    ) -> Answer:
        gives_up = time.monotonic() + self.patience
        pause = 0.05
        while True:
            try:
                answer = self._answer(line, command_id, proof, second)
                self.casino.ledger.flush()
            except LedgerLost as error:
                self.casino.forget()
                in_doubt |= not isinstance(error, LedgerHeld)
                if time.monotonic() + pause > gives_up:
                    raise OutcomeUnknown(error.why) if in_doubt else error from error
                self._sleep(pause)
                pause = min(pause * 2, 1.0)
            else:
                return answer

    def resolve(self, line: dict[str, Any]) -> Answer | None:
        """The answer to a line whose answer was lost; None: the line is not on record.

        In that case its id is given up: if the line still arrives, it is refused. Raises
        LedgerLost.
        """
        command_id, ledger = line["id"], self.casino.ledger
        given_up = refused(line, GivenUp(id=command_id))
        try:
            ledger.append(
                (),
                Decision(
                    command_id=command_id,
                    content=content_of(line),
                    answer=str(given_up),
                    actor=line.get("by") or self.authority.token.staff,
                    metadata="{}",
                ),
            )
        except NotAppended as error:
            answer = refused(line, IdReused(id=command_id))
            if error.outcome == "seen":
                answer = self._again(line, command_id)
        else:
            answer = given_up
        ledger.flush()
        return None if answer.body.get("error") == GivenUp.__name__ else answer

    def needs_second(self, line: dict[str, Any]) -> bool:
        """Whether a second person must be asked before the line is dispatched. Raises LedgerLost.

        `second_of` returns which person. The line is tried as things are now; nothing of it is
        recorded.
        """
        return self.second_of(line) is not None

    def second_of(self, line: dict[str, Any]) -> str | None:
        """The number of the person whose PIN the line needs; '' for any who may, None for nobody.

        See `needs_second`.
        """
        return self.casino.ask(lambda: self._second_of(line))

    def _second_of(self, line: dict[str, Any]) -> str | None:
        casino = self.casino
        casino.begin(Command())
        try:
            command = read(line)
            named = command.second_person
            if not (self.in_person if named else _may_take_two(command)):
                return None
            casino.forget()  # what others wrote since counts too
            casino.begin(command)
            self.authority.require(command)
            if not named and _game_may_take_two(command):
                self._decide(command)
        except Refusal as refusal:
            return named if isinstance(refusal, SecondPersonNeeded) else None
        finally:
            casino.take_back()
        return None

    def refused_anyhow(self, line: dict[str, Any]) -> Answer | None:
        """The refusal that a line gets whoever signs it; None if it is done once somebody signs.

        So that nobody is asked to sign for nothing. The line is tried as things are now; nothing
        of it is recorded. None too where the refusal itself would be on record. Raises LedgerLost.
        """
        tried = self.to_sign(line)
        return tried if isinstance(tried, Answer) else None

    def to_sign(self, line: dict[str, Any]) -> ToSign | Answer:
        """What a second person signs with this line, or the refusal that it gets anyhow.

        The line is tried as things are now; nothing of it is recorded. Raises LedgerLost.
        """
        return self.casino.ask(lambda: self._to_sign(line))

    def _to_sign(self, line: dict[str, Any]) -> ToSign | Answer:
        casino = self.casino
        casino.begin(Command())
        try:
            command = read({"with": ANYBODY, **line}, self.commands)
            casino.forget()
            casino.begin(command)
            self.authority.require(command, second_presumed=True)
            self._decide(command)
            return ToSign(self._events(), self.desk.house().currency)
        except Refusal as refusal:
            anyhow = not (refusal.recorded or isinstance(refusal, SecondPersonNeeded))
            return refused(line, refusal) if anyhow else ToSign()
        finally:
            casino.take_back()

    def require_past(self, moment: datetime | None) -> None:
        """Refuses a moment that no line may state yet: BadValue. Raises LedgerLost."""
        self.casino.ask(lambda: self.casino.begin(Command(at=moment)))

    def _answer(
        self, line: dict[str, Any], command_id: str, proof: Proof | None, second: Signature | None
    ) -> Answer:
        if second is not None and self.casino.ledger.used_ids([command_id]):
            second = None  # the answer is stored: how long it takes must not depend on the PIN
        with ExitStack() as turn:
            for attempt in range(ATTEMPTS):
                try:
                    self._take_turn(line, attempt, turn)
                    return self._attempt(line, command_id, proof, second)
                except NotAppended as error:
                    self.casino.forget()
                    if error.outcome == "seen":
                        return self._again(line, command_id)
                    if error.outcome == "reused":
                        return refused(line, IdReused(id=command_id))
        return refused(line, Conflict(times=ATTEMPTS))

    def _take_turn(self, line: dict[str, Any], attempt: int, turn: ExitStack) -> None:
        """Waits for this table's turn, if another writer overtook a line there lately.

        A line that is overtaken in its turn waits a random moment instead. The turn lasts until
        `turn` is closed.
        """
        table, had_one = _table_in(line), self._was_overtaken(line)
        if attempt:
            self._overtaken[table] = time.monotonic() + IN_TURN
        if attempt > 1 or (attempt and had_one):
            self._sleep(uniform(0, PAUSE * 2**attempt))  # noqa: S311  (nobody guesses for gain)
        elif attempt or had_one:
            turn.enter_context(self.casino.ledger.turn(table))
            self.casino.bring_up_to_date()  # others wrote in their turns

    def _was_overtaken(self, line: dict[str, Any]) -> bool:
        """Whether another writer overtook a line at the same table lately."""
        return time.monotonic() < self._overtaken.get(_table_in(line), 0.0)

    def _attempt(
        self, line: dict[str, Any], command_id: str, proof: Proof | None, second: Signature | None
    ) -> Answer:
        casino = self.casino
        casino.begin(Command())
        content = content_of(line)
        try:
            command = read(line, self.commands)
            casino.begin(command, command_id, proof, second.proof if second else None)
            casino.require_right_clock()
            self.authority.require(casino.command)
            before = len(casino.act.events)  # who was asked for a PIN is no part of the command
            self._decide(casino.command)
            if second:
                decided = self._events()[before:]
                casino.shown = second.shown.require_same(decided, command.second_person)
            answer = self._done(line)
        except Refusal as refusal:
            if not refusal.recorded:
                casino.take_back()
            events = [] if _hides(refusal, casino) else self._events()
            answer = refused(line, refusal, events)
            if not (refusal.stored or casino.act.events):  # the id may have an answer already
                if not casino.is_current():  # which no append checks here
                    raise NotAppended("conflict") from refusal
                if casino.ledger.used_ids([command_id]):
                    seen = casino.ledger.answered(command_id, content)
                    raise NotAppended("seen" if seen else "reused") from refusal
                return answer
        position = casino.record(
            command_id=command_id,
            content=content,
            answer=str(answer),
            metadata=self._metadata(line),
        )
        return with_secret(with_code(placed(answer, position), line, command_id), command_id)

    def _decide(self, command: Command) -> None:
        """Has the command's handler decide, and game accounts follow the wagers it changed."""
        handler_of(type(command))(self.desk, command)
        wagers = [each for each in self.casino.act.events if isinstance(each, OfWager)]
        if wagers and self.desk.coup_at(addresses.Coup.parse(wagers[0].coup)).rules.accounts:
            from ops.handlers.accounts import follow_wagers  # most tables have chips only

            follow_wagers(self.desk, wagers)

    def _again(self, line: dict[str, Any], command_id: str) -> Answer:
        """The stored answer; with the one-time code only if whoever asks may have it."""
        stored, position = self.casino.ledger.stored_answer(command_id)
        answer = placed(Answer(msgspec.json.decode(stored)), position)
        ours = issues_secret(answer) and People(self.casino.ledger).is_recovery_secret(
            recovery_secret(command_id)  # only the process that made the secret can make it again
        )
        if ours:
            answer = with_secret(answer, command_id)
        if not enrols(answer):
            return answer
        theirs = ours and People(self.casino.ledger).awaits_code(line["staff"])
        if theirs or self.authority.may_see_code(line["staff"]):
            return with_code(answer, line, command_id)
        return answer

    def _done(self, line: dict[str, Any]) -> Answer:
        table = self.desk.table_of(self.casino.command)
        coup, due = self.desk.outlook(table) if table else (None, None)
        events = self._events()
        slips = [event["slip"] for event in events if event["type"] == "SlipRequested"]
        cases = [event["case"] for event in events if event["type"] == "DisputeOpened"]
        forms = [event["form"] for event in events if event["type"] in _FORMS]
        return Answer(
            {
                "ok": True,
                "command": line["command"],
                **({"id": line["id"]} if "id" in line else {}),
                "position": None,
                "coup": coup,
                **({"slip": slips[0]} if slips else {}),
                **({"form": forms[0]} if forms else {}),
                **self.casino.answer_fields,
                **({"case": cases[0]} if cases else {}),
                "events": events,
                "due": due.as_dict() if due else None,
            }
        )

    def _events(self) -> list[dict[str, Any]]:
        """The command's events, in order, as the answer has them; face-down cards are hidden."""
        events = [as_answer(each) for each in self.casino.act.events]
        for event in events:
            if event["type"] in _OF_A_CARD and self._is_face_down(event):
                event["card"] = None
        return events

    def _is_face_down(self, event: dict[str, Any]) -> bool:
        """Whether the card of an event is not turned yet (R-DEAL-3, R-DEAL-5)."""
        address = f"{event['shoe']}/{event['coup']}" if "shoe" in event else event["coup"]
        coup = self.desk.coup_at(addresses.Coup.parse(address))
        return not coup.is_face_up(event["n"])

    def _metadata(self, line: dict[str, Any]) -> str:
        """The command's metadata as JSON, in a fixed order, because it is hashed."""
        command = self.casino.command
        known: dict[str, Any] = {"app": APP, "mouth": self.channel}  # the stored key stays
        if self.casino.open_house:
            known["house"] = "open"
        known |= self._sender()
        if command.second_person:
            known["with"] = command.second_person
        if self.casino.second_proved:
            known["proved"] = "pin"
        if self.casino.shown:
            known["shown"] = self.casino.shown
        if command.late:
            known["late"] = True
        if self.casino.clock_behind > 1:
            known["clock_behind"] = f"{self.casino.clock_behind:.3f}"
        if ahead := self.casino.clock_ahead:
            known["clock_ahead"] = f"{ahead:.3f}"
        if self.casino.clock_off and known.keys() & {"clock_behind", "clock_ahead"}:
            known["machine"] = gethostname()
        return msgspec.json.encode(known, order="deterministic").decode()

    def _sender(self) -> dict[str, Any]:
        """The device that sent the line, with its number; the terminal, and how it is known."""
        known: dict[str, Any] = {}
        if self.casino.device:
            known["device"] = self.casino.device
            if number := self.casino.command.device_n:
                known["device_n"] = number
        if terminal := machine.terminal():
            known["terminal"] = terminal
            if proof := self._proof():
                known["proof"] = proof
        return known

    def _proof(self) -> str:
        """How a house server knows who acts: by `key`, `token`, `pin`, or '' for not at all."""
        if self.casino.open_house:
            return ""
        if self.casino.device:
            return "key"
        if self.casino.proof:
            return self.casino.proof.how or "pin"
        return "token" if self.authority.token.staff else ""


class _Gathered(msgspec.Struct, frozen=True):
    """Lines that were decided together and are not appended yet."""

    answers: list[Answer]  # positions in them count from 1, for each command
    decided: list[Decided]
    recorded: list[int]  # for each of `decided`, the index of its answer


def _table_in(line: dict[str, Any]) -> str:
    return line["table"] if isinstance(line.get("table"), str) else ""


def _hides(refusal: Refusal, casino: Casino) -> bool:
    """Whether to hide the events: a stranger who typed a number must not learn if it exists."""
    strangers = StaffSignOn | StaffSignOff
    return isinstance(refusal, WrongPin) and isinstance(casino.command, strangers)


def content_of(line: dict[str, Any]) -> bytes:
    """The digest by which the same line is recognised, also under another number of a device."""
    if "device_n" in line:
        line = {name: value for name, value in line.items() if name != "device_n"}
    return hashlib.sha256(msgspec.json.encode(line, order="deterministic")).digest()


def _may_take_two(command: Command) -> bool:
    """Whether the command can need a second person; bets in time never do and are not tried."""
    return command.permission.may_take_two and not _is_in_time(command)


def _game_may_take_two(command: Command) -> bool:
    return command.permission.two_in_open_house and not _is_in_time(command)


def _is_in_time(command: Command) -> bool:
    """Whether it is a bet in time, before the first card, which takes one person only."""
    return isinstance(command, Bet | Bets) and not command.late


_numbered: Iterator[str] | None = None  # ids for lines without one; None: random ones


def number_from(first: str) -> None:
    """From now on, in this process, lines without an id get this one; later ones with a number.

    So that a whole command of the shell can be run again, and counts once.
    """
    global _numbered  # noqa: PLW0603  (of the process)
    _numbered = (first if n == 1 else f"{first}:{n}" for n in count(1))


def _id_of(line: dict[str, Any]) -> str:
    """The sender's id, or a new one, so that our own retries count once too."""
    given = line.get("id")
    usable = isinstance(given, str) and 0 < len(given) <= 200 and "\x00" not in given
    if usable:
        return str(given)
    return next(_numbered) if _numbered else f"sabot:{uuid4()}"
