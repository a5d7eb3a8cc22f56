"""The text of the second person's question: what a line would change, as the table shows it."""

from collections.abc import Callable, Mapping

from domain.rules.wording import Amount
from ops.terminal.dealer.feed_lines import Line
from ops.terminal.dealer.table_now import CoupNow, TableNow, WagerNow
from ops.words.language import N_, _, shown
from ops.words.show import chips_words, outcome_words, slip_words, spot_called
from ops.words.terms import card_called


def in_question(line: Line, now: TableNow) -> str:
    """What a line would change, for whoever signs; '' where the line itself says everything."""
    words = _QUESTIONS.get(line["command"])
    return words(line, now) if words else ""


def _voided(line: Line, now: TableNow) -> str:
    coup = _on_the_table(line["coup"], now)
    if coup is None:
        return _("Coup {coup} will be void.", coup=line["coup"])
    wagers = [each for seat in now.seats for each in seat.wagers]
    staked = _amount(sum(each.stake for each in wagers), now)
    if coup.phase != "settled":
        return _("{coup}: {staked} in bets will be returned.", coup=_called(coup), staked=staked)
    paid = _amount(sum(each.payment.paid for each in wagers if each.payment), now)
    return _(
        "{coup}: {staked} was bet and {paid} paid. The coup will be void.",
        coup=_called(coup),
        staked=staked,
        paid=paid,
    )


def _corrected(line: Line, now: TableNow) -> str:
    coup = _on_the_table(line["coup"], now)
    seat = now.seat(line["seat"])
    wager = seat.wager(line["spot"]) if coup and seat else None
    values: dict[str, object] = {
        "coup": _called(coup) if coup else _("Coup {coup}", coup=line["coup"]),
        "seat": line["seat"],
        "spot": spot_called(line["spot"]),
    }
    if wager is None:
        before = _("{coup}: seat {seat}, {spot}.", **values)
    else:
        values["stake"] = _amount(wager.stake, now)
        before = _(_PAID[_result(wager)], **values, **_paid(wager, now))
    return f"{before} {_paid_then(line, now)}"


def _card_corrected(line: Line, now: TableNow) -> str:
    coup = _on_the_table(line["coup"], now)
    return _(
        "{coup}: card {n} was {card}. What follows from it is paid anew.",
        coup=_called(coup) if coup else _("Coup {coup}", coup=line["coup"]),
        n=line["n"],
        card=card_called(line["card"]),
    )


_PAID = {
    "": N_("{coup}: seat {seat} has {stake} on {spot}, not paid yet."),
    "win": N_("{coup}: seat {seat} had {stake} on {spot}, won, and was paid {paid}."),
    "lose": N_("{coup}: seat {seat} had {stake} on {spot}, lost, and was paid {paid}."),
    "push": N_("{coup}: seat {seat} had {stake} on {spot}, a push, and was paid {paid}."),
}


def _result(wager: WagerNow) -> str:
    return wager.payment.result if wager.payment else ""


def _paid(wager: WagerNow, now: TableNow) -> dict[str, object]:
    return {"paid": _amount(wager.payment.paid, now)} if wager.payment else {}


def _paid_then(line: Line, now: TableNow) -> str:
    """What the wager will be paid; an amount includes the stake."""
    if "to" in line:
        return _(
            "It will be paid {amount} in all, stake included.", amount=_amount(line["to"], now)
        )
    if "as" in line:
        return _("It will be paid as a bet on {spot}.", spot=spot_called(line["as"]))
    return _("It will be paid what the cards say.")


def _written_off(line: Line, now: TableNow) -> str:
    name, who = ("seat", line["seat"]) if "seat" in line else ("patron", line["patron"])
    seats = [seat for seat in now.seats if getattr(seat, name) == who]
    waived = line["command"] == "commission.waive"
    part = _amount(line["amount"], now) if "amount" in line else _("All of it")
    if waived:
        then = _("{part} will be waived.", part=part)
    else:
        then = _("{part} will be written off: the patron left without paying.", part=part)
    if not seats:
        return then
    owes = _("{patron} owes {amount}.", patron=seats[0].patron, amount=_amount(seats[0].owed, now))
    return f"{owes} {then}"


def _limited(line: Line, now: TableNow) -> str:
    spot = line.get("spot", "main")
    if "minimum" not in line or "maximum" not in line:
        return ""
    values: dict[str, object] = {
        "spot": _("Player and Banker") if spot == "main" else spot_called(spot),
        "least": _amount(line["minimum"], now),
        "most": _amount(line["maximum"], now),
    }
    if spot not in now.limits:
        return _("Limits of {spot}: {least} to {most} from the next coup on.", **values)
    least, most = (_amount(each, now) for each in now.limits[spot])
    return _(
        "Limits of {spot}: {least} to {most} from the next coup on; now {least_now} to {most_now}.",
        **values,
        least_now=least,
        most_now=most,
    )


def _requested(line: Line, now: TableNow) -> str:
    template = _REQUESTED[line["kind"]]
    worth = _amount(sum(int(each) * count for each, count in line["chips"].items()), now)
    return _(template, amount=worth, chips=chips_words(line["chips"], now.currency))


_REQUESTED = {
    "fill": N_("A fill of {amount} will be requested from the cage: {chips}."),
    "credit": N_("A credit of {amount} to the cage will be requested: {chips}."),
}


def _on_slip(line: Line, now: TableNow) -> str:
    """The chips to count, and who issued and carried them."""
    slip = now.slips.get(line["slip"])
    if slip is None:
        return _("Slip {slip} is not under way at this table.", slip=line["slip"])
    words = shown(slip_words(line["slip"], slip, now.currency))
    if line["command"] == "slip.receive":
        return f"{words} {_('It will be received.')}"
    return f"{words} {_('It will be void.')}"


def _on_the_table(address: str, now: TableNow) -> CoupNow | None:
    return now.coup if now.coup and now.coup.address == address else None


def _called(coup: CoupNow) -> str:
    """A coup by its number, with its outcome."""
    if coup.outcome is None:
        return _("Coup {coup}", coup=coup.number)
    totals = coup.player.total or 0, coup.banker.total or 0
    result = outcome_words(coup.outcome, *totals)
    return _("Coup {coup}, {result}", coup=coup.number, result=result)


def _amount(amount: int, now: TableNow) -> Amount:
    return Amount(amount, now.currency)


_QUESTIONS: Mapping[str, Callable[[Line, TableNow], str]] = {
    "void": _voided,
    "correct": _corrected,
    "coup.correct-card": _card_corrected,
    "commission.waive": _written_off,
    "commission.walked": _written_off,
    "table.limits": _limited,
    "slip.request": _requested,
    "slip.receive": _on_slip,
    "slip.void": _on_slip,
}
