"""Everything that a feed can be sent by mistake: how it is refused, and what is left of it.

After every bad line the next good one is accepted.
"""

import re

import pytest

from domain.rules import refusals
from ops.cli.audit.verify import walk
from tests.ops.commands.bad_lines import ROWS
from tests.worlds.states import BET

PYTHON = re.compile(
    r"Traceback|None|True|False|Error|Exception|codec|recursion|msgspec|object at|<class"
    r"|\{'|\{[a-z_]+\}|`\$|\b(int|str|dict|bool|float|datetime)\b|[a-z][A-Z]"
)


UNREADABLE = {
    "blank": b"",
    "spaces": b"   ",
    "words": b"bet B01 3 banker 100",
    "half": b'{"command": "bet", "table": "B01"',
    "two": b'{"command": "bet"} {"command": "bet"}',
    "comma": b'{"command": "bet",}',
    "quotes": b"{'command': 'bet'}",
    "array": b'[{"command": "bet"}]',
    "text": b'"bet"',
    "number": b"7",
    "null": b"null",
    "NaN": b'{"command": "bet", "amount": NaN}',
    "too large": b'{"command": "bet", "amount": 1e400}',
    "bytes": b'{"command": "\xff\xfe"}',
    "half a pair": b'{"command": "\\ud800"}',
    "control": b'{"command": "be\x00t"}',
    "deep": b'{"command": "bet", "seat": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a bit too deep": b'{"command": "bet", "seat": ' + b"[" * 16 + b"]" * 16 + b"}",
    "long": b'{"command": "' + b"x" * 300_000 + b'"}',
    "twice": b'{"command": "table.leave", "table": "B01", "seat": 3, "seat": 5}',
}


def in_words(answer):
    """A sentence or more for people, of a length that a person reads."""
    message = answer["message"]

    assert message.endswith((".", "?"))
    assert not PYTHON.search(message), PYTHON.search(message)
    assert len(message) < 1_000
    assert answer.keys() >= {"ok", "command", "error", "message", "rule"}


def _params():
    for number, row in enumerate(ROWS):
        state, command, _, error, *_ = row
        name = f"{number} {state}: {command!s:.20} - {error}"
        yield pytest.param(number, id=name)


@pytest.mark.parametrize("number", list(_params()))
def test_a_bad_line_is_refused_by_its_rule_and_the_table_goes_on(tables, number):
    state, command, fields, error, rule, *recorded = ROWS[number]
    table = f"T{number}"
    good = tables.bring(table, state)
    events, kept, _ = tables.counted()
    mine = {"id": f"bad-{number}"} if "id" not in fields else {}
    answer = tables.ask(table, command, {**mine, **fields})

    assert (False, error, rule) == tuple(answer[name] for name in ("ok", "error", "rule"))
    in_words(answer)
    after = tables.counted()
    keeps = getattr(refusals, error).stored or bool(recorded)
    assert (events + len(recorded), kept + keeps) == after[:2]
    assert recorded == [after[2]] * len(recorded)
    if mine:  # kept with its id or not, it is answered the same and changes nothing again
        assert answer == tables.ask(table, command, {**mine, **fields})
        assert after == tables.counted()
    accepted = tables.ask(table, *good)

    assert accepted["ok"], accepted


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_line_that_cannot_be_read_is_a_bad_line_with_its_number(tables, name):
    good = tables.bring(f"U-{name.replace(' ', '-')}", "ready")
    before = tables.counted()
    answer = tables.send(UNREADABLE[name] + b"\n")

    assert (False, "BadLine", 1) == tuple(answer[n] for n in ("ok", "error", "line"))
    assert "Line 1 " in answer["message"]
    in_words(answer)
    assert before == tables.counted()
    assert tables.ask(f"U-{name.replace(' ', '-')}", *good)["ok"]


def test_a_line_of_ten_thousand_fields_is_refused_like_any_other(tables):
    answer = tables.ask("B01", "bet", {**BET, **{f"field-{n}": n for n in range(10_000)}})

    assert answer["error"] == "UnknownField"


@pytest.mark.parametrize(
    ("state", "refusal"),
    [("tie alone", "UnderMinimum"), ("gap big-table@1", "DifferentialExceeded")],
)
def test_wagers_that_no_more_bets_refuses_are_refused_at_the_first_card_and_recorded(
    tables, state, refusal
):
    """The card is out, so betting is closed all the same (R-BET-4, R-BET-5)."""
    tables.bring(f"W-{refusal[:5]}", state)
    answer = tables.ask(f"W-{refusal[:5]}", "draw", {"card": "9C"})
    events = {event["type"]: event for event in answer["events"]}

    assert answer["ok"]
    assert refusal == events["LimitFoundBroken"]["refusal"]
    assert events["BettingClosed"]["by"] == "first-card"


def test_after_all_bad_lines_the_chain_verifies(tables):
    chain = walk(tables.database)

    assert (True, True, tables.counted()[0]) == (chain.ok, chain.gapless, chain.events)
