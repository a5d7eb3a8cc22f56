"""One coup: the betting window, the wagers, the cards, the outcome, what is paid.

R-BET-1 to 5, R-DEAL-1 and 2, R-DRAW, R-WIN-1, R-PAY.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, Self
from uuid import UUID

from eventsourcing.domain import event

from domain import addresses, refusals
from domain.aggregate import Aggregate
from domain.hands import Due, Hands, play
from domain.house_rules import HouseRules, named
from domain.money import major
from domain.settlement import Payment, pay
from domain.shoe import Shoe
from domain.table_day import Limits, Stay, TableDay
from domain.wagers import OPPOSITE, SPOTS

Phase = Literal["betting", "dealing", "resulted", "settled"]


@dataclass(frozen=True)
class Wager:
    """What lies on a spot, in minor units, and whose stay it belongs to."""

    seat: int
    spot: str
    stake: int
    patron: str
    stay: str


@dataclass(frozen=True)
class _Broken:
    """A limit that does not hold when betting closes; no wager: the differential."""

    refusal: refusals.Refusal
    wager: Wager | None
    amount: int
    allowed: int


class Coup(Aggregate):
    """One coup of one shoe."""

    TOPIC = "coup"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Event(Aggregate.Event):
        coup: str

    class Created(Aggregate.Created):
        TOPIC = "coup.opened"
        coup: str
        shoe: str
        table_day: str
        rules: str
        rules_digest: str
        limits: Limits
        differential: int | None
        dealer: str
        supervisor: str
        shoe_holder: str

    class WagerPlaced(Event):
        TOPIC = "coup.wager-placed"
        seat: int
        patron: str
        stay: str
        spot: str
        amount: int  # minor units: all that lies on the spot now

    class WagerWithdrawn(Event):
        TOPIC = "coup.wager-withdrawn"
        seat: int
        patron: str
        stay: str
        spot: str
        amount: int

    class LateBetRefused(Event):
        TOPIC = "coup.late-bet-refused"
        class_version = 2
        seat: int
        patron: str
        stay: str
        spot: str
        amount: int
        act: str  # `bet`, or `withdraw`: the wager was to be taken back

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """The first version told a withdrawal by an amount of 0."""
            state["act"] = "bet" if state["amount"] else "withdraw"

    class BettingClosed(Event):
        TOPIC = "coup.betting-closed"
        by: str  # `dealer`; `first-card`: it was out before anybody said so; `dummy`: never open

    class LimitFoundBroken(Event):
        TOPIC = "coup.limit-found-broken"
        class_version = 2
        refusal: str  # UnderMinimum, or DifferentialExceeded
        rule: str
        seat: int | None  # None: the differential, which is everybody's
        patron: str | None
        stay: str | None
        spot: str | None
        amount: int | None  # what lay, or how far Player and Banker were apart
        allowed: int | None  # the minimum, or the differential
        detail: str | None  # the first version told a sentence, and nothing else

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """A sentence is not taken apart again."""
            for name in ("seat", "patron", "stay", "spot", "amount", "allowed"):
                state[name] = None

    class CardDealt(Event):
        TOPIC = "coup.card-dealt"
        class_version = 2
        n: int
        card: str
        hand: str
        rule: str
        carried: bool  # it had left the shoe before the coup began (R-IRR-1)

        @staticmethod
        def upcast_v1_v2(state: dict[str, Any]) -> None:
            """Before the second version no card was carried."""
            state["carried"] = False

    class Resulted(Event):
        TOPIC = "coup.resulted"
        outcome: str
        natural: bool
        player_total: int
        banker_total: int

    class FoundIrregular(Event):
        TOPIC = "coup.found-irregular"
        why: str  # `foreign-card`

    class PaymentDisagreed(Event):
        TOPIC = "coup.payment-disagreed"
        seat: int
        stated: int
        owed: int

    class WagerSettled(Event):
        TOPIC = "coup.wager-settled"
        seat: int
        patron: str
        stay: str
        spot: str
        stake: int
        result: str
        odds: str | None
        winnings: int
        commission_exact: str
        commission_charged: int
        commission_due: str | None
        paid: int

    class Settled(Event):
        TOPIC = "coup.settled"
        stakes: int
        paid: int

    # State: what later decisions ask.
    def __init__(
        self,
        coup: str,
        rules: str,
        limits: Limits,
        differential: int | None,
    ) -> None:
        self.address = addresses.Coup.parse(coup)
        self.rules_name = rules
        self.limits = limits
        self.differential = differential
        self.phase: Phase = "betting"
        self.cards: list[str] = []
        self.lying: dict[int, dict[str, Wager]] = {}
        self.irregular = ""  # why what is dealt may not stand (R-IRR-4)
        self.won = 0  # chips that it brought into the tray, less what it took

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table that the facts belong to."""
        return self.address.shoe.table_day.day, self.address.shoe.table_day.table

    @property
    def own_name(self) -> dict[str, str]:
        """Every fact says whose it is."""
        return {"coup": str(self.address)}

    @staticmethod
    def stream(address: addresses.Coup) -> UUID:
        """Where this coup's facts are."""
        return addresses.stream_id("coup", str(address), address.shoe.table_day.day)

    @property
    def rules(self) -> HouseRules:
        """The rule set that this coup is dealt and paid under."""
        return named(self.rules_name)

    @property
    def hands(self) -> Hands:
        """What the cards so far say."""
        return play(self.cards)

    @property
    def due(self) -> Due | None:
        """Whose card comes next; None when the coup has all its cards."""
        return self.hands.due if self.phase in ("betting", "dealing") else None

    @property
    def only_to_void(self) -> bool:
        """Whether cards that are out may not stand (R-IRR-4)."""
        return bool(self.irregular) and self.phase in ("dealing", "resulted")

    def wagers(self) -> Iterator[Wager]:
        """Every wager that lies, by seat and then in the order of SPOTS."""
        for seat in sorted(self.lying):
            for spot in sorted(self.lying[seat], key=SPOTS.index):
                yield self.lying[seat][spot]

    # Commands: decide; refuse, or state a fact.
    @classmethod
    def open(cls, address: addresses.Coup, day: TableDay, shoe: Shoe, *, at: datetime) -> Self:
        """Bets may be placed, under the limits that the table has now."""
        return cls.begin(
            cls.Created,
            cls.stream(address),
            at,
            coup=str(address),
            shoe=str(address.shoe),
            table_day=str(day.address),
            rules=day.rules_name,
            rules_digest=day.rules.digest,
            limits={spot: list(limit) for spot, limit in day.limits.items()},
            differential=day.differential,
            dealer=day.dealer,
            supervisor=day.supervisor,
            shoe_holder=shoe.holder,
        )

    def bet(self, seat: int, stay: Stay, spot: str, amount: int) -> None:
        """What lies on the spot from now on (R-BET-1 to 3).

        Refuses: BettingClosed, SpotNotOffered, NotAnIncrement, UnderMinimum, OverMaximum,
        BothSides.
        """
        self._require_betting(seat, stay, spot, amount)
        self._require_offered(spot)
        least, most = self._limit(spot)
        self._require_increment(amount, least, most)
        self._require_minimum(seat, spot, amount, least)
        self._require_maximum(seat, spot, amount, most)
        other = self._on_the_other_side(seat, stay, OPPOSITE.get(spot))
        if other:
            raise refusals.BothSides(
                seat=other.seat, spot=other.spot, amount=self._say(other.stake)
            )
        self._wager_placed(
            seat=seat, patron=stay.patron, stay=stay.address, spot=spot, amount=amount
        )

    def withdraw(self, seat: int, stay: Stay, spot: str) -> None:
        """The wager goes back before the first card. Refuses: BettingClosed, NoWager."""
        wager = self.lying.get(seat, {}).get(spot)
        if wager is None or self.phase == "settled":
            raise refusals.NoWager(seat=seat, spot=spot)
        self._require_betting(seat, stay, spot, wager.stake, act="withdraw")
        self._wager_withdrawn(
            seat=seat, patron=stay.patron, stay=stay.address, spot=spot, amount=wager.stake
        )

    def close_betting(self) -> None:
        """No more bets.

        Refuses: UnderMinimum (a Tie alone), DifferentialExceeded, CoupNotFinished, CoupOver.
        """
        if self.phase == "settled":
            raise refusals.CoupOver(coup=self.address, why="was settled")
        if self.phase != "betting":
            why = f"its betting is closed already; {self._unfinished()}"
            raise refusals.CoupNotFinished(coup=self.address, why=why)
        for broken in self._broken_limits():
            raise broken.refusal
        self._betting_closed(by="dealer")

    def take_first_card(self) -> None:
        """A card is about to leave the shoe, which closes the betting (R-DEAL-2, R-BET-4).

        What would have stopped `close_betting` cannot stop the card; it is stated as found.
        """
        for broken in self._broken_limits():
            wager = broken.wager
            self._limit_found_broken(
                refusal=broken.refusal.error,
                rule=broken.refusal.rule or "",
                seat=wager.seat if wager else None,
                patron=wager.patron if wager else None,
                stay=wager.stay if wager else None,
                spot=wager.spot if wager else None,
                amount=broken.amount,
                allowed=broken.allowed,
                detail=None,
            )
        self._betting_closed(by="first-card")

    def take_no_bets(self) -> None:
        """A coup that a card began when none was due is dealt without wagers (R-IRR-1)."""
        self._betting_closed(by="dummy")

    def deal(self, card: str, *, carried: bool = False) -> None:
        """The card that left the shoe, now or before the coup, goes where it is due."""
        due = self.due
        assert due is not None, "the shoe refuses a card that is not due"
        assert self.phase == "dealing", "betting closes before the first card"
        self._card_dealt(
            n=len(self.cards) + 1, card=card, hand=due.hand, rule=due.rule, carried=carried
        )
        result = self.hands.result
        if result is not None:
            self._resulted(
                outcome=result.outcome,
                natural=result.natural,
                player_total=result.player_total,
                banker_total=result.banker_total,
            )

    def settle(self, stated: Mapping[int, int] | None = None) -> list[tuple[Wager, Payment]]:
        """Pays and takes every wager; `stated`: seat to what its chips say it was paid.

        Refuses: CoupNotFinished, CoupOver, PaymentDisagrees.
        """
        self._require_resulted()
        result = self.hands.result
        assert result is not None
        payments = [
            (wager, pay(self.rules, wager.spot, wager.stake, result)) for wager in self.wagers()
        ]
        self._require_agreement(payments, stated)
        for wager, payment in payments:
            self._wager_settled(
                seat=wager.seat,
                patron=wager.patron,
                stay=wager.stay,
                spot=wager.spot,
                stake=wager.stake,
                **payment.as_recorded(),
            )
        self._settled(
            stakes=sum(wager.stake for wager, _ in payments),
            paid=sum(payment.paid for _, payment in payments),
        )
        return payments

    def find_irregular(self, why: str) -> None:
        """Cards that are out already may not stand: from now on it can only be voided (R-IRR-4)."""
        if self.cards and self.phase in ("dealing", "resulted") and not self.irregular:
            self._found_irregular(why=why)

    def require_regular(self) -> None:
        """Refuses: CoupNotFinished."""
        if self.only_to_void:
            why = self._unfinished()
            raise refusals.CoupNotFinished(rule="R-IRR-4", coup=self.address, why=why)

    def require_no_card_due(self) -> None:
        """A card that comes now was not misdrawn. Refuses: CoupNotFinished."""
        if self.due is not None and not self.only_to_void:
            why = f"{self._unfinished()}, so draw it"
            raise refusals.CoupNotFinished(coup=self.address, why=why)

    def require_finished(self) -> None:
        """Settled, or opened and never used. Refuses: CoupNotFinished."""
        unused = self.phase == "betting" and not any(self.wagers())
        if self.phase != "settled" and not unused:
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def require_no_wager_of(self, seat: int) -> None:
        """A patron does not leave a wager behind. Refuses: CoupNotFinished."""
        if self.phase != "settled" and self.lying.get(seat):
            why = f"seat {seat} has a wager on it; settle it, or take it back before the first card"
            raise refusals.CoupNotFinished(coup=self.address, why=why)

    # What the commands ask.
    def _require_betting(
        self, seat: int, stay: Stay, spot: str, amount: int, *, act: str = "bet"
    ) -> None:
        if self.phase == "betting":
            return
        self._late_bet_refused(
            seat=seat, patron=stay.patron, stay=stay.address, spot=spot, amount=amount, act=act
        )
        raise refusals.BettingClosed(
            coup=self.address,
            why="the first card is out" if self.cards else "no more bets was called",
            then="The chips go back; bet on the next coup"
            if act == "bet"
            else "The wager stays until the coup is settled",
        )

    def _on_the_other_side(self, seat: int, stay: Stay, opposite: str | None) -> Wager | None:
        """A wager of the same seat, or of the same patron over several seats (R-BET-1)."""
        for wager in self.wagers():
            if wager.spot == opposite and (wager.seat == seat or wager.stay == stay.address):
                return wager
        return None

    def _require_offered(self, spot: str) -> None:
        if spot not in self.rules.spots:
            spots = ", ".join(self.rules.spots)
            raise refusals.SpotNotOffered(rules=self.rules_name, spot=spot, spots=spots)

    def _require_increment(self, amount: int, least: int, most: int) -> None:
        step = self.rules.increment
        below = amount - amount % step
        if amount == below:
            return
        near = [each for each in (below, below + step) if least <= each <= most]
        raise refusals.NotAnIncrement(
            amount=self._say(amount),
            increment=self._say(step),
            near=" or ".join(map(self._say, near or [least if amount < least else most])),
        )

    def _require_minimum(self, seat: int, spot: str, amount: int, minimum: int) -> None:
        if amount < minimum:
            raise self._under(seat, spot, amount, minimum)

    def _require_maximum(self, seat: int, spot: str, amount: int, maximum: int) -> None:
        if amount > maximum:
            raise refusals.OverMaximum(
                seat=seat, spot=spot, amount=self._say(amount), maximum=self._say(maximum)
            )

    def _require_resulted(self) -> None:
        if self.phase == "settled":
            raise refusals.CoupOver(coup=self.address, why="was settled")
        self.require_regular()
        if self.phase != "resulted":
            raise refusals.CoupNotFinished(coup=self.address, why=self._unfinished())

    def _require_agreement(
        self, payments: list[tuple[Wager, Payment]], stated: Mapping[int, int] | None
    ) -> None:
        """An overpayment or an untaken losing wager stops the game."""
        if stated is None:
            return
        owed = dict.fromkeys((*self.lying, *stated), 0)
        for wager, payment in payments:
            owed[wager.seat] += payment.paid
        differing = [seat for seat in sorted(owed) if stated.get(seat, 0) != owed[seat]]
        for seat in differing:
            self._payment_disagreed(seat=seat, stated=stated.get(seat, 0), owed=owed[seat])
        if differing:
            told = (
                f"seat {seat} is owed {self._say(owed[seat])}, not {self._say(stated.get(seat, 0))}"
                for seat in differing
            )
            raise refusals.PaymentDisagrees(coup=self.address, differences="; ".join(told))

    def _broken_limits(self) -> Iterator["_Broken"]:
        """What stands in the way of closing: a Tie alone under the table minimum, the gap."""
        minimum = self.limits["main"][0]
        for seat, spots in sorted(self.lying.items()):
            tie = spots.get("tie")
            if tie and tie.stake < minimum and not {"player", "banker"} & spots.keys():
                under = self._under(seat, "tie alone", tie.stake, minimum)
                yield _Broken(under, tie, tie.stake, minimum)
        gap = abs(self._lying_on("player") - self._lying_on("banker"))
        if self.differential is not None and gap > self.differential:
            apart = refusals.DifferentialExceeded(
                gap=self._say(gap), differential=self._say(self.differential)
            )
            yield _Broken(apart, None, gap, self.differential)

    def _under(self, seat: int, spot: str, amount: int, minimum: int) -> refusals.UnderMinimum:
        return refusals.UnderMinimum(
            seat=seat, spot=spot, amount=self._say(amount), minimum=self._say(minimum)
        )

    def _lying_on(self, spot: str) -> int:
        return sum(wager.stake for wager in self.wagers() if wager.spot == spot)

    def _limit(self, spot: str) -> list[int]:
        return self.limits.get(spot) or self.limits["main"]

    def _unfinished(self) -> str:
        if self.only_to_void:
            return "a card that is not of its shoe was found, void it"
        if self.phase == "resulted":
            return "it has its result, settle it"
        due = self.due
        assert due is not None
        return f"{due.hand.title()}'s card is due ({due.rule})"

    def _say(self, amount: int) -> str:
        return major(amount, self.rules.currency)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(WagerPlaced)
    def _wager_placed(self, seat: int, patron: str, stay: str, spot: str, amount: int) -> None:
        self.lying.setdefault(seat, {})[spot] = Wager(seat, spot, amount, patron, stay)

    @event(WagerWithdrawn)
    def _wager_withdrawn(self, seat: int, patron: str, stay: str, spot: str, amount: int) -> None:
        del self.lying[seat][spot]

    @event(LateBetRefused)
    def _late_bet_refused(
        self, seat: int, patron: str, stay: str, spot: str, amount: int, act: str
    ) -> None:
        pass  # worth knowing; the wagers stay as they lie

    @event(BettingClosed)
    def _betting_closed(self, by: str) -> None:
        self.phase = "dealing"

    @event(LimitFoundBroken)
    def _limit_found_broken(
        self,
        refusal: str,
        rule: str,
        seat: int | None,
        patron: str | None,
        stay: str | None,
        spot: str | None,
        amount: int | None,
        allowed: int | None,
        detail: str | None,
    ) -> None:
        pass  # worth knowing; the rule set says how it is settled (R-BET-5)

    @event(CardDealt)
    def _card_dealt(self, n: int, card: str, hand: str, rule: str, carried: bool) -> None:
        self.cards.append(card)

    @event(Resulted)
    def _resulted(self, outcome: str, natural: bool, player_total: int, banker_total: int) -> None:
        self.phase = "resulted"

    @event(FoundIrregular)
    def _found_irregular(self, why: str) -> None:
        self.irregular = why

    @event(PaymentDisagreed)
    def _payment_disagreed(self, seat: int, stated: int, owed: int) -> None:
        pass  # worth knowing; the coup stays unsettled

    @event(WagerSettled)
    def _wager_settled(
        self,
        seat: int,
        patron: str,
        stay: str,
        spot: str,
        stake: int,
        result: str,
        odds: str | None,
        winnings: int,
        commission_exact: str,
        commission_charged: int,
        commission_due: str | None,
        paid: int,
    ) -> None:
        pass  # told whole for those who read; nothing later asks

    @event(Settled)
    def _settled(self, stakes: int, paid: int) -> None:
        self.phase = "settled"
        self.won = stakes - paid
