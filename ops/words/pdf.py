"""Paper: a template of `ops/words/templates/` and data in, the bytes of a PDF out.

The same data and moment make the same bytes on every machine: the fonts are those that come
with typst, and nothing asks a clock. They have no Chinese, Japanese or Korean letters, which
are empty boxes on paper. Data is never markup; a template reads it with
`json(bytes(sys.inputs.data))`, and what it finds there it prints as it stands.
"""

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any


def pdf(template: str, data: dict[str, Any], made: datetime) -> bytes:
    """The document `template` makes of the data, dated `made`."""
    import typst

    return typst.compile(
        files("ops.words").joinpath("templates", f"{template}.typ").read_bytes(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data)},
        timestamp=made.astimezone(UTC).replace(microsecond=0),
    )
