"""Rows of the projections that somebody changed: words, and what makes them anew."""

from collections.abc import Iterator
from contextlib import contextmanager

from domain.rules.refusals import SENSELESS, NotFound
from ops.ledger.database import NotFit, one_line


class RowsUnreadable(NotFit):
    """A row that reports are made of cannot be read ({why}). `sabot projections check` names rows that are not as the record has them, and `sabot projections rebuild` makes all of them anew."""  # noqa: E501

    def __init__(self, why: str) -> None:
        super().__init__((type(self).__doc__ or "").format(why=why))
        self.why = why

    def __reduce__(self) -> tuple[type["RowsUnreadable"], tuple[str]]:
        return type(self), (self.why,)  # for an error that crosses processes


@contextmanager
def readable() -> Iterator[None]:
    """Raises RowsUnreadable for what garbled rows raise in code that trusts them.

    Not for NotFound, which is about what was asked for.
    """
    import psycopg

    try:
        yield
    except NotFound:
        raise
    except (psycopg.DataError, *SENSELESS) as error:
        raise RowsUnreadable(f"{type(error).__name__}: {one_line(error)}") from error
