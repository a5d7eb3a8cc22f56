"""A board that reads only what changed shows what one shows that reads everything."""

from contextlib import closing
from datetime import timedelta

from msgspec.structs import replace

from ops.board.board import Board
from ops.board.reading import CLOCKS, FEW
from ops.reports.runner import reading_session
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, GamingTable
from tests.worlds.six_tables import evening

NOW = BEGINS + timedelta(minutes=40)


class Watched:
    """A dispatcher; after each line the board that follows is compared with one that begins."""

    def __init__(self, dispatcher, database, followed, connection):
        self.dispatcher, self.database = dispatcher, database
        self.followed, self.connection = followed, connection
        self.compared = 0

    def dispatch(self, line):
        answer = self.dispatcher.dispatch(line)
        self.compare()
        return answer

    def compare(self):
        followed = self.followed.look(self.connection, changes=True)
        with closing(Board(self.database, now=lambda: NOW)) as board:
            assert followed == board.once()
        self.compared += 1


def test_what_is_read_in_part_is_what_is_read_whole(dispatcher, database):
    with (
        closing(Board(database, now=lambda: NOW)) as board,
        reading_session(database) as (connection, _),
    ):
        watched = Watched(dispatcher, database, board, connection)
        evening(watched)
        watched.dispatch({"command": "property.set", "name": "name", "value": "Grand", "by": "A-1"})

    assert watched.compared > 60


def test_clocks_go_on_at_tables_where_nothing_happens(dispatcher, database):
    moment = [NOW]
    tables = [GamingTable(dispatcher, f"B{n:02}").open().prepare() for n in range(1, FEW + 3)]
    for each in tables:
        each.play(BANKER_WINS, (3, "banker", 100_00))
    with (
        closing(Board(database, now=lambda: moment[0])) as board,
        reading_session(database) as (connection, _),
    ):
        before = board.look(connection, changes=True)
        moment[0] += CLOCKS + timedelta(minutes=10)
        looks = [board.look(connection, changes=True) for _ in range(2)]
    ages = [sum(row.idle_minutes > 40 for row in seen.tables) for seen in (before, *looks)]

    assert ages == [0, FEW, len(tables)]
    with closing(Board(database, now=lambda: moment[0])) as board:
        assert replace(looks[-1], alerts=[]) == replace(board.once(), alerts=[])
