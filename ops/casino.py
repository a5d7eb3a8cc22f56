"""The event-sourced application: loads, lets the domain decide, saves together.

What must be true together is one save, and what was only read to decide goes along with its
version, so that the append refuses when somebody else moved it meanwhile.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from typing import Any, TypeVar
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.domain import CanMutateAggregate
from eventsourcing.utils import Environment, EnvType

from domain.aggregate import Aggregate
from domain.property import PROPERTY_STREAM, Property
from ops import commands
from ops.ledger.recorder import Decision, Ledger, LedgerFactory

A = TypeVar("A", bound=Aggregate)
MOST_HELD = 2_000


def replay(aggregate: Any, events: Iterable[Any]) -> Any:
    """The library's projector without its protocol check, which costs more than the replay."""
    for event in events:
        aggregate = event.mutate(aggregate)
    return aggregate


class Casino(Application[UUID]):
    """One process's view of the house. Not for threads: it holds aggregates between commands."""

    def __init__(
        self, ledger: Ledger, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.ledger = ledger
        self._clock = now
        self._held: dict[UUID, Aggregate] = {}
        self._used: dict[UUID, Aggregate | None] = {}
        self._seen: dict[UUID, int] = {}  # the version at which each was seen; 0: not there
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Nothing in the surroundings turns the library's caches and snapshots on."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> LedgerFactory:
        """Facts are written to the ledger, and nowhere else."""
        return LedgerFactory(env, self.ledger)

    # What one command loads and makes.
    def begin(self, command: commands.Command) -> None:
        """A command comes to be decided; nothing is loaded for it yet."""
        self.command = command
        self.asked = self.moment = command.at or self._clock()
        self.clock_behind = 0.0
        self._used = {}
        self._seen = {}

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
            aggregate = self._load(stream)
        elif not rely:
            replay(aggregate, self.events.get(stream, gt=aggregate.version))
        assert aggregate is None or isinstance(aggregate, kind)
        if rely:
            self._used[stream] = aggregate
            self._seen[stream] = aggregate.version if aggregate else 0
            self._keep_time()
        return aggregate

    def _load(self, stream: UUID) -> Aggregate | None:
        try:
            found: Aggregate = self.repository.get(stream, projector_func=replay)
        except AggregateNotFoundError:
            return None
        if len(self._held) >= MOST_HELD:
            self._held.clear()
        self._held[stream] = found
        return found

    def _keep_time(self) -> None:
        """A moment that nobody stated never runs backwards; a stated one is refused if it does."""
        used = [aggregate for aggregate in self._used.values() if aggregate]
        if self.command.at is None and used:
            self.moment = max(self.moment, *(aggregate.modified_on for aggregate in used))
            self.clock_behind = (self.moment - self.asked).total_seconds()
        for aggregate in used:
            aggregate.at(self.moment, late=self.command.late)

    def make(self, aggregate: A) -> A:
        """A stream begins with this command."""
        self._used[aggregate.id] = aggregate
        return aggregate

    def pending(self) -> list[CanMutateAggregate[UUID]]:
        """The facts that the command has stated so far."""
        return [event for each in self._used.values() if each for event in each.pending_events]

    def take_back(self) -> None:
        """Throws away what the command stated; what was loaded for it is loaded again."""
        for stream, aggregate in self._used.items():
            if aggregate and aggregate.pending_events:
                self._held.pop(stream, None)
                self._used[stream] = None

    def forget(self) -> None:
        """Throws everything away that is held: somebody else wrote, or the connection broke."""
        self._held.clear()
        self._used.clear()

    def _place(self, aggregate: Aggregate) -> tuple[date, str]:
        """The gaming day and the table of its facts; the house's own belong to the day it is."""
        day, table = aggregate.belongs_to
        if day is None:
            house = self.find(Property, PROPERTY_STREAM, rely=False)
            assert house is not None
            day = house.clock.day_of(self.moment)
        return day, table

    def record(self, command_id: str, content: bytes, answer: str, metadata: str) -> int | None:
        """Saves what the command stated beside its answer; the position of the last fact.

        Raises NotAppended or LedgerLost; then nothing that was used may be used again.
        """
        changed = [each for each in self._used.values() if each and each.pending_events]
        decision = Decision(
            command_id=command_id,
            content=content,
            answer=answer,
            actor=self.command.by or "",
            metadata=metadata,
            reads={
                stream: version
                for stream, version in self._seen.items()
                if stream not in {each.id for each in changed}
            },
            places={each.id: self._place(each) for each in changed},
        )
        try:
            recordings = self.save(*changed, decision=decision)
        except BaseException:
            self.forget()
            raise
        self._held.update((each.id, each) for each in changed)
        return recordings[-1].notification.id if recordings else None
