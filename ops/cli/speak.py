"""The shell forms of the commands, made from the table in `ops.commands.vocabulary`.

`sabot bet B01 3 banker 100`: arguments in the table's order, amounts in major units. A line's other
fields are options of the same name.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any

import click
from msgspec.structs import fields

from domain.rules.refusals import ConfirmationNeeded, Refusal
from domain.rules.wording import Words, as_words
from ops.cli.restores import require_remembered
from ops.cli.session import ask_secret, database_of, dispatcher_on, json_option, say
from ops.cli.signing import CLOSINGS, sign_after_closing
from ops.commands.casino import house_of, know_own_spots
from ops.commands.read import Line, second_in
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.handlers.answer import Answer, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import id_of, is_numbered
from ops.handlers.to_sign import ToSign
from ops.ledger.database import OutcomeUnknown
from ops.typed.shell import BLANKS, line_of, parameters, renamed, with_typed_fields
from ops.words import show
from ops.words.events import sentences
from ops.words.language import shown
from ops.words.pages import TO_SIGN

LINE = 78  # characters of a line of help, without its margin


class OneShot(click.Command):
    """A command; its error for extra words shows how to type a name with blanks."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses as click does; for extra words the error says that quotes may be missing."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')}: {BLANKS}.", error.ctx) from None


def command_for(
    name: str, callback: Callable[..., None] | None = None, *more: click.Option
) -> click.Command:
    """The shell form of a command of the feed, with its own callback if it has one."""
    kind = COMMANDS[name]
    doc = cleandoc(kind.__doc__ or "")
    command = OneShot(
        name.rpartition(".")[2],
        params=[*parameters(name), *more],
        callback=callback or _speaker(name),
        help=f"{doc}\n{kind.more_help}\n\b\n{_example(kind.example)}",
        short_help=doc.partition(";")[0].rstrip("."),
    )
    return json_option(command)


def _example(words: str) -> str:
    """An example of a command; a long one continues after a backslash."""
    line = f"Example: sabot {words}"
    if len(line) <= LINE:
        return line
    end = line.rindex(" --", 0, LINE - 1)
    return f"{line[:end]} \\\n   {line[end:]}"


def _speaker(name: str) -> Callable[..., None]:
    @click.pass_context
    def speak(ctx: click.Context, /, as_json: bool, **spoken: Any) -> None:
        dispatcher = dispatcher_on(database_of(ctx), channel="shell")
        answer, currency = answer_to(dispatcher, name, spoken)
        if answer.ok and name in CLOSINGS:
            sign_after_closing(database_of(ctx))
        tell(ctx, answer, currency, as_json=as_json)

    return speak


def answer_to(dispatcher: Dispatcher, name: str, spoken: Mapping[str, Any]) -> tuple[Answer, str]:
    """The answer to a command typed at the shell, and the currency of its amounts.

    It is sent under an id, so that it can be repeated if no answer comes. Raises OutcomeUnknown;
    LedgerLost if nothing was sent.
    """
    sent_as = ""
    try:
        dispatcher.casino.ledger.require_leader()
        require_remembered(dispatcher, name)
        house = house_of(dispatcher.casino)
        if "wagers" in spoken:  # typed by the keys of spots
            know_own_spots(dispatcher.casino)
        line = line_of(name, spoken, house)
        line["id"] = sent_as = id_of(line)
        line |= _confirmed_here(dispatcher, line)
        return _answer(dispatcher, line), house.currency
    except OutcomeUnknown as error:
        if error.may_be_recorded and not is_numbered():
            error.sent_as = sent_as
        raise
    except Refusal as refusal:  # it never became a line, so it has no recorded answer
        return refused({"command": name}, refusal), ""


def _answer(dispatcher: Dispatcher, line: Line) -> Answer:
    """The answer to a line, which a second person signs with their PIN if somebody can type it.

    From a pipe nobody can: then the ledger refuses a command for two people. Raises LedgerLost.
    """
    if not second_in(line) or not sys.stdin.isatty():
        return dispatcher.dispatch(line)
    from ops.handlers.for_two import answer_for_two  # reads what every command changes

    return answer_for_two(dispatcher, line, _ask_pin, lambda changed: say(changed.reason))


def _ask_pin(second: str, shown_to_them: ToSign) -> str:
    say(f"{shown(TO_SIGN)}:")
    for words in shown_to_them.words:
        say(f"  {shown(words)}")
    return ask_secret(f"PIN of {second}", unseen=True)


def _confirmed_here(dispatcher: Dispatcher, line: Line) -> dict[str, bool]:
    """The field of a line that asks once, if whoever typed it at a terminal says that it is right.

    It is asked before a second person signs. Raises LedgerLost.
    """
    asked_here = "confirmed" not in line and sys.stdin.isatty()
    if not asked_here or "confirmed" not in _fields(line["command"]):
        return {}
    from ops.handlers.trial import to_sign

    asks = to_sign(dispatcher, line)
    if not isinstance(asks, Answer) or asks.error != ConfirmationNeeded.__name__:
        return {}
    assert isinstance(asks.refusal, Words)
    say(f"{shown(as_words(asks.refusal.values['so']))}.")
    question = "Was the ID seen?" if asks.rule == "R-CASH-2" else "Is that right?"
    return {"confirmed": True} if click.confirm(question, err=True) else {}


def _fields(command: str) -> set[str]:
    kind = COMMANDS.get(command) or OWN_COMMANDS[command]
    return {field.encode_name for field in fields(kind)}


def tell(ctx: click.Context, answer: Answer, currency: str, *, as_json: bool) -> None:
    """Prints the answer, as text or as JSON, and exits with its status."""
    if as_json:
        click.echo(str(answer))
    elif answer.ok:
        _print(answer.body, currency)
    else:
        rule = answer.rule
        cited = f" ({rule})" if rule else ""
        click.echo(f"{answer.error}{cited}: {_as_typed(answer)}", err=True)
    ctx.exit(0 if answer.ok else 1)


def _as_typed(answer: Answer) -> str:
    """Why it was refused, with what is typed here: `shoe load`, `--to-seat`, `100=200`."""
    message = with_typed_fields(answer.words, answer.command)
    return renamed(message, lambda name: name.replace(".", " "))


def _print(body: Mapping[str, Any], currency: str) -> None:
    for words in sentences(body["events"], currency):
        click.echo(shown(words))
    if "code" in body:
        click.echo(f"One-time code: {body['code']}. It is asked for at the first sign-on.")
    if "recovery_secret" in body:
        click.echo(f"Recovery secret: {body['recovery_secret']}")
        click.echo(
            "It is shown once. Write it down and keep it away from this machine: it lets an "
            "administrator in again when all of them are locked."
        )
    if body["command"] == "alert.acknowledge":
        last = "It is off the board." if len(body["events"]) == 1 else "They are off the board."
    elif body["command"] == "readjudicate":
        last = shown(show.readjudicated_words(body))
    elif body["due"]:
        last = shown(show.due_words(body["due"]))
    else:
        click.echo(f"Recorded as #{body['position']}." if body["position"] else "Nothing changed.")
        return
    place = f"#{body['position']}" if body["position"] else ""
    click.echo(" ".join(each for each in (place, body["coup"], last) if each))


def noun(word: str, about: str, without: tuple[str, ...] = ()) -> click.Group:
    """The shell forms of a noun's commands, except those in `without`, which have their own."""
    group = click.Group(word, help=about)
    for name in COMMANDS:
        if name.startswith(f"{word}.") and name not in without:
            group.add_command(command_for(name))
    return group


_NOUNS = {
    "shoe": "A shoe from loaded to reconciled (R-SHOE-1).",
    "coup": "A coup put right, by two people (R-IRR-5).",
    "coupon": "Match plays and free bets, which are no money (R-PROMO-1).",
    "money": "Money put right, by two people (R-IRR-5).",
    "account": "A game account: an attendant pays in and out, and its wagers follow (R-ACC-1).",
    "slip": "A fill or a credit, step by step.",
    "property": "The house's settings.",
    "master": "The master game report of a gaming day; `sabot report master` shows it.",
    "alert": "What needs a person, until somebody has it in hand.",
}


@cache
def __getattr__(name: str) -> click.Command:
    """The commands of a noun, or one command by its name; made when first used."""
    if name in _NOUNS:
        return noun(name, _NOUNS[name])
    word = name.replace("_", "-")
    if word not in COMMANDS:
        raise AttributeError(name)
    return command_for(word)
