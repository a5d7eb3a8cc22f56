"""One shoe, from loaded to reconciled: the cards in it and those that left it (R-SHOE-1 to 5).

A card that left the shoe cannot go back: if it was not due, it is carried, burned or discarded.
"""

from collections import Counter

from domain.aggregates.corrections import CardChange
from domain.aggregates.shoe_steps import NEXT, Steps, as_typed, one_of
from domain.events import shoe as events
from domain.rules import addresses
from domain.rules.refusals import (
    BadValue,
    BurnDue,
    CardNotDue,
    CardNotInShoe,
    ConfirmationNeeded,
    CutCardOut,
    ShoeNotReady,
    ShoeStepOutOfOrder,
)
from domain.rules.wording import Words

DISPOSITIONS = ("carry", "burn", "dummy")  # of a card that came when none was due (R-IRR-1)
DISCARDS = ("face-up", "foreign", "damaged")  # reasons not to use a card (R-IRR-3, R-IRR-4)
CARDS_A_COUP = 4.94  # on the average
EARLY = 10  # coups before its place, from which on the cut card is asked about
SOON = 5  # coups to the cut card, from which on commission should be collected


def coups_within(cards: int) -> int:
    """Roughly the number of coups that so many cards will last."""
    return max(round(cards / CARDS_A_COUP), 0)


class Shoe(Steps):
    """One shoe, dealt coup by coup."""

    def pass_to(self, holder: str) -> None:
        """Passes the shoe to another holder (R-DEAL-4)."""
        self.require_ready()
        self.record(events.Passed(holder=holder))

    def require_ready(self) -> None:
        """Refuses: ShoeNotReady."""
        if not self.ready:
            raise ShoeNotReady(shoe=self.address, step=as_typed(NEXT[self.step]))

    def begin_coup(self) -> addresses.Coup:
        """Begins the next coup. Refuses: ShoeNotReady, CutCardOut, ShoeStepOutOfOrder."""
        self.require_ready()
        if self.finished:
            raise CutCardOut(coup=f"{self.address}/{self.last_coup}")
        if self.empty:
            raise ShoeStepOutOfOrder(
                rule="R-IRR-4",
                message=Words("Shoe {shoe} is empty. End it, with `shoe end`.", shoe=self.address),
            )
        self.record(events.CoupBegun(coup=self.coup + 1))
        return addresses.Coup(self.address, self.coup)

    @property
    def burn_due(self) -> bool:
        """Whether a card is to be burned before the first card of the next coup (R-SHOE-6)."""
        due = self.rules.burn_between != "none" and self.last_dealt > self.burned_after
        return due and not self.finished_dealing and self.cards_left > 0

    @property
    def finished_dealing(self) -> bool:
        """Whether the last coup has begun to be dealt, so that none follows."""
        return self.last_coup is not None and self.last_dealt >= self.last_coup

    @property
    def void_for_want_of_a_burn(self) -> bool:
        """Whether the coup in play can only be voided, by the rule set (R-SHOE-6)."""
        return 0 < self.void_unburned == self.coup

    @property
    def gives_a_first_card(self) -> bool:
        """Whether a coup may have its first card; a generated shoe burns one before (R-SHOE-6)."""
        return not self.void_for_want_of_a_burn and (bool(self.commitment) or not self.burn_due)

    def require_burned(self) -> None:
        """Burns the card before a coup from a generated shoe; a person burns it (R-SHOE-6).

        Refuses: BurnDue.
        """
        if self.void_for_want_of_a_burn:
            raise BurnDue(
                message=Words(
                    "Coup {coup} was begun without the burned card before it, and is void by "
                    "{rules}. Void it, and enter each card that came with "
                    "`shoe misdraw --disposition burn`.",
                    coup=f"{self.address}/{self.coup}",
                    rules=self.rules_name,
                )
            )
        if not self.gives_a_first_card:
            raise BurnDue(coup=f"{self.address}/{self.coup}")
        if self.burn_due:
            self.burn_between()

    def burn_between(self, *, left_out: bool = False) -> None:
        """Burns one card face down between two coups, or records that it was left out (R-SHOE-6).

        Refuses: ShoeStepOutOfOrder.
        """
        if not self.burn_due or self.void_for_want_of_a_burn:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-6",
                message=Words("Shoe {shoe} has no card to burn now.", shoe=self.address),
            )
        if left_out and not self._awaits_first_card:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-6",
                message=Words("No coup was begun without a burn. Burn the card, with `shoe burn`."),
            )
        following = self.coup if self._awaits_first_card else self.coup + 1
        if left_out:
            kind = self.rules.burn_between
            self.record(events.BurnLeftOut(coup=following, rules_say=kind))
        else:
            self.record(events.BurnedBetween(coup=following))

    @property
    def _awaits_first_card(self) -> bool:
        return bool(self.coup) and not self.cards_in_coup and not self.coup_not_dealt

    def leave_undealt(self, coup: int) -> None:
        """Does not count a coup that ends before its first card (R-SHOE-3)."""
        if coup != self.coup or self.cards_in_coup or self.coup_not_dealt or self.ended:
            return
        last = None if self.last_coup is None else self.last_coup + 1
        self.record(events.CoupNotDealt(coup=coup, last_coup=last))

    def draw(self, card: str) -> None:
        """Draws a card for the coup in play. Refuses: CardNotInShoe.

        A generated shoe finds its cut card itself.
        """
        self.require_in_shoe(card)
        if not self.cut_card_shown:
            first = self.cards_in_coup == self.carried_in_coup
            if self.commitment and self.cards_left <= self.cut_card:
                self._cut_card_shows()
            elif first and self.cards_left + self.carried_in_coup <= self.cut_card:
                self.record(events.CutCardPassed(coup=self.coup, cards_left=self.cards_left))
        self.record(events.CardDrawn(card=card, coup=self.coup, n=self.cards_in_coup + 1))

    def deal_carried(self) -> str:
        """Takes the first waiting card for the coup that begins (R-IRR-1)."""
        card = self.waiting[0]
        self.record(events.CarriedCardDealt(card=card, coup=self.coup, n=self.cards_in_coup + 1))
        return card

    def misdraw(self, card: str, disposition: str | None = None) -> None:
        """Carries or burns a card that was not due (R-IRR-1). Refuses: CardNotInShoe, BadValue."""
        self.require_ready()
        self.require_not_generated(card)
        self.require_in_shoe(card)
        kind = disposition or self.rules.misdraw
        if kind not in DISPOSITIONS:
            raise BadValue(field="disposition", value=kind, why=one_of(DISPOSITIONS))
        if self.finished and kind != "burn":
            raise BadValue(
                rule="R-IRR-1",
                message=Words(
                    "Coup {coup} was the last of this shoe, so the card has no next coup. Use "
                    "`burn`.",
                    coup=self.last_coup,
                ),
            )
        self.record(
            events.CardMisdrawn(
                card=card, coup=self.coup, disposition=kind, rules_say=self.rules.misdraw
            )
        )

    def correct_card(self, coup: int, n: int, card: str, change: CardChange) -> None:
        """Records that a card of a coup was another one (R-IRR-5).

        `untyped`: cards after it go back into the count. `undue`: they were drawn when none was
        due; they wait for the next coup as the rule set says, or are burned if that has begun.
        `then`: cards on the felt after it, which were never typed.
        Refuses: ShoeStepOutOfOrder, CardNotInShoe, BadValue.
        """
        self.require_not_generated(card)
        if self.step == "reconciled":
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-4",
                message=Words(
                    "Shoe {shoe} was counted with this card. Open a dispute on the coup, with "
                    "`dispute open`.",
                    shoe=self.address,
                ),
            )
        untyped, undue = change.untyped, change.undue
        back = Counter([change.was, *untyped])
        self._require_not_all_out(card, back=back[card])
        self.record(events.CardRenamed(coup=coup, n=n, was=change.was, card=card))
        for each in (*untyped, *undue):
            self.record(events.CardTakenBack(card=each, coup=coup))
        goes_on = coup == self.coup and not self.finished and not self.ended
        kind = self.rules.misdraw if goes_on else "burn"
        for each in undue:
            self.record(
                events.CardMisdrawn(
                    card=each, coup=coup, disposition=kind, rules_say=self.rules.misdraw
                )
            )
        for number, each in enumerate(change.then, change.first_then):
            self.require_cards()
            self._require_not_all_out(each)
            self.record(events.CardDrawn(card=each, coup=coup, n=number))

    def discard(self, card: str, reason: str) -> None:
        """Discards an unusable card (R-IRR-3, R-IRR-4). Refuses: CardNotInShoe, BadValue."""
        self.require_ready()
        self.require_not_generated(card)
        if reason not in DISCARDS:
            raise BadValue(field="reason", value=repr(reason), why=one_of(DISCARDS))
        if reason != "foreign":
            self.require_in_shoe(card)
        self.record(events.CardDiscarded(card=card, reason=reason, coup=self.coup))

    def require_not_generated(self, card: str) -> None:
        """Refuses a named card from a generated shoe, which knows its order: BadValue."""
        if self.commitment:
            raise BadValue(
                rule="R-SHOE-5",
                message=Words(
                    "{card} cannot be named: a generated shoe gives its cards itself. Draw "
                    "without a card.",
                    card=card,
                ),
            )

    def require_cards(self) -> None:
        """Refuses a card from an empty shoe: CardNotInShoe (R-IRR-4)."""
        if self.cards_left == 0:
            raise CardNotInShoe(
                rule="R-IRR-4",
                message=Words(
                    "The shoe is empty. Look at the card again, and void a coup that needs a card."
                ),
            )

    def refuse_card(self, card: str | None, *, coup_complete: bool) -> CardNotDue:
        """Records that a card came when none was due, and returns the refusal to raise.

        Without a card, a generated shoe was asked for one and gave none: nothing is recorded.
        """
        if coup_complete:
            why, words = "coup-complete", Words("{coup} has all its cards", coup=self._last_coup)
        else:
            why, words = "no-coup-open", Words("no coup is open")
        if card is None:
            refusal = CardNotDue(message=_none_left(coup_complete=coup_complete))
            refusal.recorded = False
            return refusal
        self.record(events.UndueCardRefused(card=card, coup=self.coup, why=why))
        return CardNotDue(card=card, why=words)

    @property
    def _last_coup(self) -> str:
        return f"{self.address}/{self.coup}"

    def show_cut_card(self, *, confirmed: bool = True) -> None:
        """Records that the cut card shows, after which one coup at most follows (R-SHOE-3).

        Refuses: ShoeStepOutOfOrder; ConfirmationNeeded if it shows far too early.
        """
        self.require_ready()
        refused = None
        if self.cut_card_shown:
            refused = Words(
                "The cut card of shoe {shoe} has shown already. Coup {coup} is the last.",
                shoe=self.address,
                coup=self.last_coup,
            )
        elif self.commitment:
            refused = Words("A generated shoe records its cut card itself. Deal on.")
        if refused:
            raise ShoeStepOutOfOrder(rule="R-SHOE-3", message=refused)
        early = coups_within(self.cards_left - self.cut_card)
        if early > EARLY and not confirmed:
            raise ConfirmationNeeded(
                rule="R-SHOE-3",
                so=Words(
                    "The cut card of shoe {shoe} would show about {coups} coups early, and at most "
                    "one coup could follow",
                    shoe=self.address,
                    coups=early,
                ),
            )
        self._cut_card_shows()

    def _cut_card_shows(self) -> None:
        is_first_card = self.coup > 0 and self.cards_in_coup == 0 and not self.coup_not_dealt
        begins = self.coup if is_first_card else self.coup + 1
        last = begins + 1 if self.waiting else begins  # a card of that coup is out already
        self.record(events.CutCardShown(last_coup=last, cards_left=self.cards_left))

    def require_in_shoe(self, card: str) -> None:
        """Refuses a card of which all are out, and records that it came (R-CARD-3): CardNotInShoe.

        It is a slip of the keys, or a card that was never this shoe's.
        """
        self.require_cards()
        try:
            self._require_not_all_out(card)
        except CardNotInShoe as refusal:
            self.record(events.UndueCardRefused(card=card, coup=self.coup, why="all-out"))
            refusal.recorded = True
            raise

    def _require_not_all_out(self, card: str, *, back: int = 0) -> None:
        """Refuses a card of which all are out; `back` of them are put back."""
        if self.seen[card] - back >= self.decks:
            raise CardNotInShoe(decks=self.decks, card=card)


def _none_left(*, coup_complete: bool) -> Words:
    """The answer to a draw from a generated shoe when no card is due."""
    if coup_complete:
        return Words("No card is due: the coup has all its cards. No card has left the shoe.")
    return Words("No card is due: no coup is open. No card has left the shoe.")
