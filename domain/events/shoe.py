"""A shoe, from loaded to reconciled: what is in it, and what has left it."""

from collections import Counter

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """Of one shoe."""

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
    cut_card: int  # cards from the back, unless the cut says otherwise


class State(base.State):
    """What is in the shoe, and how far it is dealt."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.address = addresses.Shoe.parse(loaded.shoe)
        self.rules_name = loaded.rules
        self.rules_digest = loaded.rules_digest
        self.decks = loaded.decks
        self.batch = loaded.batch
        self.cut_card = loaded.cut_card
        self.step = "loaded"
        self.holder = "dealer"
        self.commitment = ""  # with one, the shoe says itself which card comes
        self.seen: Counter[str] = Counter()  # cards of the shoe that left it and are known by name
        self.face_down = 0  # burned and not known by name
        self.cards_left = 52 * loaded.decks
        self.coup = 0  # the last coup begun
        self.coup_not_dealt = False  # whether that one was voided before its first card
        self.cards_in_coup = 0
        self.carried_in_coup = 0  # of these, those that had left before the coup
        self.waiting: list[str] = []  # came when none was due; the next coup begins with them
        self.dummy = False  # whether the next coup takes no bets
        self.cut_card_shown = False
        self.last_coup: int | None = None


class Inspected(Event, topic="shoe.inspected"):
    """The cards were inspected."""

    verified_by: str

    def apply(self, state: State) -> None:
        state.step = "inspected"


class Shuffled(Event, topic="shoe.shuffled"):
    """The cards were shuffled."""

    method: str
    device: str
    commitment: str  # to the order that a generator made; '': somebody else knows the order
    scheme: str  # how order and secret make the commitment again

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
        state.face_down = self.face_down
        state.cards_left -= 1 + self.face_down


class Passed(Event, topic="shoe.passed"):
    """Another person holds the shoe from now on (R-DEAL-4)."""

    holder: str

    def apply(self, state: State) -> None:
        state.holder = self.holder


class CoupBegun(Event, topic="shoe.coup-begun"):
    """The next coup is open for bets."""

    coup: int

    def apply(self, state: State) -> None:
        state.coup = self.coup
        state.coup_not_dealt = False
        state.cards_in_coup = 0
        state.carried_in_coup = 0
        state.dummy = False


class CoupNotDealt(Event, topic="shoe.coup-not-dealt"):
    """The coup was voided before its first card: it was no coup (R-SHOE-3)."""

    coup: int
    last_coup: int | None  # the last one now; None: the cut card has not shown

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
        state.cards_in_coup = self.n


class UndueCardRefused(Event, topic="shoe.undue-card-refused"):
    """A card came when none was due; with shoe.misdraw it is entered."""

    card: str
    coup: int
    why: str  # `coup-complete`, or `no-coup-open`


class CardMisdrawn(Event, topic="shoe.card-misdrawn"):
    """A card left the shoe when none was due (R-IRR-1)."""

    card: str
    coup: int  # the last one begun when it came
    disposition: str  # `carry`, `burn` or `dummy`
    rules_say: str  # what the rule set does with it

    def apply(self, state: State) -> None:
        state.seen[self.card] += 1
        state.cards_left -= 1
        if self.disposition != "burn":
            state.waiting.append(self.card)
        if self.disposition == "dummy":
            state.dummy = True


class CarriedCardDealt(Event, topic="shoe.carried-card-dealt"):
    """The first of the cards that waited went to the coup that began."""

    card: str
    coup: int
    n: int

    def apply(self, state: State) -> None:
        state.waiting.pop(0)
        state.cards_in_coup = self.n
        state.carried_in_coup = self.n


class CardDiscarded(Event, topic="shoe.card-discarded"):
    """A card is used for nothing (R-IRR-3, R-IRR-4)."""

    card: str
    reason: str  # `face-up`, `foreign` or `damaged`; a foreign one was never the shoe's
    coup: int

    def apply(self, state: State) -> None:
        if self.reason != "foreign":
            state.seen[self.card] += 1
            state.cards_left -= 1


class CutCardShown(Event, topic="shoe.cut-card-shown"):
    """The cut card came, which settles the last coup (R-SHOE-3)."""

    last_coup: int
    cards_left: int

    def apply(self, state: State) -> None:
        state.cut_card_shown = True
        state.last_coup = self.last_coup


class CutCardPassed(Event, topic="shoe.cut-card-passed"):
    """So few cards are left that the cut card must be out; the shoe deals on."""

    coup: int
    cards_left: int


class Ended(Event, topic="shoe.ended"):
    """No more coups."""

    reason: str
    coups: int
    cards_left: int

    def apply(self, state: State) -> None:
        state.step = "ended"


class OrderRevealed(Event, topic="shoe.order-revealed"):
    """A generated shoe's order, for whoever checks it against the commitment."""

    order: list[str]
    secret: str  # in hex; with it the order makes the commitment again


class OrderUntold(Event, topic="shoe.order-untold"):
    """Nobody could open a generated shoe's order any more."""

    commitment: str


class Reconciled(Event, topic="shoe.reconciled"):
    """The rest was counted (R-SHOE-4)."""

    remaining: int
    cards: list[str]
    difference: int  # counted minus expected; face-down burns are not among the remaining
    over: dict[str, int]  # cards that, with those known to have left, are more than there were
    burned: list[str]  # those burned face down, as far as they were named

    def apply(self, state: State) -> None:
        state.step = "reconciled"
