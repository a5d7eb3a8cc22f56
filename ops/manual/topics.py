"""The topics of the manual: one page of Markdown each, in the order in which they are listed.

A page begins with its title and one sentence that says what it is for. Comments in it are for the
tests, and are not shown.

>>> topic("dealer").title
'A first night at the table'
>>> topic("nothing") is None
True
"""

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

PAGES = Path(__file__).parent
ORDER = (
    *("dealer", "supervisor", "pit-boss", "count-room", "auditor", "inspector", "put-right"),
    *(
        "rule-sets",
        "integrator",
        "production",
        "drill",
        "server",
        "browser",
        "threats",
        "exports",
        "group",
        "engines",
        "protection",
        "compliance",
        "cash",
        "patron-files",
        "aml",
        "commands",
        "glossary",
    ),
)
_COMMENT = re.compile(r"^<!--.*?-->\n+", re.DOTALL | re.MULTILINE)


class Topic(Struct, frozen=True):
    """One page: `name` as it is asked for, and its Markdown as it is shown."""

    name: str
    title: str
    summary: str
    text: str


@cache
def topic(name: str) -> Topic | None:
    """The page of this name, or None if there is none."""
    if name not in ORDER:
        return None
    text = _COMMENT.sub("", (PAGES / f"{name}.md").read_text(encoding="utf-8"))
    title, summary, _ = text.split("\n\n", 2)
    return Topic(name, title.removeprefix("# "), summary.replace("\n", " "), text)


def topics() -> list[Topic]:
    """Every page of the manual."""
    return [page for name in ORDER if (page := topic(name))]
