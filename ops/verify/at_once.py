"""Compares pieces of the record one after the other, or several at once in several processes."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ops.ledger.database import Database
from ops.verify.pieces import Compared, Piece, compare

if TYPE_CHECKING:
    from concurrent.futures import Future

    import psycopg

Comparing = Callable[[Iterable[Piece]], Iterator[Compared]]
AHEAD = 32  # pieces that wait or are done, while the first of them is not
_connection: Any = None  # of this process, if it only compares


@contextmanager
def comparing(
    database: Database,
    connection: "psycopg.Connection[Any]",
    jobs: int,
    breathe: Callable[[], None],
) -> Iterator[Comparing]:
    """Gives what compares pieces, in order; with more than one job, in other processes too."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    def own(piece: Piece) -> Compared:
        compared = compare(connection, piece)
        breathe()
        return compared

    if jobs == 1:
        yield lambda parts: map(own, parts)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs - 1, spawn, _begin, (database.url,)) as pool:
        try:
            yield lambda parts: _shared(parts, pool.submit, own)
        finally:
            pool.shutdown(cancel_futures=True)


class _Waiting:
    """A piece that was handed to the other processes, or compared here."""

    def __init__(self, piece: Piece, future: "Future[Compared]") -> None:
        self.piece = piece
        self.future = future
        self.compared: Compared | None = None

    def is_taken_back(self) -> bool:
        """Whether no other process has it, nor gets it any more."""
        return self.compared is None and self.future.cancel()


def _shared(
    parts: Iterable[Piece],
    submit: Callable[[Callable[[Piece], Compared], Piece], "Future[Compared]"],
    own: Callable[[Piece], Compared],
) -> Iterator[Compared]:
    """Each piece in order; this process compares what no other one has begun."""
    waiting = deque[_Waiting]()
    for piece in parts:
        waiting.append(_Waiting(piece, submit(_compare, piece)))
        if len(waiting) == AHEAD:
            yield _first(waiting, own)
    while waiting:
        yield _first(waiting, own)


def _first(waiting: deque[_Waiting], own: Callable[[Piece], Compared]) -> Compared:
    """The first piece; while another process has it, this one takes what waits behind it."""
    first = waiting[0]
    while not first.compared and not first.future.done():
        mine = next((each for each in waiting if each.is_taken_back()), None)
        if mine is None:
            break
        mine.compared = own(mine.piece)
    waiting.popleft()
    return first.compared or first.future.result()


def _begin(url: str) -> None:
    global _connection  # noqa: PLW0603  (a process has one)
    _connection = Database(url).connect("sabot_auditor")


def _compare(piece: Piece) -> Compared:
    return compare(_connection, piece)
