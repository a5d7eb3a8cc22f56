"""Everything that a feed can be sent by mistake: how it is refused, and what is left of it.

A row is the state of a table, the line it is sent, the error, the rule, and the event that is
recorded, where one is. After every bad line the next good one is accepted.
"""

import re

import pytest

from ops.cli.audit import walk
from tests.worlds.states import BET, DRAGON, ENDS

OPEN = {"rules": DRAGON, "opener": {}}
LONG = "x" * 1_000_000
PYTHON = re.compile(
    r"Traceback|None|True|False|Error|Exception|codec|recursion|msgspec|object at|<class"
    r"|\{'|\{[a-z_]+\}|`\$|\b(int|str|dict|bool|float|datetime)\b|[a-z][A-Z]"
)


# fmt: off
ROWS = [
    # Reading
    ("open", "table.shut", {}, "UnknownCommand", None),
    ("open", "", {}, "UnknownCommand", None),
    ("open", None, {}, "MissingField", None),
    ("open", 5, {}, "UnknownCommand", None),
    ("open", True, {}, "UnknownCommand", None),
    ("open", {"bet": 1}, {}, "UnknownCommand", None),
    ("open", "shoe\x00load", {}, "UnknownCommand", None),
    ("open", LONG, {}, "UnknownCommand", None),
    ("ready", "bet", {**BET, "colour": "red"}, "UnknownField", None),
    ("ready", "bet", {**BET, "it's": 1}, "UnknownField", None),
    ("ready", "bet", {**BET, "$seat": 1}, "UnknownField", None),
    ("ready", "bet", {**BET, "a\nb": 1}, "UnknownField", None),
    ("ready", "bet", {**BET, "": 1}, "UnknownField", None),
    ("ready", "bet", {**BET, LONG: 1}, "UnknownField", None),
    ("ready", "bet", {**BET, "second": "S-11"}, "UnknownField", None),
    ("ready", "bet", {"seat": 3, "spot": "banker"}, "MissingField", None),
    ("ready", "bet", {**BET, "table": ...}, "MissingField", None),
    ("open", "shoe.load", {}, "MissingField", None),
    ("open", "commission.collect", {"amount": 1}, "MissingField", None),
    ("ended", "shoe.reconcile", {}, "MissingField", None),
    ("ready", "bet", {**BET, "seat": "3"}, "BadValue", None),
    ("ready", "bet", {**BET, "seat": -3}, "BadValue", None),
    ("ready", "bet", {**BET, "seat": 3.5}, "BadValue", None),
    ("ready", "bet", {**BET, "spot": "dragon"}, "BadValue", None),
    ("ready", "bet", {**BET, "spot": "banker\n"}, "BadValue", None),
    ("ready", "bet", {**BET, "table": 1}, "BadValue", None),
    ("ready", "bet", {**BET, "table": "B 01"}, "BadValue", None),
    ("ready", "bet", {**BET, "table": "B01\n"}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": -100_00}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": 0}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": 100_00.5}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": 2**53 + 1}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": 10**30}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": "10000"}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": None}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": True}, "BadValue", None),
    ("ready", "bet", {**BET, "amount": [100_00]}, "BadValue", None),
    ("ready", "bet", {**BET, "at": "2026-11-21T20:14:07"}, "BadValue", None),
    ("ready", "bet", {**BET, "at": "yesterday"}, "BadValue", None),
    ("ready", "bet", {**BET, "at": "2020-01-01T00:00:00Z"}, "BadValue", None),
    ("ready", "bet", {**BET, "late": 1}, "BadValue", None),
    ("ready", "bet", {**BET, "by": "D\x07204"}, "BadValue", None),
    ("ready", "bet", {**BET, "by": "D-204\n"}, "BadValue", None),
    ("ready", "bet", {**BET, "id": "x" * 201}, "BadValue", None),
    ("ready", "bet", {**BET, "id": ""}, "BadValue", None),
    ("ready", "bet", {**BET, "id": 7}, "BadValue", None),
    ("ready", "bet", {**BET, "id": "a\x00b"}, "BadValue", None),
    ("ready", "bet", {**BET, "id": "a\n"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P\x004"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-4\n"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": LONG}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": ""}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": " P-3"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-3 "}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "grey  jacket"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-3\u200b"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P\u00a0-3"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "\u3164"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-3\ufe0f"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-3\U000e0041"}, "BadValue", None),
    ("ready", "shoe.end", {**ENDS, "reason": " \u00a0 "}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "P-3\x85"}, "BadValue", None),
    ("open", "table.seat", {"seat": 4, "patron": "Jose\u0301"}, "BadValue", None),
    ("ready", "bet", {**BET, "at": "2198-11-21T20:14:07Z"}, "BadValue", None),
    ("ready", "bet", {**BET, "late": True}, "MissingField", None),
    ("open", "shoe.load", {"decks": 8, "serials": ["K-1", "K-2", "K-1"]}, "BadValue", None),
    ("open", "shoe.load", {"decks": 8, "serials": [f"K-{n}" for n in range(25)]},
          "BadValue", None),
    ("shuffled", "shoe.cut", {"seat": 3, "staff": "D-204"}, "BadValue", None),
    ("ready", "shoe.pass", {"seat": 3, "staff": "D-204"}, "BadValue", None),
    ("ended", "shoe.reconcile", {"remaining": 408, "shoe": "B99/2026-11-21/1"}, "BadValue", None),
    ("ended", "shoe.reconcile", {"remaining": 408, "shoe": "1"}, "BadValue", None),
    ("open", "shoe.load", {"decks": 13}, "BadValue", None),
    ("open", "shoe.load", {"decks": 6}, "BadValue", None),
    ("inspected", "shoe.shuffle", {"method": "twice"}, "BadValue", None),
    ("shuffled", "shoe.cut", {"cut_card": 416}, "BadValue", None),
    ("ended", "shoe.reconcile", {"remaining": 417}, "BadValue", None),
    ("ended", "shoe.reconcile", {"remaining": [1, 2]}, "BadValue", None),
    ("resulted", "settle", {"paid": {"three": 1}}, "BadValue", None),
    ("resulted", "settle", {"paid": {"3\n": 200_00}}, "BadValue", None),
    ("resulted", "settle", {"paid": {"3": -1}}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "opener": {"1.00": 5}}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "opener": {"100\n": 5}}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "opener": {"100": -5}}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "opener": {"9" * 12: 10**8}}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "day": "21.11.2026"}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "day": "2026-02-30"}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "day": "1969-12-31"}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "day": "9999-12-31"}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "at": "9999-12-31T23:59:59Z"}, "BadValue", None),
    ("nothing", "table.open", {**OPEN, "at": "1960-01-01T20:00:00Z", "late": True},
          "BadValue", None),
    ("cut", "shoe.burn", {"card": "1D"}, "UnknownCard", "R-CARD-1"),
    ("dealing", "draw", {"card": "10H"}, "UnknownCard", "R-CARD-1"),
    ("dealing", "draw", {"card": ""}, "UnknownCard", "R-CARD-1"),
    ("ended", "shoe.reconcile", {"remaining": ["9S", "9X"]}, "UnknownCard", "R-CARD-1"),
    # Floor
    ("nothing", "bet", BET, "TableClosed", None),
    ("nothing", "table.close", {"closer": {}}, "TableClosed", None),
    ("nothing", "table.open", {**OPEN, "rules": "dragon-bonus@9"}, "UnknownRules", None),
    ("open", "table.open", {**OPEN, "opener": {}}, "AlreadyOpen", None),
    ("open", "table.seat", {"seat": 12, "patron": "P-12"}, "UnknownSeat", None),
    ("open big-table@1", "table.seat", {"seat": 4, "patron": "P-4"}, "UnknownSeat", None),
    ("open big-table@1", "table.seat", {"seat": 13, "patron": "P-13"}, "UnknownSeat", None),
    ("open", "table.seat", {"seat": 3, "patron": "P-9"}, "SeatTaken", "R-BET-1"),
    ("open", "table.seat", {"seat": 9, "patron": "P-3"}, "SeatTaken", "R-BET-1"),
    ("ready", "bet", {**BET, "seat": 12}, "UnknownSeat", None),
    ("ready", "bet", {**BET, "seat": 9}, "SeatEmpty", "R-BET-1"),
    ("dealing", "bet", {**BET, "seat": 9}, "SeatEmpty", "R-BET-1"),
    ("shuffled", "shoe.cut", {"seat": 9}, "SeatEmpty", "R-BET-1"),
    ("settled", "table.leave", {"seat": 3}, "CommissionOwed", "R-COM-4"),
    ("settled", "table.close", {"closer": {}}, "CommissionOwed", "R-COM-4"),
    ("settled", "shoe.end", ENDS, "CommissionOwed", "R-COM-4"),
    ("betting", "table.leave", {"seat": 3}, "CoupNotFinished", "R-DEAL-1"),
    ("clear", "table.leave", {"seat": 9}, "SeatEmpty", "R-BET-1"),
    ("clear", "table.close", {"closer": {}}, "ShoeStepOutOfOrder", "R-SHOE-1"),
    ("settled", "commission.collect", {"seat": 3, "amount": 5_01}, "OverCollected", "R-COM-4"),
    ("settled", "commission.collect", {"seat": 5, "amount": 1}, "OverCollected", "R-COM-4"),
    ("settled", "commission.collect", {"seat": 9, "amount": 1}, "SeatEmpty", "R-BET-1"),
    ("settled", "commission.collect", {"patron": "P-9", "amount": 1}, "NotFound", None),
    # Betting
    ("betting", "bet", {**BET, "spot": "player"}, "BothSides", "R-BET-1"),
    ("ready", "bet", {**BET, "spot": "pair-player"}, "SpotNotOffered", "R-BET-2"),
    ("ready classic@1", "bet", {**BET, "spot": "tie"}, "SpotNotOffered", "R-BET-2"),
    ("ready", "bet", {**BET, "amount": 101_00}, "NotAnIncrement", "R-BET-3"),
    ("ready", "bet", {**BET, "amount": 20_00}, "UnderMinimum", "R-BET-3"),
    ("ready", "bet", {**BET, "amount": 10_005_00}, "OverMaximum", "R-BET-3"),
    ("ready", "bet", {**BET, "spot": "tie", "amount": 1_005_00}, "OverMaximum", "R-BET-3"),
    ("ready", "bet", {**BET, "spot": "dragon-player", "amount": 505_00}, "OverMaximum", "R-BET-3"),
    ("ready big-table@1", "bet", {**BET, "amount": 95_00}, "UnderMinimum", "R-BET-3"),
    ("tie alone", "no-more-bets", {}, "UnderMinimum", "R-BET-3"),
    ("gap big-table@1", "no-more-bets", {}, "DifferentialExceeded", "R-BET-4"),
    ("betting", "withdraw", {"seat": 3, "spot": "tie"}, "NoWager", "R-BET-1"),
    ("closed", "bet", BET, "BettingClosed", "R-DEAL-2", "coup.late-bet-refused"),
    ("dealing", "bet", BET, "BettingClosed", "R-DEAL-2", "coup.late-bet-refused"),
    ("dealing", "withdraw", {"seat": 3, "spot": "banker"}, "BettingClosed", "R-DEAL-2",
     "coup.late-bet-refused"),
    ("closed", "no-more-bets", {}, "CoupNotFinished", "R-DEAL-1"),
    ("clear", "no-more-bets", {}, "CoupOver", "R-WIN-1"),
    # Dealing
    ("ready", "draw", {"card": "9C"}, "CardNotDue", "R-IRR-1", "shoe.undue-card-refused"),
    ("resulted", "draw", {"card": "9C"}, "CardNotDue", "R-IRR-1", "shoe.undue-card-refused"),
    ("settled", "draw", {"card": "9C"}, "CardNotDue", "R-IRR-1", "shoe.undue-card-refused"),
    ("eight nines", "draw", {"card": "9S"}, "CardNotInShoe", "R-CARD-3"),
    ("shuffled", "bet", BET, "ShoeNotReady", "R-SHOE-1"),
    ("inspected", "draw", {"card": "9C"}, "ShoeNotReady", "R-SHOE-1"),
    ("unburned electronic@1", "shoe.burn", {"card": "3D"}, "ShoeStepOutOfOrder", "R-SHOE-1"),
    ("last coup", "shoe.cut-card", {}, "ShoeStepOutOfOrder", "R-SHOE-3"),
    ("dealt out", "bet", BET, "CutCardOut", "R-SHOE-3"),
    ("dealt out", "open", {}, "CutCardOut", "R-SHOE-3"),
    ("betting", "open", {}, "AlreadyOpen", None),
    ("betting", "shoe.end", ENDS, "CoupNotFinished", "R-DEAL-1"),
    ("resulted", "shoe.end", ENDS, "CoupNotFinished", "R-DEAL-1"),
    ("clear", "shoe.end", {"reason": "r", "by": "D-204"}, "SecondPersonNeeded", "R-SHOE-3"),
    ("clear", "shoe.end", {**ENDS, "with": "D-204"}, "SecondPersonNeeded", "R-SHOE-3"),
    ("clear", "shoe.end", {"by": "D-204", "with": "S-11"}, "MissingField", "R-SHOE-3"),
    ("ready", "settle", {}, "NotFound", None),
    ("betting", "settle", {}, "CoupNotFinished", "R-DEAL-1"),
    ("dealing", "settle", {}, "CoupNotFinished", "R-DEAL-1"),
    ("settled", "settle", {}, "CoupOver", "R-WIN-1"),
    ("resulted", "settle", {"paid": {"3": 195_00}}, "PaymentDisagrees", "R-PAY-1",
     "coup.payment-disagreed"),
    ("resulted", "settle", {"paid": {"3": 200_00, "5": 1}}, "PaymentDisagrees", "R-PAY-1",
     "coup.payment-disagreed"),
    ("resulted", "settle", {"paid": {}}, "PaymentDisagrees", "R-PAY-1", "coup.payment-disagreed"),
]

# Every step in every state (R-SHOE-1): `.` is taken, `O` ShoeStepOutOfOrder, `N` ShoeNotReady,
# `F` NotFound.
STEPS = ("load", "inspect", "shuffle", "cut", "burn", "pass", "cut-card", "reconcile")
ORDER = {
    "open":       ". N N N N N N F",
    "loaded":     "O . O O O N N O",
    "inspected":  "O O . O O N N O",
    "shuffled":   "O O O . O N N O",
    "cut":        "O O O O . N N O",
    "ready":      "O O O O O . . O",
    "ended":      ". N N N N N N .",
    "reconciled": ". N N N N N N O",
}
# fmt: on
STEP = {
    "load": {"decks": 8},
    "shuffle": {"method": "hand"},
    "burn": {"card": "3D"},
    "reconcile": {"remaining": 408},
}
KINDS = {"O": "ShoeStepOutOfOrder", "N": "ShoeNotReady", "F": "NotFound"}
ROWS += [
    (state, f"shoe.{step}", STEP.get(step, {}), KINDS[cell], None if cell == "F" else "R-SHOE-1")
    for state, cells in ORDER.items()
    for step, cell in zip(STEPS, cells.split(), strict=True)
    if cell != "."
]

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
    "twice": b'{"command": "table.leave", "table": "B01", "seat": 3, "seat": 5}',
}


def in_words(answer):
    """A sentence or more for people, of a length that a person reads."""
    message = answer["message"]

    assert message.endswith(".")
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
    assert (events + len(recorded), kept + 1) == after[:2]
    assert recorded == [after[2]] * len(recorded)
    if mine:  # it is kept with its id, so it is answered the same and changes nothing again
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


def test_a_line_of_twenty_thousand_fields_is_refused_like_any_other(tables):
    answer = tables.ask("B01", "bet", {**BET, **{f"field-{n}": n for n in range(20_000)}})

    assert answer["error"] == "UnknownField"


@pytest.mark.parametrize(
    ("state", "refusal"),
    [("tie alone", "UnderMinimum"), ("gap big-table@1", "DifferentialExceeded")],
)
def test_what_no_more_bets_would_refuse_is_found_by_the_first_card_and_recorded(
    tables, state, refusal
):
    """The card is out, so betting is closed all the same (R-BET-4, R-BET-5)."""
    tables.bring(f"W-{refusal[:5]}", state)
    answer = tables.ask(f"W-{refusal[:5]}", "draw", {"card": "9C"})
    events = {event["type"]: event for event in answer["events"]}

    assert answer["ok"]
    assert refusal == events["LimitFoundBroken"]["refusal"]
    assert events["BettingClosed"]["by"] == "first-card"


def test_after_all_of_it_the_chain_is_whole(tables):
    chain = walk(tables.database)

    assert (True, True, tables.counted()[0]) == (chain.ok, chain.gapless, chain.events)
