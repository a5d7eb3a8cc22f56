"""The game: a shoe from loaded to counted, and its coups from the first bet to the payment.

One method for each of its lines of the vocabulary. Decides nothing by itself: the aggregates do.
"""

from datetime import datetime
from functools import cached_property, singledispatchmethod
from typing import TYPE_CHECKING, Any

from domain.aggregates.commission import require_settled
from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay, chair
from domain.events.table_day import Stay
from domain.rules import addresses
from domain.rules.cards import card
from domain.rules.refusals import (
    AlreadyOpen,
    BadValue,
    Betting,
    MissingField,
    NotFound,
    OrderLost,
    Refusal,
    SeatEmpty,
    UnknownSeat,
)
from ops.commands import vocabulary as commands

if TYPE_CHECKING:
    from domain.aggregates.deck import Deck
    from domain.rules.order import Order
    from ops.commands.sealed_orders import SealedOrders
    from ops.handlers.floor import Floor

# What is said of one wager among several; the rest is said of the table.
_OF_ONE_WAGER = (Betting, BadValue, SeatEmpty, UnknownSeat)


class Game:
    """The commands of the game, at the tables of a floor."""

    def __init__(self, floor: "Floor") -> None:
        self.floor = floor
        self.casino = floor.casino

    @cached_property
    def orders(self) -> "SealedOrders":
        """What generated shoes deal, when one is in play."""
        from ops.commands.sealed_orders import SealedOrders

        return SealedOrders(self.casino)

    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it; what is not its own is the desk's."""
        self.floor.desk.decide(command)

    @decide.register
    def load_shoe(self, command: commands.ShoeLoad) -> None:
        """The table takes the shoe that the shoe's own stream begins with."""
        day = self.floor.table_day(command.table)
        address = day.next_shoe()
        shoe = Shoe.load(
            address,
            day.rules,
            at=self.casino.moment,
            decks=command.decks,
            serials=command.serials,
            colour=command.colour or "",
            batch=command.batch or "",
        )
        decks = self._unused(address, command)
        day.bring_shoe()
        self.casino.make(shoe)
        for each in decks:
            self.casino.make(each)

    def _unused(self, shoe: addresses.Shoe, command: commands.ShoeLoad) -> list["Deck"]:
        """Every serial that comes, none of which was loaded before. Refuses: SerialReused."""
        from domain.aggregates.deck import Deck

        batch = [("batch", command.batch)] if command.batch else []
        serials = [*(("deck", serial) for serial in command.serials), *batch]
        used = [self.casino.find(Deck, Deck.stream(*each)) for each in serials]
        refusals = [each.refuse_reuse(shoe) for each in used if each]
        if refusals:
            raise refusals[0]
        return [Deck.load(*each, shoe, self.casino.moment) for each in serials]

    @decide.register
    def inspect_shoe(self, command: commands.ShoeInspect) -> None:
        """Counted through."""
        shoe = self.floor.shoe(self.floor.table_day(command.table))
        shoe.inspect(command.verified_by or "", by=self.casino.actor)

    @decide.register
    def shuffle_shoe(self, command: commands.ShoeShuffle) -> None:
        """By hand, machine, supplier or generator."""
        shoe = self.floor.shoe(self.floor.table_day(command.table))
        commitment = self.orders.make(shoe) if command.method == "generated" else ""
        shoe.shuffle(command.method, command.device or "", commitment)

    @decide.register
    def cut_shoe(self, command: commands.ShoeCut) -> None:
        """By a patron, or by whoever speaks."""
        day = self.floor.table_day(command.table)
        self.floor.shoe(day).cut(self._person(day, command), command.cut_card)

    @decide.register
    def burn_card(self, command: commands.ShoeBurn) -> None:
        """The last step before the first coup."""
        shoe = self.floor.shoe(self.floor.table_day(command.table))
        shoe.burn(self._card(shoe, command))

    @decide.register
    def pass_shoe(self, command: commands.ShoePass) -> None:
        """To a seat, or to the dealer."""
        day = self.floor.table_day(command.table)
        self.floor.shoe(day).pass_to(self._person(day, command))

    @decide.register
    def show_cut_card(self, command: commands.ShoeCutCard) -> None:
        """Declared by the dealer."""
        self.floor.shoe(self.floor.table_day(command.table)).show_cut_card()

    @decide.register
    def misdraw(self, command: commands.ShoeMisdraw) -> None:
        """With a dummy the next coup begins at once, or as soon as the one in play is settled."""
        day = self.floor.table_day(command.table)
        shoe = self.floor.shoe(day)
        coup = self.floor.coup(shoe)
        if coup:
            coup.require_no_card_due()
        shoe.misdraw(card(command.card), command.disposition)
        self.begin_dummy(day, shoe)

    @decide.register
    def discard(self, command: commands.ShoeDiscard) -> None:
        """What is due stays due, unless the coup in play may have been dealt a foreign card."""
        shoe = self.floor.shoe(self.floor.table_day(command.table))
        coup = self.floor.coup(shoe)
        shoe.discard(card(command.card), command.reason)
        if coup and command.reason == "foreign":
            coup.find_irregular("foreign-card")

    @decide.register
    def end_shoe(self, command: commands.ShoeEnd) -> None:
        """No coup in play, and nobody owes commission."""
        day = self.floor.table_day(command.table)
        shoe = self.floor.shoe(day)
        coup = self.floor.coup(shoe)
        if coup:
            coup.require_finished()
        require_settled(self.floor.accounts(day))
        second = self.floor.second(command)
        if second and not shoe.cut_card_shown:
            self.floor.require_two("Ending a shoe before its cut card shows", command)
        order = self._order_of(shoe, untold=bool(command.reason and second))
        shoe.end(reason=command.reason or "", second=second)
        if order:
            shoe.reveal(order.cards, order.secret.hex())
            self.orders.throw_away(shoe)
        elif shoe.commitment:
            shoe.leave_untold()
        day.take_shoe_off()

    def _order_of(self, shoe: Shoe, *, untold: bool) -> "Order | None":
        """Of a generated shoe; should it be lost, two people may end the shoe all the same."""
        try:
            return self.orders.of(shoe) if shoe.commitment else None
        except OrderLost:
            if not untold:
                raise
            return None  # the sealed one stays where it is, should the pepper be found again

    @decide.register
    def reconcile_shoe(self, command: commands.ShoeReconcile) -> None:
        """The one named, else the last that ended uncounted; the table may be closed by then."""
        if command.shoe:
            address = addresses.Shoe.parse(command.shoe)
            if address.table_day.table != command.table:
                why = f"it is no shoe of {command.table}"
                raise BadValue(field="shoe", value=command.shoe, why=why)
            shoe = self.casino.find(Shoe, Shoe.stream(address))
        else:
            shoe = self._to_reconcile(self.floor.last_table_day(command.table))
        if shoe is None:
            raise NotFound(what=f"shoe {command.shoe or f'at {command.table}'} to reconcile")
        counted = command.remaining
        cards = [] if isinstance(counted, int) else [card(each) for each in counted]
        burned = [card(each) for each in command.burned]
        shoe.reconcile(counted if isinstance(counted, int) else len(cards), cards, burned)

    @decide.register
    def open_coup(self, command: commands.CoupOpen) -> None:
        """Asked for; a first bet opens by itself."""
        day = self.floor.table_day(command.table)
        shoe = self.floor.shoe(day)
        coup = self.floor.coup(shoe)
        if coup and not coup.over:
            raise AlreadyOpen(what=str(coup.address), then="finish it first")
        day.require_not_held()
        self._open_coup(day, shoe)

    @decide.register
    def bet(self, command: commands.Bet) -> None:
        """On the coup in play; the first bet opens the next one."""
        day = self.floor.table_day(command.table)
        self._lay(day, self.floor.shoe(day), command, command)

    @decide.register
    def bets(self, command: commands.Bets) -> None:
        """One after the other, as so many bets; what one of them is refused, all are.

        When betting is closed each of them is a late bet of its own, and that is the answer.
        """
        day = self.floor.table_day(command.table)
        shoe = self.floor.shoe(day)
        _require_each_once(command.wagers)
        refused: list[tuple[commands.Wager, Refusal]] = []
        for wager in command.wagers:
            try:
                self._lay(day, shoe, wager, command)
            except _OF_ONE_WAGER as refusal:
                refused.append((wager, refusal))
        if refused:
            wager, told = next((each for each in refused if each[1].recorded), refused[0])
            whose = "" if told.recorded else f"Seat {wager.seat} on {wager.spot}: "
            told.put(before=whose, after=_none_of(command.wagers))
            raise told

    def _lay(
        self,
        day: TableDay,
        shoe: Shoe,
        wager: commands.Bet | commands.Wager,
        command: commands.Bet | commands.Bets,
    ) -> None:
        coup = self.floor.coup(shoe)
        lay_at = _lay_at(coup, command)
        if coup is None or (coup.over and lay_at is None):
            shoe.require_ready()
            day.require_not_held()
            stay = day.stay_at(wager.seat)
            coup = self._open_coup(day, shoe)
        else:
            stay = day.stay_at(wager.seat)
        if not coup.over:
            self._require_one_patron_one_side(coup, wager.spot, stay)
        if lay_at:
            day.require_here(stay, lay_at)
            if command.second:
                act = "Entering a wager that was found after the first card"
                self.floor.require_two(act, command)
            coup.find_wager(
                wager.seat,
                stay,
                wager.spot,
                wager.amount,
                lay_at=lay_at,
                second=self.floor.second(command),
            )
        else:
            coup.bet(wager.seat, stay, wager.spot, wager.amount)

    def _require_one_patron_one_side(self, coup: Coup, spot: str, stay: Stay) -> None:
        """Whoever turned out to be the same patron bets on one hand too (R-BET-1)."""
        for wager in coup.layout.opposite(spot):
            if wager.stay != stay.address and self.floor.same(wager.patron, stay.patron):
                raise coup.both_sides(wager)

    @decide.register
    def withdraw(self, command: commands.Withdraw) -> None:
        """Before the first card: one wager, or all of the seat."""
        day = self.floor.table_day(command.table)
        coup = self.floor.coup_in_play(day)
        coup.withdraw(command.seat, day.stay_at(command.seat), command.spot)

    @decide.register
    def close_betting(self, command: commands.NoMoreBets) -> None:
        """Asked for; the first card closes by itself. The cards that were carried are dealt."""
        day = self.floor.table_day(command.table)
        coup = self.floor.coup_in_play(day)
        coup.close_betting()
        self._deal_carried(self.floor.shoe(day), coup)

    @decide.register
    def draw(self, command: commands.Draw) -> None:
        """One save for shoe and coup: a card cannot leave the one without landing in the other."""
        shoe = self.floor.shoe(self.floor.table_day(command.table))
        shoe.require_ready()
        drawn = self._card(shoe, command)
        undue = None if shoe.commitment else drawn  # a generated shoe keeps it
        coup = self.floor.coup(shoe)
        if coup is None or coup.over:
            raise shoe.refuse_card(undue, coup_complete=False)
        coup.require_regular()
        if coup.phase == "betting":
            coup.take_first_card()
            self._deal_carried(shoe, coup)
        turns = coup.to_turn is not None
        coup.turn_rest()
        if coup.due is None:
            refusal = shoe.refuse_card(undue, coup_complete=True)
            refusal.recorded = refusal.recorded or turns
            raise refusal
        shoe.draw(drawn)
        unseen = bool(shoe.commitment or self.casino.device or command.face_down)
        coup.deal(drawn, unseen=unseen)
        if command.settle and coup.hands.result:
            self._settle(coup)

    @decide.register
    def settle(self, command: commands.Settle) -> None:
        """Every wager, and the commission of each that owes one."""
        coup = self.floor.coup_in_play(self.floor.table_day(command.table))
        paid = command.paid
        self._settle(coup, {int(seat): amount for seat, amount in paid.items()} if paid else paid)

    @decide.register
    def move_card(self, command: commands.MoveCard) -> None:
        """It counted where it belongs all the time."""
        self.floor.coup_in_play(self.floor.table_day(command.table)).move(command.n, command.hand)

    @decide.register
    def reveal(self, command: commands.Reveal) -> None:
        """What left the shoe is known; now everybody sees it."""
        self.floor.coup_in_play(self.floor.table_day(command.table)).turn(command.hand, command.n)

    def _open_coup(self, day: TableDay, shoe: Shoe) -> Coup:
        dummy, before = shoe.dummy, self.floor.coup(shoe)
        if before and before.over_at:
            self.casino.not_before(before.over_at)
            before.require_over_by(self.casino.moment)
        address = shoe.begin_coup()
        coup = self.casino.make(Coup.open(address, day, shoe, at=self.casino.moment))
        if dummy:
            coup.take_no_bets()
            self._deal_carried(shoe, coup)
        return coup

    def _deal_carried(self, shoe: Shoe, coup: Coup) -> None:
        """The cards that came when none was due, as far as the coup takes them (R-IRR-1)."""
        while shoe.waiting and coup.due:
            coup.deal(shoe.deal_carried(), carried=True)

    def _card(self, shoe: Shoe, command: commands.Draw | commands.ShoeBurn) -> str:
        """The card that was stated, or that a generated shoe gives now."""
        if command.card is None and shoe.commitment:
            return self.orders.next_card(shoe)
        if command.card is None:
            raise MissingField(command=commands.name_of(command), field="card", why="")
        stated = card(command.card)
        shoe.require_not_generated(stated)
        return stated

    def _settle(self, coup: Coup, stated: Any = None) -> None:
        day = self.floor.table_day(coup.address.shoe.table_day.table)
        for wager, payment in coup.settle(stated, day.as_it_wins):
            if payment.commission_due:
                stay = Stay(wager.patron, wager.stay)
                self.floor.account(day, stay).accrue(coup.address, wager, payment)
        self.begin_dummy(day, self.floor.shoe(day))

    def begin_dummy(self, day: TableDay, shoe: Shoe) -> None:
        """A coup that was waited for is over, and a card waits to begin the next (R-IRR-1).

        At a table that is held it waits longer, until somebody says `open`.
        """
        coup = self.floor.coup(shoe)
        if shoe.dummy and not day.held_by and (coup is None or coup.over):
            self._open_coup(day, shoe)

    def _to_reconcile(self, day: TableDay) -> Shoe | None:
        """The last shoe of the day that ended and was not counted, or simply the last."""
        shoes = [
            self.casino.find(Shoe, Shoe.stream(addresses.Shoe(day.address, number)))
            for number in range(day.shoes, 0, -1)
        ]
        uncounted = (shoe for shoe in shoes if shoe and shoe.step == "ended")
        return next(uncounted, shoes[0] if shoes else None)

    def _person(self, day: TableDay, command: commands.ShoeCut | commands.ShoePass) -> str:
        if command.seat is not None and command.staff is not None:
            raise BadValue(field="staff", value=repr(command.staff), why="a seat is named as well")
        if command.seat is not None:
            day.stay_at(command.seat)
            return chair(command.seat)
        return command.staff or self.casino.actor or "dealer"


def _require_each_once(wagers: list[commands.Wager]) -> None:
    """Of two wagers at one place nobody knows which lies there. Refuses: BadValue."""
    places = [(wager.seat, wager.spot) for wager in wagers]
    for seat, spot in places:
        if places.count((seat, spot)) > 1:
            why = "it stands in the line twice; say once what lies there"
            raise BadValue(field="wagers", value=f"seat {seat} on {spot}", why=why)


def _none_of(wagers: list[commands.Wager]) -> str:
    """How many were refused with the one that was told of."""
    return f" None of the {len(wagers)} wagers was placed." if len(wagers) > 1 else ""


def _lay_at(coup: Coup | None, command: commands.Bet | commands.Bets) -> datetime | None:
    """When a wager lay on a coup whose betting is over by now; None: it is bet as any other."""
    if coup is None or command.at is None or not command.late:
        return None
    if coup.over:  # what happened after its first card is about the next one
        ended = coup.first_card_at is not None and command.at < coup.first_card_at
    else:
        ended = coup.phase != "betting"
    return command.at if ended else None
