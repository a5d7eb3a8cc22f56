"""A command of the shell, run by the house server: its words go there, its output comes back.

What the server needs somebody to type, a PIN or a yes, is asked here, and the words are sent again
with it. The command has an id, so that it counts once however often it is sent.
"""

import base64
import json
import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from ops.door.connection import Connection, HouseLost, NoHouse
from ops.door.session_file import write_token
from ops.ledger.files import write_whole

LOST = 3  # exit status
USAGE = 2
TARGET = "/api/shell"
_CARRIED = (
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "COLORTERM",
    "SABOT_LANGUAGE",
)  # how the screen is, from here


def run(
    address: str,
    words: list[str],
    language: str | None,
    again: Callable[[str], str],
) -> int:
    """Runs a command at the house; its exit status.

    `again`: a sentence with the line that repeats a command which was sent under an id, or ''.
    """
    try:
        asked = _asked(_with_files(words), language)
        with closing(Connection(address)) as connection:
            while question := (answer := _answer(connection, asked)).get("asks"):
                sys.stderr.write(question["before"])
                typed = _typed(question["words"], hidden=question["hidden"])
                if typed is None:
                    _say("Aborted!")
                    return 1
                n = question["n"]
                asked["typed"][n:] = [typed]
                asked["seen"][n:] = [question["seen"]]
    except HouseLost as error:
        line = again(asked["id"]) if error.sent else ""
        known = f"The command may be recorded or not.\n{line}" if line else error.may_be_recorded
        _say(f"The house at {address} cannot be reached: {error}. {known}")
        return LOST
    except (NoHouse, OSError, UnicodeDecodeError) as error:
        _say(str(error))
        return USAGE
    status = _show(answer, words)
    if status == LOST and (line := again(asked["id"])):
        _say(line)
    return status


def _asked(words: list[str], language: str | None) -> dict[str, Any]:
    return {
        "id": f"shell:{os.urandom(16).hex()}",
        "words": words,
        "typed": [],
        "seen": [],
        "keyboard": sys.stdin is not None and sys.stdin.isatty(),
        "screen": sys.stdout.isatty(),
        "columns": columns(),
        "terminal": carried(language),
    }


def carried(language: str | None) -> dict[str, str]:
    """How the screen is here, for what is shown on it."""
    terminal = {name: os.environ[name] for name in _CARRIED if name in os.environ}
    return terminal | ({"SABOT_LANGUAGE": language} if language else {})


def columns() -> int:
    """How wide the terminal is; 80 letters if it is none."""
    if given := os.environ.get("COLUMNS", ""):
        return int(given) if given.isdecimal() else 80
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _with_files(words: list[str]) -> list[str]:
    """The words, with the text of a rule set in place of its file, which only this machine has."""
    if tuple(words[:2]) not in (("rules", "approve"), ("rules", "check")):
        return words
    return [
        f"{Path(each).read_text()}\n" if at > 1 and Path(each).is_file() else each
        for at, each in enumerate(words)
    ]


def _answer(connection: Connection, asked: dict[str, Any]) -> dict[str, Any]:
    """What the server did. Raises HouseLost."""
    body = json.dumps(asked).encode()
    status, content = connection.post(TARGET, body, {"Content-Type": "application/json"})
    try:
        answer = json.loads(content)
        assert isinstance(answer, dict)
    except (ValueError, AssertionError):
        raise HouseLost(f"it is not a house server, or another version ({status})") from None
    if "status" not in answer:  # the server refused the request itself
        return {"status": answer.get("exit_status", 1), "err": f"{answer.get('message', status)}\n"}
    return answer


def _typed(words: str, *, hidden: bool) -> str | None:
    """What somebody types, or the next line of a pipe; None at its end."""
    try:
        if hidden and sys.stdin.isatty():
            from getpass import getpass

            return getpass(words)
        sys.stderr.write(words)
        sys.stderr.flush()
        line = sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        return None
    return line.removesuffix("\n") if line else None


def _was_typed(path: str, words: list[str]) -> bool:
    """Whether the path begins with one that was typed, and does not lead out of it."""
    typed = (each.partition("=")[2] if each.startswith("--") else each for each in words)
    return any(
        each and path.startswith(each) and ".." not in Path(path[len(each) :]).parts
        for each in typed
    )


def _show(answer: dict[str, Any], words: list[str]) -> int:
    """Writes what the command wrote, its files too; its exit status."""
    if "token" in answer:
        write_token(answer["token"])
    for each in answer.get("files", ()):
        if not _was_typed(each["path"], words):
            _say(f"The house server sent a file that was not asked for: {each['path']}.")
            return 1
        if not _write(Path(each["path"]), base64.b64decode(each["content"])):
            return 1
    sys.stdout.write(answer.get("out", ""))
    sys.stdout.flush()
    sys.stderr.write(answer.get("err", ""))
    return int(answer["status"])


def _write(file: Path, content: bytes) -> bool:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, content)
    except OSError as error:
        _say(f"{file} was not written: {error.strerror}.")
        return False
    return True


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")
