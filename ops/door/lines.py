"""Lines of commands as they come: in groups of those that wait together, none without bound.

The bounds of a line are kept by every reader, here and in `ops.commands.read`.
"""

from collections.abc import Callable, Iterator
from typing import IO

PIECE = 1 << 16  # bytes in one read
LONGEST = 1 << 18  # bytes of a line: twice what the text of the largest rule set takes
DEEPEST = 16  # objects and lists within each other; commands take four
MOST = 1_000  # lines in a group, and in a request to the house server


def waiting_in(
    file: IO[bytes], progress: Callable[[int], None] = lambda _: None
) -> Iterator[list[bytes]]:
    """The lines in groups: each has all lines that were waiting, or the first MOST of them.

    Of a line that is too long not all is kept, only enough for it to be refused as that.
    `progress` counts bytes.
    """
    begun, size = list[bytes](), 0  # the parts of a line whose end has not arrived yet
    while piece := file.read1(PIECE):  # type: ignore[attr-defined]  # what has arrived, without waiting for more
        whole, ended, rest = piece.rpartition(b"\n")
        if ended:
            lines = b"".join([*begun, whole]).split(b"\n")
            begun, size = [], 0
            for at in range(0, len(lines), MOST):
                yield [line + b"\n" for line in lines[at : at + MOST]]
        if size <= LONGEST:
            begun.append(rest)
            size += len(rest)
        progress(len(piece))
    if line := b"".join(begun):
        yield [line]
