"""A coup rebuilt from its events alone, and adjudicated again with today's rules.

A wrong record is shown as it was recorded, beside every line in which today's adjudication differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from domain.events import coup
from domain.events.base import Unreadable
from domain.events.coup import Phase
from domain.rules.cards import points
from domain.rules.hands import Due, Result, Step, next_due, play, third_cards
from domain.rules.house_rules import RULE_SETS, HouseRules, named, of
from domain.rules.refusals import CardNotDue, UnknownRules
from domain.rules.settlement import Payment, pay
from domain.rules.spots import SPOTS


class Line(Struct, frozen=True):
    """One event of the coup, and its place in the record."""

    position: int
    event: Any
    proved: str | None = None  # how its second person proved who they are; None: it has none

    @property
    def at(self) -> datetime:
        """The moment of the event."""
        moment: datetime = self.event.timestamp
        return moment


class CardLine(Struct, frozen=True):
    """A card as it was dealt, with both totals and the next card after it."""

    line: Line
    player_total: int | None
    banker_total: int | None
    due: Due | None


class Disagreement(Struct, frozen=True):
    """One line in which the record differs from today's adjudication."""

    what: str
    recorded: object
    adjudicated: object


# The field of the story for an event: for those that come once, and for those that come often.
_ONE: Mapping[type, str] = {
    coup.BettingClosed: "closed",
    coup.HandsGiven: "given",
    coup.Resulted: "resulted",
    coup.Settled: "settled",
    coup.Voided: "voided",
}
_MANY: Mapping[type, str] = {
    coup.CardDealt: "dealt",
    coup.HandGivenBack: "given_back",
    coup.HandTurned: "turned",
    coup.WagerSettled: "payments",
    coup.WagerReturned: "returned",
    coup.PaymentCorrected: "corrected",
    coup.WagerSettledLate: "paid_late",
    coup.WagerMoved: "moved",
    coup.CardCorrected: "card_corrected",
}
_PHASES: Mapping[type, Phase] = {
    coup.BettingClosed: "dealing",
    coup.Resulted: "resulted",
    coup.Settled: "settled",
    coup.Voided: "voided",
}


class EarlierResult(Struct, frozen=True):
    """The result of the cards before one of them was corrected."""

    corrected: Line
    result: Result | None
    resulted: Line | None  # as recorded then


class Replay(Struct):
    """The story of a coup, built up event by event."""

    opened: Line
    phase: Phase = "betting"
    in_play: dict[tuple[int, str], Line] = field(default_factory=dict)
    earlier: list[Line] = field(default_factory=list)  # bets that were replaced or taken back
    exceptions: list[Line] = field(default_factory=list)
    closed: Line | None = None
    dealt: list[Line] = field(default_factory=list)
    resulted: Line | None = None
    payments: list[Line] = field(default_factory=list)
    settled: Line | None = None
    given: Line | None = None
    given_back: list[Line] = field(default_factory=list)
    turned: list[Line] = field(default_factory=list)
    returned: list[Line] = field(default_factory=list)
    voided: Line | None = None
    corrected: list[Line] = field(default_factory=list)
    paid_late: list[Line] = field(default_factory=list)  # wagers entered after the settlement
    moved: list[Line] = field(default_factory=list)  # wagers that were somebody else's
    card_corrected: list[Line] = field(default_factory=list)
    as_typed: list[Line] = field(default_factory=list)  # every card, as it was dealt on record
    settled_in_play: dict[tuple[int, str], Line] = field(default_factory=dict)
    earlier_results: list["EarlierResult"] = field(default_factory=list)

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Replay | None":
        """The story of a stream, first event first, or None if the beginning is missing."""
        if not isinstance(lines[0].event, coup.Opened):
            return None
        replay = cls(opened=lines[0])
        for line in lines[1:]:
            replay._add(line)
        return replay

    def _add(self, line: Line) -> None:
        event = line.event
        if type(event) in _MANY:
            getattr(self, _MANY[type(event)]).append(line)
        elif type(event) in _ONE:
            setattr(self, _ONE[type(event)], line)
        elif type(event) not in (coup.WagerPlaced, coup.WagerWithdrawn):
            self.exceptions.append(line)
        self._follow_wagers(line)
        if isinstance(event, coup.CardDealt):
            self.as_typed.append(line)
        elif isinstance(event, coup.CardCorrected):
            self._correct_card(line)
        self.phase = _PHASES.get(type(event), self.phase)

    def _follow_wagers(self, line: Line) -> None:
        """Keeps the wagers in play, and those before."""
        match line.event:
            case coup.WagerPlaced() as event:
                self._take_out(event)
                self.in_play[event.seat, event.spot] = line
            case coup.WagerWithdrawn() as event:
                self._take_out(event)
                self.earlier.append(line)
            case coup.WagerFound() | coup.WagerReduced() as event:
                self.in_play[event.seat, event.spot] = line
                if event.amount == 0:
                    del self.in_play[event.seat, event.spot]
            case coup.WagerMoved() as event:
                self._move(event)
            case coup.Settled():
                self.settled_in_play = dict(self.in_play)

    def _move(self, event: coup.WagerMoved) -> None:
        """Makes a wager in play another seat's or stay's."""
        wager = self.in_play.pop((event.seat, event.spot), None)
        if wager:
            theirs = replace(
                wager.event, seat=event.to_seat, patron=event.to_patron, stay=event.to_stay
            )
            self.in_play[event.to_seat, event.spot] = Line(wager.position, theirs, wager.proved)

    def _correct_card(self, line: Line) -> None:
        """Takes over the cards as they are now, and the result by them."""
        event = line.event
        self.earlier_results.append(EarlierResult(line, self._by_the_cards, self.resulted))
        self.dealt = [
            Line(dealt.position, replace(dealt.event, card=card, hand=hand, rule=rule))
            for dealt, (card, hand, rule) in zip(self.dealt, event.cards, strict=False)
        ]
        if event.outcome is None or self.phase == "resulted":
            self.phase = "dealing" if self.phase == "resulted" else self.phase
            self.resulted = None
        elif self.resulted:
            now = coup.Resulted(
                outcome=event.outcome,
                natural=event.natural,
                player_total=event.player_total,
                banker_total=event.banker_total,
            )
            self.resulted = Line(line.position, replace(now, timestamp=event.timestamp))

    def typed(self, n: int) -> str | None:
        """The card that was typed first as card n, if it was another one; else None."""
        first = next((line.event.card for line in self.as_typed if line.event.n == n), None)
        return first if n <= len(self.dealt) and first != self.dealt[n - 1].event.card else None

    def _take_out(self, event: Any) -> None:
        """Takes the wager before off the spot; its placing may be unreadable."""
        before = self.in_play.pop((event.seat, event.spot), None)
        if before:
            self.earlier.append(before)

    @property
    def face_down(self) -> frozenset[int]:
        """The numbers of the cards not turned yet (R-DEAL-3, R-DEAL-5)."""
        down = {line.event.n for line in self.dealt if line.event.face_down}
        return frozenset(down.difference(*(line.event.numbers for line in self.turned)))

    @property
    def decided(self) -> list[tuple[Line, int]]:
        """The payments that two people set differently from the cards.

        Each is the last correction of a wager, with the payment by the cards.
        """
        last = {(line.event.seat, line.event.spot): line for line in self.corrected}
        if self.voided or self.result is None:
            return []
        rightly = (
            (line, self._pay(line.event, line.event.spot, line.event.stake, self.result).paid)
            for _, line in sorted(last.items(), key=lambda each: each[1].position)
        )
        return [(line, paid) for line, paid in rightly if line.event.paid != paid]

    @property
    def rules(self) -> HouseRules:
        """The rule set of the coup, or today's of that name if the record's is unknown."""
        opened = self.opened.event
        try:
            return of(opened.rules, opened.rules_digest)
        except UnknownRules:
            return named(opened.rules)

    @property
    def as_it_wins(self) -> Sequence[str]:
        """The stays that paid commission with each win, when the coup was settled (R-COM-2)."""
        stays: list[str] = self.settled.event.as_it_wins if self.settled else []
        return stays

    def _pay(self, whose: Any, spot: str, stake: int, result: Result) -> Payment:
        """The payment of a stake by today's rules; `whose`: an event with the stay."""
        rules = self.rules.for_stay(whose.stay, self.as_it_wins)
        return pay(rules, spot, stake, result)

    @property
    def wagers(self) -> list[Line]:
        """The wagers when betting closed, by seat and spot."""
        order = sorted(self.in_play, key=lambda each: (each[0], SPOTS.index(each[1])))
        return [self.in_play[each] for each in order]

    @property
    def cards(self) -> list[CardLine]:
        """The cards on record, with the next card by today's rules after each."""
        values: list[int] = []
        totals: dict[str, int] = {}
        lines = []
        for line in self.dealt:
            values.append(points(line.event.card))
            totals[line.event.hand] = (totals.get(line.event.hand, 0) + values[-1]) % 10
            due = next_due(values) if len(values) <= 6 else None
            lines.append(CardLine(line, totals.get("player"), totals.get("banker"), due))
        return lines

    @property
    def steps(self) -> tuple[Step, ...]:
        """The decisions on third cards."""
        return self.decided_after(len(self.dealt))

    def decided_after(self, cards: int) -> tuple[Step, ...]:
        """The decisions on third cards after so many cards."""
        return third_cards([points(line.event.card) for line in self.dealt[: min(cards, 6)]])

    @property
    def result(self) -> Result | None:
        """The result by today's rules, or None while a card is due or is too many."""
        return self._by_the_cards

    def result_at(self, line: Line) -> Result | None:
        """The result by the cards as they were known before an event."""
        for earlier in self.earlier_results:
            if line.position < earlier.corrected.position:
                return earlier.result
        return self.result

    @property
    def _by_the_cards(self) -> Result | None:
        try:
            return play([line.event.card for line in self.dealt]).result
        except CardNotDue:
            return None

    def adjudicate(self) -> list[Disagreement]:
        """Every line in which the record differs from today's code."""
        return [
            *self._unread(),
            *self._rules_differ(),
            *self._cards_differ(),
            *self._left_out(),
            *self._payments_differ(),
            *self._afterwards_differ(),
        ]

    def _unread(self) -> Iterator[Disagreement]:
        for line in self.exceptions:
            if isinstance(line.event, Unreadable):
                yield Disagreement(f"position {line.position}", line.event.topic, line.event.why)

    def _left_out(self) -> Iterator[Disagreement]:
        """Events that are missing from the record of a coup that came so far."""
        if self.dealt and self.closed is None:
            yield Disagreement("betting", "not closed", "closed before the first card")
        if self.settled and self.face_down:
            numbers = ", ".join(map(str, sorted(self.face_down)))
            yield Disagreement(f"cards {numbers}", "face down", "turned before the payment")
        if self.result and self.resulted is None and not self.face_down:
            yield Disagreement("outcome", None, self.result.outcome)
        result = self.result_at(self.settled) if self.settled else None
        if self.settled and result:
            total = self.settled.event
            placed = [line.event for line in self.settled_in_play.values()]
            stakes = sum(wager.amount for wager in placed)
            paid = sum(self._pay(each, each.spot, each.amount, result).paid for each in placed)
            if (total.stakes, total.paid) != (stakes, paid):
                yield Disagreement("staked and paid", [total.stakes, total.paid], [stakes, paid])

    def _rules_differ(self) -> Iterator[Disagreement]:
        recorded = self.opened.event.rules_digest
        today = RULE_SETS.get(self.opened.event.rules, self.rules)
        if recorded != today.digest:
            yield Disagreement(f"digest of {today.name}", recorded, today.digest)

    def _cards_differ(self) -> Iterator[Disagreement]:
        due = next_due(())
        for shown in self.cards:
            event = shown.line.event
            expected = f"{due.hand} ({due.rule})" if due else "no card"
            if due is None or (event.hand, event.rule) != (due.hand, due.rule):
                what = f"card {event.n}, {event.card}"
                yield Disagreement(what, f"{event.hand} ({event.rule})", expected)
            due = shown.due
        yield from _result_differs(self.resulted, self.result)
        for earlier in self.earlier_results:
            yield from _result_differs(earlier.resulted, earlier.result)
            event, result = earlier.corrected.event, self._result_after(earlier)
            outcome = result.outcome if result else None
            if event.outcome != outcome:
                yield Disagreement("outcome", event.outcome, outcome)

    def _result_after(self, earlier: EarlierResult) -> Result | None:
        """The result by the cards after a correction."""
        later = self.earlier_results[self.earlier_results.index(earlier) + 1 :]
        return later[0].result if later else self.result

    def _payments_differ(self) -> Iterator[Disagreement]:
        result = self.result_at(self.settled) if self.settled else None
        if result is None:
            return
        recorded = {(line.event.seat, line.event.spot): line.event for line in self.payments}
        if len(recorded) != len(self.payments):
            yield Disagreement("payments", f"{len(self.payments)}", f"{len(recorded)} wagers")
        for seat, spot in sorted(recorded.keys() | self.settled_in_play.keys()):
            what = f"seat {seat} {spot}"
            settled = recorded.get((seat, spot))
            wager = self.settled_in_play.get((seat, spot))
            if settled is None or wager is None:
                yield Disagreement(
                    what, "settled" if settled else "not settled", "a wager" if wager else "none"
                )
                continue
            stake = wager.event.amount
            payment = self._pay(wager.event, spot, stake, result)
            whose = {"patron": wager.event.patron, "stay": wager.event.stay, "stake": stake}
            for name, adjudicated in {**whose, **payment.as_recorded()}.items():
                if getattr(settled, name) != adjudicated:
                    yield Disagreement(f"{what}: {name}", getattr(settled, name), adjudicated)

    def _payment_differs(
        self, event: Any, spot: str, how: str, result: Result | None
    ) -> Iterator[Disagreement]:
        """The fields in which a payment is another than today's rules give."""
        if result is None:
            return
        rightly = self._pay(event, spot, event.stake, result)
        for name, adjudicated in rightly.as_recorded().items():
            recorded = getattr(event, name)
            if recorded != adjudicated:
                what = f"seat {event.seat} {event.spot}: {how} {name}"
                yield Disagreement(what, recorded, adjudicated)

    def _afterwards_differ(self) -> Iterator[Disagreement]:
        """Corrections and returns start from the payment before, and move the difference.

        A correction with odds was paid by the cards, as a wager on its own spot or another one.
        """
        before_it = {(line.event.seat, line.event.spot): line.event.paid for line in self.payments}
        followed = (*self.paid_late, *self.moved, *self.corrected, *self.returned)
        for line in sorted(followed, key=lambda each: each.position):
            event, result = line.event, self.result_at(line)
            if isinstance(event, coup.WagerMoved):
                yield from _move_differs(event, before_it)
                continue
            if isinstance(event, coup.WagerSettledLate):
                before_it[event.seat, event.spot] = event.paid
                yield from self._payment_differs(event, event.spot, "entered late", result)
                continue
            comes_to = event.paid if isinstance(event, coup.PaymentCorrected) else event.stake
            what, paid = f"seat {event.seat} {event.spot}", before_it.get((event.seat, event.spot))
            if event.paid_before != paid:
                yield Disagreement(f"{what}: paid before", event.paid_before, paid)
            hands = comes_to - (comes_to if paid is None else paid)
            if event.changes_hands != hands:
                yield Disagreement(f"{what}: changes hands", event.changes_hands, hands)
            before_it[event.seat, event.spot] = comes_to
            if isinstance(event, coup.PaymentCorrected) and event.odds:
                spot = event.as_spot or event.spot
                yield from self._payment_differs(event, spot, "corrected", result)
        if self.voided:
            missing = self.in_play.keys() - {
                (each.event.seat, each.event.spot) for each in self.returned
            }
            for seat, spot in sorted(missing):
                yield Disagreement(f"seat {seat} {spot}", "not returned", "returned")
            together = sum(line.event.changes_hands for line in self.returned)
            if self.voided.event.changes_hands != together:
                recorded = self.voided.event.changes_hands
                yield Disagreement("changes hands", recorded, together)


def _move_differs(
    event: coup.WagerMoved, paid: dict[tuple[int, str], int]
) -> Iterator[Disagreement]:
    """Moves what a wager was paid along, and compares it with the record."""
    before = paid.pop((event.seat, event.spot), None)
    if event.paid != before:
        yield Disagreement(f"seat {event.seat} {event.spot}: paid before", event.paid, before)
    if before is not None:
        paid[event.to_seat, event.spot] = before


def _result_differs(resulted: Line | None, result: Result | None) -> Iterator[Disagreement]:
    """The fields in which a recorded result is another than this one."""
    if resulted is None:
        return
    on_record = resulted.event
    pairs: Sequence[tuple[str, object, object]] = (
        ("outcome", on_record.outcome, result and result.outcome),
        ("natural", on_record.natural, result and result.natural),
        ("Player's total", on_record.player_total, result and result.player_total),
        ("Banker's total", on_record.banker_total, result and result.banker_total),
    )
    for what, recorded, adjudicated in pairs:
        if recorded != adjudicated:
            yield Disagreement(what, recorded, adjudicated)
