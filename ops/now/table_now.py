"""One table as its terminal shows it: everything on the screen, and nothing else.

A value made from the aggregates at one position of the ledger: two terminals that show the same
position show the same table. Cards that are face down are not in it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.coup import Coup
from domain.aggregates.due import NextAct, next_act
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.events.coup import OVER
from domain.events.slip_book import Slip
from domain.rules.cards import points
from domain.rules.gaming_day import GamingClock
from domain.rules.hands import Hand, Outcome, Step
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Limits
from domain.rules.roads import Bead
from ops.now.coupons_now import CouponNow, coupon_now, taken_back
from ops.now.offers_now import OfferNow, offers_now
from ops.now.shoe_now import ShoeNow, shoe_now
from ops.now.tray_now import TrayNow
from ops.now.wagers_now import WagerNow, bets_of, given_back, returned_of, wagers_of

TAKEN = "taken"  # in place of a patron where names are not shown
Wagers = tuple[tuple[str, int], ...]  # spot and stake in minor units, in the order of SPOTS


class SeatNow(Struct, frozen=True):
    """A seat that is taken, or still has a bet."""

    seat: int
    patron: str
    owed: int = 0  # minor units of commission, of the whole stay
    owes_at: int = 0  # the first seat of the stay, where it is shown
    wagers: tuple[WagerNow, ...] = ()
    last: Wagers = ()  # the bets of this stay at this seat, when it bet last in this shoe
    in_last_coup: bool = False  # whether that was the last coup of all
    back: int | None = None  # minor units that a void coup returns; negative: takes back
    # Of the coup before, that was voided after it was paid: its number, and what it returned.
    back_before: tuple[int, int] | None = None
    as_it_wins: bool = False  # whether commission is taken at each win (R-COM-2)
    balance: int | None = None  # minor units on the game account; None: there is none (R-ACC-1)
    coupon: CouponNow | None = None  # beside the wagers, no money (R-PROMO-1)
    stay: str = ""  # the address of who sits here; another patron at the seat is another stay

    def wager(self, spot: str) -> WagerNow | None:
        """What lies on a spot."""
        return next((each for each in self.wagers if each.spot == spot), None)

    @property
    def paid(self) -> int | None:
        """The chips paid to the patron, stakes included; None while it may not be shown."""
        paid = [each.payment and each.payment.paid for each in self.wagers if not each.goes_on]
        paid += [self.coupon.paid] if self.coupon else []
        if not (self.wagers or self.coupon) or None in paid:
            return None
        return sum(each or 0 for each in paid)

    @property
    def by_meter(self) -> bool:
        """Whether a bet wins of a meter and is not settled yet (R-PROG-3)."""
        return any(each.by_meter for each in self.wagers)


class HandNow(Struct, frozen=True):
    """One hand: its cards in order, None for one face down, and the total of those face up."""

    cards: tuple[str | None, ...] = ()
    total: int | None = None  # of the cards face up; None: there is none


class CoupNow(Struct, frozen=True):
    """The coup that was opened last."""

    address: str
    number: int
    phase: str  # betting dealing resulted settled voided unused
    player: HandNow = HandNow()
    banker: HandNow = HandNow()
    outcome: Outcome | None = None  # None: none yet, or it may not be shown
    natural: bool = False
    offers: tuple[OfferNow, ...] = ()  # bets that are taken after the first four cards
    steps: tuple[Step, ...] = ()  # why each third card was drawn or not
    face_down: tuple[Hand, ...] = ()  # hands with cards face down
    holds: tuple[tuple[str, str], ...] = ()  # in a squeeze: a hand, and the seat that has it
    dummy: bool = False
    only_to_void: bool = False
    unlocked: str = ""  # how two people decided it after a fault, `settle` or `return` (R-IRR-6)
    placed_last: tuple[int, str] | None = None  # seat and spot of the bet that was entered last
    gave_back: int = 0  # minor units that a void coup returns to patrons
    took_back: int = 0  # and those that it takes back from them
    opened_at: datetime | None = None
    first_bet_at: datetime | None = None  # of the bets that lie there
    changed_at: datetime | None = None  # when anything happened last

    @property
    def over(self) -> bool:
        """Whether nothing more is dealt or paid."""
        return self.phase in OVER


class Asked(Struct, frozen=True):
    """In training the task, shown in place of what is due, which the trainee has to know."""

    headline: str
    how: str
    words: tuple[str, ...] = ()


class TableNow(Struct, frozen=True):
    """The table at `position`. Without a gaming day it is closed, and all else is empty."""

    table: str
    position: int = -1  # before anything was read
    day: str | None = None  # None: never opened
    closed: bool = True
    currency: str = "USD"
    clock: GamingClock = GamingClock(zone="UTC", starts="06:00")  # the house's
    rules: HouseRules | None = None
    limits: Limits = field(default_factory=dict)
    differential: int | None = None
    dealer: str = ""
    supervisor: str = ""
    held_by: tuple[str, ...] = ()  # cases that hold the table: no further coup is dealt
    locked_up: bool = False  # nobody bets, and no card is drawn (R-IRR-6)
    slips: Mapping[str, Slip] = field(default_factory=dict)  # fills and credits under way
    seats: tuple[SeatNow, ...] = ()
    left_owing: Mapping[str, int] = field(default_factory=dict)  # by patron who has no seat now
    shoes: int = 0  # that were loaded on this day
    shoe: ShoeNow | None = None
    coup: CoupNow | None = None
    due: NextAct | None = None
    asked: Asked | None = None  # in training
    beads: tuple[Bead, ...] = ()  # of this shoe, as the roads show them
    tray: TrayNow | None = None  # None: closed, or nobody here may see it
    meters: Mapping[str, int] = field(default_factory=dict)  # by spot, minor units (R-PROG-1)

    @property
    def read(self) -> bool:
        """Whether the table was read from the ledger yet."""
        return self.position >= 0

    @property
    def spots(self) -> tuple[str, ...]:
        """The spots of the rule set, in its order."""
        return tuple(self.rules.spots) if self.rules else ()

    @property
    def owing(self) -> tuple[SeatNow, ...]:
        """The seats that owe commission; a stay on several seats at its first."""
        return tuple(each for each in self.seats if each.owed and each.seat == each.owes_at)

    @property
    def owed(self) -> int:
        """Commission owed at this table by everybody, minor units; also by who has left."""
        return sum(each.owed for each in self.owing) + sum(self.left_owing.values())

    def seat(self, number: int) -> SeatNow | None:
        """A seat by its number, or None if nobody sits there."""
        return next((each for each in self.seats if each.seat == number), None)

    def without_names(self) -> "TableNow":
        """The table without patrons' names and its tray, as everybody in the room may see it."""
        seats = tuple(replace(each, patron=TAKEN) for each in self.seats)
        left = {TAKEN: sum(self.left_owing.values())} if self.left_owing else {}
        return replace(self, seats=seats, left_owing=left, tray=None)


def table_now(
    table: str,
    position: int,
    day: TableDay | None,
    shoe: Shoe | None,
    coups: Sequence[Coup],
    accounts: Mapping[str, CommissionAccount],
    currency: str,
    clock: GamingClock,
    slips: Mapping[str, Slip] | None = None,
    balances: Mapping[str, int] | None = None,
    tray: TrayNow | None = None,
) -> TableNow:
    """The table from its aggregates: `coups` of this shoe in order, `accounts` by stay.

    `balances`: minor units on each game account, by stay.
    """
    without_day = TableNow(table, position, currency=currency, clock=clock)
    if day is None:
        return without_day
    coup = coups[-1] if coups else None
    owed = {stay: account.owed for stay, account in accounts.items()}
    return replace(
        without_day,
        day=day.address.day.isoformat(),
        closed=day.closed,
        currency=day.rules.currency,
        rules=day.rules,
        limits={spot: list(limit) for spot, limit in day.limits.items()},
        differential=day.differential,
        dealer=day.dealer,
        supervisor=day.supervisor,
        held_by=tuple(day.held_by),
        locked_up=day.locked_up != "",
        slips=slips or {},
        seats=tuple(_seats(day, coups, owed, balances or {})),
        left_owing=_left_owing(day, accounts),
        shoes=day.shoes,
        shoe=shoe_now(shoe) if shoe else None,
        coup=_coup(coup, day.unlocked.get(str(coup.address), "")) if coup else None,
        due=next_act(day, shoe, coup, owed=bool(shoe and shoe.finished and any(owed.values()))),
        beads=tuple(_beads(coups)),
        tray=None if day.closed else tray,
    )


def _seats(
    day: TableDay, coups: Sequence[Coup], owed: Mapping[str, int], balances: Mapping[str, int]
) -> Iterable[SeatNow]:
    coup = coups[-1] if coups else None
    for seat in sorted(day.seats):
        stay = day.seats[seat]
        played, last = _last(coups, seat, stay.address)
        yield SeatNow(
            seat=seat,
            patron=stay.patron,
            stay=stay.address,
            owed=owed.get(stay.address, 0),
            owes_at=min(day.chairs_of(stay)),
            as_it_wins=stay.address in day.as_it_wins,
            wagers=tuple(wagers_of(coup, seat, stay.address, day.as_it_wins)) if coup else (),
            last=last,
            in_last_coup=played == 0,
            back=_back(coup, seat, stay.address) if coup else None,
            back_before=_back_before(coups, seat, stay.address),
            balance=balances.get(stay.address),
            coupon=coupon_now(coup, seat, stay.address) if coup else None,
        )


def _left_owing(day: TableDay, accounts: Mapping[str, CommissionAccount]) -> Mapping[str, int]:
    """What patrons owe who left, as after a bet that was entered late."""
    seated = {stay.address for stay in day.seats.values()}
    owed: Counter[str] = Counter()
    for stay, account in accounts.items():
        if stay not in seated and account.owed:
            owed[account.patron] += account.owed
    return owed


def _back(coup: Coup, seat: int, stay: str) -> int | None:
    """What a void coup returns to a seat; None if it is not void."""
    return given_back(coup, bets_of(coup, seat, stay), taken_back(coup, seat, stay))


def _back_before(coups: Sequence[Coup], seat: int, stay: str) -> tuple[int, int] | None:
    """What the coup before returned to a seat when it was voided after it was paid."""
    before = coups[-2] if len(coups) > 1 else None
    if before is None or not before.settled:
        return None
    back = _back(before, seat, stay)
    return None if back is None else (before.address.number, back)


def _last(coups: Sequence[Coup], seat: int, stay: str) -> tuple[int, Wagers]:
    """How many coups ago the seat bet last (-1: never), and what, as it was put right; 0: the last.

    Counts coups that were settled and took bets: no void ones, and no dummies.
    """
    settled = (each for each in reversed(coups) if each.phase == "settled" and not each.dummy)
    for ago, coup in enumerate(settled):
        stakes: Counter[str] = Counter()
        for wager in bets_of(coup, seat, stay):
            if wager.spot not in coup.rules.after_four:  # they depend on the cards
                stakes[coup.counts_on(wager)] += wager.stake
        if stakes:
            return ago, tuple(stakes.items())
    return -1, ()


def _hand(coup: Coup, hand: Hand) -> HandNow:
    dealt = (each for each in coup.hands.dealt if each.hand == hand)
    cards = tuple(each.card if coup.is_face_up(each.n) else None for each in dealt)
    seen = [points(card) for card in cards if card]
    return HandNow(cards, sum(seen) % 10 if seen else None)


def _coup(coup: Coup, unlocked: str) -> CoupNow:
    hands, hidden = coup.hands, coup.has_face_down
    result = None if hidden else hands.result
    placed = max(coup.wagers(), key=lambda wager: wager.nth, default=None)
    by_seat: Counter[tuple[int, str]] = Counter()
    for wager in coup.wagers() if coup.phase == "voided" else ():
        by_seat[wager.seat, wager.stay] += returned_of(coup, wager)
    for lying in coup.coupons.values() if coup.phase == "voided" else ():
        by_seat[lying.seat, lying.stay] -= taken_back(coup, lying.seat, lying.stay)
    return CoupNow(
        address=str(coup.address),
        number=coup.address.number,
        phase=coup.phase,
        opened_at=coup.created_on,
        first_bet_at=coup.first_bet_at,
        changed_at=coup.modified_on,
        player=_hand(coup, "player"),
        banker=_hand(coup, "banker"),
        outcome=result.outcome if result else None,
        natural=bool(result and result.natural),
        offers=tuple(offers_now(coup)),
        steps=() if hidden else hands.steps,
        face_down=tuple(
            dict.fromkeys(each.hand for each in hands.dealt if not coup.is_face_up(each.n))
        ),
        holds=tuple(coup.holds.items()),
        dummy=coup.dummy,
        only_to_void=coup.only_to_void,
        unlocked=unlocked,
        placed_last=(placed.seat, placed.spot) if placed else None,
        gave_back=sum(each for each in by_seat.values() if each > 0),
        took_back=-sum(each for each in by_seat.values() if each < 0),
    )


def _beads(coups: Iterable[Coup]) -> Iterable[Bead]:
    """The results that roads show; none of a void coup, or of one without a result yet."""
    for coup in coups:
        result = coup.hands.result
        if coup.phase in ("resulted", "settled") and result:
            yield Bead(result.outcome, result.player_pair, result.banker_pair, result.natural)
