"""A table in words: everything that its screen shows, a line for each thing."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.events.slip_book import Slip
from domain.rules.cards import symbol
from domain.rules.wording import Amount
from ops.now.coupons_now import CouponNow
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import (
    TAKEN,
    CoupNow,
    HandNow,
    SeatNow,
    TableNow,
)
from ops.now.tray_now import TrayNow
from ops.now.wagers_now import WagerNow
from ops.terminal.dealer.due import SHOE_LINES, task
from ops.terminal.dealer.phrases import sentence
from ops.words import show
from ops.words.language import N_, _, amount, shown
from ops.words.show import spot_called


def due_words(now: TableNow) -> str:
    """What the table must do next, in one line, for whoever has just read what happened."""
    due = task(now)
    results = now.due is not None and now.due.action == "settle" and now.coup and now.coup.outcome
    headline = _("Settle") if results else due.headline.capitalize()
    why = () if _is_known(now) else due.why
    words = (*why, *due.notes, *due.near)
    if not now.due:
        return " ".join((sentence(headline), *words))
    next_act = _("Next: {act} ({rule}).", act=headline, rule=due.rule)
    return " ".join((next_act, *words))


def _is_known(now: TableNow) -> bool:
    """Whether the line before tells why already: how the coup ended, how far the shoe is."""
    due, over = now.due, bool(now.coup and now.coup.over)
    return due is not None and (due.action in SHOE_LINES or (due.action == "bet" and over))


def table_lines(now: TableNow) -> Iterator[str]:
    """The whole table, what is due last; in training the course says what is due."""
    if now.rules is None or now.closed:
        yield f"{now.table}: {due_words(now)}"
        return
    least, most = (Amount(limit, now.currency) for limit in now.limits["main"])
    yield _(
        "{table}, {rules}, {currency} {least} to {most}.",
        table=now.table,
        rules=now.rules.name,
        currency=now.currency,
        least=least,
        most=most,
    )
    yield _(
        "Dealer {dealer}, supervisor {supervisor}.",
        dealer=now.dealer or _("not named"),
        supervisor=now.supervisor or _("not named"),
    )
    yield from tray_lines(now)
    yield _shoe_line(now)
    for spot, inside in now.meters.items():
        of_spot = shown(show.spot_called(spot))
        yield _(
            "In the meter of {spot}: {amount}.", spot=of_spot, amount=Amount(inside, now.currency)
        )
    for seat in now.seats:
        yield _seat_line(seat, now.currency)
    if now.coup:
        yield from _coup_lines(now.coup)
    for serial, slip in now.slips.items():
        yield slip_step_words(serial, slip, now.currency)
    for case in now.held_by:
        yield _("{case} holds the table: no further coup.", case=case)
    if now.asked is None:
        yield due_words(now)


def tray_words(tray: TrayNow, currency: str) -> str:
    """What the tray should hold, in a few words for the head of a screen."""
    words = N_("tray {amount}")
    if tray.below_zero:
        words = N_("tray {amount}, below zero")
    elif tray.needs_fill:
        words = N_("tray {amount}, fill needed")
    return _(words, amount=show.chips(tray.holds, currency))


def tray_lines(now: TableNow) -> Iterator[str]:
    """What the tray should hold by the record, and what to do about it."""
    if now.tray is None:
        return
    words = N_("The tray should hold {amount}.")
    if now.tray.below_zero:
        words = N_(
            "The tray should hold {amount}, less than nothing. Count it, and call the supervisor."
        )
    elif now.tray.needs_fill:
        words = N_(
            "The tray should hold {amount}. A fill is needed: below {floor}, or few chips of a "
            "denomination are left."
        )
    holds, floor = (Amount(each, now.currency) for each in (now.tray.holds, now.tray.floor))
    yield _(words, amount=holds, floor=floor)


def tray_answer(now: TableNow) -> tuple[str, ...]:
    """The answer to whoever asks what the tray should hold."""
    unseen = _("The table is closed.") if now.closed else _("Sign on to see the tray.")
    return tuple(tray_lines(now)) or (unseen,)


_STEPS = {
    ("fill", "requested"): N_("Fill {slip} of {amount} is requested by {who}."),
    ("fill", "issued"): N_("Fill {slip} of {amount} is issued by {who}."),
    ("fill", "carried"): N_(
        "Fill {slip} of {amount} is carried by {who}: count it, then `slip receive`."
    ),
    ("credit", "requested"): N_("Credit {slip} of {amount} is requested by {who}."),
    ("credit", "issued"): N_("Credit {slip} of {amount} is issued by {who}."),
    ("credit", "carried"): N_(
        "Credit {slip} of {amount} is carried by {who}: count it, then `slip receive`."
    ),
}


def slip_step_words(serial: str, slip: Slip, currency: str) -> str:
    """How far a fill or a credit is, and what the table does with it when it is there."""
    return _(
        _STEPS[slip.kind, slip.step],
        slip=serial,
        amount=Amount(slip.worth, currency),
        who=slip.people.get(slip.step) or _("somebody not named"),
    )


def _shoe_line(now: TableNow) -> str:
    shoe = now.shoe
    if shoe is None:
        return _("No shoe is on the table.")
    words = {"shoe": shoe.number, "cards": shoe.cards_left, "cut": _cut_words(shoe)}
    if now.coup is None:
        return _("Shoe {shoe}, {cards} cards left, {cut}.", **words)
    return _("Shoe {shoe}, coup {coup}, {cards} cards left, {cut}.", coup=now.coup.number, **words)


def _cut_words(shoe: ShoeNow) -> str:
    if shoe.to_cut_card is None:
        return _("the cut card shows")
    return _("{cards} to the cut card", cards=shoe.to_cut_card)


def _wager_words(wager: WagerNow, currency: str) -> str:
    """A bet, and how one on several coups is doing: `Streak 25.00 (2 of 3 won, goes on)`."""
    bet = f"{shown(show.spot_called(wager.spot))} {amount(wager.stake, currency)}"
    if wager.score is None:
        return bet
    won, counted = wager.score.won, wager.score.counted
    doing = N_("{won} of {counted} won, goes on") if wager.goes_on else N_("{won} of {counted} won")
    return f"{bet} ({_(doing, won=won, counted=counted)})"


def _seat_line(seat: SeatNow, currency: str) -> str:
    """A seat in one line: `Seat 3 P-101: Banker 100.00; paid 195.00; owes 5.00.`."""
    wagers = ", ".join(_wager_words(each, currency) for each in seat.wagers)
    parts = [wagers] if wagers else []
    if seat.coupon:
        parts.append(_coupon_words(seat.coupon, currency))
    parts = parts or [_("no bet")]
    if seat.by_meter:
        parts.append(_("wins of the meter: settle the coup"))
    settles = seat.coupon or any(each.payment for each in seat.wagers)
    if seat.paid is not None and settles:
        parts.append(_("paid {amount}", amount=Amount(seat.paid, currency)))
    if seat.back:
        back = Amount(abs(seat.back), currency)
        gets, gives = N_("gets {amount} back"), N_("gives {amount} back")
        parts.append(_(gets if seat.back > 0 else gives, amount=back))
    if seat.owed and seat.seat == seat.owes_at:
        parts.append(_("owes {amount}", amount=Amount(seat.owed, currency)))
    if seat.as_it_wins:
        parts.append(_("pays commission at each win"))
    return _(
        "Seat {seat} {patron}: {what}.",
        seat=seat.seat,
        patron=patron_words(seat.patron),
        what="; ".join(parts),
    )


def _coupon_words(coupon: CouponNow, currency: str) -> str:
    """A coupon at a seat: `coupon MP-1001 of 25.00 on Banker`."""
    return _(
        "coupon {coupon} of {worth} on {spot}",
        coupon=coupon.coupon,
        worth=Amount(coupon.worth, currency),
        spot=shown(show.spot_called(coupon.spot)),
    )


def patron_words(patron: str) -> str:
    """A patron's name; where names are not shown, that the seat is taken."""
    return _("taken") if patron == TAKEN else patron


def _coup_lines(coup: CoupNow) -> Iterator[str]:
    if coup.player.cards:
        yield _(
            "Player {player}. Banker {banker}.",
            player=_hand(coup.player),
            banker=_hand(coup.banker),
        )
    if coup.outcome:
        totals = coup.player.total or 0, coup.banker.total or 0
        result = shown(show.outcome_words(coup.outcome, *totals))
        yield sentence(result)
    if coup.phase == "voided":
        yield _("The coup is void.")


def _hand(hand: HandNow) -> str:
    cards = " ".join(symbol(card) if card else _("face down") for card in hand.cards)
    return f"{cards or _('no card')}{'' if hand.total is None else f', {hand.total}'}"


def unsettled_words(line: Mapping[str, Any], answer: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning, when a card that was to settle its coup left it unfinished; else nothing."""
    due = answer["due"]
    drawn = due is not None and due["action"] == "draw"
    if not line.get("settle") or not drawn:
        return ()
    words = _(_CARD_DUE[due["hand"]], rule=due["rule"])
    return (f"! {words}",)


def replaced_words(line: Mapping[str, Any], before: TableNow) -> tuple[str, ...]:
    """A note for each bet that replaces one that was on the same spot before the line."""
    if before.coup is None or before.coup.over:
        return ()
    notes = []
    for laid in line.get("wagers") or ([line] if line["command"] == "bet" else []):
        seat = before.seat(laid["seat"])
        replaced = seat.wager(laid["spot"]) if seat else None
        if replaced:
            notes.append(
                _(
                    "Seat {seat}: this replaces {amount} on {spot}.",
                    seat=laid["seat"],
                    amount=Amount(replaced.stake, before.currency),
                    spot=spot_called(laid["spot"]),
                )
            )
    return tuple(notes)


def owed_words(now: TableNow) -> tuple[str, ...]:
    """Who owes what: the answer to `c`."""
    owing = [
        _(
            "Seat {seat} {patron} owes {amount}.",
            seat=seat.seat,
            patron=seat.patron,
            amount=Amount(seat.owed, now.currency),
        )
        for seat in now.owing
    ]
    owing += [
        _(
            "{patron}, who has left, owes {amount}.",
            patron=patron,
            amount=Amount(owed, now.currency),
        )
        for patron, owed in now.left_owing.items()
    ]
    return tuple(owing) or (_("Nobody here owes commission."),)


_CARD_DUE = {
    "player": N_("Not settled: a card for Player is due ({rule})."),
    "banker": N_("Not settled: a card for Banker is due ({rule})."),
}
