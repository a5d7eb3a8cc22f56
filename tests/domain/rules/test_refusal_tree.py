"""The tree of refusals: what each asks to be told, which are recorded, which are kept."""

from string import Formatter

import pytest

from domain.rules import refusals
from domain.rules.refusals import Refusal


def _leaves(kind=Refusal):
    below = kind.__subclasses__()
    return [kind] if not below else [leaf for each in below for leaf in _leaves(each)]


LEAVES = {leaf.__name__: leaf for leaf in _leaves()}
KINDS = pytest.mark.parametrize("kind", LEAVES.values(), ids=LEAVES)


@KINDS
def test_a_message_is_filled_in_to_the_last_brace(kind):
    asked = {name for _, name, _, _ in Formatter().parse(kind.__doc__) if name}
    filled = str(kind(**dict.fromkeys(asked, "WORD")))

    assert not {"{", "}"} & set(filled)
    assert filled.count("WORD") >= len(asked)


@KINDS
def test_a_message_is_one_line_that_ends_as_a_sentence(kind):
    assert "\n" not in kind.__doc__
    assert kind.__doc__.endswith(".")


@KINDS
def test_a_message_is_not_made_with_a_word_missing(kind):
    asked = {name for _, name, _, _ in Formatter().parse(kind.__doc__) if name}
    if asked:
        with pytest.raises(KeyError):
            kind()


def test_a_refusal_may_name_the_rule_of_its_case():
    usual = refusals.SecondPersonNeeded(act="Voiding a coup", who="a supervisor")
    here = refusals.SecondPersonNeeded(act="Ending a shoe", who="a supervisor", rule="R-SHOE-3")

    assert (usual.rule, here.rule) == ("R-IRR-5", "R-SHOE-3")
    assert refusals.SecondPersonNeeded.rule == "R-IRR-5"


def test_what_is_worth_knowing_is_also_recorded():
    expected = {
        *("BettingClosed", "CardNotDue", "PaymentDisagrees", "SlipReused"),
        *("SerialReused", "TicketRefused"),
        *("NotPermitted", "WrongPin", "PinLocked"),
    }

    assert expected == {name for name, kind in LEAVES.items() if kind.recorded}


def test_every_answer_is_stored_but_those_that_may_change_later_or_that_anybody_could_multiply():
    reading = {name for name, kind in LEAVES.items() if issubclass(kind, refusals.Reading)}

    assert reading | {
        "ChangedSince",
        "ClockOff",
        "Conflict",
        "NotPermitted",
        "NotSignedOn",
        "NumberReused",
        "OrderLost",
        "PinsSlowed",
        "SecondPersonNeeded",
        "WeakPin",
    } == {name for name, kind in LEAVES.items() if not kind.stored}


def test_the_tree_at_the_top_of_the_file_is_the_tree():
    drawn = refusals.__doc__.partition("A class's docstring")[0]

    assert all(name in drawn for name in LEAVES)
    assert all(kind.__name__ in drawn for kind in Refusal.__subclasses__())
    assert {name for name in LEAVES if f"{name}*" in drawn} == {
        name for name, kind in LEAVES.items() if kind.recorded
    }
