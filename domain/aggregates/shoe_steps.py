"""The steps of a shoe before its first coup and after its last one (R-SHOE-1, 2, 4 and 5).

No step is skipped, repeated or reordered, and a shoe whose shuffle was not recorded deals no
coup: in 2012 a New Jersey table dealt 41 straight winners from cards nobody had shuffled.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from domain.aggregates.base import OfTableDay
from domain.aggregates.tray import Signed
from domain.events import shoe as events
from domain.rules import addresses
from domain.rules.house_rules import HouseRules, of
from domain.rules.order import SCHEME
from domain.rules.refusals import (
    BadValue,
    ConfirmationNeeded,
    MissingField,
    SecondPersonNeeded,
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


class Steps(OfTableDay, events.State):
    """A shoe, named after the table day on which it was brought: prepared, ended, counted."""

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
    def cards_to_cut(self) -> int:
        """How many cards will be dealt before the cut card; 0 once it is out, or due."""
        return 0 if self.cut_card_shown else max(self.cards_left - self.cut_card, 0)

    @property
    def empty(self) -> bool:
        """Whether no card is left in it, and none waits outside."""
        return self.cards_left == 0 and not self.waiting

    @property
    def face_down(self) -> int:
        """How many cards were burned face down, and are not known by name."""
        return len(self.face_down_at)

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
            raise BadValue(field="method", value=repr(method), why=one_of(SHUFFLES))
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
        self.reconcile(len(rest), rest, [order[place] for place in self.face_down_at])

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
        return Words(_DONE[self.step], shoe=shoe, command=as_typed(NEXT[self.step]))


def as_typed(command: str) -> str:
    """A command of the feed as it is typed."""
    return f"`{command.replace('.', ' ')}`"


def one_of(choices: Sequence[str]) -> Words:
    """What may be written, as a clause."""
    return Words("write {choices}", choices=either(f"`{each}`" for each in choices))
