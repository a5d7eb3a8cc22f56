"""How each house of a group is: what is held of it, how late it came, and who else saw it."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import asdict

from ops.group.asking import recorded_at
from ops.group.counting import counted
from ops.group.members import Member, Standing
from ops.ledger.chain import NotCanonical
from ops.proof.checkpoint import epoch_of
from ops.proof.note import NotGood, Verifier, cosigned_at, split
from ops.proof.tiles import CHECKPOINT
from ops.proof.tree import NotProven

How = Literal["new", "good", "away", "unwitnessed", "stopped"]


class Witnessed(Struct, frozen=True):
    """Who else saw a house's record, when, and how many events of it; None: none.

    `signed`: by a cosignature below the newest checkpoint; `checked`: with its key, which this
    group requires. Else the witness of that house was asked.
    """

    witness: str
    at: datetime
    size: int | None
    signed: bool = False
    checked: bool = False


class State(Struct, frozen=True):
    """A house as `sabot group list` and the page show it.

    `events` are held and verified, up to `counted` they are in reports; of one that is `only_seen`
    no event is. `recorded_at`: of the newest one; `held_at`: when its checkpoint was stored here.
    `refused`: how many checkpoints are evidence against it.
    """

    name: str
    record: str
    how: How
    events: int
    counted: int = 0
    at: datetime | None = None
    stopped: str = ""
    away: str = ""
    unwitnessed: str = ""
    only_seen: bool = False
    recorded_at: datetime | None = None
    held_at: datetime | None = None
    refused: int = 0
    seen: list[Witnessed] = field(default_factory=list)

    @property
    def why(self) -> str:
        """Why it is so; '' for a house that is in order."""
        return self.stopped or self.away or self.unwitnessed

    @property
    def lag(self) -> float | None:
        """Seconds from when the newest event was recorded until it was here, signed."""
        if not (self.recorded_at and self.held_at):
            return None
        return (self.held_at - self.recorded_at).total_seconds()


def state_of(of: Member) -> State:
    """How a house is now; nobody is asked."""
    held, standing = of.held, of.standing
    events = held.size if held else 0
    return State(
        name=of.name,
        record=of.origin,
        how=_how(standing),
        events=events,
        counted=0 if of.only_seen else counted(of).position,
        only_seen=of.only_seen,
        recorded_at=None if of.only_seen or not events else _newest(of, events),
        held_at=_written(of) if held else None,
        refused=len([*(of.place / "refused").glob("*.txt")]),
        seen=[*_cosigned(of, events), *_asked(of)],
        **(asdict(standing) if standing else {}),
    )


def _how(standing: Standing | None) -> How:
    if not standing:
        return "new"
    if standing.stopped:
        return "stopped"
    return "away" if standing.away else "unwitnessed" if standing.unwitnessed else "good"


def _newest(of: Member, position: int) -> datetime | None:
    """When the newest event that is held was recorded; None if its file is lost."""
    with suppress(NotProven, NotCanonical):
        return recorded_at(of, position)
    return None


def _written(of: Member) -> datetime:
    return datetime.fromtimestamp((of.log / CHECKPOINT).stat().st_mtime, UTC)


def _cosigned(of: Member, size: int) -> Iterator[Witnessed]:
    """Who signed the checkpoint that is held, besides the house."""
    if not size:
        return
    with suppress(NotGood):
        lacking = of.not_witnessed((of.log / CHECKPOINT).read_bytes())
        required = {Verifier.parse(each).name for each in of.witnessed_by} - {*lacking}
        lines = split((of.log / CHECKPOINT).read_text())[1]
        for name, seconds in filter(None, map(cosigned_at, lines)):
            if epoch_of(name, of.origin) is None:  # the house itself may sign with two keys
                yield Witnessed(
                    name,
                    datetime.fromtimestamp(seconds, UTC),
                    size,
                    signed=True,
                    checked=name in required,
                )


def _asked(of: Member) -> Iterator[Witnessed]:
    """What the witnesses of others answered."""
    for name, heard in sorted(of.heard.items()):
        yield Witnessed(name, heard.at, heard.size)
