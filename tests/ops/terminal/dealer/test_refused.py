"""What the ledger refuses is told in the words that are typed at the terminal."""

import re

import pytest
from msgspec.structs import replace

from domain.rules.refusals import CommissionOwed
from domain.rules.wording import Words
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.terminal.dealer.refused import TYPED, as_typed, refusal_words
from ops.typed.spoken import OWN_WORDS, SPOKEN
from tests.ops.manual.pages import entered
from tests.ops.terminal.dealer import tables
from tests.ops.terminal.dealer.six_seats import table


def test_every_command_has_the_word_that_is_typed():
    """What is typed at a table begins a line there; what is not is said at a shell."""
    assert TYPED.keys() == COMMANDS.keys()
    for name, typed in TYPED.items():
        if typed.startswith("sabot "):
            assert name not in SPOKEN.values()
        else:
            assert typed in (*SPOKEN, *OWN_WORDS, "c"), name


# fmt: off
MESSAGES = [
    ("Put it aside, and enter it with shoe.misdraw.", "Put it aside, and enter it with `misdraw`."),
    ("B01/2026-11-21/1 deals no coup yet: next is shoe.inspect.",
     "B01/2026-11-21/1 deals no coup yet: next is `inspect`."),
    ("shoe.inspect needs 'verified_by'.",         "`inspect` needs 'verified_by'."),
    ("Nobody sits at seat 9: seat the patron first, with `table seat`.",
     "Nobody sits at seat 9: seat the patron first, with `seat`."),
    ("B01 is not open: open it first, with `table open`.",
     "B01 is not open: open it first, with `table open`."),
    ("decided with `dispute decide`, or released with `dispute release`.",
     "decided with `dispute decide`, or released with `dispute release`."),
    ("say `sabot staff sign-on D-204` first.",    "say `sabot staff sign-on D-204` first."),
    ("The serial myshoe.load-1 was in shoe 1/shoe.load.x already.",
     "The serial myshoe.load-1 was in shoe 1/shoe.load.x already."),
]
# fmt: on


@pytest.mark.parametrize(("message", "typed"), MESSAGES)
def test_commands_are_named_as_they_are_typed(message, typed):
    assert typed == as_typed(message)


def answer(error, message):
    return Answer({"ok": False, "error": error, "message": message})


def test_who_owes_is_told_with_the_keys_that_settle_it():
    """For whoever leaves their own stay alone; for a shoe that ends everybody's."""
    refusal = CommissionOwed(balances=Words("P-10417 owes 12.50"))
    owed = Answer(answer("CommissionOwed", str(refusal)).body, refusal=refusal.words)
    ends = refusal_words(owed, {"command": "shoe.end"}, table())
    leaves = refusal_words(owed, {"command": "table.leave", "seat": 4}, table())

    assert ends == (
        "P-10417 owes 12.50. Type `c 3,5` to collect it, or with a supervisor `waive 3 REASON` or "
        "`walked 3 REASON`."
    )
    assert leaves.startswith("P-10417 owes 12.50. Type `c 3` to collect it, ")
    assert "`c NAME`" in refusal_words(owed, {}, tables.table(None, {}))


def test_who_has_left_is_named_and_not_their_seat():
    """What is advised settles it: a patron who has left has no seat to collect from."""
    refusal = CommissionOwed(balances=Words("P-9 owes 12.50"))
    owed = Answer(answer("CommissionOwed", str(refusal)).body, refusal=refusal.words)
    two = replace(table(), left_owing={"P-9": 12_50, "Mr Grey": 1_00})
    nobody = replace(two, seats=())

    assert refusal_words(owed, {"command": "shoe.end"}, two) == (
        'P-9 owes 12.50. Type `c 3,5`, `c "Mr Grey"` and `c P-9` to collect it, or with a '
        "supervisor `waive 3 REASON` or `walked 3 REASON`."
    )
    assert refusal_words(owed, {"command": "shoe.end"}, nobody) == (
        'P-9 owes 12.50. Type `c "Mr Grey"` and `c P-9` to collect it, or with a supervisor '
        '`waive "Mr Grey" REASON` or `walked "Mr Grey" REASON`.'
    )


def test_what_is_advised_for_who_has_left_settles_it(session):
    """Another patron sits on their seat now, and owes too."""
    for line in (
        *("3 b 500", "9c5s7cqd4h s", "c 3", "leave 3", "seat 3 P-9"),
        *("correct B01/2026-11-21/1/1 3 b stake 700 typed wrong", "3 b 100", "9c5s7cqd4h s"),
    ):
        assert entered(session, line)[0].kind == "done", line
    advised = session.say("end worn").words[-1]
    typed = re.findall(r"`(c [^`]+)`", advised)

    assert typed == ["c 3", "c P-10417"], advised
    for line in (*typed, "end worn"):
        assert entered(session, line)[0].kind == "done", line


def test_no_refusal_has_a_field_name_of_the_feed_in_it(session):
    """As it is told at a table: lines that the ledger refuses."""
    session.say("3 b 500")
    for typed in ("9 b 500", "9c5s7cqd9s2h", "end", "open", "cut 3", "burn 3d"):
        outcome = session.say(typed)
        assert outcome.kind in ("refused", "second"), typed
        assert not re.search(r"\b(?:shoe|table)\.[a-z]", outcome.words[-1]), outcome.words
        assert "`table seat`" not in outcome.words[-1]
