"""A shoe, from loaded to reconciled: the cards in it, and those that left it."""

from collections import Counter

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """About one shoe."""

    NAMED_BY = ("shoe",)
    shoe: str = ""


class Loaded(Event, topic="shoe.loaded", first=True):
    """Decks, or a sealed batch, came into the shoe."""

    table_day: str
    rules: str
    rules_digest: str
    decks: int
    serials: list[str]
    colour: str
    batch: str
    cut_card: int  # cards from the back, by default


class State(base.State):
    """The contents of the shoe, and its step."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.address = addresses.Shoe.parse(loaded.shoe)
        self.table_day = self.address.table_day  # on which it is dealt now
        self.rules_name = loaded.rules
        self.rules_digest = loaded.rules_digest
        self.decks = loaded.decks
        self.batch = loaded.batch
        self.cut_card = loaded.cut_card
        self.step = "loaded"
        self.holder = "dealer"
        self.commitment = ""  # of a generated shoe, which gives its cards itself
        self.seen: Counter[str] = Counter()  # cards that left the shoe and are known by name
        self.face_down_at: list[int] = []  # burned and not known by name: their places, from 0
        self.cards_left = 52 * loaded.decks
        self.coup = 0  # the last coup begun
        self.coup_not_dealt = False  # whether that one ended before its first card
        self.cards_in_coup = 0
        self.carried_in_coup = 0  # those of them that left the shoe before the coup
        self.last_dealt = 0  # the last coup of which a card was dealt
        self.burned_after = 0  # the last coup after which no card has to be burned any more
        self.void_unburned = 0  # the last coup that is void for want of the burned card before it
        self.waiting: list[str] = []  # cards that came when none was due, for the next coup
        self.dummy = False  # whether the next coup takes no bets
        self.cut_card_shown = False
        self.last_coup: int | None = None
        self.counted: Counted | None = None  # the last count of the rest


class CameAlong(Event, topic="shoe.came-along"):
    """The table was rolled over with the shoe in play, which goes on on the next gaming day."""

    table_day: str

    def apply(self, state: State) -> None:
        state.table_day = addresses.TableDay.parse(self.table_day)


class Inspected(Event, topic="shoe.inspected"):
    """The cards were inspected."""

    verified_by: str

    def apply(self, state: State) -> None:
        state.step = "inspected"


class Shuffled(Event, topic="shoe.shuffled"):
    """The cards were shuffled."""

    method: str
    device: str
    commitment: str  # to the order that a generator made; '': not a generated shoe
    scheme: str  # how the commitment is computed from order and secret
    digest: str  # SHA-256 of the encrypted order that is stored, in hex; '': not a generated shoe

    def apply(self, state: State) -> None:
        state.step = "shuffled"
        state.commitment = self.commitment


class Cut(Event, topic="shoe.cut"):
    """The cards were cut, and the cut card placed."""

    cut_by: str
    cut_card: int

    def apply(self, state: State) -> None:
        state.step = "cut"
        state.cut_card = self.cut_card


class Burned(Event, topic="shoe.burned"):
    """The first card was shown and burned, and as many more face down (R-SHOE-2)."""

    card: str
    face_down: int

    def apply(self, state: State) -> None:
        state.step = "burned"
        state.seen[self.card] += 1
        state.face_down_at = list(range(1, 1 + self.face_down))
        state.cards_left -= 1 + self.face_down


class BurnedBetween(Event, topic="shoe.burned-between"):
    """A card was burned face down between two coups (R-SHOE-6)."""

    coup: int  # the one that follows

    def apply(self, state: State) -> None:
        state.face_down_at.append(52 * state.decks - state.cards_left)
        state.cards_left -= 1
        state.burned_after = state.last_dealt


class BurnLeftOut(Event, topic="shoe.burn-left-out"):
    """A coup was begun without the card that is burned before it (R-SHOE-6)."""

    coup: int
    rules_say: str  # `or-coup-counts` or `or-coup-void`

    def apply(self, state: State) -> None:
        if self.rules_say == "or-coup-void":
            state.void_unburned = self.coup
        else:
            state.burned_after = state.last_dealt


class Passed(Event, topic="shoe.passed"):
    """Another person has the shoe from now on (R-DEAL-4)."""

    holder: str

    def apply(self, state: State) -> None:
        state.holder = self.holder


class CoupBegun(Event, topic="shoe.coup-begun"):
    """The next coup was opened for bets."""

    coup: int

    def apply(self, state: State) -> None:
        state.coup = self.coup
        state.coup_not_dealt = False
        state.cards_in_coup = 0
        state.carried_in_coup = 0
        state.dummy = False


class CoupNotDealt(Event, topic="shoe.coup-not-dealt"):
    """The coup ended before its first card, so it does not count (R-SHOE-3)."""

    coup: int
    last_coup: int | None  # the number of the last coup now; None: the cut card has not shown

    def apply(self, state: State) -> None:
        state.coup_not_dealt = True
        state.last_coup = self.last_coup


class CardDrawn(Event, topic="shoe.card-drawn"):
    """A card left the shoe for the coup in play."""

    card: str
    coup: int
    n: int

    def apply(self, state: State) -> None:
        state.seen[self.card] += 1
        state.cards_left -= 1
        if self.coup == state.coup:  # else it was drawn for an earlier one, and is typed only now
            state.cards_in_coup = self.n
            state.last_dealt = self.coup


class CardRenamed(Event, topic="shoe.card-renamed"):
    """A card that left the shoe for a coup had been typed wrong (R-IRR-5)."""

    coup: int
    n: int  # its number in the coup
    was: str
    card: str

    def apply(self, state: State) -> None:
        state.seen[self.was] -= 1
        state.seen[self.card] += 1


class CardTakenBack(Event, topic="shoe.card-taken-back"):
    """A card that was entered for a coup is not of that coup."""

    card: str
    coup: int

    def apply(self, state: State) -> None:
        state.seen[self.card] -= 1
        state.cards_left += 1
        if self.coup == state.coup:
            state.cards_in_coup -= 1


class UndueCardRefused(Event, topic="shoe.undue-card-refused"):
    """A card came when none was due, or when all of its kind were out; it stays out.

    `shoe.misdraw` enters one that was not due, `shoe.discard` one that is not this shoe's.
    """

    card: str
    coup: int
    why: str  # `coup-complete`, `no-coup-open`, or `all-out` (R-CARD-3)


class CardMisdrawn(Event, topic="shoe.card-misdrawn"):
    """A card left the shoe when none was due (R-IRR-1)."""

    card: str
    coup: int  # the last one begun by then
    disposition: str  # `carry`, `burn` or `dummy`
    rules_say: str  # the disposition by the rule set

    def apply(self, state: State) -> None:
        state.seen[self.card] += 1
        state.cards_left -= 1
        if self.disposition != "burn":
            state.waiting.append(self.card)
        if self.disposition == "dummy":
            state.dummy = True


class CarriedCardDealt(Event, topic="shoe.carried-card-dealt"):
    """The first waiting card went to the coup that began."""

    card: str
    coup: int
    n: int

    def apply(self, state: State) -> None:
        state.waiting.pop(0)
        state.last_dealt = self.coup
        state.cards_in_coup = self.n
        state.carried_in_coup = self.n


class CardDiscarded(Event, topic="shoe.card-discarded"):
    """A card was discarded (R-IRR-3, R-IRR-4)."""

    card: str
    reason: str  # `face-up`, `foreign` or `damaged`; a foreign one was never the shoe's
    coup: int

    def apply(self, state: State) -> None:
        if self.reason != "foreign":
            state.seen[self.card] += 1
            state.cards_left -= 1


class CutCardShown(Event, topic="shoe.cut-card-shown"):
    """The cut card showed, which fixes the last coup (R-SHOE-3)."""

    last_coup: int
    cards_left: int

    def apply(self, state: State) -> None:
        state.cut_card_shown = True
        state.last_coup = self.last_coup


class CutCardPassed(Event, topic="shoe.cut-card-passed"):
    """So few cards are left that the cut card must have shown, but nobody said so."""

    coup: int
    cards_left: int


class Ended(Event, topic="shoe.ended"):
    """The shoe ended."""

    reason: str
    coups: int
    cards_left: int

    def apply(self, state: State) -> None:
        state.step = "ended"


class OrderRevealed(Event, topic="shoe.order-revealed"):
    """A generated shoe's order was revealed, to check it against the commitment."""

    order: list[str]
    secret: str  # in hex; it and the order give the commitment


class OrderUntold(Event, topic="shoe.order-untold"):
    """A generated shoe's order could not be opened any more."""

    commitment: str


class Counted(Event):
    """A count of the rest."""

    remaining: int
    cards: list[str]
    difference: int  # counted minus expected; face-down burns are not among the remaining
    over: dict[str, int]  # cards of which there are more than the decks have
    burned: list[str]  # cards burned face down that were named

    def apply(self, state: State) -> None:
        state.step = "reconciled"
        state.counted = self


class Reconciled(Counted, topic="shoe.reconciled"):
    """The rest was counted (R-SHOE-4)."""


class Recounted(Counted, topic="shoe.recounted"):
    """The rest was counted again (R-SHOE-4)."""

    remaining_before: int
    cards_before: list[str]
    burned_before: list[str]
    reason: str
    requested_by: str
    approved_by: str
