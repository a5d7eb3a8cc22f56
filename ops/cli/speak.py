"""The one-shot forms of the commands, made from the table in `ops.commands`.

`sabot bet B01 3 banker 100`: arguments in the table's order, amounts in major units; whatever
else a line may carry is an option of the same name.
"""

import re
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from inspect import cleandoc
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import click
from msgspec.structs import FieldInfo, fields

from domain.money import minor
from domain.refusals import BadValue, Refusal
from ops import commands, show
from ops.cli.session import (
    ask_secret,
    database_of,
    dispatcher_on,
    forget_token,
    house_of,
    json_option,
    require_utf8,
)
from ops.database import LedgerLost, OutcomeUnknown
from ops.dispatcher import Answer, Dispatcher, refused
from ops.people import Proof
from ops.sign_on import second_proof


class SaidIn(Protocol):
    """Where something is said: in which money, and by which clock."""

    @property
    def currency(self) -> str:
        """Three letters, as in USD."""

    @property
    def zone(self) -> str:
        """As the time zone database calls it."""


_OPTION_HELP = {
    "at": "When it happened, with offset; default now.",
    "late": "Entered after down-time, with its true moment.",
    "by": "Who did it.",
    "with": "The second person.",
    "id": "Your own id: the same command with it counts once.",
    "opener": "DENOMINATION=COUNT in major units; repeat it.",
    "closer": "DENOMINATION=COUNT in major units; repeat it.",
    "chips": "DENOMINATION=COUNT in major units; repeat it.",
    "evidence": (
        "'CAMERA MOMENT [+MS]', as in 'CAM-14 2026-11-21T20:14:05 +850': MS the milliseconds its "
        "clock is ahead; without an offset by the property's clock; repeat it."
    ),
    "what_if": "What if it had been so, as in 'card 5 = KH'; repeat it for several at once.",
    "hold": "No further coup at the table until it is decided or released.",
    "to": "What it should have been paid in all; default what the cards say.",
    "as": "The spot where it should have lain; it is paid as that.",
    "paid": "SEAT=AMOUNT as the layout saw it; repeat it.",
}
# Where a word means something else, or somebody may ask what it is for.
_OPTION_HELP_OF = {
    ("dispute.open", "amount"): (
        "What the patron claims, as in 200; default the most that their wagers may be paid."
    ),
    ("dispute.decide", "seat"): "To correct: whose wager it is.",
    ("dispute.decide", "spot"): "To correct: where it lies.",
    ("dispute.decide", "to"): (
        "To correct: what it should have been paid in all, its stake included; default what the "
        "cards say."
    ),
    ("dispute.decide", "with"): "The second person, a supervisor or above.",
}
_MORE_HELP = {
    "dispute.decide": """
\b
DECISION is one of these:
  stand    nothing changes hands
  correct  the wager of --seat on --spot is paid --to an amount in all, --as
           what lay on another spot, or else what the cards say, and its
           commission follows; decide again for each wager paid wrongly
  void     every wager of the coup goes back, whoever's it is, and stays so
""",
    "bets": """
WAGERS are seats, spot and amount as a dealer types them: `1-4b100 5p50t25` is
100 on Banker for each of seats 1 to 4, and 50 on Player and 25 on Tie for
seat 5. Spots: p b t dp db pp pb d7 p8 l6.
""",
}
_PAIRS = ("opener", "closer", "chips", "paid")
_AMOUNTS = ("amount", "minimum", "maximum", "differential")
_PAYING = ("correct", "dispute.decide")  # in these `to` is an amount
_DOTTED = "|".join(re.escape(name) for name in commands.COMMANDS if "." in name)
NAMES = re.compile(rf"(?<![\w./-])(?:{_DOTTED})(?![\w-]|\.\w)")  # as the feed says them
_NUMBERS = ("seat", "to", "decks", "cut_card", "n")


def command_for(
    name: str, callback: Callable[..., None] | None = None, *more: click.Option
) -> click.Command:
    """The one-shot form of a command of the feed, told by a callback of its own if it has one."""
    kind = commands.COMMANDS[name]
    known = {field.encode_name: field for field in fields(kind)}
    arguments = [_argument(word, known.get(word)) for word in kind.arguments]
    options = [
        _option(name, word, field)
        for word, field in known.items()
        if word not in kind.arguments
        and not ("who" in kind.arguments and word in ("seat", "patron"))
    ]
    doc = cleandoc(kind.__doc__ or "")
    command = click.Command(
        name.rpartition(".")[2],
        params=[*arguments, *options, *more],
        callback=callback or _speaker(name),
        help=f"{doc}\n{_MORE_HELP.get(name, '')}",
        short_help=doc.partition(";")[0].rstrip("."),
    )
    return json_option(command)


def _argument(word: str, field: FieldInfo | None) -> click.Argument:
    """One in its place; `who` is no field of its own."""
    required = field is None or field.required
    metavar = "SEAT|PATRON" if word == "who" else word.upper()
    return click.Argument(
        [word],
        metavar=metavar if required else f"[{metavar}]",
        nargs=-1 if word in ("remaining", "wagers") else 1,
        required=required,
    )


def _option(name: str, word: str, field: FieldInfo) -> click.Option:
    told = _OPTION_HELP_OF.get((name, word)) or _OPTION_HELP.get(word, "")
    if field.type is bool:
        return click.Option([f"--{word}", word], is_flag=True, help=told)
    multiple = word in (*_PAIRS, "serials", "burned", "evidence", "what_if")
    return click.Option(
        [f"--{word.replace('_', '-')}", word],
        multiple=multiple,
        required=field.required,
        metavar="TEXT" if not multiple else "…",
        help=told,
    )


def _speaker(name: str) -> Callable[..., None]:
    @click.pass_context
    def speak(ctx: click.Context, /, as_json: bool, **spoken: Any) -> None:
        dispatcher = dispatcher_on(database_of(ctx), mouth="shell")
        answer, currency = answer_to(dispatcher, name, spoken)
        if answer.ok and name == "staff.sign-off":
            forget_token(spoken["staff"])
        tell(ctx, answer, currency, as_json=as_json)

    return speak


def answer_to(dispatcher: Dispatcher, name: str, spoken: dict[str, Any]) -> tuple[Answer, str]:
    """What was said at the shell, answered, and the currency that it was said in."""
    try:
        house = house_of(dispatcher.casino)
        line = line_of(name, spoken, house)
        second = _typed_in_place(dispatcher, line)
        return dispatcher.dispatch(line, second=second), house.currency
    except LedgerLost as error:
        raise OutcomeUnknown(error.why) from error
    except Refusal as refusal:  # not a line yet, so nothing of it is kept
        return refused({"command": name}, refusal), ""


def _typed_in_place(dispatcher: Dispatcher, line: dict[str, Any]) -> Proof | None:
    """At a terminal of a closed house the second person types their PIN. Raises LedgerLost.

    From a pipe nobody can, and nobody has to: whoever is named then has to be at work.
    """
    second = line.get("with")
    if not second or not sys.stdin.isatty() or not dispatcher.authority.house_is_closed():
        return None
    return second_proof(dispatcher, second, ask_secret(f"PIN of {second}", unseen=True))


def tell(ctx: click.Context, answer: Answer, currency: str, *, as_json: bool) -> None:
    """The answer, for people or as one line, and the exit status that it stands for."""
    if as_json:
        click.echo(str(answer))
    elif answer.ok:
        _print(answer.body, currency)
    else:
        rule = answer.body["rule"]
        cited = f" ({rule})" if rule else ""
        click.echo(f"{answer.body['error']}{cited}: {_said(answer.body['message'])}", err=True)
    ctx.exit(0 if answer.ok else 1)


def _said(message: str) -> str:
    """Commands as they are said at a shell: `shoe load`."""
    return NAMES.sub(lambda found: found[0].replace(".", " "), message)


def _print(body: dict[str, Any], currency: str) -> None:
    for words in show.told_words(body["events"], currency):
        click.echo(words)
    if "code" in body:
        click.echo(f"One-time code: {body['code']}. It is asked for at the first sign-on.")
    place = f"#{body['position']} " if body["position"] else ""
    if body["command"] == "alert.acknowledge":  # tables may wait, whatever is in hand
        off = "It is" if len(body["events"]) == 1 else "They are"
        due = f"{off} off the board."
    elif body["command"] == "readjudicate":
        due = show.readjudicated_words(body)
    else:
        due = show.due_words(body["due"])
    click.echo(f"{place}{body['coup'] or ''} {due}".strip())


def line_of(name: str, spoken: dict[str, Any], house: SaidIn) -> dict[str, Any]:
    """What was said at the shell as a line of the feed. Refuses: BadValue."""
    line: dict[str, Any] = {"command": name}
    for word, value in spoken.items():
        if value is None or value is False or value == ():
            continue
        if isinstance(value, str | tuple):
            require_utf8(word, value)
        if word == "who":
            seat = _number(value)
            line["seat" if seat else "patron"] = int(value) if seat else value
        else:
            line[word] = _value(word, value, house, paid=name in _PAYING)
    return line


def _value(word: str, value: Any, house: SaidIn, *, paid: bool = False) -> Any:
    currency = house.currency
    if word in _AMOUNTS or (word == "to" and paid):  # elsewhere it is the seat moved to
        return _minor(word, value, currency)
    if word in _PAIRS:
        return dict(_pairs(word, value, currency))
    if word in _READ:
        return _READ[word](value, house)
    if word == "remaining":
        return int(value[0]) if len(value) == 1 and _number(value[0]) else list(value)
    if word in _NUMBERS:
        return int(value) if _number(value) else value
    return list(value) if isinstance(value, tuple) else value


def _wagers(words: Iterable[str], house: SaidIn) -> list[dict[str, Any]]:
    """As a dealer types them: `1-4b100 5-7p50`. Refuses: BadValue.

    No table is asked whether it has a Panda 8: what may be one nowhere goes without a blank.
    """
    from ops.terminal.grammar import Bets, NotUnderstood, parse

    typed, why = " ".join(words), "write seats, spot and amount, as in 1-4b100 5p50t25"
    try:
        act = parse(typed)
    except NotUnderstood as refusal:
        raise BadValue(field="wagers", value=repr(typed), why=refusal.why.rstrip(".")) from None
    if not isinstance(act, Bets) or act.repeats:
        raise BadValue(field="wagers", value=repr(typed), why=why)
    doubts = [wager.doubt for _, wager in act.wagers if wager.glued]
    if doubts:
        raise BadValue(field="wagers", value=repr(typed), why=doubts[0])
    return [
        {"seat": seat, "spot": wager.spot, "amount": _minor("wagers", wager.amount, house.currency)}
        for seat, wager in act.wagers
    ]


def _evidence(texts: Iterable[str], house: SaidIn) -> list[dict[str, Any]]:
    return [_seen(text, house) for text in texts]


def _seen(text: str, house: SaidIn) -> dict[str, Any]:
    """What a camera saw: its name, which may have blanks, its moment, and how far it is ahead."""
    found = re.fullmatch(r"(.*\S)\s+(\S+:\S+)(?:\s+([+-]?[0-9]{1,9}))?", text.strip())
    at = _moment(found[2], house) if found else None
    if not found or at is None:
        why = "write camera, day and time, and milliseconds, as in CAM-14 2026-11-21T20:14:05 +1500"
        raise BadValue(field="evidence", value=repr(text), why=why)
    camera, _, ahead = found.groups()
    return {"camera": camera, "at": at, **({"ahead": int(ahead)} if ahead else {})}


def _moment(text: str, house: SaidIn) -> str | None:
    """Without an offset by the property's clock; None: it is no moment."""
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(house.zone))).isoformat()
    except (ValueError, OverflowError):
        return None


def _pairs(word: str, given: Iterable[str], currency: str) -> Iterable[tuple[str, int]]:
    said = set()
    for text in given:
        left, equals, right = text.partition("=")
        if not equals:
            raise BadValue(field=word, value=repr(text), why="write it as in 100=20")
        if word == "paid":
            pair = left, _minor(word, right, currency)
        elif _number(right):
            pair = str(_minor(word, left, currency)), int(right)
        else:
            raise BadValue(field=word, value=repr(text), why="a count is a whole number")
        if pair[0] in said:
            raise BadValue(field=word, value=repr(text), why=f"{left} is said twice")
        said.add(pair[0])
        yield pair


def _minor(word: str, text: str, currency: str) -> int:
    try:
        units = minor(text, currency)
    except ValueError:
        units = -1
    if units < 0:
        why = f"write an amount of {currency}, as in 100 or 12.50"
        raise BadValue(field=word, value=repr(text), why=why)
    return units


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16  # longer ones no field takes


_READ = {"wagers": _wagers, "evidence": _evidence}


def noun(word: str, told: str, without: tuple[str, ...] = ()) -> click.Group:
    """The one-shot forms of all commands of a noun, but those that are spoken otherwise."""
    group = click.Group(word, help=told)
    for name in commands.COMMANDS:
        if name.startswith(f"{word}.") and name not in without:
            group.add_command(command_for(name))
    return group


table = noun("table", "A table through its gaming day.")
shoe = noun("shoe", "A shoe from loaded to reconciled (R-SHOE-1).")
slip = noun("slip", "A fill or a credit, step by step.")
property = noun("property", "The house's settings.")  # noqa: A001  (the command's own word)
alert = noun("alert", "What needs a person, until somebody has it in hand.")
open = command_for("open")  # noqa: A001  (the command's own word)
bet = command_for("bet")
bets = command_for("bets")
withdraw = command_for("withdraw")
no_more_bets = command_for("no-more-bets")
draw = command_for("draw")
move_card = command_for("move-card")
reveal = command_for("reveal")
settle = command_for("settle")
void = command_for("void")
correct = command_for("correct")
readjudicate = command_for("readjudicate")
