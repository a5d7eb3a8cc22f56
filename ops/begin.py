"""The command `sabot` begins here: what a house server does needs nothing else of this program."""

import os
import sys
from types import ModuleType
from typing import NoReturn


def main() -> None:
    """Sends the words to the house server, if one is named; all others are the command line's."""
    house, words = os.environ.get("SABOT_HOUSE"), sys.argv[1:]
    if house and words and not words[0].startswith("-"):
        from ops.door.through import goes_through, run

        if goes_through(words) and sys.stdout is not None:
            _end(run(house, words, None, lambda sent_as: _again(words, sent_as)))
    _command_line().main()


def _again(words: list[str], sent_as: str) -> str:
    """A sentence with the line that repeats the command which was sent with this id, or ''."""
    sentence: str = _command_line().again(words, sent_as)
    return sentence


def _command_line() -> ModuleType:
    """The command line, which takes a while to import."""
    from ops import cli

    return cli


def _end(status: int) -> NoReturn:
    """Ends the process as it is: to free all that it imported takes a sixth of its time."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(status)
