"""An act that a dealer typed, as lines of the feed, at a table in its present state.

Pure. A line has neither `id` nor `by`; amounts are minor units of the table's money. The ledger
refuses what the table does not allow; here only that is refused of which no line can be made.
"""

from collections.abc import Sequence
from functools import singledispatch

from msgspec.structs import replace

from domain.rules.addresses import Coup
from domain.rules.wording import Words, listed
from ops.commands.read import Line
from ops.commands.vocabulary import COMMANDS
from ops.now.table_now import SeatNow, TableNow
from ops.terminal.dealer.bet_lines import bet_line
from ops.terminal.dealer.spoken_lines import spoken_line
from ops.terminal.dealer.typed_here import coup_in_play, minor_units, seat_at
from ops.typed.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    ColourChange,
    Correct,
    CorrectCard,
    Drawn,
    Help,
    Late,
    LetGo,
    Limits,
    Misdraw,
    NoMoreBets,
    NotUnderstood,
    Objection,
    Reveal,
    Settle,
    SignOff,
    Spoken,
    TakeBack,
    Undo,
    Void,
    WhatTray,
    WhoOwes,
    Yes,
)
from ops.words.language import N_

FIRST_CARDS = 4  # two on each hand
_MISTAKE = N_("`? mistake` shows what can be put right, and how.")
_COMMANDS: dict[type[Act], str] = {
    Void: "void",
    Correct: "correct",
    CorrectCard: "coup.correct-card",
    Limits: "table.limits",
    ColourChange: "table.colour-change",
    Misdraw: "shoe.misdraw",
}


def lines_for(act: Act, now: TableNow) -> list[Line]:
    """The lines of an act, to be sent in order; none for a question, a sign-off or `late`.

    Raises NotUnderstood when no line can be made of it here.
    """
    return _lines(act, now)


def may_ask_who(act: Act) -> bool:
    """Whether somebody may have to type number and PIN after it: a second person, or a relief."""
    match act:
        case SignOff() | Yes():
            return True
        case Spoken(name=name):
            return COMMANDS[name].permission.may_take_two
        case LetGo(how=how):
            return COMMANDS[f"commission.{how}"].permission.may_take_two
    own = _COMMANDS.get(type(act))
    return own is not None and COMMANDS[own].permission.may_take_two


def rest_of(act: Act, left: Sequence[Line]) -> Act:
    """The part of an act that is still to be done, when only these lines are left."""
    match act:
        case Cards():
            return replace(act, cards=act.cards[-len(left) :])
        case Drawn():
            return replace(act, count=len(left))
        case TakeBack() | Collect():
            return replace(act, seats=tuple(line["seat"] for line in left))
    return act


@singledispatch
def _lines(act: Act, now: TableNow) -> list[Line]:
    raise NotImplementedError(act)


@_lines.register(Help)
@_lines.register(Late)
@_lines.register(Objection)
@_lines.register(SignOff)
@_lines.register(WhatTray)
@_lines.register(WhoOwes)
def _asked(
    act: Help | Late | Objection | SignOff | WhatTray | WhoOwes, now: TableNow
) -> list[Line]:
    return []


@_lines.register
def _bets(act: Bets, now: TableNow) -> list[Line]:
    return [bet_line(act, now)]


@_lines.register
def _taken_back(act: TakeBack, now: TableNow) -> list[Line]:
    """A line for each of the seats that has a bet there, or for all if none has."""
    with_some = [
        seat.seat
        for seat in now.seats
        if seat.seat in act.seats and any(act.spot in ("", each.spot) for each in seat.wagers)
    ]
    spot = {"spot": act.spot} if act.spot else {}
    return [
        {"command": "withdraw", "table": now.table, "seat": seat, **spot}
        for seat in with_some or act.seats
    ]


@_lines.register
def _undone(act: Undo, now: TableNow) -> list[Line]:
    """Refused here once cards are out: it would be an incident, and `u` may have meant a card."""
    coup = now.coup
    if coup is None or coup.over or coup.placed_last is None:
        raise NotUnderstood(
            act.words, Words("There is no bet to take back. {help}", help=Words(_MISTAKE))
        )
    seat, spot = coup.placed_last
    if coup.phase != "betting" and spot not in [each.spot for each in coup.offers]:
        why = Words(
            "Betting is closed, and a card cannot be taken back. "
            "`void REASON` voids the coup, with a supervisor."
        )
        raise NotUnderstood(act.words, why)
    return [{"command": "withdraw", "table": now.table, "seat": seat, "spot": spot}]


@_lines.register
def _closed(act: NoMoreBets, now: TableNow) -> list[Line]:
    return [{"command": "no-more-bets", "table": now.table}]


@_lines.register
def _cards(act: Cards, now: TableNow) -> list[Line]:
    lines: list[Line] = [
        {"command": "draw", "table": now.table, "card": card} for card in act.cards
    ]
    return _settled_with(lines, settle=act.settle)


@_lines.register
def _drawn(act: Drawn, now: TableNow) -> list[Line]:
    if now.shoe and not now.shoe.generated:
        why = Words("Only a generated shoe deals its own cards. Type the card: `9h`.")
        raise NotUnderstood(act.words, why)
    lines: list[Line] = [{"command": "draw", "table": now.table} for _ in range(act.count)]
    return _settled_with(lines, settle=act.settle)


def _settled_with(lines: list[Line], *, settle: bool) -> list[Line]:
    if settle:
        lines[-1]["settle"] = True
    return lines


@_lines.register
def _settled(act: Settle, now: TableNow) -> list[Line]:
    if not act.paid:
        return [*_turned_first(now), {"command": "settle", "table": now.table}]
    stated = {seat: minor_units(act, amount, now) for seat, amount in act.paid}
    paid = {str(seat): amount for seat, amount in {**_owed(act, now), **stated}.items()}
    return [{"command": "settle", "table": now.table, "paid": paid}]


def _turned_first(now: TableNow) -> list[Line]:
    """The hands to turn before it is known whether a third card is due."""
    coup = now.coup
    if coup is None or len(coup.player.cards) + len(coup.banker.cards) > FIRST_CARDS:
        return []
    return [{"command": "reveal", "table": now.table, "hand": hand} for hand in coup.face_down]


def _owed(act: Settle, now: TableNow) -> dict[int, int]:
    """What each seat that is not named is to be paid: naming one does not leave others unpaid."""
    turning = now.due is not None and now.due.action == "reveal"
    if now.coup is None or not (now.coup.phase == "resulted" or turning):
        return {}
    named = [seat for seat, _ in act.paid]
    others = {seat.seat: seat.paid for seat in now.seats if seat.wagers and seat.seat not in named}
    if None in others.values():
        why = Words("Turn the cards first. Nobody knows yet what the other seats are owed.")
        raise NotUnderstood(act.words, why)
    return {seat: paid for seat, paid in others.items() if paid is not None}


@_lines.register
def _collected(act: Collect, now: TableNow) -> list[Line]:
    if act.amount:
        who = {"patron": _patron(act.patron, now)} if act.patron else {"seat": act.seats[0]}
        return [_collect(now, **who, amount=minor_units(act, act.amount, now))]
    if act.patron:
        patron = _patron(act.patron, now)
        return [_collect(now, patron=patron, amount=_owed_by(act, patron, now))]
    seats = [_collects_from(act, number, now) for number in act.seats]
    owing = {seat.owes_at: seat for seat in seats if seat.owed}  # a stay on two chairs owes once
    if not owing:
        whose = listed(
            Words("seat {seat} {patron}", seat=seat.seat, patron=seat.patron) for seat in seats
        )
        raise NotUnderstood(act.words, Words("Nothing is owed by {who}.", who=whose))
    return [_collect(now, seat=seat.seat, amount=seat.owed) for seat in owing.values()]


def _collects_from(act: Collect, number: int, now: TableNow) -> SeatNow:
    """The seat; if it is empty, what is typed for somebody who sat there when they paid."""
    if now.seat(number) or (now.rules and number not in now.rules.seats):
        return seat_at(act, number, now)
    why = Words(
        "Nobody sits at seat {seat} now. If somebody did when they paid, type the amount too: "
        "`c {seat} 100`.",
        seat=number,
    )
    raise NotUnderstood(act.words, why)


def _collect(now: TableNow, **fields: object) -> Line:
    return {"command": "commission.collect", "table": now.table, **fields}


def _patron(typed: str, now: TableNow) -> str:
    """The patron's name; of whoever sits here, capitals do not matter."""
    here = [seat.patron for seat in now.seats]
    alike = [patron for patron in here if patron.lower() == typed.lower()]
    return alike[0] if typed not in here and alike else typed


def _owed_by(act: Collect, patron: str, now: TableNow) -> int:
    """All that a patron owes here, in minor units; who has left, too. Raises NotUnderstood."""
    owed = [seat.owed for seat in now.seats if seat.patron == patron]
    if patron in now.left_owing:
        return now.left_owing[patron]
    if not owed:
        why = Words(
            "{patron} has no seat here. Type the amount too: `{line} 100`.",
            patron=patron,
            line=act.words,
        )
        raise NotUnderstood(act.words, why)
    if not owed[0]:
        raise NotUnderstood(act.words, Words("Nothing is owed by {who}.", who=patron))
    return owed[0]


@_lines.register
def _revealed(act: Reveal, now: TableNow) -> list[Line]:
    if now.rules and now.rules.dealing == "face-up":
        why = Words("No card is face down: {rules} deals face up (R-DEAL-3).", rules=now.rules.name)
        raise NotUnderstood(act.words, why)
    n = {"n": act.n} if act.n else {}
    return [{"command": "reveal", "table": now.table, "hand": act.hand, **n}]


@_lines.register
def _voided(act: Void, now: TableNow) -> list[Line]:
    return [{"command": "void", "coup": act.coup or coup_in_play(act, now), "reason": act.reason}]


@_lines.register
def _corrected(act: Correct, now: TableNow) -> list[Line]:
    rightly: Line = {"to": minor_units(act, act.to, now)} if act.to else {}
    rightly |= {"as": act.as_spot} if act.as_spot else {}
    rightly |= {"stake": minor_units(act, act.stake, now)} if act.stake else {}
    coup = act.coup or _paid_coup(act, now)
    wager = {"seat": act.seat, "spot": act.spot}
    return [{"command": "correct", "coup": coup, **wager, "reason": act.reason, **rightly}]


@_lines.register
def _card_corrected(act: CorrectCard, now: TableNow) -> list[Line]:
    coup = act.coup or _paid_coup(act, now)
    after: dict[str, object] = {"after": act.after} if act.after else {}
    if act.then:
        after["then"] = list(act.then)
    line = {"command": "coup.correct-card", "coup": coup, "n": act.n, "card": act.card}
    return [{**line, "reason": act.reason, **after}]


def _paid_coup(act: Act, now: TableNow) -> str:
    """The coup in play or the last one; while bets are open, the one before, which was paid."""
    address = Coup.parse(coup_in_play(act, now))
    before = now.coup is not None and now.coup.phase == "betting" and address.number > 1
    return str(Coup(address.shoe, address.number - 1) if before else address)


@_lines.register
def _let_go(act: LetGo, now: TableNow) -> list[Line]:
    who: Line = {"patron": _patron(act.patron, now)} if act.seat is None else {"seat": act.seat}
    amount = {"amount": minor_units(act, act.amount, now)} if act.amount else {}
    command = f"commission.{act.how}"
    return [{"command": command, "table": now.table, **who, "reason": act.reason, **amount}]


@_lines.register
def _limited(act: Limits, now: TableNow) -> list[Line]:
    limits = {
        "minimum": minor_units(act, act.minimum, now),
        "maximum": minor_units(act, act.maximum, now),
    }
    return [{"command": "table.limits", "table": now.table, "spot": act.spot, **limits}]


@_lines.register
def _misdrawn(act: Misdraw, now: TableNow) -> list[Line]:
    disposition = {"disposition": act.disposition} if act.disposition else {}
    return [{"command": "shoe.misdraw", "table": now.table, "card": act.card, **disposition}]


@_lines.register
def _colour_changed(act: ColourChange, now: TableNow) -> list[Line]:
    taken, given = (
        {str(minor_units(act, chip, now)): count for chip, count in chips}
        for chips in (act.taken, act.given)
    )
    line = {"command": "table.colour-change", "table": now.table}
    return [{**line, "taken": taken, "given": given}]


@_lines.register
def _spoken(act: Spoken, now: TableNow) -> list[Line]:
    return [spoken_line(act, now)]
