"""A coup, from the first bet to the payment."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from domain.aggregates.corrections import Change
from domain.aggregates.coup import Coup
from domain.aggregates.coup_state import BOTH_HANDS
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.rules.cards import card
from domain.rules.layout import Wager
from domain.rules.refusals import (
    AlreadyOpen,
    BadValue,
    Betting,
    MissingField,
    NotAnIncrement,
    Refusal,
    SeatEmpty,
    SpotNotOffered,
    UnknownSeat,
)
from domain.rules.seating import Stay
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Words
from ops.commands import coup as commands
from ops.commands.command import Command, name_of
from ops.commands.shoe import ShoeBurn
from ops.handlers import forms, progressives
from ops.handlers.carded import require_card_to_bet
from ops.handlers.carried import deal_carried
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.next_coup import begin_dummy, coup_to_bet_on, open_next
from ops.handlers.play_limits import require_may_play

Stated = Mapping[int, int] | None  # what each seat was paid, as its chips were read
# Refusals that are about one wager of several; all others are about the table.
_OF_ONE_WAGER = (Betting, BadValue, SeatEmpty, UnknownSeat)


@handles(commands.CoupOpen)
def open_coup(desk: Desk, command: commands.CoupOpen) -> None:
    """Opens the next coup for bets. Refuses: AlreadyOpen, TableHeld."""
    day = desk.table_in_play(command.table)
    shoe = desk.shoe(day)
    coup = desk.coup(shoe)
    if coup and not coup.over:
        raise AlreadyOpen(what=coup.address, then=Words("finish it first"))
    day.require_not_held()
    open_next(desk, day, shoe)


@handles(commands.Bet)
def bet(desk: Desk, command: commands.Bet) -> None:
    """Places a wager on the coup in play; the first wager opens the next coup."""
    day = desk.table_in_play(command.table)
    _place(desk, day, desk.shoe(day), command, command)


@handles(commands.Bets)
def bets(desk: Desk, command: commands.Bets) -> None:
    """Places wagers one after the other; if one of them is refused, all are.

    When betting is closed, each of them is recorded as a late bet.
    """
    day = desk.table_in_play(command.table)
    _require_each_once(command.wagers)
    place_all(desk, day, command.wagers, command)


def place_all(
    desk: Desk, day: TableDay, wagers: Sequence[commands.Wager], command: Command
) -> None:
    """Places wagers one after the other. Refuses what refuses one of them, for all of them."""
    shoe = desk.shoe(day)
    refused: list[tuple[commands.Wager, Refusal]] = []
    # A bet that is taken only beside another one is placed after it, wherever it stands
    for wager in sorted(wagers, key=lambda each: bool(shoe.rules.terms_of(each.spot).beside)):
        try:
            _place(desk, day, shoe, wager, command)
        except _OF_ONE_WAGER as refusal:
            refused.append((wager, refusal))
    if refused:
        wager, first = next((each for each in refused if each[1].recorded), refused[0])
        first.reword(_of_several(wagers, wager, first))
        raise first


def _place(
    desk: Desk,
    day: TableDay,
    shoe: Shoe,
    wager: commands.Bet | commands.Wager,
    command: Command,
) -> None:
    """Places one wager; a late entry goes to the coup on which the wager really was."""
    placed_at = _placed_at(desk.coup(shoe), wager.spot, command)
    coup, stay = coup_to_bet_on(desk, day, shoe, wager.seat, late=placed_at is not None)
    if not placed_at:
        require_may_play(desk, day, wager.seat, stay.patron)
    leave = "" if coup.over else _leave(desk, coup, wager, stay, command)
    if placed_at:
        if command.second:
            desk.require_two(Words("Entering a wager after the first card"), command)
        progressives.read(desk, coup, wager.spot)
        late = coup.enter_late(
            wager.seat,
            stay,
            wager.spot,
            wager.amount,
            placed_at=placed_at,
            second=desk.second(command),
            by=desk.casino.actor,
        )
        if late:
            follow(desk, coup, late)
    else:
        coup.bet(wager.seat, stay, wager.spot, wager.amount, leave=leave)
    require_card_to_bet(desk, day, coup, wager.seat, stay, past=placed_at is not None)


def _leave(
    desk: Desk, coup: Coup, placed: commands.Bet | commands.Wager, stay: Stay, command: Command
) -> str:
    """Who lets a patron bet on both sides, under any name; '' where nobody has to (R-BET-1).

    Refuses: BothSides, SecondPersonNeeded.
    """
    leave = ""
    for wager in coup.layout.opposite(placed.spot):
        elsewhere = wager.stay != stay.address and desk.names.same(wager.patron, stay.patron)
        if elsewhere or stay.address == wager.stay or placed.seat == wager.seat:
            leave = desk.second(command)
        if elsewhere:
            coup.require_leave(wager, leave)
    if leave and coup.rules.both_sides == "with-leave":
        desk.require_two(Words("Betting on Player and on Banker"), command)
    return leave


@handles(commands.Withdraw)
def withdraw(desk: Desk, command: commands.Withdraw) -> None:
    """Takes back one wager of a seat, or all of them, before the first card."""
    day = desk.table_in_play(command.table)
    coup = desk.coup_in_play(day)
    coup.withdraw(command.seat, day.stay_at(command.seat), command.spot)


@handles(commands.NoMoreBets)
def close_betting(desk: Desk, command: commands.NoMoreBets) -> None:
    """Closes the bets before the first card, or after four, and deals the carried cards."""
    day = desk.table_in_play(command.table)
    coup = desk.coup_in_play(day)
    coup.close_betting()
    deal_carried(desk.shoe(day), coup)


@handles(commands.Draw)
def draw(desk: Desk, command: commands.Draw) -> None:
    """Draws a card from the shoe and deals it to the hand where it is due, saved together.

    Refuses: CardNotDue, CardNotInShoe, MissingField, BetsStillOpen.
    """
    shoe = desk.shoe(desk.table_in_play(command.table))
    shoe.require_ready()
    coup = desk.coup(shoe)
    if coup and not coup.over and not coup.cards:
        shoe.require_burned()
        if coup.phase == "dealing":
            deal_carried(shoe, coup)
    drawn = stated_card(desk, shoe, command)
    undue = None if shoe.commitment else drawn  # an undue card stays in a generated shoe
    if coup is None or coup.over:
        raise shoe.refuse_card(undue, coup_complete=False)
    coup.require_regular()
    if len(coup.cards) in (0, BOTH_HANDS):  # another process may have taken a bet meanwhile
        desk.casino.not_before(coup.last_bet_at or coup.created_on)
    if undue and coup.due:
        shoe.require_in_shoe(undue)  # before the bets are closed by it: it may be a slip
    if coup.phase == "betting":
        coup.take_first_card()
        deal_carried(shoe, coup)
    turns = coup.to_turn is not None
    coup.turn_rest()
    try:
        if coup.due is None:
            raise shoe.refuse_card(undue, coup_complete=True)
        coup.require_second_bets_closed()
    except Refusal as refusal:
        refusal.recorded = refusal.recorded or turns
        raise
    shoe.draw(drawn)
    unseen = bool(shoe.commitment or desk.casino.device or command.face_down)
    coup.deal(drawn, unseen=unseen)
    if command.settle and coup.hands.result and not progressives.needs_two(desk, coup):
        _settle(desk, coup, command)


@handles(commands.Settle)
def settle(desk: Desk, command: commands.Settle) -> None:
    """Pays and takes every wager, and charges the commission of each that owes one."""
    coup = desk.coup_in_play(desk.table_in_play(command.table))
    paid = command.paid
    by_seat = None if paid is None else {int(seat): amount for seat, amount in paid.items()}
    _settle(desk, coup, command, by_seat)


@handles(commands.MoveCard)
def move_card(desk: Desk, command: commands.MoveCard) -> None:
    """Moves a card to the hand where it belongs; it counted there from the beginning."""
    desk.coup_in_play(desk.table_in_play(command.table)).move(command.n, command.hand)


@handles(commands.Reveal)
def reveal(desk: Desk, command: commands.Reveal) -> None:
    """Turns a hand, or one card of it, face up."""
    desk.coup_in_play(desk.table_in_play(command.table)).turn(command.hand, command.n)


def stated_card(desk: Desk, shoe: Shoe, command: commands.Draw | ShoeBurn) -> str:
    """The card on the line, or the next card of a generated shoe. Refuses: MissingField."""
    if command.card is None and shoe.commitment:
        return desk.orders.next_card(shoe)
    if command.card is None:
        raise MissingField(command=name_of(command), field="card")
    stated = card(command.card)
    shoe.require_not_generated(stated)
    return stated


def follow(desk: Desk, coup: Coup, changes: Sequence[Change]) -> None:
    """Corrects each wager's chips and commission, which are settled where the patron is.

    With whoever sits at the table no longer they are left open. The chips for a closed day come
    from the tray of the table's open day. A stake that was only typed wrong moves none: the tray of
    then should have been another one. Nor does what a game account gives back.
    """
    day = desk.day_of(coup)
    moving = [each for each in changes if not _borne_by_account(desk, coup, each)]
    gone = [each for each in moving if each.chips and _is_gone(desk, each.wager)]
    chips = sum(each.chips for each in moving if each not in gone)
    for each in changes:
        progressives.sign_again(desk, coup, each)
        if each.before.commission_due or each.after.commission_due:
            _correct_commission(desk, coup, each)
    for each in gone:
        _leave_open(desk, day, coup, each)
    if day.closed and chips:
        desk.last_table_day(coup.table_day.table).put_coup_right(str(coup.address), chips)
    if coup.over_at and (won := sum(each.won_on_record for each in changes)):
        number = day.session_at(coup.over_at)
        off = day.variances_of(number)
        day.reckon_again(number, desk.house(), off, wagers_won=won, came_at=coup.over_at)


def _is_gone(desk: Desk, wager: Wager) -> bool:
    """Whether the patron of a wager sits at the table no longer."""
    return desk.account_now(desk.stays.account(wager.stay)) is None


def _leave_open(desk: Desk, day: TableDay, coup: Coup, change: Change) -> None:
    """Leaves the chips of a wager open with a patron who has left; an open tray keeps them."""
    address = str(coup.address)
    money = desk.stays.begun_open_money(desk.stays.account(change.wager.stay))
    money.leave_open(address, change.wager, -change.chips)
    if not day.closed:
        day.leave_chips_open(address, change.chips)


def _borne_by_account(desk: Desk, coup: Coup, change: Change) -> bool:
    """Whether a game account gives back what was paid too much; the house bears what it lacks."""
    if change.chips >= 0 or not coup.rules.accounts:
        return False
    wager = change.wager
    account = desk.stays.game_account(Stay(wager.patron, wager.stay))
    return account is not None and account.has_decided(str(coup.address), wager.seat, wager.spot)


def _correct_commission(desk: Desk, coup: Coup, change: Change) -> None:
    """Corrects a wager's commission; whoever sits at the table owes it there, or gets it back.

    With anybody else it is left open.
    """
    wager, account = change.wager, desk.stays.account(change.wager.stay)
    before, walked, now = account.balance, account.walked, desk.account_now(account)
    here = now is not None and account.table_day == now.table_day
    account.correct(coup.address, wager, change.before, change.after, here=here)
    forms.adjust(desk, account, walked, coup.address)
    if now is None and account.balance != before:
        account.leave_open(coup.address, wager.seat)
    elif now and not here:
        walked = now.walked
        account.carry_forward(now, str(coup.address.shoe))
        now.set_off(coup.address, wager.seat)
        forms.adjust(desk, now, walked, coup.address)


def settle_by_the_cards(desk: Desk, coup: Coup, command: Command) -> None:
    """Settles a coup of a table that is locked up. Refuses: BadValue."""
    if coup.hands.result is None:
        words = Words("The cards that were drawn decide nothing. Return every stake.")
        raise BadValue(rule="R-IRR-6", message=words)
    coup.turn_rest()
    _settle(desk, coup, command)


def _settle(desk: Desk, coup: Coup, command: Command, stated: Stated = None) -> None:
    day = desk.table_day(coup.table_day.table)
    meters = progressives.standing(desk, coup) if coup.rules.progressives else {}
    for wager, payment in coup.settle(stated, day.as_it_wins, meters):
        progressives.sign(desk, coup, wager, payment, command)
        if payment.commission_due:
            desk.stays.account(wager.stay).accrue(coup.address, wager, payment)
    begin_dummy(desk, day, desk.shoe(day))


def _require_each_once(wagers: list[commands.Wager]) -> None:
    """Refuses two wagers of a seat on one spot: BadValue."""
    places = [(wager.seat, wager.spot) for wager in wagers]
    for seat, spot in places:
        if places.count((seat, spot)) > 1:
            raise BadValue(
                message=Words(
                    "Seat {seat} has two wagers on {spot} in this line. Give one amount.",
                    seat=seat,
                    spot=spot_label(spot),
                )
            )


def _of_several(
    wagers: Sequence[commands.Wager], refused: commands.Wager, refusal: Refusal
) -> Words:
    """The message for one wager among several, with its seat and spot if the refusal has none."""
    alone, named = len(wagers) == 1, not isinstance(refusal, NotAnIncrement | SpotNotOffered)
    if alone and named:
        return refusal.words
    if alone:
        template = N_("Seat {seat} on {spot}: {refusal}")
    elif named:
        template = N_("{refusal} None of the {n} wagers was placed.")
    else:
        template = N_("Seat {seat} on {spot}: {refusal} None of the {n} wagers was placed.")
    return Words(
        template,
        seat=refused.seat,
        spot=spot_label(refused.spot),
        refusal=refusal.words,
        n=len(wagers),
    )


def _placed_at(coup: Coup | None, spot: str, command: Command) -> datetime | None:
    """The moment of a late entry, if betting on the spot is over; None for an ordinary bet."""
    if coup is None or command.at is None or not command.late:
        return None
    if coup.over:  # a moment after its first card belongs to the next coup
        ended = coup.first_card_at is not None and coup.took(spot, command.at)
    else:
        ended = not coup.takes(spot)
    return command.at if ended else None
