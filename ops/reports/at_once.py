"""Several projections at once, in processes of their own.

The work is divided evenly. Each process reads the ledger once, for its share.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ops.ledger.database import Database
from projections import PROJECTIONS, Projection

if TYPE_CHECKING:
    from concurrent.futures import Future

    import psycopg

# The work of some projections, if the others' is 1 each: measured over made-up evenings.
_WORK = {
    "protection": 60,
    "wagers": 9,
    "shoes": 9,
    "coups": 8,
    "tree": 7,
    "integrity": 6,
    "tables_now": 5,
    "commission_proof": 5,
    "table_win": 4,
    "commission_owed": 3,
    "trays_now": 3,
}
PROCESSES = max(2, (os.cpu_count() or 2) // 2)  # PostgreSQL's own processes need cores, too

Progress = Callable[[int], None]
Work = Callable[["psycopg.Connection[Any]", Sequence[Projection], Progress], Sequence[Any]]
_reached: Any = None  # in a worker: the position of each share, for progress


def shares(projections: Sequence[Projection], processes: int = PROCESSES) -> list[list[Projection]]:
    """Divides the projections into shares of about the same work; none is empty."""
    dealt: list[list[Projection]] = [[] for _ in range(min(processes, len(projections)))]
    for each in sorted(projections, key=_work_of, reverse=True):
        min(dealt, key=lambda share: sum(map(_work_of, share))).append(each)
    return dealt


def _work_of(projection: Projection) -> int:
    return _WORK.get(projection.name, 1)


def at_once(
    url: str | None,
    dealt: Sequence[Sequence[Projection]],
    work: Work,
    watch: Callable[[Sequence[int]], None] = lambda _: None,
) -> Mapping[str, Any]:
    """Runs the work for every share; returns the result of each projection, by its name.

    `watch` is called now and then with the position of each share. Raises the first error of any
    share.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    spawn = multiprocessing.get_context("spawn")
    reached = spawn.Array("q", len(dealt), lock=False)
    with ProcessPoolExecutor(len(dealt), spawn, _begin, (reached,)) as pool:
        jobs = [
            pool.submit(_do, url, work, [each.name for each in share], n)
            for n, share in enumerate(dealt)
        ]
        try:
            results = _results(jobs, lambda: watch(list(reached)))
            return dict(_by_name(dealt, results))
        finally:
            pool.shutdown(cancel_futures=True)


def _results(jobs: "Sequence[Future[Any]]", watch: Callable[[], None]) -> list[Any]:
    """What each job gave, as soon as all have. Raises the first error of any."""
    from concurrent.futures import FIRST_EXCEPTION, wait

    while True:
        done, going = wait(jobs, timeout=0.2, return_when=FIRST_EXCEPTION)
        watch()
        results = [job.result() for job in jobs if job in done]
        if not going:
            return results


def _by_name(
    dealt: Sequence[Sequence[Projection]], results: Sequence[Sequence[Any]]
) -> Iterator[tuple[str, Any]]:
    for share, made in zip(dealt, results, strict=True):
        yield from zip([each.name for each in share], made, strict=True)


def _begin(reached: Any) -> None:
    global _reached  # noqa: PLW0603  (a worker has one)
    _reached = reached


def _do(url: str | None, work: Work, names: Sequence[str], n: int) -> Sequence[Any]:
    def progress(position: int) -> None:
        _reached[n] = position

    with Database(url).session("sabot_projector") as connection:
        connection.prepared_max = None
        return work(connection, [PROJECTIONS[name] for name in names], progress)
