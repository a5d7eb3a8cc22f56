"""Tables that closed today at the pit: below the open ones, and they can be entered."""

import asyncio

from tests.ops.terminal.pit.seat import LARGE, Told, at_the_pit, look
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable


def test_a_closed_table_can_be_entered_and_shows_its_day(dispatcher, database):
    GamingTable(dispatcher, "B02").open()
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.end_shoe()
    pit.say("table.drop", amount=0)
    pit.say("table.close", closer={"10000": 201}, **{"with": "S-11"})

    async def act():
        board = Told(look(database, minutes=5))
        async with at_the_pit(database, board=board, size=LARGE) as seat:
            pages = [seat.lines]
            await seat.press("down", "enter")
            pages.append(seat.text)
            await seat.press("enter")
            return *pages, seat.text

    lines, table, shoe = asyncio.run(act())
    first, last = (n for n, line in enumerate(lines) if line.strip("› ").startswith(("B01", "B02")))

    assert "B02" in lines[first]
    assert "B01" in lines[last]
    assert lines[last].endswith("closed")
    assert "closed 20:00" in table
    assert "opener 20,000.00 · fills 0.00 · credits 0.00 · closer 20,100.00" in table
    assert "drop 0.00 · win 100.00" in table
    assert "1 coup" in table
    assert "Player" in shoe or "P" in shoe
