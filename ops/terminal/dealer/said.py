"""What a dealer typed, as lines of the feed, at a table as it stands.

Pure. A line has neither `id` nor `by`; amounts are minor units of the table's money. What makes no
sense at the table is the ledger's to refuse; here only that of which no line can be made.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, singledispatch
from typing import Any

import click
from msgspec.structs import fields, replace

from domain.rules.addresses import Coup
from domain.rules.money import LARGEST_AMOUNT, major, minor
from domain.rules.refusals import Refusal
from ops.commands.vocabulary import COMMANDS
from ops.terminal.dealer.prompts import TOPICS
from ops.terminal.dealer.table_now import SeatNow, TableNow
from ops.typed.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    Correct,
    Drawn,
    Help,
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
    WhoOwes,
)
from ops.typed.grammar import parse
from ops.typed.shell import line_of, parameters
from ops.typed.spoken import SHORTEST
from ops.typed.tokens import AMOUNT, SPOT, plain_amount, spot_of

Line = dict[str, Any]

COUP_SLASHES = 3
_MISTAKE = "? mistake tells what can be put right, and how."
_TEXTS = {"patron", "who", "reason", "complaint", "text"}
_COMMANDS: dict[type[Act], str] = {
    Void: "void",
    Correct: "correct",
    Limits: "table.limits",
    Misdraw: "shoe.misdraw",
}
_AMOUNTS = ("amount", "minimum", "maximum", "differential")


def lines_for(act: Act, now: TableNow) -> list[Line]:
    """The lines that an act comes to, to be said in order; none for a question or a sign-off.

    Raises NotUnderstood when no line can be made of it here.
    """
    return _lines(act, now)


def may_ask_who(act: Act) -> bool:
    """Whether somebody may be asked for number and PIN in place once it is said.

    A second person, or whoever deals next.
    """
    match act:
        case SignOff():
            return True
        case Spoken(name=name):
            return COMMANDS[name].permission.may_take_two
        case LetGo(how=how):
            return COMMANDS[f"commission.{how}"].permission.may_take_two
    own = _COMMANDS.get(type(act))
    return own is not None and COMMANDS[own].permission.may_take_two


def rest_of(act: Act, left: Sequence[Line]) -> Act:
    """The act that is still to be done of one of which only these lines are left."""
    match act:
        case Cards():
            return replace(act, cards=act.cards[-len(left) :])
        case Drawn():
            return replace(act, count=len(left))
        case TakeBack() | Collect():
            return replace(act, seats=tuple(line["seat"] for line in left))
    return act


def unsettled_words(line: Line, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """That a card which was to settle its coup left it unfinished; nothing else tells."""
    due = answer["due"]
    drawn = due is not None and due["action"] == "draw"
    if not line.get("settle") or not drawn:
        return ()
    return (f"! Not settled: a card for {due['hand'].title()} is due ({due['rule']}).",)


def replaced_words(line: Line, before: TableNow) -> tuple[str, ...]:
    """That a wager lies in place of one that lay there before the line, and not beside it."""
    if before.coup is None or before.coup.over:
        return ()
    told = []
    for laid in line.get("wagers") or ([line] if line["command"] == "bet" else []):
        seat = before.seat(laid["seat"])
        there = seat.wager(laid["spot"]) if seat else None
        if there:
            amount = major(there.stake, before.currency)
            told.append(f"Seat {laid['seat']}: {laid['spot']} in place of {amount}, not beside it.")
    return tuple(told)


def owed_words(now: TableNow) -> tuple[str, ...]:
    """Who owes what: the answer to `c`."""
    told = [
        f"Seat {seat.seat} {seat.patron} owes {major(seat.owed, now.currency)}."
        for seat in now.owing
    ]
    return tuple(told) or ("Nobody here owes commission.",)


@singledispatch
def _lines(act: Act, now: TableNow) -> list[Line]:
    raise NotImplementedError(act)


@_lines.register(Help)
@_lines.register(Objection)
@_lines.register(SignOff)
@_lines.register(WhoOwes)
def _asked(act: Help | Objection | SignOff | WhoOwes, now: TableNow) -> list[Line]:
    return []


@_lines.register
def _bets(act: Bets, now: TableNow) -> list[Line]:
    if act.repeats:
        _require_settled(act, now)
    laid = {**_repeated(act, now), **_laid(act, now)}
    wagers = [
        {"seat": seat, "spot": spot, "amount": amount} for (seat, spot), amount in laid.items()
    ]
    if len(wagers) == 1:
        return [{"command": "bet", "table": now.table, **wagers[0]}]
    return [{"command": "bets", "table": now.table, "wagers": wagers}]


def _require_settled(act: Bets, now: TableNow) -> None:
    """What lay in the last coup lies again in the next one, which is not there yet."""
    if now.coup is None or now.coup.over or now.coup.phase == "betting":
        return
    if now.coup.only_to_void:
        first = "void it first: void REASON, with a supervisor"
    elif now.coup.phase == "resulted" and not now.asked:
        first = "type s first"
    else:
        first = "settle first: its cards, then s"
    raise NotUnderstood(act.words, f"coup {now.coup.number} is not settled; {first}.")


def _laid(act: Bets, now: TableNow) -> dict[tuple[int, str], int]:
    """What the groups say. At a table with a Panda 8, p8500 may be 500 on it."""
    laid = {}
    for seat, wager in act.wagers:
        if wager.glued in now.spots:
            raise NotUnderstood(act.words, f"{wager.doubt}.")
        laid[seat, wager.spot] = _minor(act, wager.amount, now)
    return laid


def _repeated(act: Bets, now: TableNow) -> dict[tuple[int, str], int]:
    """What seats bet last that are named, and with a bare `=` what all others bet in the last coup.

    Whoever sat that one out, or bets in this coup already, is not one of those others.
    """
    named = {*act.same, *(seat for seat, _ in act.wagers)}
    playing = now.coup is not None and not now.coup.over
    others = [
        seat
        for seat in now.seats
        if act.everybody
        and seat.in_last_coup
        and seat.seat not in named
        and not (playing and seat.wagers)
    ]
    same = [_who_bet(act, seat, now) for seat in act.same]
    laid = {(each.seat, spot): stake for each in (*same, *others) for spot, stake in each.last}
    if not laid and not act.groups:
        raise NotUnderstood(act.words, _why_nothing_is_repeated(now, playing=playing))
    return laid


def _why_nothing_is_repeated(now: TableNow, *, playing: bool) -> str:
    if playing and any(seat.in_last_coup for seat in now.seats):
        return "everybody who bet in the last coup has bet already. Type n, or the first card."
    return "nobody here bet in the last coup; write seat, spot and amount, as in 3 b 500."


def _who_bet(act: Act, number: int, now: TableNow) -> SeatNow:
    seat = _seat(act, number, now)
    if not seat.last:
        why = f"seat {number} {seat.patron} has no earlier bet in this shoe."
        raise NotUnderstood(act.words, why)
    return seat


def _seat(act: Act, number: int, now: TableNow) -> SeatNow:
    seat = now.seat(number)
    if seat is None:
        raise NotUnderstood(act.words, f"nobody sits at seat {number}; seat {number} NAME first.")
    return seat


@_lines.register
def _taken_back(act: TakeBack, now: TableNow) -> list[Line]:
    """Of several seats those that have something there, if any has."""
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
    """A late one would be an incident, and whoever types `u` may have meant a card."""
    coup = now.coup
    if coup is None or coup.over or coup.placed_last is None:
        raise NotUnderstood(act.words, f"no wager lies here that could go back. {_MISTAKE}")
    if coup.phase != "betting":
        why = "betting is closed, and a card cannot be taken back: void REASON voids the coup,"
        raise NotUnderstood(act.words, f"{why} with a supervisor. {_MISTAKE}")
    seat, spot = coup.placed_last
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
        why = "only a generated shoe deals its own cards: type the card, as in 9h."
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
        return [{"command": "settle", "table": now.table}]
    stated = {seat: _minor(act, amount, now) for seat, amount in act.paid}
    paid = {str(seat): amount for seat, amount in {**_owed(act, now), **stated}.items()}
    return [{"command": "settle", "table": now.table, "paid": paid}]


def _owed(act: Settle, now: TableNow) -> dict[int, int]:
    """What each seat is to be paid: to say so of one is not to say that others got nothing."""
    turning = now.due is not None and now.due.action == "reveal"
    if now.coup is None or not (now.coup.phase == "resulted" or turning):
        return {}
    named = [seat for seat, _ in act.paid]
    others = {seat.seat: seat.paid for seat in now.seats if seat.wagers and seat.seat not in named}
    if None in others.values():
        why = "turn the cards first: while they lie face down nobody knows what others are owed."
        raise NotUnderstood(act.words, why)
    return {seat: paid for seat, paid in others.items() if paid is not None}


@_lines.register
def _collected(act: Collect, now: TableNow) -> list[Line]:
    if act.amount:
        who = {"patron": _patron(act.patron, now)} if act.patron else {"seat": act.seats[0]}
        return [_collect(now, **who, amount=_minor(act, act.amount, now))]
    if act.patron:
        patron = _patron(act.patron, now)
        return [_collect(now, patron=patron, amount=_owed_by(act, patron, now))]
    seats = [_seat(act, number, now) for number in act.seats]
    owing = {seat.owes_at: seat for seat in seats if seat.owed}  # a stay on two chairs owes once
    if not owing:
        whose = ", ".join(f"seat {seat.seat} {seat.patron}" for seat in seats)
        raise NotUnderstood(act.words, f"nothing is owed by {whose}.")
    return [_collect(now, seat=seat.seat, amount=seat.owed) for seat in owing.values()]


def _collect(now: TableNow, **fields: object) -> Line:
    return {"command": "commission.collect", "table": now.table, **fields}


def _patron(typed: str, now: TableNow) -> str:
    """Whoever sits here is meant in capitals or not; of anybody else the ledger knows."""
    here = [seat.patron for seat in now.seats]
    alike = [patron for patron in here if patron.lower() == typed.lower()]
    return alike[0] if typed not in here and alike else typed


def _owed_by(act: Collect, patron: str, now: TableNow) -> int:
    """All that a patron owes who sits here; of one who left, the screen tells no more."""
    owed = [seat.owed for seat in now.seats if seat.patron == patron]
    if not owed:
        why = f"{patron} has no seat here; say how much, as in {act.words} 100."
        raise NotUnderstood(act.words, why)
    if not owed[0]:
        raise NotUnderstood(act.words, f"nothing is owed by {patron}.")
    return owed[0]


@_lines.register
def _revealed(act: Reveal, now: TableNow) -> list[Line]:
    if now.rules and now.rules.dealing == "face-up":
        why = f"no card lies face down: {now.rules.name} deals face up (R-DEAL-3)."
        raise NotUnderstood(act.words, why)
    n = {"n": act.n} if act.n else {}
    return [{"command": "reveal", "table": now.table, "hand": act.hand, **n}]


@_lines.register
def _voided(act: Void, now: TableNow) -> list[Line]:
    return [{"command": "void", "coup": act.coup or _coup(act, now), "reason": act.reason}]


@_lines.register
def _corrected(act: Correct, now: TableNow) -> list[Line]:
    rightly: Line = {"to": _minor(act, act.to, now)} if act.to else {}
    rightly |= {"as": act.as_spot} if act.as_spot else {}
    coup = act.coup or _paid_coup(act, now)
    wager = {"seat": act.seat, "spot": act.spot}
    return [{"command": "correct", "coup": coup, **wager, "reason": act.reason, **rightly}]


def _coup(act: Act, now: TableNow) -> str:
    """The coup in play, else the last one."""
    if now.coup is None:
        raise NotUnderstood(
            act.words, "no coup was opened from this shoe; name one by its address."
        )
    return now.coup.address


def _paid_coup(act: Act, now: TableNow) -> str:
    """The coup in play or the last; while it takes bets, nothing was paid but in that before."""
    address = Coup.parse(_coup(act, now))
    before = now.coup is not None and now.coup.phase == "betting" and address.number > 1
    return str(Coup(address.shoe, address.number - 1) if before else address)


@_lines.register
def _let_go(act: LetGo, now: TableNow) -> list[Line]:
    who: Line = {"patron": _patron(act.patron, now)} if act.seat is None else {"seat": act.seat}
    amount = {"amount": _minor(act, act.amount, now)} if act.amount else {}
    command = f"commission.{act.how}"
    return [{"command": command, "table": now.table, **who, "reason": act.reason, **amount}]


@_lines.register
def _limited(act: Limits, now: TableNow) -> list[Line]:
    limits = {"minimum": _minor(act, act.minimum, now), "maximum": _minor(act, act.maximum, now)}
    return [{"command": "table.limits", "table": now.table, "spot": act.spot, **limits}]


@_lines.register
def _misdrawn(act: Misdraw, now: TableNow) -> list[Line]:
    disposition = {"disposition": act.disposition} if act.disposition else {}
    return [{"command": "shoe.misdraw", "table": now.table, "card": act.card, **disposition}]


@_lines.register
def _spoken(act: Spoken, now: TableNow) -> list[Line]:
    """As at the shell, with the table put in, or the coup where none is named."""
    form = _form(act.name)
    try:
        context = form.make_context(act.name, [*_place(act, now), *_said(act, now)])
        spoken = {word: _full(word, value) for word, value in context.params.items()}
        return [line_of(act.name, spoken, now)]
    except click.MissingParameter as missing:
        raise NotUnderstood(act.words, _missing(act.name, missing)) from None
    except click.ClickException as error:
        raise NotUnderstood(act.words, _why_not(act, error.format_message())) from None
    except Refusal as refusal:
        raise NotUnderstood(act.words, str(refusal)) from None


def _why_not(act: Spoken, told: str) -> str:
    """What click has to say, or that a name with a blank was taken for two words."""
    typed = f"It is typed as {_usage(act.name)}"
    if "extra argument" in told and act.name == "table.seat":
        return f"a name with a blank stands in quotes. {typed}, as in seat 3 'Mr. Jones'."
    extra = "extra argument" in told and _takes_text(act.name)
    quotes = ", and what has blanks in quotes" if extra else ""
    return f"{told.rstrip('.')}. {typed}{quotes}{_as_in(act.name)}."


@cache
def _form(name: str) -> click.Command:
    """Who says it and under which id is the terminal's to say, and it has a help of its own."""
    params = [each for each in parameters(name) if each.name not in ("by", "id")]
    return click.Command(name, params=params, add_help_option=False)


def _place(act: Spoken, now: TableNow) -> list[str]:
    """What the terminal puts in: its table, or the coup where no other is named."""
    first = next(iter(COMMANDS[act.name].arguments), "")
    if first == "coup":
        return [] if act.said and act.said[0].count("/") == COUP_SLASHES else [_coup(act, now)]
    return [now.table] if first == "table" else []


def _said(act: Spoken, now: TableNow) -> Sequence[str]:
    """Without this table's own name, as one has to say it at a shell."""
    at_table = COMMANDS[act.name].arguments[:1] == ("table",)
    said = act.said[1:] if at_table and act.said[:1] == (now.table,) else act.said
    if act.name == "shoe.end" and said and not any(word.startswith("--") for word in said):
        return ["--reason", " ".join(said)]
    return said


def _missing(name: str, missing: click.MissingParameter) -> str:
    """What is not said, by the name that its command has for it, and what it may be."""
    assert missing.param is not None
    word = str(missing.param.name)
    return f"say the {word} too{_choices(name, word)}{_as_in(name)}. It is typed as {_usage(name)}."


def _choices(name: str, word: str) -> str:
    """What it may be, where that is one of a few."""
    kind = {field.encode_name: field.type for field in fields(COMMANDS[name])}.get(word)
    for each in getattr(kind, "__metadata__", ()):
        if each.pattern and "|" in each.pattern:
            return f": {each.description.removeprefix('write ')}"
    return ""


def _as_in(name: str) -> str:
    """A line that says it, as help has one."""
    sample = _samples().get(name)
    return f", as in `{sample}`" if sample else ""


@cache
def _samples() -> dict[str, str]:
    """The first that help tells of each command."""
    samples: dict[str, str] = {}
    for keys, _ in (line for lines in TOPICS.values() for line in lines):
        with suppress(NotUnderstood):  # keys of spots
            act = parse(keys)
            if isinstance(act, Spoken):
                samples.setdefault(act.name, keys)
    return samples


def _usage(name: str) -> str:
    """Its name and arguments, but for what the terminal puts in; then its options."""
    arguments = [each for each in _form(name).params if isinstance(each, click.Argument)]
    put_in = COMMANDS[name].arguments[:1] in (("table",), ("coup",))
    words = [str(each.metavar) for each in arguments[1 if put_in else 0 :]]
    own = [
        each.opts[0] if each.required else f"[{each.opts[0]}]"
        for each in _form(name).params
        if isinstance(each, click.Option) and each.name not in ("at", "late", "with")
    ]
    return " ".join([SHORTEST[name], *words, *own])


def _takes_text(name: str) -> bool:
    """Whether one of its arguments may have blanks in it."""
    return not _TEXTS.isdisjoint(COMMANDS[name].arguments)


def _full(word: str, value: Any) -> Any:
    """A short spot and a short amount, which the shell does not know."""
    if word in ("spot", "as") and value and SPOT.fullmatch(value):
        return spot_of(value)
    if word in _AMOUNTS and value and AMOUNT.fullmatch(value):
        return plain_amount(value)
    return value


def _minor(act: Act, text: str, now: TableNow) -> int:
    try:
        units = minor(text, now.currency)
    except ValueError:
        why = f"{text} is no amount of {now.currency}; write as in 100 or 12.50."
        raise NotUnderstood(act.words, why) from None
    if units > LARGEST_AMOUNT:
        raise NotUnderstood(act.words, f"{text} is more than any table has.")
    return units
