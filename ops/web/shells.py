"""Runs commands of the shell for terminals, each in a process of its own.

The processes are forked from one that has imported everything already, so that a command begins in
milliseconds; one that hangs or dies takes nothing with it, and a long report hinders no table.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from domain.rules.permissions import READINGS
from domain.rules.place import Place
from ops.web.log import name_of
from ops.web.turned_away import TooLong

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

PATIENCE = 110.0  # seconds for one command
LARGEST = 64 << 20  # bytes of an answer
READING = 10  # by how much a report gives way to the tables
_READS = {*READINGS, "report", "export"}
_CONTEXT = multiprocessing.get_context("forkserver")


class Asked(Struct, frozen=True):
    """A command of the shell, as a terminal sends it; see `Answered`.

    `id`: under which it counts once; with '' the terminal's signature has one.
    """

    id: Annotated[str, Meta(pattern=r"^[^\x00-\x1f]*\Z", max_length=100)]
    words: list[str]
    typed: list[str] = []  # what somebody typed when it was asked for
    seen: list[str] = []  # of each, the question that it answers: see `Question`
    keyboard: bool = False
    screen: bool = False
    columns: int = 80
    terminal: dict[str, str] = {}  # how its screen is
    # Names and values of a reading; None: `words` are as somebody typed them.
    query: list[tuple[str, str]] | None = None


class Written(Struct, frozen=True):
    """A file that a command wrote, for the terminal to write; `content` is base64."""

    path: str
    content: str


class Question(Struct, frozen=True):
    """What somebody must type at the terminal before the command can be run.

    An answer counts for what was shown before the question: if that is something else when the
    command is run again, it is asked anew.
    """

    words: str
    hidden: bool
    before: str = ""  # what whoever answers reads first
    n: int = 0  # how many answers came before
    seen: str = ""  # the digest of what came before and was asked, to be sent with the answer


class Answered(Struct, frozen=True, omit_defaults=True):
    """What a command did; with `asks` it did nothing yet and is to be sent again."""

    status: int
    out: str = ""
    err: str = ""
    asks: Question | None = None
    files: list[Written] = []
    token: str | None = None  # of a new sign-on, to be stored; '' after a sign-off


class Run(Struct, frozen=True):
    """One command to run: what was asked, by whom, from where, on which database."""

    asked: Asked
    token: str
    place: Place
    terminal: str  # the fingerprint of its key; '' for none
    idle: int  # minutes without a request after which the sign-on has ended; 0: it has not
    database: str | None


Runner = Callable[[Run], Answered]


def preload(modules: Sequence[str]) -> None:
    """What processes have imported when they begin; before the first one begins."""
    _CONTEXT.set_forkserver_preload(list(modules))


def forked(do: Callable[..., None], args: tuple[Any, ...]) -> "BaseProcess":
    """A process that was started to do this."""
    process = _CONTEXT.Process(target=do, args=args, daemon=True)
    process.start()
    return process


def pipe() -> "tuple[Connection[Any, Any], Connection[Any, Any]]":
    """Two ends by which processes talk."""
    return _CONTEXT.Pipe()


class Shells:
    """The processes; `run` is what each of them does."""

    def __init__(self, run: Runner) -> None:
        self._run = run
        self._running: set[BaseProcess] = set()

    def answer(self, run: Run) -> Answered:
        """Runs a command and waits for it. Raises TooLong."""
        ours, theirs = _CONTEXT.Pipe(duplex=False)
        process = forked(_do, (self._run, run, theirs))
        self._running.add(process)
        theirs.close()
        try:
            if not ours.poll(PATIENCE):
                raise TooLong
            answer: Any = ours.recv()
        except EOFError:
            raise TooLong from None
        finally:
            ours.close()
            process.join(1)
            if process.is_alive():
                process.kill()
                process.join()
            self._running.discard(process)
        assert isinstance(answer, Answered)
        return answer

    def close(self) -> None:
        """Ends whatever still runs."""
        for each in list(self._running):
            each.kill()


def _do(run: Runner, asked: Run, answer: "Connection[Any, Any]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the server: what began is finished
    if asked.asked.query is not None or name_of(asked.asked.words) in _READS:
        os.nice(READING)
    answer.send(run(asked))
    answer.close()
