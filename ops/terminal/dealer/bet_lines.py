"""Bets that a dealer typed, and bets as in the last coup, as a line of the feed."""

from domain.rules.wording import N_, Words
from ops.commands.read import Line
from ops.now.table_now import SeatNow, TableNow
from ops.terminal.dealer.typed_here import minor_units, seat_at
from ops.typed.acts import Act, Bets, NotUnderstood


def bet_line(act: Bets, now: TableNow) -> Line:
    """The line of bets that were typed. Raises NotUnderstood."""
    if act.repeats:
        _require_settled(act, now)
    laid = {**_repeated(act, now), **_laid(act, now)}
    wagers = [
        {"seat": seat, "spot": spot, "amount": amount} for (seat, spot), amount in laid.items()
    ]
    if len(wagers) == 1:
        return {"command": "bet", "table": now.table, **wagers[0]}
    return {"command": "bets", "table": now.table, "wagers": wagers}


def _require_settled(act: Bets, now: TableNow) -> None:
    """Bets are repeated in the next coup only. Raises NotUnderstood while one is in play."""
    if now.coup is None or now.coup.over or now.coup.phase == "betting":
        return
    if now.coup.only_to_void:
        first = N_("Coup {coup} is not settled. Void it first: `void REASON`, with a supervisor.")
    elif now.coup.phase == "resulted" and not now.asked:
        first = N_("Coup {coup} is not settled. Type `s` first.")
    else:
        first = N_("Coup {coup} is not settled. Type its cards, then `s`.")
    raise NotUnderstood(act.words, Words(first, coup=now.coup.number))


def _laid(act: Bets, now: TableNow) -> dict[tuple[int, str], int]:
    """The bets of the groups. At a table with a Panda 8, `p8500` may be 500 on it."""
    laid = {}
    for seat, wager in act.wagers:
        if wager.glued in now.spots:
            raise NotUnderstood(act.words, wager.doubt)
        laid[seat, wager.spot] = minor_units(act, wager.amount, now)
    return laid


def _repeated(act: Bets, now: TableNow) -> dict[tuple[int, str], int]:
    """The last bets of the seats that are named; with a bare `=` also those of all others.

    Others are those who bet in the last coup, and have no bet in this one.
    """
    named = {*act.same, *(seat for seat, _ in act.wagers)}
    playing = now.coup is not None and not now.coup.over
    others = [
        seat
        for seat in now.seats
        if act.everybody
        and seat.in_last_coup
        and seat.seat not in named
        and not (playing and any(each.score is None for each in seat.wagers))
    ]
    same = [_who_bet(act, seat, now) for seat in act.same]
    laid = {(each.seat, spot): stake for each in (*same, *others) for spot, stake in each.last}
    if not laid and not act.groups:
        raise NotUnderstood(act.words, _why_nothing_is_repeated(now, playing=playing))
    return laid


def _why_nothing_is_repeated(now: TableNow, *, playing: bool) -> Words:
    if playing and any(seat.in_last_coup for seat in now.seats):
        return Words(
            "Everybody who bet in the last coup has bet already. Type `n`, or the first card."
        )
    return Words("Nobody here bet in the last coup. Type seat, spot and amount: `3 b 500`.")


def _who_bet(act: Act, number: int, now: TableNow) -> SeatNow:
    seat = seat_at(act, number, now)
    if not seat.last:
        why = Words(
            "Seat {seat} {patron} has no earlier bet in this shoe.",
            seat=number,
            patron=seat.patron,
        )
        raise NotUnderstood(act.words, why)
    return seat
