"""Pairs of patrons at one table who play as one, on both sides of its coups."""

from collections.abc import Iterator
from datetime import date
from itertools import combinations
from typing import Any

from msgspec import field

from domain.events import coup, coup_wagers
from domain.events import shoe as shoe_events
from domain.review.protection.together import Bets, Board, Ended, Together, Winners, share_of
from domain.rules.protection_levels import LEAST, TOGETHER
from domain.rules.spots import OPPOSITE
from projections.attention.questions.answers import LEVELS, About, answer
from projections.attention.questions.question import Question
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a table: its last coup, what the board showed before it, and the bets of its patrons.
CREATE TABLE protected_boards (
    table_code text   NOT NULL PRIMARY KEY,
    gaming_day date   NOT NULL,
    shoe       text   NOT NULL,
    coup       text   NOT NULL,
    winners    jsonb  NOT NULL,  -- of its shoe before it, without ties
    outcome    text,             -- NULL: not yet
    bets       jsonb  NOT NULL   -- of each patron of the gaming day, on its sides
);

-- One row a pair of patrons who bet on the sides of a coup at a table on one gaming day.
CREATE TABLE protected_pairs (
    table_code text   NOT NULL,
    patron     text   NOT NULL,  -- under the names that they had at the table
    partner    text   NOT NULL,  -- the later one in the alphabet
    gaming_day date   NOT NULL,  -- the table's last one: rows of earlier ones go
    place      int    NOT NULL,  -- first, second, … partner of one of them: the larger number
    together   jsonb  NOT NULL,
    most       double precision NOT NULL,  -- that was held
    PRIMARY KEY (table_code, patron, partner)
);
"""


class ProtectedBoard(Row):
    """A table's last coup, and the bets of its patrons."""

    table_code: str
    gaming_day: date
    shoe: str
    coup: str
    winners: Winners = field(default_factory=list)
    outcome: Ended = None
    bets: dict[str, Bets] = field(default_factory=dict)

    def betting(self) -> list[str]:
        """The patrons who bet on a side of this coup."""
        return sorted(patron for patron, bets in self.bets.items() if bets.now)


class ProtectedPair(Row):
    """Two patrons at one table on one gaming day."""

    table_code: str
    patron: str
    partner: str
    gaming_day: date
    place: int
    together: Together = field(default_factory=Together)
    most: float = 0.0


BOARDS = Table("protected_boards", ProtectedBoard, "table_code")
PAIRS = Table("protected_pairs", ProtectedPair, "table_code", "patron", "partner")
PAIRS_OF_A_TABLE = PAIRS.page("table_code")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows of its table. Those of the report are asked for when there is something to note."""
    yield BOARDS.by_key, (event.table,)
    if event.topic in _COUNTED:
        yield PAIRS_OF_A_TABLE, (event.table,)
        yield LEVELS.by_key, (TOGETHER,)


def _begun(event: Event, rows: Rows) -> None:
    """Another coup: what the last one showed is on the board, and its bets were before."""
    shoe = event.fields["shoe"]
    address = f"{shoe}/{event.fields['coup']}"
    board = rows.change(BOARDS, event.table)
    if board is None:
        board = ProtectedBoard(
            table_code=event.table,
            gaming_day=event.gaming_day,
            shoe=shoe,
            coup=address,
        )
        rows.put(BOARDS, board)
    if board.outcome and board.outcome != "tie":
        board.winners = [*board.winners, board.outcome]
    if board.shoe != shoe:
        board.shoe, board.winners = shoe, []
    board.coup, board.outcome = address, None
    board.bets = {name: bets.after() if bets.now else bets for name, bets in board.bets.items()}
    if board.gaming_day != event.gaming_day:
        board.gaming_day, board.bets = event.gaming_day, {}


def _board_of(event: Event, rows: Rows) -> ProtectedBoard | None:
    """The table's, if the event is about its last coup."""
    board = rows.change(BOARDS, event.table)
    return board if board and board.coup == event.fields["coup"] else None


def _resulted(event: Event, rows: Rows) -> None:
    if board := _board_of(event, rows):
        board.outcome = event.fields["outcome"]


def _bet(event: Event, rows: Rows) -> None:
    """A wager was settled."""
    if board := _board_of(event, rows):
        _add(event, board)


def _add(event: Event, board: ProtectedBoard) -> None:
    fields = event.fields
    if fields["spot"] in OPPOSITE:
        bets = board.bets.setdefault(fields["patron"], Bets())
        bets.now += fields["stake"] if fields["spot"] == "player" else -fields["stake"]


def _settled(event: Event, rows: Rows) -> None:
    """All wagers of a coup were settled: do two of its patrons play as one?"""
    board = _board_of(event, rows)
    if not board:
        return
    for pair in rows.find(PAIRS_OF_A_TABLE, event.table):
        if pair.gaming_day != board.gaming_day:
            rows.drop(PAIRS, pair)
    seen = Board.after(board.winners)
    for patron, partner in combinations(board.betting(), 2):
        _count(event, rows, board, seen, patron, partner)


def _settled_late(event: Event, rows: Rows) -> None:
    """Counts who had no bet on a side of the last coup before; one who had stays as it was."""
    board, late = _board_of(event, rows), event.fields["patron"]
    if not board or late in board.betting():
        return
    _add(event, board)
    if late in board.betting():
        seen = Board.after(board.winners)
        for other in board.betting():
            if other != late:
                _count(event, rows, board, seen, *sorted((late, other)))


def _count(
    event: Event, rows: Rows, board: ProtectedBoard, seen: Board, patron: str, partner: str
) -> None:
    pair = rows.change(PAIRS, event.table, patron, partner)
    if pair is None:
        pair = ProtectedPair(
            table_code=event.table,
            patron=patron,
            partner=partner,
            gaming_day=board.gaming_day,
            place=_place(rows.find(PAIRS_OF_A_TABLE, event.table), patron, partner),
        )
        rows.put(PAIRS, pair)
    now = pair.together
    now.add(board.bets[patron], board.bets[partner], seen)
    pair.most = max(pair.most, now.held * share_of(pair.place))
    if pair.most < LEAST:  # no house has so low a level
        return
    detail = {
        "patron": patron,
        "partner": partner,
        "opposite": now.sides.agreed,
        "coups": now.coups,
        "equal": now.equal.agreed,
    }
    answer(
        event,
        rows,
        TOGETHER,
        pair.most,
        detail,
        About(shoe=board.shoe, coup=board.coup, patron=patron, partner=partner),
    )


def _place(pairs: list[ProtectedPair], *names: str) -> int:
    """Which partner each is for the other: the first, the second, …; the larger number."""
    return 1 + max(sum(name in (each.patron, each.partner) for each in pairs) for name in names)


_COUNTED = (coup.Settled.TOPIC, coup_wagers.WagerSettledLate.TOPIC)

QUESTION = Question(
    sql=SQL,
    changes={
        shoe_events.CoupBegun.TOPIC: _begun,
        coup.Resulted.TOPIC: _resulted,
        coup.CardCorrected.TOPIC: _resulted,
        coup_wagers.WagerSettled.TOPIC: _bet,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup.Settled.TOPIC: _settled,
    },
    loads=_loads,
)
