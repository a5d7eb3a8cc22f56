"""Each command is declared once: who may say it, its help and example, and which function does."""

import shlex
from types import SimpleNamespace
from typing import get_args, get_type_hints

import click
import pytest

from ops.cli import cli
from ops.cli.speak import command_for
from ops.commands.command import name_of
from ops.commands.read import read
from ops.commands.vocabulary import COMMANDS
from ops.handlers.handlers import HANDLERS, handler_of
from ops.typed.shell import line_of, parameters

EACH = pytest.mark.parametrize("name", COMMANDS)
HOUSE = SimpleNamespace(currency="USD", zone="Europe/Vienna")


def test_every_command_has_a_handler_and_no_other_class_has_one():
    handlers = [handler_of(kind) for kind in COMMANDS.values()]

    assert set(COMMANDS.values()) == HANDLERS.keys()
    assert len(set(handlers)) == len(handlers)


@EACH
def test_the_handler_takes_the_command_and_is_in_the_file_of_its_noun(name):
    kind = COMMANDS[name]
    takes = get_type_hints(handler_of(kind))["command"]

    assert kind in (get_args(takes) or (takes,))
    assert noun_of(handler_of(kind)) == noun_of(kind)


@EACH
def test_the_command_itself_says_who_may_and_how_it_is_said(name):
    kind = COMMANDS[name]

    assert vars(kind).keys() >= {"permission", "example"}
    assert (kind.__doc__ or "").strip()
    assert vars(kind).get("option_help", {}).keys() <= options_of(name)


@EACH
def test_the_example_is_said_at_the_shell_and_is_a_line_of_that_command(name):
    words = shlex.split(COMMANDS[name].example)
    form, context = cli, cli.make_context("sabot", [], resilient_parsing=True)
    while isinstance(form, click.Group):
        form = form.get_command(context, words.pop(0))
    said = form.make_context(name, words, context).params
    spoken = {each.name: said[each.name] for each in parameters(name) if each.name in said}

    assert name_of(read(line_of(name, spoken, HOUSE))) == name


@EACH
def test_the_help_shows_the_example(name):
    shown = command_for(name).help.replace(" \\\n   ", "")

    assert f"Example: sabot {COMMANDS[name].example}" in shown


def noun_of(declared):
    """The name of the file in which a command or its handler stands."""
    return declared.__module__.rpartition(".")[2]


def options_of(name):
    """The words that have a help of their own."""
    return {each.name for each in parameters(name) if isinstance(each, click.Option)}
