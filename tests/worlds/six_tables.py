"""An evening of which the board shows something of everything."""

from datetime import timedelta

from tests.worlds.gaming_table import BANKER_WINS, BEGINS, PLAYER_WINS, GamingTable

NOW = BEGINS + timedelta(minutes=24)


def evening(dispatcher):
    """Six tables: one at its cut card, one near it, one idle, one in a coup, one opening, one closed."""  # noqa: E501
    cut = GamingTable(dispatcher).open().prepare()
    cut.moment = BEGINS + timedelta(minutes=15)
    cut.say("table.buy-in", seat=3, amount=2_000_00)
    cut.play(BANKER_WINS, (3, "banker", 250_00), (5, "banker", 500_00))
    cut.say("commission.collect", seat=5, amount=10_00)
    cut.say("shoe.cut-card")
    cut.moment = BEGINS + timedelta(minutes=21)
    cut.bet(1, "player", 100_00)
    cut.say("draw", card="9C")
    cut.ask("bet", seat=3, spot="banker", amount=50_00)

    near = GamingTable(dispatcher, "B02").open("classic@1").prepare(cut_card=385)
    near.moment = BEGINS + timedelta(minutes=19)
    near.say("table.buy-in", seat=1, amount=9_500_00)
    near.play(PLAYER_WINS, (1, "banker", 300_00), (3, "player", 20_00))

    idle = GamingTable(dispatcher, "B03").open("big-table@1").prepare()
    idle.play(PLAYER_WINS, (1, "banker", 5_000_00))

    in_play = GamingTable(dispatcher, "B04").open().prepare()
    in_play.moment = BEGINS + timedelta(minutes=23)
    in_play.play(PLAYER_WINS, (5, "banker", 75_00))
    in_play.bet(3, "player", 100_00)

    opening = GamingTable(dispatcher, "B05")
    opening.moment = BEGINS + timedelta(minutes=22)
    opening.open("ez@1")

    closed = GamingTable(dispatcher, "B06").open()
    closed.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
