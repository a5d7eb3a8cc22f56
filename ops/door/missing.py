"""Lines that the house acknowledged here and a restored record lacks, to be looked at.

Each has its own id and its own time, as a late entry.
"""

import json
import sys
from collections.abc import Callable, Collection
from itertools import islice
from typing import IO

from ops.door.acknowledged import LinesHere

AT_ONCE = 500  # ids in one question


def show_missing(
    lines: LinesHere, record: str, on_record: Callable[[list[str]], Collection[str]], out: IO[str]
) -> int:
    """Writes each of them as a line of the feed, in their order; the exit status.

    `on_record`: which of these ids are on record.
    """
    printed, ours = set[str](), lines.of(record)
    while some := list(islice(ours, AT_ONCE)):
        known = on_record([each.id for each in some])
        for each in some:
            if each.id not in known and each.id not in printed:
                printed.add(each.id)
                late = {"at": each.at.isoformat(), **each.line, "id": each.id, "late": True}
                out.write(f"{json.dumps(late, ensure_ascii=False)}\n")
    sys.stderr.write(
        f"Not on record, though acknowledged here: {len(printed):,}. Two people decide about each: "
        "sabot audit again, or sabot alert acknowledge.\n"
        if printed
        else "Every line that was acknowledged here is on record.\n"
    )
    return 0
