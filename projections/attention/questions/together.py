"""Pairs of patrons at one table who play as one, on both sides of its coups."""

from collections.abc import Iterator
from copy import copy
from datetime import date
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import field

from domain.events import coup
from domain.events import shoe as shoe_events
from domain.review.protection.looking import Remembered
from domain.review.protection.together import Bets, Board, Company, Counted, Ended, Pair, Winners
from domain.rules.protection_levels import LEAST, TOGETHER
from domain.rules.spots import OPPOSITE
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.bets import SettledCoup
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
    bets       jsonb  NOT NULL,  -- of each patron of the gaming day, on its sides
    counted    text   NOT NULL   -- a digest of its rows of that day in protected_sides; '': none
);

-- One row a coup on which patrons bet on the sides. What is held beside each two of them is
-- reckoned from those of the table's last gaming day; rows of earlier ones go.
CREATE TABLE protected_sides (
    table_code text   NOT NULL,
    position   bigint NOT NULL,  -- of the event by which it was counted
    gaming_day date   NOT NULL,
    ways       jsonb  NOT NULL,  -- what the board showed before it
    bets       jsonb  NOT NULL,  -- of those who bet on a side, under their names at the table
    late       text   NOT NULL,  -- whose bet was entered once it was settled; '': nobody's
    PRIMARY KEY (table_code, position)
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
    counted: str = ""

    def betting(self) -> dict[str, Bets]:
        """The patrons who bet on a side of this coup, and their bets."""
        return {patron: bets for patron, bets in sorted(self.bets.items()) if bets.now}


class ProtectedSides(Row):
    """A coup that counts, at its table."""

    table_code: str
    position: int
    gaming_day: date
    ways: tuple[str, ...]
    bets: dict[str, Bets]
    late: str

    def digest(self, before: str) -> str:
        """Of this row, and of those of its table and gaming day before it."""
        content = self.table_code, self.position, self.gaming_day, self.ways, self.bets, self.late
        return sha256(before.encode() + msgspec.json.encode(content)).hexdigest()[:16]

    def coup(self) -> Counted:
        """The coup as it counts."""
        return Counted(Board(self.ways), self.bets, self.late)


BOARDS = Table("protected_boards", ProtectedBoard, "table_code")
SIDES = Table("protected_sides", ProtectedSides, "table_code", "position")
SIDES_OF_A_TABLE = SIDES.page("table_code")
# By the digest of the coups that it has counted: 1.5 MB each after 720 coups of seven patrons.
_REMEMBERED = Remembered[Company](most=120)


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """Its table's row. Others are asked for when they are needed, which is seldom."""
    yield BOARDS.by_key, (event.table,)


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
        board.gaming_day, board.bets, board.counted = event.gaming_day, {}, ""


def _board_of(event: Event, rows: Rows) -> ProtectedBoard | None:
    """The table's, if the event is about its last coup."""
    board = rows.change(BOARDS, event.table)
    return board if board and board.coup == event.fields["coup"] else None


def _resulted(event: Event, rows: Rows) -> None:
    if board := _board_of(event, rows):
        board.outcome = event.fields["outcome"]


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """All wagers of a coup were settled, or one late: do two of its patrons play as one?

    Of those who are late, who had no bet on a side before counts; who had one stays as it was.
    """
    board = _board_of(coup.event, rows)
    if not board:
        return
    sides = [bet for bet in coup.bets if bet.spot in OPPOSITE]
    late = coup.bets[0].patron if coup.late else ""
    if coup.late and (late in board.betting() or not sides):
        return
    for bet in sides:
        bets = board.bets.setdefault(bet.patron, Bets())
        bets.now += bet.stake if bet.spot == "player" else -bet.stake
    _count(coup.event, rows, board, late)


def _count(event: Event, rows: Rows, board: ProtectedBoard, late: str = "") -> None:
    """Counts the pairs that bet on a side of the coup, or those of one who was late."""
    sides = ProtectedSides(
        table_code=event.table,
        position=event.position,
        gaming_day=board.gaming_day,
        ways=Board.after(board.winners).ways,
        bets={name: copy(bets) for name, bets in board.betting().items()},
        late=late,
    )
    coup = sides.coup()
    pairs = coup.pairs()
    if not pairs:
        return
    company = _company(rows, board)
    company.add(coup, LEAST)
    rows.put(SIDES, sides)
    board.counted = sides.digest(board.counted)
    _REMEMBERED.remember(board.counted, company)
    for names in pairs:
        _ask(event, rows, board, *names, company.pairs[names])


def _company(rows: Rows, board: ProtectedBoard) -> Company:
    """The pairs of a table's gaming day: as they are remembered, or reckoned from its rows.

    Whoever has counted other coups since, or another process has, remembers them by another digest.
    """
    if company := _REMEMBERED.take(board.counted):
        return company
    company = Company()
    stored = rows.find(SIDES_OF_A_TABLE, board.table_code)
    for each in sorted(stored, key=lambda row: row.position):
        if not board.counted:
            rows.drop(SIDES, each)  # of an earlier day
        elif each.gaming_day == board.gaming_day:
            company.add(each.coup(), LEAST)
    return company


def _ask(
    event: Event, rows: Rows, board: ProtectedBoard, patron: str, partner: str, pair: Pair
) -> None:
    if pair.most < LEAST:  # no house has so low a level
        return
    now = pair.together
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


QUESTION = Question(
    sql=SQL,
    changes={
        shoe_events.CoupBegun.TOPIC: _begun,
        coup.Resulted.TOPIC: _resulted,
        coup.CardCorrected.TOPIC: _resulted,
    },
    loads=_loads,
    settled=_settled,
    of_a_patron=lambda _, day: answers.of_a_day(TOGETHER, day),
)
