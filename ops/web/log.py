"""What the server writes to its log: one line of JSON each, to standard error.

Nothing that somebody typed is written as it was typed, so that no name, PIN, code or token comes
into the log: a command by its own name, tables and coups as the record has them, a mistake of the
program by its kind and place and not by what it says.
"""

import logging
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import structlog

from domain.rules.permissions import READINGS
from ops.commands.vocabulary import COMMANDS
from ops.web.line_answer import LineAnswer

OTHER = "other"  # a command that there is not
_ROOT = Path(__file__).parents[2]
_COMMANDS = {
    *(each.replace(".", " ") for each in COMMANDS),
    *(each for each in READINGS),
    *("report", "export", "audit", "manual", "dealer"),
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
        logger_factory=structlog.PrintLoggerFactory(_Unfailing(sys.stderr)),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
    ours = structlog.get_logger()
    logging.basicConfig(handlers=[_Others(ours)], level=logging.WARNING, force=True)
    logging.captureWarnings(capture=True)
    threading.excepthook = lambda args: args.exc_value and mistake(ours, args.exc_value)  # type: ignore[func-returns-value]
    return ours


class _Unfailing:
    """Where the log goes; a disk that is full takes a line of it, and no answer with it."""

    def __init__(self, to: TextIO) -> None:
        self._to = to

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._to.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._to.flush()


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


class LinesLogged:
    """Logs the answers to lines; knows tables by what was recorded at them."""

    def __init__(self, to: Any) -> None:
        self._to = to
        self._tables: set[str] = set()

    def note(self, answered: Iterable[LineAnswer], terminal: str) -> Counter[tuple[str, str]]:
        """Logs answers to lines; how many had each command and outcome.

        Lines that were refused alike are one line of the log: a short request makes no long log.
        """
        refused: Counter[tuple[tuple[str, Any], ...]] = Counter()
        counted: Counter[tuple[str, str]] = Counter()
        for each in answered:
            about = self.about(each.line, each.answer.body)
            counted[about["command"], about["outcome"]] += 1
            if each.answer.ok:
                self._to.info("command", **about, terminal=terminal)
            else:
                refused[tuple(about.items())] += 1
        for alike, times in refused.items():
            several = {"times": times} if times > 1 else {}
            self._to.info("command", **dict(alike), **several, terminal=terminal)
        return counted

    def about(self, line: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
        """What the log has of an answer: command, outcome, table, coup, position.

        A table at which nothing was ever recorded is left out: it may be anything that was typed.

        >>> lines = LinesLogged(None)
        >>> done = {"ok": True, "command": "bet", "coup": "B01/2026-11-21/1/3"}
        >>> lines.about({"table": "B01"}, done)
        {'command': 'bet', 'outcome': 'done', 'table': 'B01', 'coup': 'B01/2026-11-21/1/3'}
        >>> lines.about({"table": "4711"}, {"ok": False, "command": "Ann", "error": "NotFound"})
        {'command': 'other', 'outcome': 'NotFound'}
        """
        command, table = body.get("command"), line.get("table")
        if body["ok"] and isinstance(table, str):
            self._tables.add(table)
        facts = {
            "command": command if isinstance(command, str) and command in COMMANDS else OTHER,
            "outcome": "done" if body["ok"] else body["error"],
            "table": table if isinstance(table, str) and table in self._tables else None,
            "coup": body.get("coup"),
            "position": body.get("position"),
        }
        return {name: fact for name, fact in facts.items() if fact is not None}


def name_of(words: Sequence[str]) -> str:
    """The name of a shell's command, without anything that was typed after it.

    >>> [name_of(each.split()) for each in ("staff enrol A-1 Ann", "report wagers", "Ann x", "")]
    ['staff enrol', 'report', 'other', 'other']
    """
    for size in (2, 1):
        if (name := " ".join(words[:size])) in _COMMANDS:
            return name
    return OTHER
