"""What a command asks for at a terminal: whoever answers has read what was said before."""

from contextlib import redirect_stderr

import click
import pytest

from ops.cli.at_the_door import _Asks, _Keyboard, _Stream
from ops.web.shells import Asked

PIN = "471108"


def asked_after(said, typed=(), seen=()):
    """What a command gets that says something and then asks for a PIN; what is unread then."""
    err = _Stream(tty=True)
    keyboard = _Keyboard(Asked("id", ["void"], list(typed), list(seen), keyboard=True), err)
    with keyboard.typing(), redirect_stderr(err):
        for words in said:
            click.echo(words, err=True)
        answer = click.prompt("PIN of S-11", hide_input=True, err=True)
        click.echo("Done.", err=True)
    return answer, keyboard.unread


def question(*said, typed=(), seen=()):
    with pytest.raises(_Asks) as asks:
        asked_after(said, typed, seen)
    return asks.value.question


def test_a_question_comes_with_what_was_said_before_it():
    asks = question("100.00 goes from P-1 to the tray.")

    assert (asks.words, asks.hidden, asks.n) == ("PIN of S-11: ", True, 0)
    assert asks.before == "100.00 goes from P-1 to the tray.\n"


def test_an_answer_counts_for_what_was_said_and_it_is_not_said_twice():
    said = ("100.00 goes from P-1 to the tray.",)
    asks = question(*said)

    assert asked_after(said, [PIN], [asks.seen]) == (PIN, "Done.\n")


def test_if_something_else_is_said_meanwhile_it_is_asked_anew():
    asks = question("100.00 goes from P-1 to the tray.")
    anew = question("200.00 goes from P-1 to the tray.", typed=[PIN], seen=[asks.seen])

    assert (anew.before, anew.n) == ("200.00 goes from P-1 to the tray.\n", 0)
    assert anew.seen != asks.seen


def test_nobody_signs_unseen_and_a_question_alone_takes_what_was_typed():
    assert question("100.00 goes from P-1 to the tray.", typed=[PIN]).n == 0
    assert asked_after((), [PIN]) == (PIN, "Done.\n")
