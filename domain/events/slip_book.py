"""The fills and credits of one year, slip by slip."""

from msgspec import Struct
from msgspec.structs import replace

from domain.events import base
from domain.rules.chips import Chips, total


class Opened(base.Event, topic="slip-book.opened", first=True):
    """The first slip of a year opens its book."""

    year: int


class Slip(Struct, frozen=True):
    """Chips on their way between the cage and a table: how far they are, and through whom."""

    kind: str
    table_day: str
    chips: Chips
    step: str
    people: dict[str, str]  # who took each step

    @property
    def worth(self) -> int:
        """What its chips are worth, in minor units."""
        return total(self.chips)

    def taken(self, step: str, person: str) -> "Slip":
        """The slip one step further."""
        return replace(self, step=step, people={**self.people, step: person})


class State(base.State):
    """How far each slip of the year is."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened)
        self.year = opened.year
        self.next_number = 1
        self.slips: dict[str, Slip] = {}


class SlipRequested(base.Event, topic="slip-book.slip-requested"):
    """A table requested a fill, or a credit."""

    STEP = "requested"
    slip: str
    kind: str  # `fill`, or `credit`
    table_day: str
    chips: Chips
    total: int  # minor units
    requested_by: str

    def apply(self, state: State) -> None:
        people = {self.STEP: self.requested_by}
        state.slips[self.slip] = Slip(self.kind, self.table_day, self.chips, self.STEP, people)
        state.next_number += 1


class SlipIssued(base.Event, topic="slip-book.slip-issued"):
    """The cage issued the chips, or expects them."""

    STEP = "issued"
    slip: str
    table_day: str
    cashier: str

    def apply(self, state: State) -> None:
        state.slips[self.slip] = state.slips[self.slip].taken(self.STEP, self.cashier)


class SlipCarried(base.Event, topic="slip-book.slip-carried"):
    """The chips are on their way."""

    STEP = "carried"
    slip: str
    table_day: str
    runner: str

    def apply(self, state: State) -> None:
        state.slips[self.slip] = state.slips[self.slip].taken(self.STEP, self.runner)


class SlipReceived(base.Event, topic="slip-book.slip-received"):
    """The chips changed hands; the event has the whole slip again."""

    STEP = "received"
    slip: str
    kind: str
    table_day: str
    chips: Chips
    total: int  # minor units
    issued_by: str
    carried_by: str
    dealer: str
    supervisor: str

    def apply(self, state: State) -> None:
        state.slips[self.slip] = state.slips[self.slip].taken(self.STEP, self.dealer)


class SlipCorrected(base.Event, topic="slip-book.slip-corrected"):
    """The chips on a slip that was received were typed wrong."""

    slip: str
    table_day: str
    chips: Chips  # none: it never was
    total: int  # minor units
    total_before: int
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.slips[self.slip] = replace(state.slips[self.slip], chips=self.chips)


class SlipVoided(base.Event, topic="slip-book.slip-voided"):
    """The slip was voided before chips moved."""

    STEP = "voided"
    slip: str
    kind: str
    table_day: str
    chips: Chips
    total: int  # minor units
    reason: str
    by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.slips[self.slip] = state.slips[self.slip].taken(self.STEP, self.by)


class SlipReuseRefused(base.Event, topic="slip-book.slip-reuse-refused"):
    """A slip came a second time and was refused."""

    slip: str
    table_day: str
    act: str  # `issue`, `carry`, `receive` or `void`
    why: str  # the step that the slip had reached, or `voided`
