"""A chip that is not there is not taken, by any command that counts chips."""

from typing import get_args, get_type_hints

import pytest
from msgspec.structs import fields

from ops.commands.command import Chips
from ops.commands.vocabulary import COMMANDS
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.twin_tables import SLIP, TWO

NONE = {"300": 5}  # no rule set has a chip of 3.00
RIGHT = {"10000": 1}
REASON = {"reason": "counted wrong"}
LINES = {
    "table.open": {"rules": "dragon-bonus@1", "opener": NONE, "day": DAY},
    "table.close": {"closer": NONE},
    "table.roll-over": {"closer": NONE},
    "table.reopen": {"opener": NONE, **REASON},
    "table.recount": {"closer": NONE, **REASON},
    "table.shift-count": {"chips": NONE},
    "table.colour-change": {"taken": NONE, "given": {"500": 3}},
    "table.fill": {"chips": NONE, **SLIP},
    "table.credit": {"chips": NONE, **SLIP},
    "slip.request": {"kind": "fill", "chips": NONE},
    "money.correct": {"position": "last", "table": "B01", "chips": NONE, **REASON},
}
REFUSED = (
    "No chip here is worth 3.00. The nearest are 1 and 5; all are 0.25, 0.50, 1, 5, 25, 100, 500 "
    "and 1,000."
)


def _counts_chips(kind):
    hints = get_type_hints(kind, include_extras=True)
    return any(Chips in (hints[each.name], *get_args(hints[each.name])) for each in fields(kind))


def test_every_command_that_counts_chips_is_tried_here():
    assert set(LINES) == {name for name, kind in COMMANDS.items() if _counts_chips(kind)}


@pytest.mark.parametrize("command", sorted(LINES))
def test_a_chip_that_neither_rules_nor_house_have_is_refused(dispatcher, command):
    pit = GamingTable(dispatcher)
    if command != "table.open":
        pit.say("table.open", rules="dragon-bonus@1", opener=RIGHT, day=DAY, **TWO)
    if command in ("table.reopen", "table.recount"):
        pit.say("table.close", closer=RIGHT, **TWO)
    refused = pit.ask(command, **{**TWO, **LINES[command]}).body

    assert ("BadValue", REFUSED) == (refused["error"], refused["message"])


def test_a_chip_of_the_houses_own_is_taken(dispatcher):
    pit = GamingTable(dispatcher)
    pit.say("property.set", name="chips", value="3, 0.10")

    assert pit.ask("table.open", rules="dragon-bonus@1", opener=NONE, day=DAY, **TWO).ok
    wrong = pit.ask("property.set", name="chips", value="three").body
    assert "write amounts of USD, as in `0.25, 2.50`, or none" in wrong["message"]
