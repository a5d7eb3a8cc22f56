"""What the server writes to its log: one line of JSON each, to standard error.

Nothing that somebody typed is written as it was typed, so that no name, PIN, code or token comes
into the log: a command by its own name, tables and coups as the record has them, a mistake of the
program by its kind and place and not by what it says.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import structlog

from domain.rules.permissions import READINGS
from ops.commands.vocabulary import COMMANDS

OTHER = "other"  # a command that there is not
_ROOT = Path(__file__).parents[2]
_ADDRESSED = ("coup", "shoe", "stay", "day")  # fields of an answer's events that begin with a table
_COMMANDS = {
    *(each.replace(".", " ") for each in COMMANDS),
    *(each for each in READINGS),
    *("report", "export", "audit", "manual"),
}


@cache
def log() -> Any:
    """The log; whatever else this process would write to it becomes a line of JSON too."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    ours = structlog.get_logger()
    logging.basicConfig(handlers=[_Others(ours)], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    threading.excepthook = lambda args: args.exc_value and mistake(ours, args.exc_value)  # type: ignore[func-returns-value]
    return ours


class _Others(logging.Handler):
    """What libraries log: where, and how bad; a mistake by its kind and place."""

    def __init__(self, ours: Any) -> None:
        super().__init__()
        self._ours = ours

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            mistake(self._ours, record.exc_info[1])
            return
        # The text of the program itself, without what was put into it.
        self._ours.log(record.levelno, "library", logger=record.name, text=str(record.msg))


def mistake(to: Any, error: BaseException, **about: Any) -> None:
    """Logs a mistake of the program: its kind and where it happened, not what it says.

    An error's own text can have what somebody typed in it, or a row of the database.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{_within(each.filename)}:{each.lineno} {each.name}" for each in frames]
    to.error("mistake", kind=type(error).__name__, places=places, **about)


def _within(file: str) -> str:
    path = Path(file)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else path.name


def about_line(body: Mapping[str, Any]) -> dict[str, Any]:
    """What the log has of a line's answer: command, outcome, table, coup and position.

    >>> about_line({"ok": True, "command": "bet", "coup": "B01/2026-11-21/1/3"})
    {'command': 'bet', 'outcome': 'done', 'table': 'B01', 'coup': 'B01/2026-11-21/1/3'}
    >>> about_line({"ok": False, "command": "4711", "error": "UnknownCommand"})
    {'command': 'other', 'outcome': 'UnknownCommand'}
    """
    command, coup = body.get("command"), body.get("coup")
    facts = {
        "command": command if isinstance(command, str) and command in COMMANDS else OTHER,
        "outcome": "done" if body["ok"] else body["error"],
        "table": _table_of(body),
        "coup": coup,
        "position": body.get("position"),
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def _table_of(body: Mapping[str, Any]) -> str | None:
    """The table that an answer is about, from the addresses in it; None if it has none."""
    for part in (body, *body.get("events", ())):
        for field in _ADDRESSED:
            address = part.get(field)
            if isinstance(address, str) and "/" in address:
                return address.partition("/")[0]
    return None


def name_of(words: Sequence[str]) -> str:
    """The name of a shell's command, without anything that was typed after it.

    >>> [name_of(each.split()) for each in ("staff enrol A-1 Ann", "report wagers", "Ann x", "")]
    ['staff enrol', 'report', 'other', 'other']
    """
    for size in (2, 1):
        if (name := " ".join(words[:size])) in _COMMANDS:
            return name
    return OTHER
