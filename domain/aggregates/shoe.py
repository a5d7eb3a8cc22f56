"""One shoe, from loaded to reconciled: the cards in it and those that left it (R-SHOE-1 to 5).

No step is skipped, repeated or reordered, and a shoe whose shuffle was not recorded deals no
coup: in 2012 a New Jersey table dealt 41 straight winners from cards nobody had shuffled. A card
that left the shoe cannot go back: if it was not due, it is carried, burned or discarded.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.aggregates.corrections import CardChange
from domain.aggregates.tray import Signed
from domain.events import shoe as events
from domain.rules import addresses
from domain.rules.house_rules import HouseRules, of
from domain.rules.order import SCHEME
from domain.rules.refusals import (
    BadValue,
    CardNotDue,
    CardNotInShoe,
    ConfirmationNeeded,
    CutCardOut,
    MissingField,
    SecondPersonNeeded,
    ShoeNotReady,
    ShoeStepOutOfOrder,
)
from domain.rules.wording import N_, Words, counted, either

# The step before each step, and the command that comes next after a step.
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
_DONE = {
    "loaded": N_("Shoe {shoe} is only loaded. Next comes {command}."),
    "inspected": N_("Shoe {shoe} is inspected. Next comes {command}."),
    "shuffled": N_("Shoe {shoe} is shuffled. Next comes {command}."),
    "cut": N_("Shoe {shoe} is cut. Next comes {command}."),
}
SHUFFLES = ("hand", "machine", "pre-shuffled", "generated")
DISPOSITIONS = ("carry", "burn", "dummy")  # of a card that came when none was due (R-IRR-1)
DISCARDS = ("face-up", "foreign", "damaged")  # reasons not to use a card (R-IRR-3, R-IRR-4)
CARDS_A_COUP = 4.94  # on the average
EARLY = 10  # coups before its place, from which on the cut card is asked about
SOON = 5  # coups to the cut card, from which on commission should be collected


def coups_within(cards: int) -> int:
    """Roughly the number of coups that so many cards will last."""
    return max(round(cards / CARDS_A_COUP), 0)


class Shoe(Aggregate, events.State):
    """One shoe, named after the table day on which it was brought."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the events belong to."""
        return self.table_day.day, self.table_day.table

    @staticmethod
    def stream(address: addresses.Shoe) -> UUID:
        """The stream of a shoe."""
        return addresses.stream_id("shoe", str(address), address.table_day.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set by which this shoe is dealt."""
        return of(self.rules_name, self.rules_digest)

    @property
    def ready(self) -> bool:
        """Whether every step before the first coup was taken (R-SHOE-1)."""
        return self.step == "burned" or (self.step == "cut" and self.rules.burn == "none")

    @property
    def ended(self) -> bool:
        """Whether the shoe has ended, so that it deals no further coup."""
        return self.step in ("ended", "reconciled")

    @property
    def finished(self) -> bool:
        """Whether the last coup that the cut card allows has begun (R-SHOE-3)."""
        return self.last_coup is not None and self.coup >= self.last_coup

    @property
    def empty(self) -> bool:
        """Whether no card is left in it, and none waits outside."""
        return self.cards_left == 0 and not self.waiting

    @property
    def next_from_order(self) -> int:
        """The place of the next card in the order of a generated shoe, from 0."""
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
        """Loads decks, or a pre-shuffled batch. Refuses: BadValue."""
        if decks not in rules.decks_allowed:
            raise BadValue(
                field="decks",
                value=decks,
                why=Words(
                    "{rules} is dealt from {allowed} decks",
                    rules=rules.name,
                    allowed=either(map(str, rules.decks_allowed)),
                ),
            )
        twice = [serial for serial, times in Counter(serials).items() if times > 1]
        if twice:
            words = Words("Serial {serial} is named twice. Name each deck once.", serial=twice[0])
            raise BadValue(message=words)
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

    def come_along(self, day: addresses.TableDay) -> None:
        """Goes on on the day into which the table is rolled over."""
        self.record(events.CameAlong(table_day=str(day)))

    def inspect(self, verified_by: str = "", *, by: str = "") -> None:
        """Records that the cards were inspected and complete.

        `verified_by`: the second person, for a sealed batch.
        Refuses: ShoeStepOutOfOrder, and for a sealed batch MissingField, BadValue.
        """
        self._require_step("inspected")
        if self.batch and not verified_by:
            raise MissingField(
                message=Words(
                    "A sealed batch is inspected by two people. Name the second as `verified_by`."
                )
            )
        if self.batch and verified_by == by:
            raise BadValue(
                message=Words(
                    "A sealed batch is inspected by two people, and {person} is the first. Name "
                    "another as `verified_by`.",
                    person=by,
                )
            )
        self.record(events.Inspected(verified_by=verified_by))

    def shuffle(
        self, method: str, device: str = "", commitment: str = "", digest: str = ""
    ) -> None:
        """Records the shuffle; a generator inspects, shuffles and cuts at once. Refuses: BadValue.

        `commitment`: the generator's commitment to its order, until the end (R-SHOE-5).
        `digest`: that of the encrypted order as it is stored.
        """
        if method not in SHUFFLES:
            raise BadValue(field="method", value=repr(method), why=_one_of(SHUFFLES))
        if method == "pre-shuffled" and not self.batch:
            raise BadValue(
                message=Words(
                    "Pre-shuffled cards must be loaded as a batch. Load this shoe again with "
                    "`--batch`, or shuffle it."
                )
            )
        if method == "generated" and self.batch:
            raise BadValue(
                message=Words("A sealed batch is not shuffled by a generator. Use `pre-shuffled`.")
            )
        if method == "generated" and self.step == "loaded":
            self.record(events.Inspected(verified_by=""))
        self._require_step("shuffled")
        scheme = SCHEME if commitment else ""
        self.record(
            events.Shuffled(
                method=method,
                device=device,
                commitment=commitment,
                scheme=scheme,
                digest=digest,
            )
        )
        if method == "generated":
            self.record(events.Cut(cut_by="generator", cut_card=self.cut_card))

    def cut(self, cut_by: str, cut_card: int | None = None) -> None:
        """Records the cut, and the cut card's place from the back. Refuses: BadValue."""
        self._require_step("cut")
        placed = self.cut_card if cut_card is None else cut_card
        if not 0 < placed < self.cards_left:
            raise BadValue(
                message=Words(
                    "The cut card cannot be {placed} cards from the back: the shoe has {cards} "
                    "cards.",
                    placed=placed,
                    cards=self.cards_left,
                )
            )
        self.record(events.Cut(cut_by=cut_by, cut_card=placed))

    def burn(self, card: str) -> None:
        """Burns the first card face up, and further cards face down (R-SHOE-2)."""
        if self.rules.burn == "none":
            raise ShoeStepOutOfOrder(
                message=Words("{rules} burns no card. Bets are next.", rules=self.rules_name)
            )
        self._require_step("burned")
        self.record(events.Burned(card=card, face_down=self.rules.face_down(card)))

    def pass_to(self, holder: str) -> None:
        """Passes the shoe to another holder (R-DEAL-4)."""
        self.require_ready()
        self.record(events.Passed(holder=holder))

    def require_ready(self) -> None:
        """Refuses: ShoeNotReady."""
        if not self.ready:
            raise ShoeNotReady(shoe=self.address, step=_typed(NEXT[self.step]))

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
        self._require_in_shoe(card)
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
        self._require_in_shoe(card)
        kind = disposition or self.rules.misdraw
        if kind not in DISPOSITIONS:
            raise BadValue(field="disposition", value=kind, why=_one_of(DISPOSITIONS))
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
        if self.seen[card] - back[card] >= self.decks:
            raise CardNotInShoe(decks=self.decks, card=card)
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
            self._require_in_shoe(each)
            self.record(events.CardDrawn(card=each, coup=coup, n=number))

    def discard(self, card: str, reason: str) -> None:
        """Discards an unusable card (R-IRR-3, R-IRR-4). Refuses: CardNotInShoe, BadValue."""
        self.require_ready()
        self.require_not_generated(card)
        if reason not in DISCARDS:
            raise BadValue(field="reason", value=repr(reason), why=_one_of(DISCARDS))
        if reason != "foreign":
            self._require_in_shoe(card)
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

    def end(self, *, reason: str = "", second: str = "") -> None:
        """Ends the shoe; before the cut card shows, with a supervisor and a reason (R-SHOE-3)."""
        if self.ended:
            raise ShoeStepOutOfOrder(message=self._already("ended"))
        if not self.cut_card_shown:
            if not second:
                raise SecondPersonNeeded(
                    rule="R-SHOE-3",
                    act=Words("Ending a shoe before its cut card shows"),
                    who=Words("a supervisor"),
                )
            if not reason:
                raise MissingField(
                    rule="R-SHOE-3",
                    message=Words(
                        "A shoe whose cut card has not shown is ended with a reason. Name the "
                        "reason."
                    ),
                )
        self.record(events.Ended(reason=reason, coups=self.coup, cards_left=self.cards_left))

    def reveal(self, order: list[str], secret: str) -> None:
        """Reveals the order of a generated shoe, which names every card (R-SHOE-4, R-SHOE-5)."""
        self.record(events.OrderRevealed(order=order, secret=secret))
        rest = order[self.next_from_order :]
        self.reconcile(len(rest), rest, order[1 : 1 + self.face_down])

    def leave_unrevealed(self) -> None:
        """Records that the order of a generated shoe is lost and cannot be checked (R-SHOE-5)."""
        self.record(events.OrderUntold(commitment=self.commitment))

    def reconcile(
        self,
        remaining: int,
        cards: list[str],
        burned: Sequence[str] = (),
        *,
        confirmed: bool = True,
    ) -> None:
        """Counts the rest, by number or card by card (R-SHOE-4).

        `burned`: the cards burned face down, if somebody turned them over.
        Refuses: BadValue; ConfirmationNeeded for a count that differs.
        """
        self._require_step("reconciled")
        count = self._counted(remaining, cards, burned)
        off = count["difference"]
        if not confirmed and (off or count["over"]):
            raise ConfirmationNeeded(rule="R-SHOE-4", so=self._differs(off, count["over"]))
        self.record(events.Reconciled(**count))

    def recount(
        self, remaining: int, cards: list[str], burned: Sequence[str], signed: Signed
    ) -> None:
        """Counts the rest again, by two people; both counts stay on record (R-SHOE-4).

        Refuses: ShoeStepOutOfOrder, BadValue.
        """
        if self.step != "reconciled" or self.counted is None:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-4",
                message=Words(
                    "Shoe {shoe} was not counted yet. Count it, with `shoe reconcile`.",
                    shoe=self.address,
                ),
            )
        before = self.counted
        self.record(
            events.Recounted(
                **self._counted(remaining, cards, burned),
                remaining_before=before.remaining,
                cards_before=before.cards,
                burned_before=before.burned,
                **signed.fields,
            )
        )

    def _differs(self, off: int, over: dict[str, int]) -> Words:
        """What a count that differs would put on record, as a clause."""
        if off:
            return counted(
                abs(off),
                "Shoe {shoe} would have {n} card {too}",
                "Shoe {shoe} would have {n} cards {too}",
                shoe=self.address,
                too=Words("too many") if off > 0 else Words("too few"),
            )
        return Words(
            "Shoe {shoe} would have more of {cards} than its decks",
            shoe=self.address,
            cards=", ".join(over),
        )

    def _counted(self, remaining: int, cards: list[str], burned: Sequence[str]) -> dict[str, Any]:
        """The fields of a count. Refuses: BadValue."""
        if remaining > 52 * self.decks:
            raise BadValue(
                message=Words(
                    "{remaining} cards cannot remain: {decks} decks have {cards}. Count again.",
                    remaining=remaining,
                    decks=self.decks,
                    cards=52 * self.decks,
                )
            )
        if len(burned) > self.face_down:
            raise BadValue(
                rule="R-SHOE-4",
                message=Words(
                    "{named} burned cards are named, but {burned} were burned face down.",
                    named=len(burned),
                    burned=self.face_down,
                ),
            )
        together = self.seen + Counter(cards) + Counter(burned)
        return {
            "remaining": remaining,
            "cards": cards,
            "difference": remaining - self.cards_left,
            "over": {
                card: count - self.decks for card, count in together.items() if count > self.decks
            },
            "burned": list(burned),
        }

    def _require_in_shoe(self, card: str) -> None:
        self.require_cards()
        if self.seen[card] >= self.decks:
            raise CardNotInShoe(decks=self.decks, card=card)

    def _require_step(self, step: str) -> None:
        if self.step != STEPS[step]:
            raise ShoeStepOutOfOrder(message=self._already(step))

    def _already(self, asked: str) -> Words:
        """Why a step is not the next one."""
        shoe = self.address
        if self.step == "reconciled":
            return Words("Shoe {shoe} has ended and is counted. Load the next shoe.", shoe=shoe)
        if self.ended:
            return Words("Shoe {shoe} has already ended. Load the next shoe.", shoe=shoe)
        if self.ready and asked == "reconciled":
            return Words("Shoe {shoe} is still in play. End it first, then count it.", shoe=shoe)
        if self.ready:
            return Words("Shoe {shoe} is already in play.", shoe=shoe)
        return Words(_DONE[self.step], shoe=shoe, command=_typed(NEXT[self.step]))


def _typed(command: str) -> str:
    return f"`{command.replace('.', ' ')}`"


def _one_of(choices: Sequence[str]) -> Words:
    return Words("write {choices}", choices=either(f"`{each}`" for each in choices))


def _none_left(*, coup_complete: bool) -> Words:
    """The answer to a draw from a generated shoe when no card is due."""
    if coup_complete:
        return Words("No card is due: the coup has all its cards. No card has left the shoe.")
    return Words("No card is due: no coup is open. No card has left the shoe.")
