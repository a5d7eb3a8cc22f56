"""Which commands go through the door, when a house server is named."""

import os
import sys
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import click

HERE = {  # first words of commands that need no record, or have their own
    *("manual", "rule", "odds", "adjudicate", "demo", "play", "group"),
}
AT_THE_RECORD = {"db", "serve", "simulate"}  # those that need the record itself
OWN = {"feed", "dealer"}  # those that speak to the server in their own way
Again = Callable[[str], str]  # a sentence with the line that repeats a command with this id, or ''
_ONCE = {"--once", "--json", "--help", "-h"}


def goes_through(words: list[str]) -> bool:
    """Whether a command is sent to the house server as it was typed."""
    return words[0] not in HERE | AT_THE_RECORD | OWN and not follows(words)


def follows(words: list[str]) -> bool:
    """Whether a command shows the board on a screen here, and follows it."""
    blind = os.environ.get("TERM", "dumb") in ("", "dumb", "unknown")
    return words[0] == "board" and sys.stdout.isatty() and not (blind or _ONCE.intersection(words))


def run(house: str, words: list[str], language: str | None, again: Again) -> int:
    """Runs a command at the house; its exit status."""
    from ops.door import shell

    return shell.run(house, words, language, again)


def on_its_machine(command: str) -> str:
    """What a terminal is told of a command that needs the record itself."""
    return f"`sabot {command}` is given on the house server's own machine."


def command(
    words: list[str], house: str, language: str | None, again: Again
) -> "click.Command | None":
    """The command that the words begin with, as a terminal runs it; None if as without a house.

    `again`: how it is repeated if no answer comes. Raises click.UsageError.
    """
    import click

    name, *rest = words
    helps = name in AT_THE_RECORD and {"--help", "-h"}.intersection(rest)
    if name in HERE or name == "dealer" or helps or follows(words):
        return None
    if name in AT_THE_RECORD:
        raise click.UsageError(
            f"{on_its_machine(name)} A terminal of {house} has no record. To keep one here "
            "instead, unset SABOT_HOUSE and leave --house out."
        )
    if name == "feed":
        return _feed(house)

    def through(words: tuple[str, ...]) -> None:
        sys.exit(run(house, [name, *words], language, again))

    return click.Command(
        name,
        callback=through,
        params=[click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)],
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def _feed(house: str) -> "click.Command":
    from pathlib import Path

    import click

    @click.command()
    @click.argument("file", type=click.File("rb"), default="-")
    @click.option("--key", type=click.Path(dir_okay=False, path_type=Path))
    @click.option("--new-key", metavar="NUMBER")
    @click.option("--late", is_flag=True)
    @click.option("--stop-on-error", is_flag=True)
    @click.option("--patience", type=click.FloatRange(min=0), default=60.0)
    @click.option("--missing", is_flag=True)
    @click.option("--schema", is_flag=True)
    def feed(**asked: Any) -> None:
        """Send commands from FILE, or from standard input, to the house, one JSON object a line.

        Each line is answered by one line, in order. --key: a file with a device's key, which
        --new-key makes for the device with this number. --schema prints the JSON Schema of all
        lines and answers. --missing prints the lines that were acknowledged here and are not on
        record, to be sent again.
        """
        _send(house, **asked)

    return feed


def _send(
    house: str,
    file: IO[bytes],
    key: "Path | None",
    new_key: str | None,
    late: bool,
    stop_on_error: bool,
    patience: float,
    missing: bool,
    schema: bool,
) -> None:
    import click

    from ops.door.connection import NoHouse
    from ops.door.device import device_of
    from ops.door.feed import feed_to

    device = device_of(key, new_key)
    try:
        wanted = {"late": late, "until_refused": stop_on_error, "compares": not missing}
        with feed_to(house, device, patience, **wanted) as lines:
            if missing:
                sys.exit(lines.show_missing(sys.stdout))
            sys.exit(lines.show_schema(sys.stdout) if schema else lines.run(file, sys.stdout))
    except NoHouse as error:
        raise click.UsageError(str(error)) from None
