"""A drop box: the cash of a table day, from the table to the count room.

A box is on one table at a time, and belongs to the table day on which it was attached. Two people
remove it, two carry it, and three count it. Nobody alone has a box with cash.
"""

from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import drop_box as events
from domain.rules import addresses
from domain.rules.likeness import alike
from domain.rules.refusals import BadValue, SecondPersonNeeded
from domain.rules.wording import N_, Words

_IS = {
    "free": N_("Box {box} is not on a table. Attach it first, with `box attach`."),
    "attached": N_("Box {box} is on {table_day}. Remove it first, with `box remove`."),
    "removed": N_("Box {box} is removed. Next comes `box carry`."),
    "carried": N_("Box {box} is in the count room. Next comes `box count`."),
}


class DropBox(Aggregate, events.State):
    """One box of the house."""

    MANY_CLOCKS = True

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table whose cash the box has."""
        of = addresses.TableDay.parse(self.table_day)
        return of.day, of.table

    @staticmethod
    def stream(box: str) -> UUID:
        """The stream of a box, in capitals or not."""
        return addresses.stream_id("drop-box", box.upper())

    # Commands: decide; refuse, or record an event.
    @classmethod
    def register(cls, box: str, at: datetime) -> Self:
        """Begins a box, with its first use."""
        return cls.begin(events.Registered(box=box), cls.stream(box), at)

    def attach(self, table_day: str, *, emergency: bool = False, by: str = "") -> None:
        """Puts the box on a table. `emergency`: outside the schedule. Refuses: BadValue."""
        self._require("free")
        self.record(events.BoxAttached(table_day=table_day, emergency=emergency, by=by))

    def middle_until(self, at: datetime) -> datetime:
        """The middle of the box's time on the table, if it ends now. Refuses: BadValue."""
        self._require("attached")
        assert self.attached_at is not None
        return self.attached_at + (at - self.attached_at) / 2

    def remove(self, shift: str, removed_by: str, signed_by: str) -> None:
        """Takes the box off its table. Refuses: BadValue, SecondPersonNeeded."""
        self._require("attached")
        _require_two(Words("Removing a box"), removed_by, signed_by)
        self.record(
            events.BoxRemoved(
                table_day=self.table_day, shift=shift, removed_by=removed_by, signed_by=signed_by
            )
        )

    def carry(self, carried_by: str, signed_by: str) -> None:
        """Carries the box to the count room. Refuses: BadValue, SecondPersonNeeded."""
        self._require("removed")
        _require_two(Words("Carrying a box"), carried_by, signed_by)
        self.record(
            events.BoxCarried(table_day=self.table_day, carried_by=carried_by, signed_by=signed_by)
        )

    def count(self, amount: int, counted_by: str, signed_by: str, third: str) -> None:
        """Counts the cash in the box. Refuses: BadValue, SecondPersonNeeded."""
        self._require("carried")
        team = {each for each in (counted_by, signed_by, third) if each}
        if len(team) < 3:
            raise SecondPersonNeeded(
                message=Words(
                    "Counting a box takes three people. Name three different ones, with `by`, "
                    "`with` and `third`."
                )
            )
        self.record(
            events.BoxCounted(
                table_day=self.table_day,
                amount=amount,
                counted_by=counted_by,
                signed_by=signed_by,
                third=third,
            )
        )

    def _require(self, step: str) -> None:
        """Refuses a step that is not the next one: BadValue."""
        if self.step != step:
            raise BadValue(message=Words(_IS[self.step], box=self.box, table_day=self.table_day))


def _require_two(act: Words, one: str, other: str) -> None:
    """Refuses an act without two different people: SecondPersonNeeded."""
    if not one or not other or alike(one, other):
        raise SecondPersonNeeded(
            message=Words(
                "{act} takes two people. Name two different ones, with `by` and `with`.", act=act
            )
        )
