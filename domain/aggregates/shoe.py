"""One shoe, from loaded to reconciled: what is in it and what has left it (R-SHOE-1 to 5).

No step is skipped, repeated or reordered, and a shoe whose shuffle was not recorded deals no
coup: in 2012 a New Jersey table dealt 41 straight winners from cards nobody had shuffled. What
left the shoe cannot go back: a card that should not have come is carried, burned or discarded.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import shoe as events
from domain.rules import addresses
from domain.rules.house_rules import HouseRules, of
from domain.rules.order import SCHEME
from domain.rules.refusals import (
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
DISPOSITIONS = ("carry", "burn", "dummy")  # of a card that came when none was due (R-IRR-1)
DISCARDS = ("face-up", "foreign", "damaged")  # why a card is not used (R-IRR-3, R-IRR-4)
CARDS_A_COUP = 4.94  # on the average
SOON = 5  # coups to the cut card: what is owed is collected in time


def coups_within(cards: int) -> int:
    """About how many coups so many cards are enough for."""
    return max(round(cards / CARDS_A_COUP), 0)


class Shoe(Aggregate, events.State):
    """One shoe of one table day."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.address.table_day.day, self.address.table_day.table

    @staticmethod
    def stream(address: addresses.Shoe) -> UUID:
        """Where this shoe's events are."""
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

    @property
    def empty(self) -> bool:
        """Whether no card will come from it any more, nor one that waits outside."""
        return self.cards_left == 0 and not self.waiting

    @property
    def next_from_order(self) -> int:
        """Where in the order of a generated shoe its next card is, from 0."""
        return 52 * self.decks - self.cards_left

    # Commands: decide; refuse, or record an event.
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
            events.Loaded(
                shoe=str(address),
                table_day=str(address.table_day),
                rules=rules.name,
                rules_digest=rules.digest,
                decks=decks,
                serials=serials,
                colour=colour,
                batch=batch,
                cut_card=rules.cut_card,
            ),
            cls.stream(address),
            at,
        )

    def inspect(self, verified_by: str = "", *, by: str = "") -> None:
        """The cards are all there, as somebody else counted too.

        Refuses: ShoeStepOutOfOrder, and for a sealed batch MissingField, BadValue.
        """
        self._require_step("inspected")
        if self.batch and not verified_by:
            raise MissingField(
                command="shoe.inspect", field="verified_by", why=": a sealed batch takes two people"
            )
        if self.batch and verified_by == by:
            why = "the same person inspects it, and a sealed batch takes two"
            raise BadValue(field="verified_by", value=verified_by, why=why)
        self.record(events.Inspected(verified_by=verified_by))

    def shuffle(self, method: str, device: str = "", commitment: str = "") -> None:
        """Shuffled; a generator inspects, shuffles and cuts in one act. Refuses: BadValue.

        `commitment`: what the generator says of its order, which is kept till the end (R-SHOE-5).
        """
        if method not in SHUFFLES:
            raise BadValue(field="method", value=repr(method), why=f"say {', '.join(SHUFFLES)}")
        if method == "pre-shuffled" and not self.batch:
            raise BadValue(
                field="method", value=repr(method), why="this shoe was not loaded as a batch"
            )
        if method == "generated" and self.batch:
            raise BadValue(field="method", value=repr(method), why="this shoe is a sealed batch")
        if method == "generated" and self.step == "loaded":
            self.record(events.Inspected(verified_by=""))
        self._require_step("shuffled")
        scheme = SCHEME if commitment else ""
        self.record(
            events.Shuffled(method=method, device=device, commitment=commitment, scheme=scheme)
        )
        if method == "generated":
            self.record(events.Cut(cut_by="generator", cut_card=self.cut_card))

    def cut(self, cut_by: str, cut_card: int | None = None) -> None:
        """Cut, and the cut card placed so many cards from the back. Refuses: BadValue."""
        self._require_step("cut")
        placed = self.cut_card if cut_card is None else cut_card
        if not 0 < placed < self.cards_left:
            raise BadValue(
                field="cut_card", value=placed, why=f"the shoe has {self.cards_left} cards"
            )
        self.record(events.Cut(cut_by=cut_by, cut_card=placed))

    def burn(self, card: str) -> None:
        """The first card is shown and burned, and as many more face down (R-SHOE-2)."""
        if self.rules.burn == "none":
            raise ShoeStepOutOfOrder(
                shoe=str(self.address), step="burned", why=f"{self.rules_name} burns no card"
            )
        self._require_step("burned")
        self.record(events.Burned(card=card, face_down=self.rules.face_down(card)))

    def pass_to(self, holder: str) -> None:
        """Who holds the shoe from now on (R-DEAL-4)."""
        self.require_ready()
        self.record(events.Passed(holder=holder))

    def require_ready(self) -> None:
        """Refuses: ShoeNotReady."""
        if not self.ready:
            raise ShoeNotReady(shoe=str(self.address), step=NEXT[self.step])

    def begin_coup(self) -> addresses.Coup:
        """The next coup is open for bets. Refuses: ShoeNotReady, CutCardOut."""
        self.require_ready()
        if self.finished:
            raise CutCardOut(coup=f"{self.address}/{self.last_coup}")
        if self.empty:
            why = "it is empty; end it"
            raise ShoeStepOutOfOrder(
                rule="R-IRR-4", shoe=str(self.address), step="dealt on", why=why
            )
        self.record(events.CoupBegun(coup=self.coup + 1))
        return addresses.Coup(self.address, self.coup)

    def leave_undealt(self, coup: int) -> None:
        """A coup that is voided before its first card takes no cut card and no last place."""
        if coup != self.coup or self.cards_in_coup or self.coup_not_dealt or self.ended:
            return
        last = None if self.last_coup is None else self.last_coup + 1
        self.record(events.CoupNotDealt(coup=coup, last_coup=last))

    def draw(self, card: str) -> None:
        """A card leaves the shoe for the coup in play. Refuses: CardNotInShoe.

        A generated shoe sees its cut card itself.
        """
        self._require_in_shoe(card)
        if not self.cut_card_shown:
            first = self.cards_in_coup == self.carried_in_coup
            if self.commitment and self.cards_left <= self.cut_card:
                self._cut_card_shows()
            elif first and self.cards_left + self.carried_in_coup <= self.cut_card:
                self.record(events.CutCardPassed(coup=self.coup, cards_left=self.cards_left))
        self.record(events.CardDrawn(card=card, coup=self.coup, n=self.cards_in_coup + 1))

    def deal_carried(self) -> str:
        """The first of the cards that wait goes to the coup that begins (R-IRR-1)."""
        card = self.waiting[0]
        self.record(events.CarriedCardDealt(card=card, coup=self.coup, n=self.cards_in_coup + 1))
        return card

    def misdraw(self, card: str, disposition: str | None = None) -> None:
        """A card left the shoe when none was due (R-IRR-1). Refuses: CardNotInShoe, BadValue."""
        self.require_ready()
        self.require_not_generated(card)
        self._require_in_shoe(card)
        done = disposition or self.rules.misdraw
        if done not in DISPOSITIONS:
            raise BadValue(field="disposition", value=done, why=f"say {', '.join(DISPOSITIONS)}")
        if self.finished and done != "burn":
            why = f"coup {self.last_coup} was the last of this shoe, so say burn"
            raise BadValue(rule="R-IRR-1", field="disposition", value=done, why=why)
        self.record(
            events.CardMisdrawn(
                card=card, coup=self.coup, disposition=done, rules_say=self.rules.misdraw
            )
        )

    def discard(self, card: str, reason: str) -> None:
        """A card is used for nothing (R-IRR-3, R-IRR-4). Refuses: CardNotInShoe, BadValue."""
        self.require_ready()
        self.require_not_generated(card)
        if reason not in DISCARDS:
            raise BadValue(field="reason", value=repr(reason), why=f"say {', '.join(DISCARDS)}")
        if reason != "foreign":
            self._require_in_shoe(card)
        self.record(events.CardDiscarded(card=card, reason=reason, coup=self.coup))

    def require_not_generated(self, card: str) -> None:
        """Nobody names the cards of a shoe that knows its order. Refuses: BadValue."""
        if self.commitment:
            why = "a generated shoe gives its cards itself, each where it is due"
            raise BadValue(rule="R-SHOE-5", field="card", value=card, why=why)

    def require_cards(self) -> None:
        """Refuses: CardNotInShoe (R-IRR-4: there are too few to finish a coup)."""
        if self.cards_left == 0:
            then = ", and void a coup that still needs one"
            raise CardNotInShoe(rule="R-IRR-4", gone="The shoe is empty", then=then)

    def refuse_card(self, card: str | None, *, coup_complete: bool) -> CardNotDue:
        """Records that a card came when none was due; what it returns is to be raised.

        None: a generated shoe was asked for one and kept it, so there is nothing to state.
        """
        if coup_complete:
            why, words = "coup-complete", f"{self.address}/{self.coup} has all its cards"
        else:
            why, words = "no-coup-open", "no coup is open, so place a bet or open one first"
        if card is None:
            refusal = CardNotDue(card="A card", why=words, then="None has left the shoe")
            refusal.recorded = False
            return refusal
        self.record(events.UndueCardRefused(card=card, coup=self.coup, why=why))
        then = "Put it aside, call the supervisor, and enter it with shoe.misdraw"
        return CardNotDue(card=card, why=words, then=then)

    def show_cut_card(self) -> None:
        """In a coup one more is dealt; as the first card, that coup is the last (R-SHOE-3)."""
        self.require_ready()
        why = ""
        if self.cut_card_shown:
            why = f"it has shown it already and coup {self.last_coup} is the last"
        elif self.commitment:
            why = "a generated shoe sees its cut card itself"
        if why:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-3", shoe=str(self.address), step="shown its cut card", why=why
            )
        self._cut_card_shows()

    def _cut_card_shows(self) -> None:
        is_first_card = self.coup > 0 and self.cards_in_coup == 0 and not self.coup_not_dealt
        begins = self.coup if is_first_card else self.coup + 1
        last = begins + 1 if self.waiting else begins  # a card of that coup is out already
        self.record(events.CutCardShown(last_coup=last, cards_left=self.cards_left))

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
        self.record(events.Ended(reason=reason, coups=self.coup, cards_left=self.cards_left))

    def reveal(self, order: list[str], secret: str) -> None:
        """A generated shoe tells its order, which names every card of it (R-SHOE-4, R-SHOE-5)."""
        self.record(events.OrderRevealed(order=order, secret=secret))
        rest = order[self.next_from_order :]
        self.reconcile(len(rest), rest, order[1 : 1 + self.face_down])

    def leave_untold(self) -> None:
        """The order of a generated shoe is lost, and nobody can check it any more (R-SHOE-5)."""
        self.record(events.OrderUntold(commitment=self.commitment))

    def reconcile(self, remaining: int, cards: list[str], burned: Sequence[str] = ()) -> None:
        """The rest was counted, by number or card by card (R-SHOE-4). Refuses: BadValue.

        `burned`: the cards burned face down, when somebody turned them over.
        """
        self._require_step("reconciled")
        if remaining > 52 * self.decks:
            raise BadValue(
                field="remaining", value=remaining, why=f"{self.decks} decks are all there were"
            )
        if len(burned) > self.face_down:
            why = f"{self.face_down} were burned face down"
            raise BadValue(rule="R-SHOE-4", field="burned", value=f"{len(burned)} cards", why=why)
        counted = self.seen + Counter(cards) + Counter(burned)
        over = {card: count - self.decks for card, count in counted.items() if count > self.decks}
        self.record(
            events.Reconciled(
                remaining=remaining,
                cards=cards,
                difference=remaining - self.cards_left,
                over=over,
                burned=list(burned),
            )
        )

    def _require_in_shoe(self, card: str) -> None:
        self.require_cards()
        if self.seen[card] >= self.decks:
            raise CardNotInShoe(gone=f"All {self.decks} of {card} are out", then="")

    def _require_step(self, step: str) -> None:
        if self.step != STEPS[step]:
            if self.step == "reconciled":
                why = "it is counted already"
            elif self.ended:
                why = "it has ended"
            elif self.ready and step == "reconciled":
                why = "it deals coups; end it first"
            elif self.ready:
                why = "it deals coups already"
            else:
                why = f"it is {self.step} and next is {NEXT[self.step]}"
            raise ShoeStepOutOfOrder(shoe=str(self.address), step=step, why=why)
