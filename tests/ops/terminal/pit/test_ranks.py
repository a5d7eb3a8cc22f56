"""The ranks of alerts at the pit: the first rings, the third is not shown."""

import asyncio

from tests.ops.terminal.pit.seat import Told, at_the_pit, look
from tests.worlds.gaming_table import GamingTable


def moved_card(dispatcher):
    """A table with a slip of the keys, and a late bet."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.bet(3, "player", 25_00)
    pit.deal("KC 9S")
    pit.say("move-card", n=2, hand="banker")
    pit.ask("bet", seat=5, spot="player", amount=25_00)
    return pit


def test_a_slip_of_the_keys_is_not_in_the_pit_s_list_of_alerts(dispatcher, database):
    moved_card(dispatcher)

    async def act():
        async with at_the_pit(database, board=Told(look(database, minutes=5))) as seat:
            sight = seat.app.sight
            return [fold[0].kind for fold in sight.folds], [each.kind for each in sight.seen.alerts]

    shown, all_of_them = asyncio.run(act())

    assert shown == ["late bet"]
    assert all_of_them == ["late bet", "card moved"]


def test_only_a_new_alert_of_the_first_rank_rings(dispatcher, database):
    pit = moved_card(dispatcher)
    board, rung = Told(look(database)), []

    async def act():
        async with at_the_pit(database, board=board) as seat:
            seat.app.bell = lambda: rung.append(look)

            async def tell():
                state = look(database)
                board.tell(state)
                while seat.app.sight.seen is not state:
                    await seat.pilot.pause()
                return len(rung)

            counts = [await tell()]
            pit.ask("bet", seat=5, spot="tie", amount=25_00)  # late: the second rank
            counts.append(await tell())
            pit.say("shoe.discard", card="4H", reason="face-up", **{"with": "S-11"})
            counts.append(await tell())
            counts.append(await tell())
            return counts

    assert asyncio.run(act()) == [0, 0, 1, 1]
