"""The event-sourced application: loads, lets the domain decide, saves together.

What must be true together is one save, and what was only read to decide goes along with its
version, so that the append refuses when somebody else moved it meanwhile.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.utils import Environment, EnvType

from domain.aggregates.base import Act, Aggregate
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.rule_set import RuleSet
from domain.rules import house_rules
from domain.rules.refusals import SENSELESS, BadValue, ClockOff
from domain.rules.wording import N_, Words
from ops.commands.command import Command
from ops.ledger import clock
from ops.ledger.appending import Decision, Statement
from ops.ledger.database import LedgerLost
from ops.ledger.mapper import event_of
from ops.ledger.reading import UnreadableEvent, read_stream
from ops.ledger.recorder import Ledger, LedgerFactory
from ops.ledger.secrets import Proof
from ops.words.durations import duration

A = TypeVar("A", bound=Aggregate)
T = TypeVar("T")
MOST_HELD = 1_200  # aggregates; those of two hundred tables, and a feed stays under 80 MB
FURTHEST_AHEAD = clock.AHEAD  # or everything after it would need `late`
MOST_OFF = timedelta(minutes=2)  # of a machine's clock whose moments are still taken
WORTH_TELLING = timedelta(seconds=1)


class Casino(Application[UUID]):
    """One process's view of the house. Not for threads: it holds aggregates between commands.

    A clock that is handed in as `now` is right. `made_up`: evenings that may lie ahead of it.
    """

    def __init__(
        self,
        ledger: Ledger,
        now: Callable[[], datetime] | None = None,
        *,
        made_up: bool = False,
    ) -> None:
        self.ledger = ledger
        self._clock = now or clock.wall_clock
        self._handed_in = now is not None
        self._made_up = made_up
        self._told_ahead = False  # that this machine's clock is, once is enough
        self._held: dict[UUID, Aggregate | None] = {}  # None: it was looked for, and not there
        self._used: dict[UUID, Aggregate | None] = {}
        self._seen: dict[UUID, int] = {}  # the version at which each was seen; 0: not there
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Nothing in the surroundings turns the library's caches and snapshots on."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> LedgerFactory:
        """Events are written to the ledger, and nowhere else."""
        return LedgerFactory(env, self.ledger)

    def ask(self, question: Callable[[], T]) -> T:
        """What a question is answered that records nothing. Raises LedgerLost.

        When the connection died since it was last used, it is asked once more on a fresh one.
        """
        was_there = self.ledger.connected
        try:
            return question()
        except LedgerLost:
            self.forget()
            if not was_there:
                raise
            return question()

    # What one command loads and makes.
    def begin(
        self,
        command: Command,
        command_id: str = "",
        proof: Proof | None = None,
        second: Proof | None = None,
    ) -> None:
        """A command comes to be decided; nothing is loaded for it yet. Refuses: BadValue."""
        now = self._clock()
        if command.at and not self._made_up:
            self._require_not_ahead(command.at, now)
        self.command = command
        self.command_id = command_id
        self.actor = command.by or ""
        self.device = ""  # through which the actor spoke
        self.proof = proof
        self.second = second  # what the second person typed
        self.second_proved = False
        self.open_house = False  # whoever is named is believed
        self.beside: list[Statement] = []
        self.says: dict[str, Any] = {}  # in the answer, beside the events
        self.asked = now
        self.act = Act(command.at or now, stated=command.at is not None, late=command.late)
        self._used = {}
        self._seen = {}
        self.began_holding = bool(self._held)  # others may have moved it since

    def _require_not_ahead(self, at: datetime, now: datetime) -> None:
        """By the server's clock, which is every machine's. Refuses: BadValue."""
        ahead = at - (now - self.clock_off)
        if ahead > FURTHEST_AHEAD:
            raise BadValue(
                message=Words(
                    "The entry is dated {time} in the future. Give the moment when it happened, or "
                    "leave it out if it is now.",
                    time=duration(ahead),
                )
            )

    @property
    def latest(self) -> datetime | None:
        """The latest moment that a line may state now; None: any, where days are made up."""
        return None if self._made_up else self.asked - self.clock_off + FURTHEST_AHEAD

    @property
    def clock_off(self) -> timedelta:
        """How far this machine's clock is ahead of the server's; less than nothing: behind it.

        Raises LedgerLost.
        """
        return timedelta(0) if self._handed_in or self._made_up else self.ledger.clock_off

    def require_right_clock(self) -> None:
        """When a command happens now, now is right. Refuses: ClockOff. Raises LedgerLost."""
        off = self.clock_off
        if not self.act.stated and abs(off) > MOST_OFF:
            template = (
                N_(
                    "Nothing was recorded: this machine's clock is {off} ahead of the ledger's. "
                    "Set the clock, best over the network, then send it again."
                )
                if off > timedelta(0)
                else N_(
                    "Nothing was recorded: this machine's clock is {off} behind the ledger's. "
                    "Set the clock, best over the network, then send it again."
                )
            )
            raise ClockOff(message=Words(template, off=duration(abs(off))))

    def find(self, kind: type[A], stream: UUID, *, rely: bool = True) -> A | None:
        """An aggregate, held or loaded; None when it is not there.

        With `rely` the command's save holds only if nobody moves it meanwhile, so that one held
        since earlier may be used as it is; without, it is brought up to date.
        """
        if stream in self._used:
            used = self._used[stream]
            assert used is None or isinstance(used, kind)
            return used
        aggregate = self._held.get(stream)
        if aggregate is None:
            absent = rely and stream in self._held
            aggregate = None if absent else self._load(kind, stream)
        else:
            self._hold(stream, aggregate)
            if not rely:
                self._bring_up_to_date(stream, aggregate)
        assert aggregate is None or isinstance(aggregate, kind)
        if rely:
            self._used[stream] = aggregate
            self._seen[stream] = aggregate.version if aggregate else 0
            if aggregate:
                aggregate.join(self.act)
        return aggregate

    def bring_up_to_date(self) -> None:
        """Everything held is as the ledger has it now. Raises LedgerLost."""
        versions = {stream: each.version if each else 0 for stream, each in self._held.items()}
        for stream in self.ledger.moved(versions) if versions else ():
            if aggregate := self._held[stream]:
                self._bring_up_to_date(stream, aggregate)
            else:
                del self._held[stream]

    def _bring_up_to_date(self, stream: UUID, aggregate: Aggregate) -> None:
        try:
            aggregate.project(aggregate, self.events.get(stream, gt=aggregate.version))
        except SENSELESS as error:
            del self._held[stream]
            raise self._unreadable(type(aggregate), stream) from error

    def _unreadable(self, kind: type[Aggregate], stream: UUID) -> UnreadableEvent:
        """The first event of a stream that makes no sense, now that one does not."""
        found: Aggregate | None = None
        with self.ledger.connection() as connection:
            recorded = read_stream(connection, stream)
        for event in recorded:
            try:
                found = kind.project(found, [event_of(event)])
            except SENSELESS:
                return UnreadableEvent(event.position)
        return UnreadableEvent(recorded[-1].position)

    def _load(self, kind: type[A], stream: UUID) -> A | None:
        found: A | None
        try:
            found = self.repository.get(stream, projector_func=kind.project)
        except AggregateNotFoundError:
            found = None
        except SENSELESS as error:
            raise self._unreadable(kind, stream) from error
        self._hold(stream, found)
        if found:
            self._learn_rules_of(found)
        return found

    def _hold(self, stream: UUID, aggregate: Aggregate | None) -> None:
        """Keeps it for later commands; the one that was used least recently makes room for it."""
        self._held.pop(stream, None)
        self._held[stream] = aggregate
        if len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]

    def _learn_rules_of(self, found: Aggregate) -> None:
        """What is dealt by rules that the program has not, or has otherwise, brings them along."""
        name, digest = getattr(found, "rules_name", ""), getattr(found, "rules_digest", "")
        if digest and not house_rules.known(name, digest):
            recorded = self.find(RuleSet, RuleSet.stream(name), rely=False)
            if recorded:
                recorded.learn()

    def make(self, aggregate: A) -> A:
        """A stream begins with this command."""
        self._used[aggregate.id] = aggregate
        self.act.events.extend(aggregate.pending_events)
        return aggregate.join(self.act)

    @property
    def moment(self) -> datetime:
        """When the command happened."""
        return self.act.moment

    def not_before(self, moment: datetime) -> None:
        """What happens now, by nobody's word, is not before what another stream has on record."""
        if not self.act.stated:
            self.act.moment = max(self.act.moment, moment)

    @property
    def clock_behind(self) -> float:
        """By how many seconds the record was ahead of a command that did not say when.

        0 when this machine's clock is right: then that of whoever wrote before was ahead.
        """
        if self.act.stated or not self.act.events:
            return 0.0
        if not self._handed_in and self.clock_off > -WORTH_TELLING:
            return 0.0
        latest = max(event.timestamp for event in self.act.events)
        return float((latest - self.asked).total_seconds())

    @property
    def clock_ahead(self) -> float:
        """By how many seconds this machine's clock is ahead, told once, where it gave a moment."""
        if self.act.stated or self._told_ahead or self.clock_off < WORTH_TELLING:
            return 0.0
        self._told_ahead = True
        return self.clock_off.total_seconds()

    def take_back(self) -> None:
        """Throws away what the command stated; what was loaded for it is loaded again."""
        self.act.events.clear()
        self.beside.clear()
        for stream, aggregate in self._used.items():
            if aggregate and aggregate.pending_events:
                self._held.pop(stream, None)
                self._used[stream] = None

    def forget(self) -> None:
        """Throws everything away that is held: somebody else wrote, or the connection broke."""
        self._held.clear()
        self._used.clear()

    def _place(self, aggregate: Aggregate) -> tuple[date, str]:
        """The gaming day and the table of its events; the house's own belong to the day it is."""
        day, table = aggregate.belongs_to
        if day is None:
            house = self.find(Property, PROPERTY_STREAM, rely=False)
            assert house is not None
            day = house.clock.day_of(self.moment)
        return day, table

    def record(self, command_id: str, content: bytes, answer: str, metadata: str) -> int | None:
        """Saves what the command stated beside its answer; the position of the last event.

        Raises NotAppended or LedgerLost; then nothing that was used may be used again.
        """
        changed = [each for each in self._used.values() if each and each.pending_events]
        decision = Decision(
            command_id=command_id,
            content=content,
            answer=answer,
            actor=self.actor,
            metadata=metadata,
            reads={
                stream: version
                for stream, version in self._seen.items()
                if stream not in {each.id for each in changed}
            },
            beside=tuple(self.beside),
            places={each.id: self._place(each) for each in changed},
        )
        for each in changed:
            each.collect_events()  # the act has them, in the order in which they were stated
        try:
            recordings = self.events.put(self.act.events, decision=decision)
        except BaseException:
            self.forget()
            raise
        for each in changed:
            self._hold(each.id, each)
        return recordings[-1].notification.id if recordings else None
