"""A coup rebuilt from its events alone: what held, and which line of the record says so.

What holds is read by the events' own `apply`, by which the coup itself decides at the table; here
each fact keeps its line, and what held before a line can still be asked when the coup is over.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from msgspec import Struct, field
from msgspec.structs import replace

from domain.events import coup, coup_wagers
from domain.review import coupons as of_coupons
from domain.review import second_bets as of_second_bets
from domain.review.second_bets import Differs
from domain.review.stood import Runs, Stood, lots_of, result_of
from domain.rules.cards import points
from domain.rules.hands import Due, Result, Step, next_due, third_cards
from domain.rules.house_rules import HouseRules, named, of
from domain.rules.must_hit import Standing
from domain.rules.pro_rata import Lots, shares
from domain.rules.refusals import SENSELESS, UnknownRules
from domain.rules.settlement import Payment, pay
from domain.rules.spots import in_order


class Line(Struct, frozen=True):
    """One event of the coup, and its place in the record."""

    position: int
    event: Any
    proved: str | None = None  # how its second person proved who they are; None: it has none
    by: str = ""  # who entered what a second person agreed to

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
    coup.Settled: "settled",
    coup.Voided: "voided",
    coup.LeftUnused: "left_unused",
}
_MANY: Mapping[type, str] = {
    coup.CardDealt: "dealt",
    coup.SecondBetsOpened: "second_bets",
    coup.SecondBetsClosed: "second_bets",
    coup.HandGivenBack: "given_back",
    coup.HandTurned: "turned",
    coup_wagers.WagerSettled: "payments",
    coup_wagers.WagerReturned: "returned",
    coup_wagers.PaymentCorrected: "corrected",
    coup_wagers.StakeCorrected: "stakes_corrected",
    coup.MeterFollowed: "meters",
    **dict.fromkeys(of_coupons.OF_COUPONS, "coupons"),
    coup_wagers.WagerSettledLate: "paid_late",
    coup_wagers.WagerMoved: "moved",
    coup_wagers.WagerCarried: "carried",
    coup_wagers.WagerUndecided: "undecided",
    coup_wagers.WagerRecounted: "recounted",
    coup_wagers.WagerRanOut: "ran_out",
    coup.CardCorrected: "card_corrected",
}
BEFORE = (1, 5)  # the card before which a bet is placed; the latter after the first four
_BETS = (coup_wagers.WagerPlaced, coup_wagers.WagerWithdrawn)
_OF_THE_CARDS = (coup.CardCorrected, coup.Resulted)
_OF_PAYMENTS = (
    *(coup.Settled, coup_wagers.WagerSettledLate, coup_wagers.WagerMoved),
    *(coup_wagers.PaymentCorrected, coup_wagers.StakeCorrected, coup_wagers.WagerReturned),
    *(coup_wagers.WagerUndecided, coup_wagers.WagerRanOut),
)
# What judges an event by what held before it.
_JUDGES = {kind: judge for judge in (of_second_bets, of_coupons) for kind in judge.JUDGED}


class Before(Struct, frozen=True):
    """A wager as it was recorded first, before it was put right."""

    seat: int
    patron: str
    stake: int
    paid: int | None  # None: it was not paid yet


class Replay(Struct):
    """The story of a coup, built up event by event."""

    opened: Line
    state: coup.State  # as it is now, by the events' own reading
    in_play: dict[tuple[int, str], Line] = field(default_factory=dict)
    earlier: list[Line] = field(default_factory=list)  # bets that were replaced or taken back
    exceptions: list[Line] = field(default_factory=list)
    closed: Line | None = None
    dealt: list[Line] = field(default_factory=list)  # with the name and hand of each card now
    payments: list[Line] = field(default_factory=list)
    settled: Line | None = None
    second_bets: list[Line] = field(default_factory=list)  # opened and closed (R-BET-8)
    by_line: list[Differs] = field(default_factory=list)  # lines against the rules
    given: Line | None = None
    given_back: list[Line] = field(default_factory=list)
    turned: list[Line] = field(default_factory=list)
    returned: list[Line] = field(default_factory=list)
    voided: Line | None = None
    left_unused: Line | None = None
    corrected: list[Line] = field(default_factory=list)
    stakes_corrected: list[Line] = field(default_factory=list)  # before they were paid
    meters: list[Line] = field(default_factory=list)  # that followed it (R-PROG-1)
    coupons: list[Line] = field(default_factory=list)  # laid, back, paid, put right (R-PROMO)
    paid_late: list[Line] = field(default_factory=list)  # wagers entered after the settlement
    moved: list[Line] = field(default_factory=list)  # wagers that were somebody else's
    carried: list[Line] = field(default_factory=list)  # bets of earlier coups (R-BET-9)
    undecided: list[Line] = field(default_factory=list)  # bets that go on
    recounted: list[Line] = field(default_factory=list)
    ran_out: list[Line] = field(default_factory=list)  # of which no coup came any more
    card_corrected: list[Line] = field(default_factory=list)
    as_typed: list[Line] = field(default_factory=list)  # every card, as it was dealt on record
    closed_in_play: dict[tuple[int, str], Line] = field(default_factory=dict)
    closed_with_coupons: bool = False
    settled_in_play: dict[tuple[int, str], Line] = field(default_factory=dict)
    results: list[tuple[Line, Sequence[str]]] = field(default_factory=list)  # with the cards then
    stood: dict[int, Stood] = field(default_factory=dict)  # by position, before a payment
    senseless: list[Line] = field(default_factory=list)  # they do not follow from those before

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Self | None:
        """The story of a stream, first event first, or None if the beginning is missing."""
        first = lines[0]
        if not isinstance(first.event, coup.Opened):
            return None
        try:
            replay = cls(opened=first, state=coup.State(first.event))
        except SENSELESS:  # it names no coup
            return None
        for line in lines[1:]:
            replay._add(line)
        return replay

    def _add(self, line: Line) -> None:
        event = line.event
        if isinstance(event, _OF_PAYMENTS):
            self.stood[line.position] = Stood.now(self.state)
        try:
            if judge := _JUDGES.get(type(event)):
                self.by_line += judge.differs(self.state, self.rules, event)
            event.apply(self.state)
        except SENSELESS:
            self.senseless.append(line)
        self._keep(line)
        self._follow_wagers(line)
        if isinstance(event, coup.CardDealt):
            self.as_typed.append(line)
        elif isinstance(event, coup.CardCorrected):
            self.dealt = [
                Line(dealt.position, replace(dealt.event, card=card, hand=hand, rule=rule))
                for dealt, (card, hand, rule) in zip(self.dealt, event.cards, strict=False)
            ]
        if isinstance(event, _OF_THE_CARDS):
            self.results.append((line, tuple(self.state.cards)))

    def _keep(self, line: Line) -> None:
        """Keeps the line in its field of the story."""
        kind = type(line.event)
        if kind in _MANY:
            getattr(self, _MANY[kind]).append(line)
        elif kind in _ONE:
            setattr(self, _ONE[kind], line)
        elif kind not in (*_BETS, coup.Resulted):
            self.exceptions.append(line)

    def _follow_wagers(self, line: Line) -> None:
        """Keeps the lines of the wagers in play, and those before."""
        match line.event:
            case coup_wagers.WagerPlaced() as event:
                self._take_out(event)
                self.in_play[event.seat, event.spot] = line
            case coup_wagers.WagerWithdrawn() as event:
                self._take_out(event)
                self.earlier.append(line)
            case (
                coup_wagers.WagerFound() | coup_wagers.WagerReduced() | coup_wagers.WagerCarried()
            ) as event:
                self.in_play[event.seat, event.spot] = line
                if event.amount == 0:
                    del self.in_play[event.seat, event.spot]
            case coup_wagers.WagerMoved() as event:
                self._move(event)
            case (coup_wagers.PaymentCorrected() | coup_wagers.StakeCorrected()) as event if (
                event.stake != event.stake_before
            ):
                wager = self.in_play.get((event.seat, event.spot))
                if wager:
                    lay = replace(wager.event, amount=event.stake)
                    rightly = Line(wager.position, lay, wager.proved)
                    self.in_play[event.seat, event.spot] = rightly
            case coup.BettingClosed():
                self.closed_in_play = dict(self.in_play)
                self.closed_with_coupons = bool(self.state.coupons)
            case coup.Settled():
                goes_on = self.state.undecided
                self.settled_in_play = {
                    place: wager for place, wager in self.in_play.items() if place not in goes_on
                }

    def _move(self, event: coup_wagers.WagerMoved) -> None:
        """Makes a wager in play another seat's or stay's."""
        wager = self.in_play.pop((event.seat, event.spot), None)
        if wager:
            theirs = replace(
                wager.event, seat=event.to_seat, patron=event.to_patron, stay=event.to_stay
            )
            self.in_play[event.to_seat, event.spot] = Line(wager.position, theirs, wager.proved)

    def _take_out(self, event: Any) -> None:
        """Takes the wager before off the spot; its placing may be unreadable."""
        before = self.in_play.pop((event.seat, event.spot), None)
        if before:
            self.earlier.append(before)

    @property
    def before(self) -> dict[tuple[int, str], Before]:
        """How each wager that was put right was recorded first, by its seat and spot now."""
        before: dict[tuple[int, str], Before] = {}
        lines = (*self.stakes_corrected, *self.corrected, *self.moved)
        for line in sorted(lines, key=lambda line: line.position):
            event = line.event
            moved = isinstance(event, coup_wagers.WagerMoved)
            stake = event.stake if moved else event.stake_before
            paid = event.paid if moved else getattr(event, "paid_before", None)
            first = before.pop((event.seat, event.spot), None)
            now = event.to_seat if moved else event.seat
            before[now, event.spot] = first or Before(event.seat, event.patron, stake, paid)
        return before

    @property
    def paid_last(self) -> dict[tuple[int, str], Any]:
        """The event by which each wager was paid last, by its seat and spot now."""
        paid: dict[tuple[int, str], Any] = {}
        lines = (
            *(*self.payments, *self.paid_late, *self.ran_out),
            *(*self.corrected, *self.moved),
        )
        for line in sorted(lines, key=lambda line: line.position):
            event, whose = line.event, (line.event.seat, line.event.spot)
            if not isinstance(event, coup_wagers.WagerMoved):
                paid[whose] = event
            elif whose in paid:
                paid[event.to_seat, event.spot] = paid.pop(whose)
        return paid

    @property
    def phase(self) -> coup.Phase:
        """How far the coup is."""
        return self.state.phase

    @property
    def resulted(self) -> Line | None:
        """The line that states the result now: of the last card, or of one corrected after it."""
        stated = self.state.result
        return next((line for line, _ in self.results if line.event is stated), None)

    @property
    def known_from(self) -> int | None:
        """The position of the first result, after which everybody knew it; None without one."""
        return self.results[0][0].position if self.results else None

    def typed(self, n: int) -> str | None:
        """The card that was typed first as card n, if it was another one; else None."""
        first = next((line.event.card for line in self.as_typed if line.event.n == n), None)
        return first if n <= len(self.dealt) and first != self.dealt[n - 1].event.card else None

    @property
    def face_down(self) -> frozenset[int]:
        """The numbers of the cards not turned yet (R-DEAL-3, R-DEAL-5)."""
        return frozenset(self.state.face_down)

    @property
    def decided(self) -> list[tuple[Line, int]]:
        """The payments that two people set differently from the cards.

        Each is the last correction of a wager, with the payment by the cards.
        """
        last = {(line.event.seat, line.event.spot): line for line in self.corrected}
        if self.voided or self.result is None:
            return []
        stakes = {(each.seat, each.spot): each.stake for each in self.state.layout.wagers()}
        lots = lots_of(stakes, self.state.paid_as)
        rightly = (
            (line, self.pay(line.event, line.event.spot, self.result, lots, self.runs).paid)
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
        return self.state.as_it_wins

    @property
    def runs(self) -> Runs:
        """What each wager brought along from the coups before, as it is now (R-BET-9)."""
        return {(each.seat, each.spot): each.run for each in self.state.layout.wagers()}

    def pay(
        self,
        whose: Any,
        spot: str,
        result: Result,
        lots: Lots,
        runs: Runs,
    ) -> Payment:
        """The payment of a wager by today's rules; `whose`: an event with its place and stay.

        `lots`: all wagers then, which may have to share what a spot wins at most (R-PAY-6).
        `runs`: what each brought along from the coups before.
        """
        stake = whose.amount if hasattr(whose, "amount") else whose.stake
        rules, place = self.rules.for_stay(whose.stay, self.as_it_wins), (whose.seat, whose.spot)
        share = None
        if rules.shares_wins:
            all_lots = {**lots, place: (spot, stake)}
            share = shares(rules, all_lots, result, self.stood_at).get(place)
        return pay(rules, spot, stake, result, share=share, run=runs.get(place))

    @property
    def stood_at(self) -> dict[str, Standing]:
        """By spot, what its meter stood at when it paid the coup."""
        return {spot: each.stood for spot, each in self.state.meters.items()}

    def closed_by(self, spot: str) -> Line | None:
        """The card before which bets on a spot are placed: the first, or a third one (R-BET-8)."""
        nth = BEFORE[spot in self.rules.after_four]
        return self.dealt[nth - 1] if len(self.dealt) >= nth else None

    @property
    def wagers(self) -> list[Line]:
        """The wagers when betting closed, by seat and spot."""
        order = sorted(self.in_play, key=lambda each: (each[0], in_order(each[1])))
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
        return result_of(self.state.cards)
