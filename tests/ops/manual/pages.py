"""Pages of Markdown whose commands are run, and whose other commands must exist.

`sh` blocks are typed at a shell, in their order, on one ledger: each line must be accepted, and
one whose comment begins with "refused" must be refused. What stands after `# dealer:`, beside a
command or above it, is what a dealer types instead. `dealer` blocks are typed at table B01 with
`sabot dealer B01 --plain`; two blanks divide a line from what explains it. A `toml` block is the
file `riverside.toml`. A `console` block has what no test can run, such as `systemctl`. Each `sabot
…` in such a block, and in a sentence, must be a command with those options.
"""

import io
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.kit.outcome import Outcome, Second
from ops.ledger.database import Database
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.plain import Plain
from ops.terminal.dealer.session import Session

BEGINS = datetime(2026, 11, 21, 20, tzinfo=UTC)
PACE = timedelta(seconds=3)  # from one line to the next
PIN, OTHER = "580274", "936150"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"One-time code: ([^.\s]+)")
_CAT = re.compile(r"\$\(cat (\S+)\)")
_SPAN = re.compile(r"`([^`]*\bsabot [^`]*)`")
_COMMAND = re.compile(r"(?:^|[|(&]|\$ )\s*(sabot .*)")
_DEALER = re.compile(r"# dealer: (.*?)(?:\s+\(.*\))?$")
_STOPS = {"|", "&&", ">", "<", ">>", "<<", "\\"}


def blocks(text: str, *kinds: str) -> Iterator[tuple[str, str]]:
    """Every block of code of these kinds, or of all, with its kind."""
    for kind, body in _BLOCK.findall(text):
        if not kinds or kind in kinds:
            yield kind, body


def lines_of(body: str) -> list[str]:
    """The lines of a block of commands, joined where one goes on."""
    joined = re.sub(r"\\\n\s*", "", body)
    lines = (line.strip() for line in joined.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def dealer_lines_of(body: str) -> dict[str, str]:
    """What a dealer types instead of a command of a block, by the command's line.

    >>> dealer_lines_of("# dealer: 9c\\nsabot draw B01 9C\\nsabot settle B01  # dealer: s (pays)")
    {'sabot draw B01 9C': '9c', 'sabot settle B01  # dealer: s (pays)': 's'}
    """
    typed: dict[str, str] = {}
    above = None
    for line in re.sub(r"\\\n\s*", "", body).splitlines():
        found = _DEALER.search(line)
        if not line.startswith("#") and (instead := found or above):
            typed[line.strip()] = instead[1]
        above = found if line.startswith("#") else None
    return typed


def entered(session: Session, typed: str) -> tuple[Outcome, bool]:
    """The outcome of a line at a terminal, and whether S-11 had to sign it."""
    outcome = session.say(typed)
    if outcome.kind != "second":
        return outcome, False
    return session.say(outcome.left, Second("S-11")), True


class AtTerminal(io.BytesIO):
    """What somebody types, who sits at a terminal."""

    def isatty(self) -> bool:
        return True


class Hand:
    """Whoever types what a page says, on one ledger, by a clock of their own."""

    def __init__(self, database: Database, home: Path) -> None:
        self.database, self.home = database, home
        self.moment = BEGINS
        self.codes: dict[str, str] = {}  # for the first sign-on, by staff number
        self.pins: dict[str, str] = {}  # of those who chose another one
        self.shown: list[str] = []

    def follow(self, text: str, *, as_dealer: bool = False) -> None:
        """Types everything that a page says to type, at the shell or where it can as a dealer."""
        for kind, body in blocks(text, "sh", "dealer", "toml"):
            if kind == "toml":
                (self.home / "riverside.toml").write_text(body)
            elif kind == "sh":
                instead = dealer_lines_of(body) if as_dealer else {}
                for line in lines_of(body):
                    if line in instead:
                        self.enter(instead[line], line.partition("  #")[2])
                    else:
                        self.type(line)
            else:
                self.deal(body)

    def type(self, line: str) -> str:
        """One line at the shell, and what it shows; it is refused where its comment says so."""
        command, _, comment = line.partition("  #")
        text, status = self._shell(command.strip())
        self.shown.append(f"$ {command}\n{text}")

        assert (status != 0) == comment.strip().startswith("refused"), f"{line}\n{text}\n[{status}]"
        assert [] == [each for each in _promised(comment) if each not in text], f"{line}\n{text}"
        return text

    def _shell(self, command: str) -> tuple[str, int]:
        """`sabot` in this process, with pipes from and to programs around it."""
        if command.startswith(("export ", "eval ")):
            return "", 0
        before, status = "", 0
        for words in _pipeline(command):
            if words.startswith("sabot "):
                before, status = self._sabot(shlex.split(words)[1:], before)
            else:
                result = subprocess.run(
                    ["/bin/sh", "-c", words],
                    cwd=self.home,
                    input=before,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                before, status = result.stdout + result.stderr, result.returncode
        return before, status

    def _sabot(self, words: list[str], before: str) -> tuple[str, int]:
        self.moment += PACE
        aim = None
        if ">" in words:
            *words, _, aim = words
        words = [
            _CAT.sub(lambda found: (self.home / found[1]).read_text().strip(), each)
            for each in words
        ]
        typed = before.encode() if before else AtTerminal(self._secrets(words).encode())
        result = CliRunner().invoke(
            cli, ["--database", self.database.url, *words], input=typed, env=self._surroundings()
        )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if code := _CODE.search(result.output):
            self.codes[words[2]] = code[1]
        if aim:
            (self.home / aim).write_text(result.stdout)
        return result.output, result.exit_code

    def _secrets(self, words: list[str]) -> str:
        """What is typed when it is asked for: a code and a new PIN, or the PIN."""
        if words[:2] == ["staff", "sign-on"] and (code := self.codes.pop(words[2], None)):
            return f"{code}\n{PIN}\n{PIN}\n"
        if words[:2] == ["staff", "change-pin"]:
            self.pins[words[2]] = OTHER
            return f"{PIN}\n{OTHER}\n{OTHER}\n"
        second = words[words.index("--with") + 1] if "--with" in words else ""
        return self.pins.get(second, PIN) + "\n"

    def deal(self, body: str) -> None:
        """Lines at the dealer's terminal of B01, none of which may be refused."""
        with self._at_home():
            self._deal(body)

    def _deal(self, body: str) -> None:
        self.moment += PACE
        session = Session(HouseHere(self.database), "B01", by="D-204")
        answers: list[str] = []
        typed = AtTerminal("".join(f"{_typed(line)}\n" for line in body.splitlines()).encode())
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("sys.stdin", io.TextIOWrapper(typed))
                status = Plain(session, answers.append, lambda _: None).run()
        finally:
            session.close()
        self.shown.append("\n".join([body, *answers]))

        assert status == 0, "\n".join([body, *answers])

    def enter(self, typed: str, comment: str) -> None:
        """One line at the dealer's terminal of B01, which S-11 signs where somebody must."""
        refused = comment.strip().startswith("refused")
        self.moment += PACE
        house = HouseHere(self.database)
        with self._at_home(), closing(Session(house, "B01", by="D-204")) as session:
            session.open()
            outcome, _ = entered(session, typed)

        assert outcome.kind == ("refused" if refused else "done"), (typed, outcome)
        answer = " ".join((*outcome.words, outcome.rule))
        assert [] == [each for each in _promised(comment) if each not in answer], (typed, outcome)

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        """With the house's pepper, as a terminal that is no process of its own has it."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SABOT_PEPPER_FILE", self._surroundings()["SABOT_PEPPER_FILE"])
            yield

    def _surroundings(self) -> dict[str, str]:
        return {
            "SABOT_HOME": str(self.home),
            "SABOT_SESSION": str(self.home / "session"),
            "SABOT_PEPPER_FILE": str(self.home / "pepper"),
            "COLUMNS": "100",
            "NO_COLOR": "1",
        }


def _promised(comment: str) -> list[str]:
    """What the answer to a line has, by its comment: why it is refused, and the rule of either.

    >>> _promised(" refused: the first card is out (R-DEAL-2)")
    ['the first card is out', 'R-DEAL-2']
    """
    why = re.search(r"refused: ([^(]+)", comment)
    return [*([why[1].strip()] if why else []), *re.findall(r"R-[A-Z]+-[0-9]+", comment)]


def _pipeline(command: str) -> list[str]:
    """The programs of a pipe, each as it is typed.

    >>> _pipeline("echo 'a | b' | sabot feed")
    ["echo 'a | b'", 'sabot feed']
    """
    parts = re.findall(r"(?:'[^']*'|\"[^\"]*\"|[^|'\"])+", command)
    return [part.strip() for part in parts]


def _typed(line: str) -> str:
    """What a dealer types of a line, without what explains it."""
    return re.split(r"\s{2,}", line.strip())[0]


def named(text: str) -> Iterator[str]:
    """Every `sabot …` that a page names in a sentence, or has in a block that is not run."""
    for _, body in blocks(text, "console", "sh", "ini"):
        for line in lines_of(body):
            for part in _pipeline(line.partition("  #")[0]):
                found = _COMMAND.search(part)
                if found:
                    yield found[1]
    for span in _SPAN.findall(_BLOCK.sub("", text)):
        yield span[span.index("sabot ") :]


def fault_in(line: str) -> str | None:
    """Why there is no such command, or option; None if there is.

    >>> fault_in("sabot table open B01 --opner 100=2")
    'table open has no option --opner'
    >>> fault_in("sabot tabel open")
    'there is no command tabel'
    """
    words = shlex.split(line.replace("…", " "), comments=True)[1:]
    command: click.Command = cli
    context = click.Context(cli)
    path: list[str] = []
    for word in words:
        if word in _STOPS:
            break
        options = {"--help", "-h", *_options(command, context)}
        if word.startswith("--"):
            if word.partition("=")[0] not in options:
                return f"{' '.join(path) or 'sabot'} has no option {word}"
        elif isinstance(command, click.Group) and not _is_value(word, path, words):
            found = command.get_command(context, word)
            if found is None:
                return f"there is no command {' '.join([*path, word])}"
            command, path = found, [*path, word]
    return None


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Those of a command; of one that stands for any, as `report NAME`, those of each."""
    yield from (name for each in command.params for name in (*each.opts, *each.secondary_opts))
    if isinstance(command, click.Group) and command is not cli:
        for name in command.list_commands(context):
            one = command.get_command(context, name)
            assert one
            yield from _options(one, context)


def _is_value(word: str, path: list[str], words: list[str]) -> bool:
    """Whether it belongs to an option of `sabot` itself, or stands for any word: NAME, TOPIC."""
    before = words[words.index(word) - 1] if words.index(word) else ""
    return word.isupper() or (not path and before in ("--database", "--language"))
