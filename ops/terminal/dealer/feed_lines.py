"""An act that a dealer typed, as lines of the feed, at a table in its present state.

Pure. A line has neither `id` nor `by`; amounts are minor units of the table's money. The ledger
refuses what the table does not allow; here only that is refused of which no line can be made.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, singledispatch
from typing import Any

import click
from msgspec.structs import fields, replace

from domain.rules.addresses import Coup
from domain.rules.money import LARGEST_AMOUNT, minor
from domain.rules.refusals import Refusal
from domain.rules.wording import Amount, Words, listed
from ops.commands.command import CHOICES
from ops.commands.money import MoneyCorrect
from ops.commands.vocabulary import COMMANDS
from ops.now.table_now import SeatNow, TableNow
from ops.terminal.dealer.prompts import TOPICS
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
from ops.typed.grammar import parse
from ops.typed.shell import line_of, option, parameters, with_typed_fields
from ops.typed.spoken import SHORTEST
from ops.typed.tokens import AMOUNT, SPOT, amount_of, spot_of
from ops.words.language import N_, _
from ops.words.show import spot_called

Line = dict[str, Any]

COUP_SLASHES = 3
FIRST_CARDS = 4  # two on each hand
_EXTRA = re.compile(r"extra arguments? \((.*)\)")  # as click reports it
_MISTAKE = N_("`? mistake` shows what can be put right, and how.")
_TEXTS = {"patron", "who", "reason", "complaint", "text"}
_COMMANDS: dict[type[Act], str] = {
    Void: "void",
    Correct: "correct",
    CorrectCard: "coup.correct-card",
    Limits: "table.limits",
    ColourChange: "table.colour-change",
    Misdraw: "shoe.misdraw",
}
_AMOUNTS = ("amount", "minimum", "maximum", "differential")


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


def unsettled_words(line: Line, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning, when a card that was to settle its coup left it unfinished; else nothing."""
    due = answer["due"]
    drawn = due is not None and due["action"] == "draw"
    if not line.get("settle") or not drawn:
        return ()
    words = _(_CARD_DUE[due["hand"]], rule=due["rule"])
    return (f"! {words}",)


def replaced_words(line: Line, before: TableNow) -> tuple[str, ...]:
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
        laid[seat, wager.spot] = _minor(act, wager.amount, now)
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
        and not (playing and seat.wagers)
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
    seat = _seat(act, number, now)
    if not seat.last:
        why = Words(
            "Seat {seat} {patron} has no earlier bet in this shoe.",
            seat=number,
            patron=seat.patron,
        )
        raise NotUnderstood(act.words, why)
    return seat


def _seat(act: Act, number: int, now: TableNow) -> SeatNow:
    seat = now.seat(number)
    if seat is None and now.rules and number not in now.rules.seats:
        raise NotUnderstood(act.words, Words("There is no seat {seat} here.", seat=number))
    if seat is None:
        why = Words("Nobody sits at seat {seat}. Type `seat {seat} NAME` first.", seat=number)
        raise NotUnderstood(act.words, why)
    return seat


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
    if coup.phase != "betting":
        why = Words(
            "Betting is closed, and a card cannot be taken back. "
            "`void REASON` voids the coup, with a supervisor."
        )
        raise NotUnderstood(act.words, why)
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
    stated = {seat: _minor(act, amount, now) for seat, amount in act.paid}
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
        return [_collect(now, **who, amount=_minor(act, act.amount, now))]
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
        return _seat(act, number, now)
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
    return [{"command": "void", "coup": act.coup or _coup(act, now), "reason": act.reason}]


@_lines.register
def _corrected(act: Correct, now: TableNow) -> list[Line]:
    rightly: Line = {"to": _minor(act, act.to, now)} if act.to else {}
    rightly |= {"as": act.as_spot} if act.as_spot else {}
    rightly |= {"stake": _minor(act, act.stake, now)} if act.stake else {}
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


def _coup(act: Act, now: TableNow) -> str:
    """The coup in play, else the last one."""
    if now.coup is None:
        why = Words("No coup was opened from this shoe. For an earlier coup type its address too.")
        raise NotUnderstood(act.words, why)
    return now.coup.address


def _paid_coup(act: Act, now: TableNow) -> str:
    """The coup in play or the last one; while bets are open, the one before, which was paid."""
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
def _colour_changed(act: ColourChange, now: TableNow) -> list[Line]:
    taken, given = (
        {str(_minor(act, chip, now)): count for chip, count in chips}
        for chips in (act.taken, act.given)
    )
    line = {"command": "table.colour-change", "table": now.table}
    return [{**line, "taken": taken, "given": given}]


@_lines.register
def _spoken(act: Spoken, now: TableNow) -> list[Line]:
    """A command as at the shell; the terminal adds the table, or the coup where none is named."""
    form = _form(act.name)
    try:
        context = form.make_context(act.name, [*_place(act, now), *_arguments(act, now)])
        spoken = {word: _full(word, value) for word, value in context.params.items()}
        return [line_of(act.name, spoken, now)]
    except click.MissingParameter as missing:
        raise NotUnderstood(act.words, _missing(act.name, missing)) from None
    except click.ClickException as error:
        raise NotUnderstood(act.words, _why_not(act, error)) from None
    except Refusal as refusal:
        why = Words("{why}", why=with_typed_fields(refusal.words, act.name, act.words))
        raise NotUnderstood(act.words, why) from None


def _why_not(act: Spoken, error: click.ClickException) -> Words:
    """What is wrong with the words of a command, and how to type it."""
    extra = _EXTRA.search(error.format_message())
    if extra and act.name == "table.seat":
        return Words("Put a name with a blank in quotes: `{line}`.", line="seat 3 'Mr. Jones'")
    how = _how(act.name)
    if extra and _takes_text(act.name):
        how = Words("Put text with blanks in quotes: `{usage}`.", usage=_usage(act.name))
    if extra:
        return Words("`{word}` is one word too many. {how}", word=extra[1], how=how)
    if isinstance(error, click.NoSuchOption):
        if error.possibilities:
            how = Words("Did you mean `{option}`?", option=min(error.possibilities))
        return Words("There is no option `{option}` here. {how}", option=error.option_name, how=how)
    return Words("{message}. {how}", message=error.format_message().rstrip("."), how=how)


def _how(name: str) -> Words:
    """How to type a command: by its example, where it has one."""
    sample = _samples().get(name)
    if sample and sample != SHORTEST[name]:
        return Words("Type it as in `{sample}`.", sample=sample)
    return Words("Type it as `{usage}`.", usage=_usage(name))


@cache
def _form(name: str) -> click.Command:
    """The command without `by` and `id`, which the terminal adds, and without its shell help."""
    params = [each for each in parameters(name) if each.name not in ("by", "id")]
    return click.Command(name, params=params, add_help_option=False)


def _place(act: Spoken, now: TableNow) -> list[str]:
    """What the terminal adds: its table, or the coup where no other is named."""
    first = next(iter(COMMANDS[act.name].arguments), "")
    if first == "coup":
        named = act.arguments and act.arguments[0].count("/") == COUP_SLASHES
        return [] if named else [_coup(act, now)]
    if issubclass(COMMANDS[act.name], MoneyCorrect):
        return ["--table", now.table]
    return [now.table] if first == "table" else []


def _arguments(act: Spoken, now: TableNow) -> Sequence[str]:
    """The words of a command, without this table's own name, which a shell needs."""
    at_table = COMMANDS[act.name].arguments[:1] == ("table",)
    own = at_table and act.arguments[:1] == (now.table,)
    arguments = act.arguments[1:] if own else act.arguments
    if (
        act.name == "shoe.end"
        and arguments
        and not any(each.startswith("--") for each in arguments)
    ):
        return ["--reason", " ".join(arguments)]
    return arguments


def _missing(name: str, missing: click.MissingParameter) -> Words:
    """Which argument is missing, by its command's name for it, and what it may be."""
    assert missing.param is not None
    word = str(missing.param.name)
    if choices := _choices(name, word):
        return Words("Type the `{word}` too: {choices}.", word=word, choices=choices)
    if isinstance(missing.param, click.Option):
        word = option(word)
    if sample := _samples().get(name):
        return Words("Type the `{word}` too, as in `{sample}`.", word=word, sample=sample)
    return Words("Type the `{word}` too: `{usage}`.", word=word, usage=_usage(name))


def _choices(name: str, word: str) -> str:
    """The values it may have, where they are few; else ''."""
    kind = {field.encode_name: field.type for field in fields(COMMANDS[name])}.get(word)
    for each in getattr(kind, "__metadata__", ()):
        if CHOICES in (each.extra or {}):
            return ", ".join(f"`{choice}`" for choice in each.extra[CHOICES])
    return ""


@cache
def _samples() -> dict[str, str]:
    """The first line that help shows of each command."""
    samples: dict[str, str] = {}
    for keys, __ in (line for lines in TOPICS.values() for line in lines):
        with suppress(NotUnderstood):  # keys of spots
            act = parse(keys)
            if isinstance(act, Spoken):
                samples.setdefault(act.name, keys)
    return samples


def _usage(name: str) -> str:
    """Its name, its arguments but for those that the terminal adds, and its options."""
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
    """Whether one of its arguments may contain blanks."""
    return not _TEXTS.isdisjoint(COMMANDS[name].arguments)


def _full(word: str, value: Any) -> Any:
    """A spot or an amount in full, where the dealer typed it short."""
    if word in ("spot", "as") and value and SPOT.fullmatch(value):
        return spot_of(value)
    if word in _AMOUNTS and value and AMOUNT.fullmatch(value):
        return amount_of(value)
    return value


def _minor(act: Act, text: str, now: TableNow) -> int:
    try:
        units = minor(text, now.currency)
    except ValueError:
        why = Words(
            "`{text}` is not an amount of {currency}. Type it as `100` or `12.50`.",
            text=text,
            currency=now.currency,
        )
        raise NotUnderstood(act.words, why) from None
    if units > LARGEST_AMOUNT:
        raise NotUnderstood(act.words, Words("`{text}` is more than any table has.", text=text))
    return units
