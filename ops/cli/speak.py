"""The one-shot forms of the commands, made from the table in `ops.commands.vocabulary`.

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

from domain.rules.money import minor
from domain.rules.refusals import BadValue, Refusal
from ops.cli.session import (
    ask_secret,
    currency_of,
    database_of,
    dispatcher_on,
    house_of,
    json_option,
    require_utf8,
    say,
)
from ops.commands import vocabulary as commands
from ops.handlers.dispatcher import Answer, Dispatcher, refused
from ops.handlers.sign_on import second_proof
from ops.ledger import clock
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.secrets import Proof
from ops.reports.moments import happened_at
from ops.words import show


class SaidIn(Protocol):
    """Where something is said: in which money, and by which clock."""

    @property
    def currency(self) -> str:
        """Three letters, as in USD."""

    @property
    def zone(self) -> str:
        """As the time zone database calls it."""


_OPTION_HELP = {
    "at": "When it happened: 20:14 or 20:14:07 by the house's clock, with its date if it was "
    "another day, as in 2026-11-21T20:14; default now.",
    "late": "Entered after others that happened later; with --at.",
    "by": "Who did it.",
    "with": "The second person; in a closed house they type their PIN here when it asks.",
    "for_two": (
        "A command, as in table.fill, that a device may say for two people who type no PIN; "
        "repeat it."
    ),
    "face_down": "A reading shoe told it, and nobody has turned it yet (R-DEAL-5).",
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
    ("staff.enrol", "again"): "Another role for a number that is somebody's.",
    ("dispute.decide", "with"): "The second person, a supervisor or above.",
}
_MORE_HELP = {
    "property.set": """
\b
NAME is one of these, and VALUE what it takes:
  name                    a text, which heads reports and papers
  currency                three letters, as in USD; before the first table
  zone                    as in Europe/Vienna: the house's clock
  day_start               when a gaming day begins there, as in 06:00
  helpline                a text, for patrons
  reporting_amount        an amount: a patron's cash of a day is reported
  variance_report         an amount: a tray off by more is reported
  variance_regulator      an amount: off by that, the regulator hears
  idle_minutes            1 to 1440: without a coup for so long is an alert
  session_hours           1 to 24: then whoever signed on signs on again
  pin_digits              4 to 12: for the PIN of supervisors and above
  regulator               nevada, singapore or none: sets the three below
  dispute_notice_from     an amount, or 0: disputes from there are notified
  dispute_notice_minutes  1 to 1440: until when
  dispute_patron_days     0 to 366: for how long a patron may turn to it
""",
    "staff.enrol": """
\b
ROLE is one of these:
  dealer, supervisor, pit-boss   on the floor
  cage, security                 chips and cash, and their way to the tables
  surveillance, auditor          who look, and look back
  administrator                  enrols everybody; the first closes the house
  device                         a reading shoe or a layout, on the feed
""",
    "dispute.decide": """
\b
DECISION is one of these:
  stand    nothing changes hands
  correct  the wager of --seat on --spot is paid --to an amount in all, --as
           what lay on another spot, or else what the cards say, and its
           commission follows; decide again for each wager paid wrongly
  void     every wager of the coup goes back, whoever's it is, and stays so
""",
    "table.seats": """
PATRONS are seat and name in turn: `1 P-10411, 3 P-10417, 5 grey-jacket`, with
commas or without. A name with a blank stands in quotes.
""",
    "bets": """
WAGERS are seats, spot and amount as a dealer types them: `1-4b100 5p50t25` is
100 on Banker for each of seats 1 to 4, and 50 on Player and 25 on Tie for
seat 5. Spots: p b t dp db pp pb d7 p8 l6.
""",
}
# How a value is written here that is an object on the feed.
AT_A_SHELL = {
    'it is chips by denomination in minor units, as in {"10000": 200}': (
        "write denomination and count, as in 100=200"
    ),
    'it is minor units by seat, as in {"3": 19500}': "write seat and amount, as in 3=195",
    'it is up to 24 of seat and patron, as in {"seat": 3, "patron": "P-10417"}': (
        "write up to 24 seats and names, as in 1 P-10411, 3 P-10417"
    ),
    "it is up to 200 of seat, spot and amount, as in "
    '{"seat": 3, "spot": "banker", "amount": 10000}': (
        "write up to 200 wagers, as in 1-4b100 5p50t25"
    ),
    "it is up to 24 of camera, at and ahead in milliseconds, as in "
    '{"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}': (
        "write up to 24 of camera and moment, as in 'CAM-14 2026-11-21T20:14:05 +1500'"
    ),
}
BLANKS = "what has a blank in it stands in quotes, as in 'Mr. Jones'"
_PAIRS = ("opener", "closer", "chips", "paid")
_AMOUNTS = ("amount", "minimum", "maximum", "differential")
_PAYING = ("correct", "dispute.decide")  # in these `to` is an amount
_DOTTED = "|".join(re.escape(name) for name in commands.COMMANDS if "." in name)
NAMES = re.compile(rf"(?<![\w./-])(?:{_DOTTED})(?![\w-]|\.\w)")  # as the feed says them
_NUMBERS = ("seat", "to", "decks", "cut_card", "n")


class OneShot(click.Command):
    """A command that says how a name with blanks is written, when it was taken for two words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; of a word too many it says what may be meant."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')}: {BLANKS}.", error.ctx) from None


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
    command = OneShot(
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
        nargs=-1 if word in ("remaining", "wagers", "patrons") else 1,
        required=required,
    )


def _option(name: str, word: str, field: FieldInfo) -> click.Option:
    told = _OPTION_HELP_OF.get((name, word)) or _OPTION_HELP.get(word, "")
    if field.type is bool:
        return click.Option([f"--{word.replace('_', '-')}", word], is_flag=True, help=told)
    multiple = word in (*_PAIRS, "serials", "burned", "evidence", "what_if", "for_two")
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
        tell(ctx, answer, currency, as_json=as_json)

    return speak


def answer_to(dispatcher: Dispatcher, name: str, spoken: dict[str, Any]) -> tuple[Answer, str]:
    """What was said at the shell, answered, and the currency that it was said in."""
    try:
        house = house_of(dispatcher.casino)
        line = line_of(name, spoken, house)
        second = _typed_in_place(dispatcher, line)
        return dispatcher.dispatch(line, second=second), house.currency
    except OutcomeUnknown:
        raise
    except LedgerLost as error:
        raise OutcomeUnknown(error.why) from error
    except Refusal as refusal:  # not a line yet, so nothing of it is kept
        return refused({"command": name}, refusal), ""


def _typed_in_place(dispatcher: Dispatcher, line: dict[str, Any]) -> Proof | None:
    """At a terminal of a closed house the second person types their PIN. Raises LedgerLost.

    From a pipe nobody can: what takes two people is refused then.
    """
    second = commands.second_in(line)
    if not second or not sys.stdin.isatty() or not dispatcher.authority.house_is_closed():
        return None
    for words in _in_question(dispatcher, line):
        say(words)
    return second_proof(dispatcher, second, ask_secret(f"PIN of {second}", unseen=True))


def _in_question(dispatcher: Dispatcher, line: dict[str, Any]) -> Iterable[str]:
    """What the second person has to see before they type: the chips of a slip, and whose it was."""
    slip = None
    if line["command"] in ("slip.receive", "slip.void"):
        slip = dispatcher.casino.ask(lambda: dispatcher.floor.cage.slip(line["slip"]))
    if slip:
        yield show.slip_words(line["slip"], slip, currency_of(dispatcher.casino))


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
    """Commands and values as they are said at a shell: `shoe load`, `100=200`."""
    for on_the_feed, here in AT_A_SHELL.items():
        message = re.sub(
            rf"(?: cannot be [{{\[].*?)?: {re.escape(on_the_feed)}", f": {here}", message
        )
    return NAMES.sub(lambda found: found[0].replace(".", " "), message)


def _print(body: dict[str, Any], currency: str) -> None:
    for words in show.told_words(body["events"], currency):
        click.echo(words)
    if "code" in body:
        click.echo(f"One-time code: {body['code']}. It is asked for at the first sign-on.")
    if "recovery_secret" in body:
        click.echo(f"Recovery secret: {body['recovery_secret']}")
        click.echo(
            "It is shown once. Write it down and keep it away from this machine: it lets an "
            "administrator in again when all of them are locked."
        )
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
    from ops.typed.grammar import Bets, NotUnderstood, parse

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


def _patrons(words: Iterable[str], house: SaidIn) -> list[dict[str, Any]]:
    """Seat and name in turn: `1 P-10411, 3 P-10417`. Refuses: BadValue."""
    said = list(words)
    pairs = list(zip(said[::2], said[1::2], strict=False))
    if len(said) % 2 or not all(_number(seat) for seat, _ in pairs):
        why = f"write seat and name in turn, as in 1 P-10411, 3 P-10417; {BLANKS}"
        raise BadValue(field="patrons", value=repr(" ".join(said)), why=why)
    return [{"seat": int(seat), "patron": patron.removesuffix(",")} for seat, patron in pairs]


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


def _happened(text: str, house: SaidIn) -> str:
    """A time of day is the last one by the house's clock. Refuses: BadValue."""
    at = happened_at(text, ZoneInfo(house.zone), clock.wall_clock() + clock.AHEAD)
    if at is None:
        why = "write a time by the house's clock, as in 20:14 or 20:14:07; of another day with "
        raise BadValue(field="at", value=repr(text), why=f"{why}its date, as in 2026-11-21T20:14")
    return at.isoformat()


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


_READ = {"at": _happened, "wagers": _wagers, "patrons": _patrons, "evidence": _evidence}


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
