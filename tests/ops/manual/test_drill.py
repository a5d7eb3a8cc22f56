"""The drill: what an engineer types at night is typed here, section by section of the page.

Paths of the page are directories of the test. What only Debian, Patroni or systemd can do is left
out; what `psql` is told, a superuser tells the server.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.processes import wait
from ops.manual.topics import PAGES
from tests.faults import FULL
from tests.ops.manual.pages import AtTerminal, blocks, lines_of
from tests.worlds.two_servers import TwoServers

PAGE = (PAGES / "drill.md").read_text()
SECRET = re.compile(r"Recovery secret: (\S+)")
CODE = re.compile(r"One-time code: ([^.\s]+)")
MOMENT = "2026-11-27T20:14:07+01:00"
GOOD = "The chain, the checkpoints and the projections are good."
SLOW = pytest.mark.skipif(not FULL, reason="scripts/faults")
PIN = "580274"
KNOWN = {"sabot", "export", "cp", "mv", "psql"}  # what is typed here
OTHERS = {"pg_createcluster", "pg_ctlcluster", "su", "rm", "curl", "df", "echo", "patronictl"} | {
    *("unset", "mkdir", "mount", "head"),
}


def section(title: str) -> str:
    """A part of the page, by the beginning of its heading."""
    found = re.search(rf"^##+ {re.escape(title)}.*?(?=^##+ |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, title
    return found[0]


def typed_in(title: str) -> list[str]:
    """The lines of a part of the page, as they are typed."""
    return [line for _, body in blocks(section(title), "console") for line in lines_of(body)]


class Night:
    """Whoever is on call: types lines of the page, and answers what is asked."""

    def __init__(self, place: Path, **surroundings: str) -> None:
        self.place = place
        for each in ("srv", "mnt"):
            (place / each).mkdir()
        self.env = {"SABOT_SESSION": str(place / "session"), "COLUMNS": "200", **surroundings}
        self.code: dict[str, str] = {}
        self.secret = ""
        self.public = ""

    def type(self, title: str, *, until: str = "\0", status: int = 0) -> str:
        """Everything that a part of the page says to type; what the last line shows."""
        said = ""
        for line in typed_in(title):
            if line.startswith(until):
                break
            if " --pgbackrest " in line:  # for a house that another program backs up
                continue
            said = self.line(line, status=status) or said
        return said

    def line(self, line: str, *, status: int = 0, moment: str = "") -> str:
        """One line of the page, or of its sentences; what it shows.

        `moment`: in place of the page's.
        """
        assert line in re.sub(r"\s+", " ", PAGE)
        line = re.sub(r"/srv/|/mnt/|(?<= )key\.txt", rf"{self.place}/\g<0>", line)
        line = line.replace("age1…", self.public).replace(MOMENT, moment)
        word, *words = shlex.split(line)
        if word == "export":
            name, _, value = words[0].partition("=")
            self.env[name] = value
        elif word == "sabot":
            return self._sabot(words, status)
        elif word in ("mv", "cp"):
            subprocess.run(line, shell=True, check=True)
        return ""

    def _sabot(self, words: list[str], status: int) -> str:
        result = CliRunner().invoke(
            cli, words, input=AtTerminal(self._answers(words).encode()), env=self.env
        )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, f"{words}\n{result.output}"
        who = words[2] if words[0] == "staff" else ""
        if found := CODE.search(result.output):
            self.code[who] = found[1]
        if found := SECRET.search(result.output):
            self.secret = found[1]
        if words[:2] == ["db", "backup-key"]:
            self.public = result.stdout.strip()
        return result.output

    def _answers(self, words: list[str]) -> str:
        """A code and a new PIN, a PIN, the recovery secret, or yes."""
        if words[:2] == ["staff", "recover"]:
            return f"{self.secret}\n"
        if words[:2] == ["staff", "sign-on"] and (code := self.code.pop(words[2], "")):
            return f"{code}\n{PIN}\n{PIN}\n"
        return "y\n" if words[:2] == ["db", "new-pepper"] else f"{PIN}\n"


@pytest.fixture
def night(database, tmp_path, monkeypatch) -> Night:
    """Somebody on call at an empty ledger of their own."""
    monkeypatch.delenv("SABOT_PEPPER_FILE")
    night = Night(tmp_path, SABOT_DATABASE_URL=database.url)
    assert "Safe to use." in night.type("A house to practise in")
    return night


def test_a_lost_signing_key_is_replaced_by_two_people(night):
    rotate = "sabot audit key rotate 'the disk with it failed' --lost --by A-1 --with S-11"
    assert "The key before is not lost: it is " in night.line(rotate, status=1)
    night.line("mv /srv/drill/audit-keys /srv/drill/keys-before")
    assert "The private key is not at" in night.line("sabot audit key show")

    signed = night.type("The signing key")
    shown = night.line("sabot audit key show")
    assert "the key before was lost" in shown
    assert f"The private key is at {night.place}/srv/drill/audit-keys" in shown
    assert "\n— " in signed


def test_a_pepper_that_was_mislaid_is_put_back_and_one_that_is_lost_is_replaced(night):
    night.line("mv /srv/drill/pepper /srv/drill/pepper-before")
    lost = night.line("sabot db status", status=1)
    night.line("sabot staff sign-on A-1", status=3)
    verified = night.type("The pepper")

    assert "! The pepper " in lost
    assert " is missing, and this ledger has one." in lost
    assert "The chain is intact" in verified
    assert "Not checked: The seals of the commands before" in verified
    assert "Safe to use." in night.line("sabot db status")


def test_a_home_of_another_house_is_told_before_anything_is_recorded(night):
    (night.place / "srv" / "drill" / "pepper").write_bytes(bytes(32))
    told = night.line("sabot db status", status=1)

    assert "is not the one that this ledger was written with" in told
    assert "Not safe to use" in told
    assert "sabot-" in night.line("sabot audit key show")


def promoted(night: Night) -> None:
    """What must be true after a failover is."""
    status, look, verify = typed_in("By hand")[3:6]
    assert "Safe to use." in night.line(status)
    assert "Nothing that is known of the record is missing." in night.line(look)
    assert "The chain is intact" in night.line(verify)


def test_what_must_be_true_after_each_section_is_shown_by_its_commands(night):
    promoted(night)
    assert "Safe to use." in night.type("First look")
    assert "The chain is intact" in night.type("4 A full disk")
    assert "nothing would be done." in night.line("sabot db upgrade --dry-run")
    assert "schema head" in night.type("5 An upgrade")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    with closing(TwoServers(tmp_path_factory.mktemp("two"))) as servers:
        yield servers


def told(servers: TwoServers, title: str) -> Iterator[str]:
    """The statements for `psql` of a part of the page."""
    for line in typed_in(title):
        if line.startswith("psql"):
            yield shlex.split(line)[-1]


@SLOW
def test_the_standby_is_away_then_is_promoted_as_the_page_says(servers, tmp_path):
    one = servers.database.url
    night = Night(tmp_path, SABOT_DATABASE_URL=one)
    night.line("sabot simulate --tables 1 --coups 2 --seed 7")
    servers.away()
    away = night.line("sabot db status", status=1)
    servers.back()
    assert wait(servers.in_step, 20)
    asked, *go_on = told(servers, "6 The standby is away")

    assert "! the synchronous standby has not answered since" in away
    assert [("second", "sync")] == servers.run(asked)
    assert "Safe to use." in night.line("sabot db status")
    assert [] == [each for each in go_on if each not in told(servers, "By hand")]

    servers.first.stop("immediate")
    night.env["SABOT_DATABASE_URL"] = servers.standby.url
    assert "It only reads: " in night.line("sabot db status")
    for each in list(told(servers, "By hand"))[:3]:
        servers.tell_second(each)
    promoted(night)


def destroyed(home: Path) -> None:
    """A home is gone, and its ledger."""
    Embedded(home).destroy()
    shutil.rmtree(home)


def decide_as_the_page_says(night: Night, before: int, head: int) -> None:
    """Events that were signed are missing, and two people go on without them."""
    *brings, status, _ = [each for each in typed_in("In the night") if " restore " not in each]
    for each in brings:
        night.line(each)
    missing = night.line(status, status=1)
    look, sign_on, decide, looked, checkpoint, _ = typed_in("Two people decide")
    lost = (
        f"restored to #{before}: {head - before} events up to #{head} that were signed are missing"
    )
    assert lost in missing
    night.line(look, status=1)
    night.line(sign_on)
    night.line(decide)
    assert "Nothing that is known of the record is missing." in night.line(looked)
    assert "/epoch-2\n" in night.line(checkpoint)


@SLOW
def test_a_restore_is_done_as_the_page_says(tmp_path, monkeypatch):
    """In the tests of the backups the same lines are typed one by one."""
    for name in ("SABOT_PEPPER_FILE", "SABOT_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    night = Night(tmp_path)
    try:
        night.type("A house to practise in")
        came_back = re.search(r"The backup is good: (\d+) events", night.type("Before the night"))
        assert came_back
        before, head = int(came_back[1]), int(night.type("To practise a restore").split("\n")[1])
        night.line("sabot db down")
        whole, early = [line for line in typed_in("In the night") if " restore " in line]
        assert GOOD in night.line(whole)
        destroyed(tmp_path / "srv" / "restored")
        assert GOOD in night.line(early, moment=str(before))
        decide_as_the_page_says(night, before, head)
    finally:
        for each in (tmp_path / "srv").iterdir():
            destroyed(each)


def test_nothing_stands_on_the_page_that_no_test_knows():
    lines = [line for _, body in blocks(PAGE, "console") for line in lines_of(body)]

    assert [] == [line for line in lines if line.split()[0] not in KNOWN | OTHERS]
