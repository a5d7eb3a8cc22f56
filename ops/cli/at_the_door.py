"""A command of the shell that a terminal sent to the house server, run in a process of its own.

It is the same command as at a shell here; what is different: who is signed on and at which machine
comes with it, somebody at the terminal types what it asks for, and the files that it writes go to
the terminal.
"""

import contextlib
import hashlib
import io
import os
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from msgspec import structs

from domain.rules.permissions import READINGS
from ops.cli import cli
from ops.commands.vocabulary import COMMANDS
from ops.door.through import HERE, on_its_machine
from ops.handlers import identity
from ops.ledger import machine
from ops.web.log import log, mistake, name_of
from ops.web.shells import LARGEST, Answered, Asked, Question, Run, Written
from projections import REPORTS

REFUSED, USAGE = 1, 2
# Commands that record or read, and still work on the server's own files, screen or database login.
HERE_ONLY = ("db status", "db views", "staff recover")
_CARRIED = ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "SABOT_LANGUAGE")
MOST_COLUMNS = 1_000


class _TooLarge(Exception):
    """What a command wrote is too large to be sent to the terminal."""


class _Asks(BaseException):
    """Somebody must type something at the terminal; nothing was done yet."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.words)
        self.question = question


class _Stream(io.TextIOWrapper):
    """What a command writes, as text or bytes; a terminal if it is shown on one."""

    def __init__(self, *, tty: bool) -> None:
        self._written = io.BytesIO()
        super().__init__(self._written, "utf-8", errors="replace", write_through=True)
        self._tty = tty

    def isatty(self) -> bool:
        return self._tty

    @property
    def text(self) -> str:
        """All that was written."""
        return self._written.getvalue().decode(errors="replace")


def run(run: Run) -> Answered:
    """Runs the command; never raises."""
    asked = run.asked
    if asked.words[:1] and asked.words[0].startswith("-"):
        return Answered(USAGE, err="Options of `sabot` itself stay at the terminal.\n")
    os.umask(0o077)
    if asked.query is not None:
        try:
            asked = structs.replace(asked, words=reading_words(asked.words, asked.query))
        except click.UsageError as error:
            return Answered(USAGE, err=f"{error.format_message()}\n")
    with tempfile.TemporaryDirectory(prefix="sabot-") as directory:
        place = Path(directory)
        session = place / "session"
        if run.token:
            session.write_text(run.token)
        _be_the_terminal(asked, session, run)
        answer = _run(asked, _Files(place / "files"))
        after = session.read_text().strip() if session.exists() else ""
    if after == run.token:
        return answer
    return Answered(answer.status, answer.out, answer.err, answer.asks, answer.files, after)


def comes_through(command: str) -> bool:
    """Whether a command may come from a terminal: those that record, and those that read.

    >>> [comes_through(each) for each in ("bet", "staff sign-on", "report wagers", "db down")]
    [True, True, True, False]
    """
    if command in HERE_ONLY:
        return False
    noun, _, name = command.partition(" ")
    reads = (
        command in READINGS or command == "export report" or (noun == "report" and name in REPORTS)
    )
    return reads or command.replace(" ", ".") in COMMANDS


def _require_comes_through(command: str) -> None:
    """Refuses whatever no command declares for terminals. Raises click.UsageError."""
    if comes_through(command):
        return
    if command.partition(" ")[0] in HERE:
        raise click.UsageError(f"`sabot {command}` runs at the terminal itself: type it there.")
    raise click.UsageError(on_its_machine(command))


@contextlib.contextmanager
def _only_what_comes_through() -> Iterator[None]:
    """Refuses every other command, however it was typed, before its options are read."""
    parse_args = click.Command.parse_args

    def checked(self: click.Command, ctx: click.Context, args: list[str]) -> list[str]:
        if not isinstance(self, click.Group) and not {"--help", "-h"}.intersection(args):
            _require_comes_through(" ".join(ctx.command_path.split()[1:]))
        return parse_args(self, ctx, args)

    click.Command.parse_args = checked  # type: ignore[method-assign]
    try:
        yield
    finally:
        click.Command.parse_args = parse_args  # type: ignore[method-assign]


def reading_words(words: list[str], query: list[tuple[str, str]]) -> list[str]:
    """The words of a reading command whose arguments and options are given by name.

    Raises click.UsageError if it is none, or has no such argument or option.
    """
    name = " ".join(words)
    reads = (name in READINGS and comes_through(name)) or words[:1] == ["report"]
    command: click.Command | None = cli
    context = click.Context(cli)
    for word in words:
        command = command.get_command(context, word) if isinstance(command, click.Group) else None
    if command is None or isinstance(command, click.Group) or not reads:
        raise click.UsageError(f"There is no reading {name!r}.")
    arguments = {each.name for each in command.params if isinstance(each, click.Argument)}
    options = {
        word.removeprefix("--"): each
        for each in command.params
        if isinstance(each, click.Option)
        for word in each.opts
    }
    typed: list[str] = []
    for key, value in query:
        if key in arguments:
            continue
        option = options.get(key)
        if option is None:
            raise click.UsageError(f"{name} has no {key!r}.")
        typed.append(f"--{key}" if option.is_flag else f"--{key}={value}")
    by_name = dict(query)
    last = [
        by_name[each.name] for each in command.params if each.name in arguments & by_name.keys()
    ]
    return [*words, "--json", *typed, "--", *last]


def _be_the_terminal(asked: Asked, session: Path, run: Run) -> None:
    """Makes this process see the terminal's screen, sign-on and place in place of its own."""
    for name in _CARRIED:
        os.environ.pop(name, None)
    os.environ.update({each: asked.terminal[each] for each in _CARRIED if each in asked.terminal})
    os.environ["COLUMNS"] = str(max(20, min(asked.columns, MOST_COLUMNS)))
    os.environ["SABOT_SESSION"] = str(session)
    if run.database:
        os.environ["SABOT_DATABASE_URL"] = run.database
    machine.act_only_at(machine.Acting(run.place, run.terminal, run.idle))


def _run(asked: Asked, files: "_Files") -> Answered:
    out, err = _Stream(tty=asked.screen), _Stream(tty=asked.screen)
    identity.number_from(asked.id)
    question: Question | None = None
    keyboard = _Keyboard(asked, err)
    try:
        with (
            keyboard.typing(),
            _only_what_comes_through(),
            files.written_here(),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            cli(asked.words, prog_name="sabot")
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else REFUSED
    except _Asks as asks:
        status, question = REFUSED, asks.question
    except Exception as error:  # noqa: BLE001  (what a person sees must be words)
        mistake(log(), error, command=name_of(asked.words))
        status = REFUSED
        err.write("The house server made a mistake at this command. Its log has the details.\n")
    if question:
        return Answered(status, asks=question)
    try:
        written = files.all()
    except _TooLarge:
        words = "The files are too large for the door: write them on the house server's machine.\n"
        return Answered(REFUSED, err=words)
    return Answered(status, files.named(out.text), files.named(keyboard.unread), None, written)


class _Keyboard:
    """What somebody typed at the terminal answers the command's questions, in their order."""

    def __init__(self, asked: Asked, written: _Stream) -> None:
        self._asked = asked
        self._written = written
        self._read = 0  # how many letters of what was said were shown with a question
        self._answered = 0

    @property
    def unread(self) -> str:
        """What was said since the last question."""
        return self._written.text[self._read :]

    @contextlib.contextmanager
    def typing(self) -> Iterator[None]:
        """Answers the questions of the command; the first open one ends it."""
        termui: Any = click.termui
        before = termui.visible_prompt_func, termui.hidden_prompt_func
        termui.visible_prompt_func = lambda words="": self._answer(words, hidden=False)
        termui.hidden_prompt_func = lambda words="": self._answer(words, hidden=True)
        stdin, sys.stdin = sys.stdin, _Stream(tty=self._asked.keyboard)
        try:
            yield
        finally:
            sys.stdin = stdin
            termui.visible_prompt_func, termui.hidden_prompt_func = before

    def _answer(self, words: str, *, hidden: bool) -> str:
        """What was typed at this question. Raises _Asks if that is not known.

        Nor is it if what was shown before the question was something else.
        """
        n, before = self._answered, self.unread
        seen = hashlib.sha256(f"{before}\n{words}".encode()).hexdigest()
        shown = self._asked.seen[n] if n < len(self._asked.seen) else ""
        if n >= len(self._asked.typed) or (before and shown != seen):
            raise _Asks(Question(words, hidden, before, n, seen))
        self._answered, self._read = n + 1, self._read + len(before)
        return self._asked.typed[n]


class _Files:
    """The files that a command writes: in a directory of its own, for the terminal to write."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._typed: dict[Path, str] = {}  # place here -> as it was typed

    @contextlib.contextmanager
    def written_here(self) -> Iterator[None]:
        """Whatever path is typed leads into the directory; files that are read are refused."""
        before_path, before_file = click.Path.convert, click.File.convert
        files = self

        def path(self: "click.Path", value: Any, param: Any, ctx: Any) -> Any:
            if self.exists:
                self.fail("a file is read on the house server's own machine only", param, ctx)
            return files.place_of(str(value))

        def refuse(self: click.File, value: Any, param: Any, ctx: Any) -> Any:
            self.fail("a file is read on the house server's own machine only", param, ctx)

        click.Path.convert, click.File.convert = path, refuse  # type: ignore[method-assign,assignment]
        try:
            yield
        finally:
            click.Path.convert, click.File.convert = before_path, before_file  # type: ignore[method-assign]

    def place_of(self, typed: str) -> Path:
        """Where the file is written here; a path that leads here already stays."""
        if Path(typed).is_relative_to(self._directory):
            return Path(typed)
        name = Path(typed).name.strip(".") or "files"
        place = self._directory / str(len(self._typed)) / name
        place.parent.mkdir(parents=True)
        self._typed[place] = typed
        return place

    def named(self, text: str) -> str:
        """The text with every path as it was typed."""
        for place, typed in self._typed.items():
            text = text.replace(str(place), typed)
        return text

    def all(self) -> list[Written]:
        """Every file, with its path at the terminal. Raises _TooLarge."""
        written: list[Written] = []
        room = LARGEST
        for place, typed in self._typed.items():
            base = place.parent
            for file in sorted(base.rglob("*")):
                if file.is_file():
                    beyond = str(file.relative_to(base)).removeprefix(place.name)
                    content = file.read_bytes()
                    room -= len(content)
                    written.append(Written(typed + beyond, b64encode(content).decode()))
        if room < 0:
            raise _TooLarge
        return written
