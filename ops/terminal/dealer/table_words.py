"""A table in words: everything that its screen shows, a line for each thing."""

from collections.abc import Iterator

from domain.events.slip_book import Slip
from domain.rules.cards import symbol
from domain.rules.money import major
from ops.terminal.dealer.due import SHOE_LINES, told
from ops.terminal.dealer.table_now import CoupNow, HandNow, SeatNow, TableNow
from ops.words import show


def due_words(now: TableNow) -> str:
    """What the table must do next, in one line, behind what told how far it is."""
    due = told(now)
    rule = f" ({due.rule})" if due.rule else ""
    results = now.due is not None and now.due.action == "settle" and now.coup and now.coup.outcome
    headline = "Settle" if results else due.headline.capitalize()
    why = () if _is_told(now) else due.why
    said = " ".join((f"{headline}{rule}.", *why, *due.notes, *due.near))
    return f"Next: {said}" if now.due else said


def _is_told(now: TableNow) -> bool:
    """Whether why it is due was told already: how the coup ended, how far the shoe is."""
    due, over = now.due, bool(now.coup and now.coup.over)
    return due is not None and (due.action in SHOE_LINES or (due.action == "bet" and over))


def table_lines(now: TableNow) -> Iterator[str]:
    """The whole table, what is due last; what a trainee is asked, the course tells."""
    if now.rules is None or now.closed:
        yield f"{now.table}: {due_words(now)}"
        return
    least, most = (major(limit, now.currency) for limit in now.limits["main"])
    yield f"{now.table}, {now.rules.name}, {now.currency} {least} to {most}."
    yield f"Dealer {now.dealer or 'unknown'}, supervisor {now.supervisor or 'unknown'}."
    yield from _shoe_lines(now)
    for seat in now.seats:
        yield _seat_line(seat, now.currency)
    if now.coup:
        yield from _coup_lines(now.coup)
    for serial, slip in now.slips.items():
        yield slip_step_words(serial, slip, now.currency)
    for case in now.held_by:
        yield f"{case} holds the table: no further coup."
    if now.asked is None:
        yield due_words(now)


def slip_step_words(serial: str, slip: Slip, currency: str) -> str:
    """How far a fill or a credit is, and what the table does with it when it is there."""
    what = f"{slip.kind.title()} {serial} of {major(slip.worth, currency)}"
    who = slip.people.get(slip.step)
    by = f" by {who}" if who else ""
    then = ": count it, then slip receive" if slip.step == "carried" else ""
    return f"{what} is {slip.step}{by}{then}."


def _shoe_lines(now: TableNow) -> Iterator[str]:
    shoe = now.shoe
    if shoe is None:
        yield "No shoe is on the table."
        return
    coup = f", coup {now.coup.number}" if now.coup else ""
    cut = (
        "the cut card shows" if shoe.to_cut_card is None else f"{shoe.to_cut_card} to the cut card"
    )
    yield f"Shoe {shoe.number}{coup}, {shoe.cards_left} cards left, {cut}."


def _seat_line(seat: SeatNow, currency: str) -> str:
    wagers = ", ".join(f"{each.spot} {major(each.stake, currency)}" for each in seat.wagers)
    paid = "" if seat.paid is None else f", paid {major(seat.paid, currency)}"
    owes = f"; owes {major(seat.owed, currency)}" if seat.owed and seat.seat == seat.owes_at else ""
    back = _back(seat, currency)
    pays = "; pays commission as it wins" if seat.as_it_wins else ""
    return f"Seat {seat.seat} {seat.patron}: {wagers or 'no wager'}{paid}{back}{owes}{pays}."


def _back(seat: SeatNow, currency: str) -> str:
    """Of a void coup."""
    if not seat.back:
        return ""
    goes, amount = ("gets", seat.back) if seat.back > 0 else ("gives", -seat.back)
    return f", {goes} {major(amount, currency)} back"


def _coup_lines(coup: CoupNow) -> Iterator[str]:
    if coup.player.cards:
        yield f"Player {_hand(coup.player)}. Banker {_hand(coup.banker)}."
    if coup.outcome:
        yield show.outcome_words(coup.outcome, coup.player.total or 0, coup.banker.total or 0) + "."
    if coup.phase == "voided":
        yield "The coup is void."


def _hand(hand: HandNow) -> str:
    cards = " ".join(symbol(card) if card else "face down" for card in hand.cards)
    return f"{cards or 'no card'}{'' if hand.total is None else f', {hand.total}'}"
