"""The event-sourced application: loads aggregates, lets the domain decide, saves in one append.

The append also carries the version of every aggregate that was only read, and is refused if
another process changed one of them meanwhile.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import TypeVar
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.utils import Environment, EnvType

from domain.aggregates.base import Act, Aggregate
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.rule_set import RuleSet
from domain.rules import house_rules
from domain.rules.inquiries import last_visible
from domain.rules.refusals import SENSELESS
from ops.commands.command import Command
from ops.commands.machine_time import MachineTime
from ops.ledger import clock
from ops.ledger.appending import Decision, NotAppended, Statement
from ops.ledger.database import LedgerLost
from ops.ledger.library import LedgerFactory
from ops.ledger.mapper import event_of
from ops.ledger.reading import UnreadableEvent, read_stream
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import Proof

A = TypeVar("A", bound=Aggregate)
T = TypeVar("T")
MOST_HELD = 1_200  # aggregates: enough for 200 tables, and a feed stays under 80 MB


class Casino(Application[UUID]):
    """One process's view of the house. Not for threads: it holds aggregates between commands.

    A clock given as `now` is taken as right. `made_up`: moments may be in the future.
    """

    def __init__(
        self,
        ledger: Ledger,
        now: Callable[[], datetime] | None = None,
        *,
        made_up: bool = False,
    ) -> None:
        self.ledger = ledger
        self.time = MachineTime(ledger, now, made_up=made_up)
        self._held: dict[UUID, Aggregate | None] = {}  # None: it does not exist
        self._used: dict[UUID, Aggregate | None] = {}
        self._seen: dict[UUID, int] = {}  # the version at which each was read; 0: it does not exist
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """An environment in which no variable switches on the library's caches or snapshots."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> LedgerFactory:
        """A factory that writes events to the ledger."""
        return LedgerFactory(env, self.ledger)

    def ask(self, question: Callable[[], T]) -> T:
        """The result of a question that records nothing. Raises LedgerLost.

        If the connection broke since its last use, asks once more on a new one.
        """
        was_there = self.ledger.connected
        try:
            return question()
        except LedgerLost:
            self.forget()
            if not was_there:
                raise
            return question()

    def look(self, question: Callable[[], T]) -> T:
        """The result of a question as of now, for which aggregates are found and none is changed.

        Raises LedgerLost.
        """

        def asked() -> T:
            self.begin(Command())
            try:
                return question()
            finally:
                self.take_back()

        return self.ask(asked)

    # One command
    def begin(
        self,
        command: Command,
        command_id: str = "",
        proof: Proof | None = None,
        second: Proof | None = None,
    ) -> None:
        """Begins a command, with nothing loaded for it. Refuses: BadValue."""
        now = self.time.now()
        if command.at:
            self.time.require_not_ahead(command.at, now)
        self.command = command
        self.command_id = command_id
        self.actor = command.by or ""
        self.device = ""  # that sent it for the actor
        self.from_position = False  # whether an electronic table's own terminal sent it
        self.proof = proof
        self.second = second  # the PIN of the second person
        self.second_proved = False
        self.again = (0, "", "")  # place, moment and id of a line that is taken again
        self.shown = ""  # the digest of what the second person was shown, and signed
        self.open_house = False  # whether staff numbers are taken without a sign-on
        self.beside: list[Statement] = []
        self.answer_fields: dict[str, object] = {}  # further fields of the answer
        self.asked = now
        self.act = Act(command.at or now, stated=command.at is not None, late=command.late)
        self._used = {}
        self._seen = {}

    def find(self, kind: type[A], stream: UUID, *, rely: bool = True) -> A | None:
        """An aggregate, held or loaded, or None if it does not exist.

        With `rely` the save is refused if another process changes it meanwhile, so one held from
        before is used as it is; without, it is brought up to date.
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

    @property
    def relied_on(self) -> dict[UUID, int]:
        """The streams that the command relied on, each with the version that it saw."""
        return dict(self._seen)

    def is_current(self) -> bool:
        """Whether all that the command relied on is still so in the ledger. Raises LedgerLost."""
        return not (self._seen and self.ledger.moved(self._seen))

    def bring_up_to_date(self) -> None:
        """Brings every aggregate held up to date with the ledger. Raises LedgerLost."""
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
        """The error that names the first unreadable event of a stream."""
        aggregate: Aggregate | None = None
        with self.ledger.connection() as connection:
            recorded = read_stream(connection, stream)
        for event in recorded:
            try:
                aggregate = kind.project(aggregate, [event_of(event)])
            except SENSELESS:
                return UnreadableEvent(event.position)
        return UnreadableEvent(recorded[-1].position)

    def _load(self, kind: type[A], stream: UUID) -> A | None:
        aggregate: A | None
        try:
            aggregate = self.repository.get(stream, projector_func=kind.project)
        except AggregateNotFoundError:
            aggregate = None
        except SENSELESS as error:
            raise self._unreadable(kind, stream) from error
        self._hold(stream, aggregate)
        if aggregate:
            self._learn_rules_of(aggregate)
        return aggregate

    def _hold(self, stream: UUID, aggregate: Aggregate | None) -> None:
        """Holds an aggregate for later commands; drops the least recently used when full."""
        self._held.pop(stream, None)
        self._held[stream] = aggregate
        if len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]

    def _learn_rules_of(self, aggregate: Aggregate) -> None:
        """Learns the recorded rule set of an aggregate, if the program has another or none."""
        name, digest = getattr(aggregate, "rules_name", ""), getattr(aggregate, "rules_digest", "")
        if digest and not house_rules.known(name, digest):
            recorded = self.find(RuleSet, RuleSet.stream(name), rely=False)
            if recorded:
                recorded.learn()

    def make(self, aggregate: A) -> A:
        """Adds an aggregate whose stream begins with this command."""
        self._used[aggregate.id] = aggregate
        self.act.events.extend(aggregate.pending_events)
        return aggregate.join(self.act)

    @property
    def moment(self) -> datetime:
        """When the command happened."""
        return self.act.moment

    def not_before(self, moment: datetime) -> None:
        """Moves the moment of a command without `at` to no earlier than this one."""
        if not self.act.stated:
            self.act.moment = max(self.act.moment, moment)

    def take_back(self) -> None:
        """Drops the command's events, and reloads the aggregates that they changed."""
        self.act.events.clear()
        self.beside.clear()
        for stream, aggregate in self._used.items():
            if aggregate and aggregate.pending_events:
                self._held.pop(stream, None)
                self._used[stream] = None

    def forget(self) -> None:
        """Drops every aggregate held, after a conflict or a broken connection."""
        self._held.clear()
        self._used.clear()

    def _place(self, aggregate: Aggregate) -> tuple[date, str]:
        """The gaming day and the table of an aggregate's events; the house's belong to today."""
        day, table = aggregate.belongs_to
        if day is None:
            house = self.find(Property, PROPERTY_STREAM, rely=False)
            assert house is not None
            day = house.clock.day_of(self.moment)
        return day, table

    def require_new(self, command_id: str, content: bytes) -> None:
        """Checks what an append would, for a command of which nothing is kept.

        Raises NotAppended or LedgerLost.
        """
        if not self.is_current():
            raise NotAppended("conflict")
        if self.ledger.used_ids([command_id]):
            seen = self.ledger.answered(command_id, content)
            raise NotAppended("seen" if seen else "reused")

    def record(self, command_id: str, content: bytes, answer: str, metadata: str) -> int | None:
        """Saves the command's events and its answer; its position (`last_visible`), or None.

        Raises NotAppended or LedgerLost; then no aggregate may be used again.
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
            each.collect_events()  # the act has them, in their order
        try:
            recordings = self.events.put(self.act.events, decision=decision)
        except BaseException:
            self.forget()
            raise
        for each in changed:
            self._hold(each.id, each)
        return last_visible((each.notification.topic, each.notification.id) for each in recordings)


def know_own_spots(casino: Casino) -> None:
    """Has the bets known that the house's own rule sets name, to be typed and looked up."""
    for name in house_of(casino).own_rules:
        recorded = casino.find(RuleSet, RuleSet.stream(name), rely=False)
        if recorded:
            recorded.learn()


def house_of(casino: Casino) -> Property:
    """The house as it is; with default settings before anything was recorded."""
    house = casino.find(Property, PROPERTY_STREAM, rely=False)
    return house or Property.establish(clock.wall_clock())
