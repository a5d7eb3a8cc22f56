"""What is wrong with a record: faults in order of position."""

from datetime import datetime

from msgspec import Struct, field

from ops.proof.checkpoint import Checkpoint

ANOTHER_KEY = "another key"  # the fault of a key from outside that the record does not have
MOST = 100  # faults that are listed


class Fault(Struct, frozen=True):
    """One thing that is wrong, at a position; `fault` is its name, `words` a sentence."""

    position: int
    fault: str
    words: str


class Verified(Struct):
    """The result of a verification."""

    events: int = 0
    head: bytes = bytes(32)  # the hash of the last event
    commands: int = 0
    command_head: bytes = bytes(32)  # the hash of the last command
    gapless: bool = True
    faults: list[Fault] = field(default_factory=list)
    not_checked: list[str] = field(default_factory=list)  # sentences
    not_comparable: list[str] = field(default_factory=list)  # papers, in sentences
    restored: list[str] = field(default_factory=list)  # restores that were accepted, in sentences
    foreign_pepper: str = ""  # that this home has another pepper than the ledger, in a sentence
    checkpoint: Checkpoint | None = None  # the newest one that the record agrees with
    since: int = 0  # so many events were not read, but verified by a run before, or trusted
    whole_at: datetime | None = None  # when that run's machine read everything
    first_sealed: int | None = None  # the number of the first command whose seal is good

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def is_tampered(self) -> bool:
        """Whether the record itself shows it, and not only a key that does not belong to it."""
        return any(each.fault != ANOTHER_KEY for each in self.faults)

    @property
    def first_bad(self) -> int | None:
        """The position of the first fault, or None."""
        return self.faults[0].position if self.faults else None

    def add(self, faults: "list[Fault]") -> None:
        """Adds faults, in order of position; at most MOST remain, the first ones."""
        self.faults = sorted([*self.faults, *faults], key=lambda each: each.position)[:MOST]
