"""A command that a dealer typed as at the shell, as a line of the feed."""

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import click
from msgspec.structs import fields

from domain.rules.refusals import Refusal
from domain.rules.wording import Words
from ops.commands.command import CHOICES
from ops.commands.money import MoneyCorrect
from ops.commands.read import Line
from ops.commands.vocabulary import COMMANDS
from ops.now.table_now import TableNow
from ops.terminal.dealer.help_topics import TOPICS
from ops.terminal.dealer.typed_here import coup_in_play
from ops.typed.acts import NotUnderstood, Spoken
from ops.typed.grammar import parse
from ops.typed.shell import line_of, option, parameters, with_typed_fields
from ops.typed.spoken import SHORTEST
from ops.typed.tokens import AMOUNT, amount_of, spot_of, spot_text

COUP_SLASHES = 3
_EXTRA = re.compile(r"extra arguments? \((.*)\)")  # as click reports it
_TEXTS = {"patron", "who", "reason", "complaint", "text"}
_AMOUNTS = ("amount", "worth", "minimum", "maximum", "differential")


def spoken_line(act: Spoken, now: TableNow) -> Line:
    """The line of a command; the terminal adds the table, or the coup where none is named.

    Raises NotUnderstood.
    """
    form = _form(act.name)
    try:
        context = form.make_context(act.name, [*_place(act, now), *_arguments(act, now)])
        spoken = {word: _full(word, value) for word, value in context.params.items()}
        return line_of(act.name, spoken, now)
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
        return [] if named else [coup_in_play(act, now)]
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
    if word in ("spot", "as") and value and spot_text().fullmatch(value):
        return spot_of(value)
    if word in _AMOUNTS and value and AMOUNT.fullmatch(value):
        return amount_of(value)
    return value
