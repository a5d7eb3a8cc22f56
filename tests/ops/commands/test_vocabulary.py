"""Each command is declared once: who may say it, its help and example, and which function does."""

from typing import get_args, get_type_hints

import click
import pytest
from msgspec.structs import fields

from ops.cli.speak import command_for
from ops.commands.command import meaning_of, name_of
from ops.commands.disputes import Seen
from ops.commands.field_words import FIELDS
from ops.commands.read import read
from ops.commands.vocabulary import COMMANDS, OWN_COMMANDS
from ops.handlers.handlers import HANDLERS, handler_of
from ops.typed.shell import parameters
from tests.ops.commands.example_line import example_line, shell_line

EACH = pytest.mark.parametrize("name", COMMANDS)


def test_every_command_has_a_handler_and_no_other_class_has_one():
    every = [*COMMANDS.values(), *OWN_COMMANDS.values()]
    handlers = [handler_of(kind) for kind in every]

    assert set(every) == HANDLERS.keys()
    assert len(set(handlers)) == len(handlers)


@EACH
def test_the_handler_takes_the_command_and_is_in_the_file_of_its_noun(name):
    kind = COMMANDS[name]
    takes = get_type_hints(handler_of(kind))["command"]

    assert kind in (get_args(takes) or (takes,))
    assert noun_of(handler_of(kind)) == noun_of(kind)


@EACH
def test_each_command_declares_its_permission_and_its_example(name):
    kind = COMMANDS[name]

    assert vars(kind).keys() >= {"permission", "example"}
    assert (kind.__doc__ or "").strip()
    assert vars(kind).get("option_help", {}).keys() <= options_of(name)
    assert vars(kind).get("field_help", {}).keys() <= {each.encode_name for each in fields(kind)}


@EACH
def test_every_field_has_its_meaning(name):
    kind = COMMANDS[name]

    assert [] == [each.name for each in fields(kind) if not meaning_of(kind, each.encode_name)]


def test_every_meaning_belongs_to_a_field():
    used = {each.encode_name for kind in (*COMMANDS.values(), Seen) for each in fields(kind)}

    assert FIELDS.keys() <= used


@EACH
def test_the_example_works_at_the_shell_and_is_a_line_of_that_command(name):
    assert name_of(read(example_line(name))) == name


@pytest.mark.parametrize("cards", ["--then 3H --then KD", "--then '3H KD'", "--then 3H,KD"])
def test_cards_are_given_in_one_option_or_in_several(cards):
    typed = f"coup correct-card B01/2026-11-21/1/5 4 AD misread {cards}"

    assert read(shell_line("coup.correct-card", typed)).then == ["3H", "KD"]


@EACH
def test_an_option_that_is_a_list_may_be_given_several_times(name):
    lists = {each.encode_name for each in fields(COMMANDS[name]) if each.default_factory is list}
    several = {each.name for each in parameters(name) if getattr(each, "multiple", False)}

    assert lists & options_of(name) <= several


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
