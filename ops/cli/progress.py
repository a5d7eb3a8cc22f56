"""A progress bar for reading the ledger: the position, and events a second."""

import sys
from typing import TYPE_CHECKING

from ops.words import show

if TYPE_CHECKING:
    from rich.progress import Progress


def reading(*, transient: bool = False) -> "Progress":
    """A bar that counts positions, shown on terminals only."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.text import Text

    class Rate(ProgressColumn):
        """The column of events a second in the last moments."""

        def render(self, task: Task) -> Text:
            return Text(rate_words(task.finished_speed or task.speed))

    columns = (TextColumn("{task.description:<18}"), BarColumn(), TextColumn("{task.fields[at]}"))
    return Progress(
        *(*columns, Rate(), Elapsed()),
        console=show.console(err=True),
        transient=transient,
        disable=not sys.stderr.isatty(),
    )


def rate_words(rate: float | None) -> str:
    """The rate as `31,400 events/s`, or empty while it is not known."""
    return f"{rate:,.0f} events/s" if rate else ""
