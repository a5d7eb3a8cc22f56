"""One shoe, from loaded to reconciled: what is in it and what has left it (R-SHOE-1 to 4).

No step is skipped, repeated or reordered, and a shoe whose shuffle was not recorded deals no
coup: in 2012 a New Jersey table dealt 41 straight winners from cards nobody had shuffled.
"""

from collections import Counter
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from eventsourcing.domain import event

from domain import addresses
from domain.aggregate import Aggregate
from domain.house_rules import HouseRules, of
from domain.refusals import (
    BadValue,
    CardNotDue,
    CardNotInShoe,
    CutCardOut,
    MissingField,
    SecondPersonNeeded,
    ShoeNotReady,
    ShoeStepOutOfOrder,
)

# What each step needs before it, and the command that is next after it.
STEPS = {
    "inspected": "loaded",
    "shuffled": "inspected",
    "cut": "shuffled",
    "burned": "cut",
    "reconciled": "ended",
}
NEXT = {
    "loaded": "shoe.inspect",
    "inspected": "shoe.shuffle",
    "shuffled": "shoe.cut",
    "cut": "shoe.burn",
    "ended": "shoe.load",
    "reconciled": "shoe.load",
}
SHUFFLES = ("hand", "machine", "pre-shuffled", "generated")


class Shoe(Aggregate):
    """One shoe of one table day."""

    TOPIC = "shoe"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        shoe: str

    class Created(Aggregate.Created):
        TOPIC = "shoe.loaded"
        shoe: str
        table_day: str
        rules: str
        rules_digest: str
        decks: int
        serials: list[str]
        colour: str
        batch: str
        cut_card: int  # cards from the back, unless the cut says otherwise

    class Inspected(Event):
        TOPIC = "shoe.inspected"
        verified_by: str

    class Shuffled(Event):
        TOPIC = "shoe.shuffled"
        method: str
        device: str

    class Cut(Event):
        TOPIC = "shoe.cut"
        cut_by: str
        cut_card: int

    class Burned(Event):
        TOPIC = "shoe.burned"
        card: str
        face_down: int

    class Passed(Event):
        TOPIC = "shoe.passed"
        holder: str

    class CoupBegun(Event):
        TOPIC = "shoe.coup-begun"
        coup: int

    class CardDrawn(Event):
        TOPIC = "shoe.card-drawn"
        card: str
        coup: int
        n: int

    class UndueCardRefused(Event):
        TOPIC = "shoe.undue-card-refused"
        class_version = 2
        card: str
        coup: int
        why: str  # `coup-complete`, or `no-coup-open`

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version told a sentence."""
            complete = state["why"].endswith("all its cards")
            state["why"] = "coup-complete" if complete else "no-coup-open"

    class CutCardShown(Event):
        TOPIC = "shoe.cut-card-shown"
        last_coup: int
        cards_left: int

    class CutCardPassed(Event):
        TOPIC = "shoe.cut-card-passed"
        coup: int
        cards_left: int

    class Ended(Event):
        TOPIC = "shoe.ended"
        reason: str
        coups: int
        cards_left: int

    class Reconciled(Event):
        TOPIC = "shoe.reconciled"
        remaining: int
        cards: list[str]
        difference: int  # counted minus expected; face-down burns are not among the remaining
        over: dict[str, int]  # cards that, with those known to have left, are more than there were

    # State: what later decisions ask.
    def __init__(
        self, shoe: str, rules: str, rules_digest: str, decks: int, batch: str, cut_card: int
    ) -> None:
        self.address = addresses.Shoe.parse(shoe)
        self.rules_name = rules
        self.rules_digest = rules_digest
        self.decks = decks
        self.batch = batch
        self.cut_card = cut_card
        self.step = "loaded"
        self.holder = "dealer"
        self.seen: Counter[str] = Counter()  # cards known by name: drawn, or burned face up
        self.cards_left = 52 * decks
        self.coup = 0  # the last coup begun
        self.cards_in_coup = 0
        self.cut_card_shown = False
        self.last_coup: int | None = None

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the facts belong to."""
        return self.address.table_day.day, self.address.table_day.table

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"shoe": str(self.address)}

    @staticmethod
    def stream(address: addresses.Shoe) -> UUID:
        """Where this shoe's facts are."""
        return addresses.stream_id("shoe", str(address), address.table_day.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set that this shoe is dealt under."""
        return of(self.rules_name, self.rules_digest)

    @property
    def ready(self) -> bool:
        """Whether every step before the first coup was taken (R-SHOE-1)."""
        return self.step == "burned" or (self.step == "cut" and self.rules.burn == "none")

    @property
    def ended(self) -> bool:
        """Whether no coup will come from it any more."""
        return self.step in ("ended", "reconciled")

    @property
    def finished(self) -> bool:
        """Whether the last coup that the cut card allows has begun (R-SHOE-3)."""
        return self.last_coup is not None and self.coup >= self.last_coup

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def load(
        cls,
        address: addresses.Shoe,
        rules: HouseRules,
        *,
        at: datetime,
        decks: int,
        serials: list[str],
        colour: str = "",
        batch: str = "",
    ) -> Self:
        """Decks, or a pre-shuffled batch, come to the table. Refuses: BadValue."""
        if decks not in rules.decks_allowed:
            allowed = " or ".join(map(str, rules.decks_allowed))
            raise BadValue(field="decks", value=decks, why=f"{rules.name} is dealt from {allowed}")
        for serial, times in Counter(serials).items():
            if times > 1:
                raise BadValue(field="serials", value=repr(serials), why=f"{serial} is there twice")
        return cls.begin(
            cls.Created,
            cls.stream(address),
            at,
            shoe=str(address),
            table_day=str(address.table_day),
            rules=rules.name,
            rules_digest=rules.digest,
            decks=decks,
            serials=serials,
            colour=colour,
            batch=batch,
            cut_card=rules.cut_card,
        )

    def inspect(self, verified_by: str = "") -> None:
        """The cards are all there. Refuses: ShoeStepOutOfOrder, MissingField (sealed batch)."""
        self._require_step("inspected")
        if self.batch and not verified_by:
            raise MissingField(
                command="shoe.inspect", field="verified_by", why=": a sealed batch takes two people"
            )
        self._inspected(verified_by=verified_by)

    def shuffle(self, method: str, device: str = "") -> None:
        """Shuffled; a generator inspects, shuffles and cuts in one act. Refuses: BadValue."""
        if method not in SHUFFLES:
            raise BadValue(field="method", value=repr(method), why=f"say {', '.join(SHUFFLES)}")
        if method == "pre-shuffled" and not self.batch:
            raise BadValue(
                field="method", value=repr(method), why="this shoe was not loaded as a batch"
            )
        if method == "generated" and self.batch:
            raise BadValue(field="method", value=repr(method), why="this shoe is a sealed batch")
        if method == "generated" and self.step == "loaded":
            self._inspected(verified_by="")
        self._require_step("shuffled")
        self._shuffled(method=method, device=device)
        if method == "generated":
            self._cut(cut_by="generator", cut_card=self.cut_card)

    def cut(self, cut_by: str, cut_card: int | None = None) -> None:
        """Cut, and the cut card placed so many cards from the back. Refuses: BadValue."""
        self._require_step("cut")
        placed = self.cut_card if cut_card is None else cut_card
        if not 0 < placed < self.cards_left:
            raise BadValue(
                field="cut_card", value=placed, why=f"the shoe has {self.cards_left} cards"
            )
        self._cut(cut_by=cut_by, cut_card=placed)

    def burn(self, card: str) -> None:
        """The first card is shown and burned, and as many more face down (R-SHOE-2)."""
        if self.rules.burn == "none":
            raise ShoeStepOutOfOrder(
                shoe=str(self.address), step="burned", why=f"{self.rules_name} burns no card"
            )
        self._require_step("burned")
        self._burned(card=card, face_down=self.rules.face_down(card))

    def pass_to(self, holder: str) -> None:
        """Who holds the shoe from now on (R-DEAL-4)."""
        self.require_ready()
        self._passed(holder=holder)

    def require_ready(self) -> None:
        """Refuses: ShoeNotReady."""
        if not self.ready:
            raise ShoeNotReady(shoe=str(self.address), step=NEXT[self.step])

    def begin_coup(self) -> addresses.Coup:
        """The next coup is open for bets. Refuses: ShoeNotReady, CutCardOut."""
        self.require_ready()
        if self.finished:
            raise CutCardOut(coup=f"{self.address}/{self.last_coup}")
        self._coup_begun(coup=self.coup + 1)
        return addresses.Coup(self.address, self.coup)

    def draw(self, card: str) -> None:
        """A card leaves the shoe for the coup in play. Refuses: CardNotInShoe."""
        if self.seen[card] >= self.decks or self.cards_left == 0:
            gone = (
                "The shoe is empty"
                if self.cards_left == 0
                else f"All {self.decks} of {card} are out"
            )
            raise CardNotInShoe(gone=gone)
        if self.cards_in_coup == 0 and self.cards_left <= self.cut_card and not self.cut_card_shown:
            self._cut_card_passed(coup=self.coup, cards_left=self.cards_left)
        self._card_drawn(card=card, coup=self.coup, n=self.cards_in_coup + 1)

    def refuse_card(self, card: str, *, coup_complete: bool) -> CardNotDue:
        """The fact that a card came when none was due; what it returns is to be raised."""
        if coup_complete:
            why, words = "coup-complete", f"{self.address}/{self.coup} has all its cards"
        else:
            why, words = "no-coup-open", "no coup is open, so place a bet or open one first"
        self._undue_card_refused(card=card, coup=self.coup, why=why)
        return CardNotDue(card=card, why=words)

    def show_cut_card(self) -> None:
        """In a coup one more is dealt; as the first card, that coup is the last (R-SHOE-3)."""
        self.require_ready()
        if self.cut_card_shown:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-3",
                shoe=str(self.address),
                step="shown its cut card",
                why=f"it has shown it already and coup {self.last_coup} is the last",
            )
        nothing_drawn = self.coup > 0 and self.cards_in_coup == 0
        last = self.coup if nothing_drawn else self.coup + 1
        self._cut_card_shown(last_coup=last, cards_left=self.cards_left)

    def end(self, *, reason: str = "", second: str = "") -> None:
        """No more coups. Before the cut card has shown: a supervisor, and a reason (R-SHOE-3)."""
        if self.ended:
            raise ShoeStepOutOfOrder(shoe=str(self.address), step="ended", why="it has ended")
        if not self.cut_card_shown:
            if not second:
                raise SecondPersonNeeded(
                    rule="R-SHOE-3",
                    act="Ending a shoe before its cut card shows",
                    who="a supervisor",
                    but="",
                )
            if not reason:
                raise MissingField(
                    rule="R-SHOE-3",
                    command="shoe.end",
                    field="reason",
                    why=" while the cut card has not shown",
                )
        self._ended(reason=reason, coups=self.coup, cards_left=self.cards_left)

    def reconcile(self, remaining: int, cards: list[str]) -> None:
        """The rest was counted, by number or card by card (R-SHOE-4). Refuses: BadValue."""
        self._require_step("reconciled")
        if remaining > 52 * self.decks:
            raise BadValue(
                field="remaining", value=remaining, why=f"{self.decks} decks are all there were"
            )
        counted = self.seen + Counter(cards)
        over = {card: count - self.decks for card, count in counted.items() if count > self.decks}
        self._reconciled(
            remaining=remaining,
            cards=cards,
            difference=remaining - self.cards_left,
            over=over,
        )

    def _require_step(self, step: str) -> None:
        if self.step != STEPS[step]:
            if self.ended:
                why = "it has ended"
            elif self.ready:
                why = "it deals coups already"
            else:
                why = f"it is {self.step} and next is {NEXT[self.step]}"
            raise ShoeStepOutOfOrder(shoe=str(self.address), step=step, why=why)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(Inspected)
    def _inspected(self, verified_by: str) -> None:
        self.step = "inspected"

    @event(Shuffled)
    def _shuffled(self, method: str, device: str) -> None:
        self.step = "shuffled"

    @event(Cut)
    def _cut(self, cut_by: str, cut_card: int) -> None:
        self.step = "cut"
        self.cut_card = cut_card

    @event(Burned)
    def _burned(self, card: str, face_down: int) -> None:
        self.step = "burned"
        self.seen[card] += 1
        self.cards_left -= 1 + face_down

    @event(Passed)
    def _passed(self, holder: str) -> None:
        self.holder = holder

    @event(CoupBegun)
    def _coup_begun(self, coup: int) -> None:
        self.coup = coup
        self.cards_in_coup = 0

    @event(CardDrawn)
    def _card_drawn(self, card: str, coup: int, n: int) -> None:
        self.seen[card] += 1
        self.cards_left -= 1
        self.cards_in_coup = n

    @event(UndueCardRefused)
    def _undue_card_refused(self, card: str, coup: int, why: str) -> None:
        pass  # worth knowing; the card itself comes with shoe.misdraw

    @event(CutCardShown)
    def _cut_card_shown(self, last_coup: int, cards_left: int) -> None:
        self.cut_card_shown = True
        self.last_coup = last_coup

    @event(CutCardPassed)
    def _cut_card_passed(self, coup: int, cards_left: int) -> None:
        pass  # worth knowing; the shoe deals on until somebody ends it

    @event(Ended)
    def _ended(self, reason: str, coups: int, cards_left: int) -> None:
        self.step = "ended"

    @event(Reconciled)
    def _reconciled(
        self, remaining: int, cards: list[str], difference: int, over: dict[str, int]
    ) -> None:
        self.step = "reconciled"
