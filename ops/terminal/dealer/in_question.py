"""What a second person is asked to sign: what a line would change, as far as the table shows it."""

from collections.abc import Callable, Mapping

from domain.rules.money import major
from ops.terminal.dealer.said import Line
from ops.terminal.dealer.table_now import CoupNow, TableNow, WagerNow
from ops.words.show import chips_words, outcome_words, slip_words, spot_called

_CAME_TO = {"win": "won", "lose": "lost", "push": "was a push"}


def in_question(line: Line, now: TableNow) -> str:
    """In words for whoever signs; '' where the line itself says everything."""
    words = _ASKED.get(line["command"])
    return words(line, now) if words else ""


def _voided(line: Line, now: TableNow) -> str:
    coup = _on_the_table(line["coup"], now)
    if coup is None:
        return f"Coup {line['coup']} would be void."
    wagers = [each for seat in now.seats for each in seat.wagers]
    lie = major(sum(each.stake for each in wagers), now.currency)
    if coup.phase != "settled":
        return f"{_called(coup)}: {lie} lies there. It would be void, and that goes back."
    paid = _said(sum(each.payment.paid for each in wagers if each.payment), now)
    return f"{_called(coup)}: {lie} was staked and {paid} paid. It would be void."


def _corrected(line: Line, now: TableNow) -> str:
    coup = _on_the_table(line["coup"], now)
    seat = now.seat(line["seat"])
    wager = seat.wager(line["spot"]) if coup and seat else None
    then = f"It would be {_as_paid_then(line, now)}."
    if coup is None or wager is None:
        return f"Coup {line['coup']}, seat {line['seat']}, {spot_called(line['spot'])}. {then}"
    lay = f"seat {line['seat']} had {_said(wager.stake, now)} on {spot_called(line['spot'])}"
    return f"{_called(coup)}: {lay}, {_as_paid(wager, now)}. {then}"


def _as_paid(wager: WagerNow, now: TableNow) -> str:
    if wager.payment is None:
        return "which is not paid yet"
    return f"which {_CAME_TO[wager.payment.result]} and was paid {_said(wager.payment.paid, now)}"


def _as_paid_then(line: Line, now: TableNow) -> str:
    """The stake is in it: that is what goes over the table."""
    if "to" in line:
        return f"paid {_said(line['to'], now)} in all, the stake included"
    if "as" in line:
        return f"paid as if it had lain on {spot_called(line['as'])}"
    return "paid as the cards say"


def _let_go(line: Line, now: TableNow) -> str:
    name, who = ("seat", line["seat"]) if "seat" in line else ("patron", line["patron"])
    seats = [seat for seat in now.seats if getattr(seat, name) == who]
    how = "waived" if line["command"] == "commission.waive" else "left unpaid: the patron is gone"
    part = f"{_said(line['amount'], now)} of it" if "amount" in line else "All of it"
    if not seats:
        return f"{part} would be {how}."
    return f"{seats[0].patron} owes {_said(seats[0].owed, now)}. {part} would be {how}."


def _limited(line: Line, now: TableNow) -> str:
    spot = line.get("spot", "main")
    if "minimum" not in line or "maximum" not in line:
        return ""
    new = _span([line["minimum"], line["maximum"]], now)
    before = f" are {_span(now.limits[spot], now)}, and" if spot in now.limits else ""
    return f"The limits of {spot_called(spot)}{before} would be {new}."


def _requested(line: Line, now: TableNow) -> str:
    worth = _said(sum(int(each) * count for each, count in line["chips"].items()), now)
    of = chips_words(line["chips"], now.currency)
    where = "from the cage" if line["kind"] == "fill" else "to the cage"
    return f"A {line['kind']} of {worth} would be requested, {where}: {of}."


def _on_slip(line: Line, now: TableNow) -> str:
    """The chips that are counted now, and through whose hands they came."""
    slip = now.slips.get(line["slip"])
    if slip is None:
        return f"Slip {line['slip']} is not under way at this table."
    then = "received" if line["command"] == "slip.receive" else "void"
    return f"{slip_words(line['slip'], slip, now.currency)} It would be {then}."


def _span(limits: list[int], now: TableNow) -> str:
    least, most = (_said(each, now) for each in limits)
    return f"{least} to {most}"


def _on_the_table(address: str, now: TableNow) -> CoupNow | None:
    return now.coup if now.coup and now.coup.address == address else None


def _called(coup: CoupNow) -> str:
    """By its number, with what it came to."""
    if coup.outcome is None:
        return f"Coup {coup.number}"
    totals = coup.player.total or 0, coup.banker.total or 0
    return f"Coup {coup.number}, {outcome_words(coup.outcome, *totals)}"


def _said(amount: int, now: TableNow) -> str:
    return major(amount, now.currency)


_ASKED: Mapping[str, Callable[[Line, TableNow], str]] = {
    "void": _voided,
    "correct": _corrected,
    "commission.waive": _let_go,
    "commission.walked": _let_go,
    "table.limits": _limited,
    "slip.request": _requested,
    "slip.receive": _on_slip,
    "slip.void": _on_slip,
}
