"""A shoe, from loaded to counted."""

from domain.aggregates.commission import require_settled
from domain.aggregates.deck import Deck
from domain.aggregates.seats import chair
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.cards import card
from domain.rules.order import Order
from domain.rules.refusals import BadValue, NotFound, OrderLost, SeatEmpty, ShoeStepOutOfOrder
from domain.rules.wording import Words
from ops.commands import shoe as commands
from ops.handlers.carried import deal_carried
from ops.handlers.coup import stated_card
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.next_coup import begin_dummy
from ops.handlers.over_coups import leave_unused


@handles(commands.ShoeLoad)
def load(desk: Desk, command: commands.ShoeLoad) -> None:
    """Brings a new shoe to the table, and records its decks."""
    day = desk.table_day(command.table)
    address = day.next_shoe()
    shoe = Shoe.load(
        address,
        day.rules,
        at=desk.casino.moment,
        decks=command.decks,
        serials=command.serials,
        colour=command.colour or "",
        batch=command.batch or "",
    )
    decks = _unused(desk, address, command)
    day.bring_shoe()
    desk.casino.make(shoe)
    for each in decks:
        desk.casino.make(each)


def _unused(desk: Desk, shoe: addresses.Shoe, command: commands.ShoeLoad) -> list[Deck]:
    """The decks and the batch of a new shoe, none of which was used before.

    Refuses: SerialReused.
    """
    batch = [("batch", command.batch)] if command.batch else []
    serials = [*(("deck", serial) for serial in command.serials), *batch]
    used = [desk.casino.find(Deck, Deck.stream(*each)) for each in serials]
    refusals = [each.refuse_reuse(shoe) for each in used if each]
    if refusals:
        raise refusals[0]
    return [Deck.load(*each, shoe, desk.casino.moment) for each in serials]


@handles(commands.ShoeInspect)
def inspect(desk: Desk, command: commands.ShoeInspect) -> None:
    """Records that the cards are complete and in order; a sealed batch takes two people."""
    shoe = desk.shoe(desk.table_day(command.table))
    shoe.inspect(command.verified_by or "", by=desk.casino.actor)


@handles(commands.ShoeShuffle)
def shuffle(desk: Desk, command: commands.ShoeShuffle) -> None:
    """Records the shuffle; a generated shoe's card order is made and encrypted here."""
    shoe = desk.shoe(desk.table_day(command.table))
    sealed = desk.orders.make(shoe) if command.method == "generated" else ("", "")
    shoe.shuffle(command.method, command.device or "", *sealed)


@handles(commands.ShoeCut)
def cut(desk: Desk, command: commands.ShoeCut) -> None:
    """Records who cut the shoe, and the place of the cut card."""
    day = desk.table_day(command.table)
    desk.shoe(day).cut(_person(desk, day, command), command.cut_card)


@handles(commands.ShoeBurn)
def burn(desk: Desk, command: commands.ShoeBurn) -> None:
    """Burns the first cards, the last step before the first coup; or one between two coups."""
    shoe = desk.shoe(desk.table_day(command.table))
    if shoe.ready and shoe.rules.burn_between != "none" and command.card:
        raise BadValue(
            field="card", value=command.card, why="a card is burned face down between coups"
        )
    between = shoe.ready and shoe.rules.burn_between != "none" and command.card is None
    if between or command.left_out:
        coup = desk.coup(shoe)
        if coup and coup.cards and not coup.over:
            raise ShoeStepOutOfOrder(
                rule="R-SHOE-6",
                message=Words(
                    "Coup {coup} is in play. A card is burned when it is over.", coup=coup.address
                ),
            )
        shoe.burn_between(left_out=command.left_out)
        if coup and not coup.over and coup.phase == "dealing":
            deal_carried(shoe, coup)
    else:
        shoe.burn(stated_card(desk, shoe, command))


@handles(commands.ShoePass)
def pass_shoe(desk: Desk, command: commands.ShoePass) -> None:
    """Passes the shoe to a seat, or to the dealer."""
    day = desk.table_day(command.table)
    desk.shoe(day).pass_to(_person(desk, day, command))


@handles(commands.ShoeCutCard)
def show_cut_card(desk: Desk, command: commands.ShoeCutCard) -> None:
    """Records that the cut card shows."""
    desk.shoe(desk.table_day(command.table)).show_cut_card(confirmed=command.confirmed)


@handles(commands.ShoeMisdraw)
def misdraw(desk: Desk, command: commands.ShoeMisdraw) -> None:
    """Disposes of a card that came when none was due.

    If it calls for a dummy coup, that begins at once, or when the coup in play is settled.
    """
    day = desk.table_day(command.table)
    shoe = desk.shoe(day)
    coup = desk.coup(shoe)
    if coup:
        coup.require_no_card_due()
    shoe.misdraw(card(command.card), command.disposition)
    begin_dummy(desk, day, shoe)


@handles(commands.ShoeDiscard)
def discard(desk: Desk, command: commands.ShoeDiscard) -> None:
    """Discards a card; a foreign one makes the coup in play irregular."""
    shoe = desk.shoe(desk.table_day(command.table))
    coup = desk.coup(shoe)
    shoe.discard(card(command.card), command.reason)
    if coup and command.reason == "foreign":
        coup.mark_irregular("foreign-card")


@handles(commands.ShoeEnd)
def end(desk: Desk, command: commands.ShoeEnd) -> None:
    """Ends a shoe, and reveals a generated one's order.

    A coup that was opened and has neither a bet nor a card ends unused.
    Refused while a coup is in play or commission is owed.
    """
    day = desk.table_day(command.table)
    shoe = desk.shoe(day)
    leave_unused(desk, shoe, "shoe-ended")
    require_settled(desk.stays.accounts(day))
    second = desk.second(command)
    if second and not shoe.cut_card_shown:
        desk.require_two(Words("Ending a shoe before its cut card shows"), command)
    order = _order_of(desk, shoe, may_be_lost=bool(command.reason and second))
    shoe.end(reason=command.reason or "", second=second)
    if order:
        shoe.reveal(order.cards, order.secret.hex())
        desk.orders.throw_away(shoe)
    elif shoe.commitment:
        shoe.leave_unrevealed()
    day.take_shoe_off()


def _order_of(desk: Desk, shoe: Shoe, *, may_be_lost: bool) -> Order | None:
    """The order of a generated shoe; None of another shoe, or of a lost order that may be lost.

    Refuses: OrderLost.
    """
    try:
        return desk.orders.of(shoe) if shoe.commitment else None
    except OrderLost:
        if not may_be_lost:
            raise
        return None  # the encrypted order stays stored, in case the pepper turns up again


@handles(commands.ShoeReconcile)
def reconcile(desk: Desk, command: commands.ShoeReconcile) -> None:
    """Counts the cards left in the named shoe, or in the last one that ended and is not counted.

    The table may be closed. Refuses: BadValue, NotFound.
    """
    shoe = _to_count(desk, command, "ended")
    remaining, cards, burned = _as_counted(command)
    shoe.reconcile(remaining, cards, burned, confirmed=command.confirmed)


@handles(commands.ShoeRecount)
def recount(desk: Desk, command: commands.ShoeRecount) -> None:
    """Counts the cards left in a shoe again, by two people. Refuses: BadValue, NotFound."""
    signed = desk.signed(Words("Counting a shoe again"), command, command.reason)
    shoe = _to_count(desk, command, "reconciled")
    shoe.recount(*_as_counted(command), signed)


def _as_counted(
    command: commands.ShoeReconcile | commands.ShoeRecount,
) -> tuple[int, list[str], list[str]]:
    """How many cards are left, which, and which were burned face down."""
    remaining = command.remaining
    cards = [] if isinstance(remaining, int) else [card(each) for each in remaining]
    count = remaining if isinstance(remaining, int) else len(cards)
    return count, cards, [card(each) for each in command.burned]


def _to_count(
    desk: Desk, command: commands.ShoeReconcile | commands.ShoeRecount, step: str
) -> Shoe:
    """The named shoe, else the table's last one at this step. Refuses: BadValue, NotFound."""
    if command.shoe:
        address = addresses.Shoe.parse(command.shoe)
        if address.table_day.table != command.table:
            raise BadValue(
                message=Words(
                    "{shoe} is no shoe of {table}. Name one of its own.",
                    shoe=address,
                    table=command.table,
                )
            )
        shoe = desk.casino.find(Shoe, Shoe.stream(address))
    else:
        shoe = _last_at(desk, desk.last_table_day(command.table), step)
    if shoe is None:
        raise NotFound(
            message=Words("There is no shoe {shoe}.", shoe=command.shoe)
            if command.shoe
            else Words("{table} has no shoe to reconcile.", table=command.table)
        )
    return shoe


def _last_at(desk: Desk, day: TableDay, step: str) -> Shoe | None:
    """The day's last shoe at this step; else the day's last, or None."""
    shoes = [desk.casino.find(Shoe, Shoe.stream(each)) for each in reversed(day.shoes_dealt)]
    at_it = (shoe for shoe in shoes if shoe and shoe.step == step)
    return next(at_it, shoes[0] if shoes else None)


def _person(desk: Desk, day: TableDay, command: commands.ShoeCut | commands.ShoePass) -> str:
    """The seat or the number of staff that the command names, else whoever gives it."""
    if command.seat is not None and command.staff is not None:
        raise BadValue(message=Words("Both a seat and a staff number are named. Name one of them."))
    if command.seat is not None:
        if command.seat not in day.seats:
            raise SeatEmpty(
                message=Words(
                    "Nobody sits at seat {seat}. Name a seat that is taken, or none: then it is "
                    "the dealer.",
                    seat=command.seat,
                )
            )
        return chair(command.seat)
    return command.staff or desk.casino.actor or "dealer"
