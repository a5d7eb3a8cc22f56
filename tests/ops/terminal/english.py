"""What is English on a terminal's screen, and what is the same in every language."""

import re

from ops.terminal.dealer import prompts
from ops.terminal.dealer.help_topics import TOPICS
from tests.pseudo import english_in

TYPED = {keys for lines in TOPICS.values() for keys, _ in lines}
TYPED |= {f"? {each}" for each in (*TOPICS, "topics")} | {"PageUp", "sabot rules list"}
_MESSAGES = [*prompts.HINTS, *(words for lines in TOPICS.values() for _, words in lines)]
TYPED |= {keys for message in _MESSAGES for keys in re.findall("`([^`]*)`", message)}
NAMES = {"grey-jacket", "by-the-window", "USD", "DP", "DB", "DPDB", "PIN"}
NAMES |= {"REASON", "SLIP", "CASE", "NAME", "RULES", "SEAT", "STAFF"}
# On a page a typed line is cut in two, and has no backticks; a dialog covers half of a name.
ON_PAGES = {word for keys in TYPED for word in re.findall(r"[a-z]+", keys)}
ON_PAGES |= {"grey", "jacket", "big-table@1", "opener", "minimum", "maximum", "spot"}
ON_PAGES |= {"ASON"}  # a dialog covers the half of REASON


def english_on(text: str, *names: str) -> list[str]:
    """English words, but for names and what is typed; a word that is cut short may be any."""
    return english_in(re.sub(r"\S+…", "", text), *NAMES, *TYPED, *names)


def english_lines(page: list[str], *names: str) -> list[str]:
    """The lines of a page that have an English word."""
    return [line.rstrip() for line in page if english_on(line, *ON_PAGES, *names)]


def lines_of(app: object) -> list[str]:
    """The lines of a screen, from the top."""
    return [strip.text for strip in app.screen._compositor.render_strips()]
