"""The feed as a sender sees it: a line in, an answer out, and a ledger that goes away meanwhile."""

import json
import os
import subprocess
from threading import Timer

import pytest

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from tests import ROOT
from tests.acceptance.channels import as_text, feed, json_of, recorded, shell
from tests.worlds.programs import Program
from tests.worlds.signing import ORIGIN

SHOE = ("shoe.load", "shoe.inspect", "shoe.shuffle", "shoe.cut", "shoe.burn")
BY_STEP = {
    "shoe.load": {"decks": 8},
    "shoe.shuffle": {"method": "hand"},
    "shoe.burn": {"card": "3D"},
}
NOWHERE = "postgresql://nobody@127.0.0.1:1/nowhere?connect_timeout=1"


def lines_of(table):
    """Ten good lines: the table opens, a patron sits down, a coup is begun."""
    opener = {"rules": "classic@1", "opener": {"10000": 5}, "day": "2026-11-21"}
    said = [
        {"command": "table.open", **opener},
        {"command": "table.seat", "seat": 3, "patron": f"P-{table}"},
        *({"command": step, **BY_STEP.get(step, {})} for step in SHOE),
        {"command": "bet", "seat": 3, "spot": "banker", "amount": 100_00},
        {"command": "draw", "card": "9C"},
        {"command": "draw", "card": "5S"},
    ]
    return [{**line, "table": table, "id": f"{table}-{n}"} for n, line in enumerate(said, 1)]


class Sender:
    """A feed of its own process, spoken to a line at a time."""

    def __init__(self, *words, **env):
        self.process = Program(
            words,
            cwd=ROOT,
            env={k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | env,
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.watchdog = Timer(30, self.process.kill)  # rather a failed test than one that hangs
        self.watchdog.start()

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, str) else json.dumps(line) + "\n")
        self.process.stdin.flush()

    def ask(self, line):
        """The answer to a line, before anything else is sent."""
        self.send(line)
        return self.process.stdout.readline()

    def finish(self):
        """Nothing more is sent: the exit status, and what else was said on both streams."""
        more, words = self.process.communicate()
        self.watchdog.cancel()
        return self.process.returncode, more, words


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where a server lives that may be stopped."""
    return tmp_path_factory.mktemp("feed") / "home"


@pytest.fixture(scope="module")
def own(home):
    """That server, with a ledger."""
    embedded = Embedded(home)
    Database(home=embedded).connect("sabot_app").close()
    yield embedded
    embedded.destroy()


def sent_by(database, table):
    """The events of a table that the ids of `lines_of` caused, as (id, topic)."""
    return [(row[8], row[3]) for row in recorded(database) if row[6] == table]


# fmt: off
THIRD_LINES = [
    (as_text(lines_of("B01")[2:3]),                             0, None),
    ('{"command": "bet", "table": "B01"}\n',                    1, "MissingField"),
    ('{"command": "table.leave", "table": "B01", "seat": 4}\n', 1, "SeatEmpty"),
    ("\n",                                                      2, "BadLine"),
    ("table.leave B01 3\n",                                     2, "BadLine"),
]
# fmt: on


@pytest.mark.parametrize(("third", "status", "error"), THIRD_LINES)
def test_the_exit_status_says_the_worst_of_the_lines(database, third, status, error):
    first, second, _, *rest = lines_of("B01")
    text = as_text([first, second]) + third + as_text(rest[:1])
    exit_status, answers = feed(database, text)
    seen = [answer.get("error") for answer in answers]

    assert (status, error) == (exit_status, seen[2])
    assert (len(seen), seen[:2]) == (4, [None, None])
    assert answers[2].get("line") == (3 if status == 2 else None)


def test_an_unreadable_line_weighs_more_than_a_refused_one(database):
    status, answers = feed(database, 'x\n{"command": "bet"}\n')

    assert (status, [each["error"] for each in answers]) == (2, ["BadLine", "MissingField"])


@pytest.mark.parametrize("bad", ["x", '{"command": "bet"}'])
def test_stop_on_error_stops_there(database, bad):
    first, second, *_ = lines_of("B01")
    text = as_text([first]) + f"{bad}\n" + as_text([second])
    status, answers = feed(database, text, "--stop-on-error")

    assert (2 if bad == "x" else 1, [True, False]) == (status, [each["ok"] for each in answers])
    assert {"B01-1"} == {command_id for command_id, _ in sent_by(database, "B01")}


def test_stop_on_error_has_nothing_to_stop_at_in_a_good_feed(database):
    status, answers = feed(database, lines_of("B01"), "--stop-on-error")

    assert (status, len(answers)) == (0, 10)


def test_every_line_is_answered_in_order_also_the_last_without_a_line_feed(database):
    lines = [line for pair in zip(lines_of("B01"), lines_of("B02"), strict=True) for line in pair]
    status, answers = feed(database, as_text(lines).rstrip("\n"))

    assert [line["id"] for line in lines] == [answer["id"] for answer in answers]
    assert status == 0


def test_a_feed_may_be_a_file_and_an_empty_one_is_good(database, tmp_path):
    path = tmp_path / "evening with a space.jsonl"
    path.write_text(as_text(lines_of("B01")))
    empty = shell(database, "feed", "-", input="")

    assert shell(database, "feed", str(path)).stdout.count('"ok":true') == 10
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert shell(database, "feed", str(tmp_path / "none.jsonl")).exit_code == 2


def test_each_answer_is_flushed_before_the_next_line_is_read(database):
    sender = Sender("--database", database.url, "feed")
    answers = [json.loads(sender.ask(line)) for line in lines_of("B01")]
    blank, words = json.loads(sender.ask("\n")), json.loads(sender.ask("settle\n"))

    assert [answer["ok"] for answer in answers] == [True] * 10
    assert (
        (blank["error"], blank["line"]),
        (words["error"], words["line"]),
    ) == (("BadLine", 11), ("BadLine", 12))
    assert sender.finish() == (2, "", "")


def test_the_answers_are_utf_8_whatever_the_terminal_speaks(database):
    opening, seat, *_ = lines_of("B01")
    sender = Sender("--database", database.url, "feed", PYTHONIOENCODING="latin-1")
    sender.ask(opening)
    answer = json.loads(sender.ask({**seat, "patron": "周杰伦"}) or "{}")

    assert (True, "") == (answer.get("ok"), sender.finish()[2])
    assert answer["events"][0]["patron"] == "周杰伦"


def test_what_a_file_was_answered_is_what_its_lines_are_answered_one_by_one(server):
    lines = [{**line, "at": f"2026-11-21T20:00:{n:02}Z"} for n, line in enumerate(lines_of("B01"))]
    with server.database() as one, server.database() as other:
        whole = shell(one, "feed", input=as_text(lines)).stdout
        singly = [shell(other, "feed", input=as_text([line])).stdout for line in lines]

        assert whole == "".join(singly)
        assert recorded(one) == recorded(other)


def test_a_ledger_that_was_never_there(tmp_path):
    sender = Sender("--database", NOWHERE, "feed", "--patience", "0")
    sender.send(lines_of("B01")[0])
    status, answered, words = sender.finish()

    assert (status, answered) == (3, "")
    assert "send it again with the same id" in words
    assert "Traceback" not in words


def test_a_server_without_a_schema_is_not_used(server):
    bare = Database(server.address("template1"))
    result = shell(bare, "feed", input=as_text(lines_of("B01")))

    assert (result.exit_code, result.stdout) == (3, "")
    assert "sabot db upgrade" in result.stderr


def test_a_ledger_that_is_gone_for_good_in_mid_feed(own):
    """What was answered stays, and the file sent again records nothing twice."""
    remote, lines = Database(own.url(database="sabot")), lines_of("G01")
    sender = Sender("--database", remote.url, "feed", "--patience", "1")
    begun = [sender.ask(line) for line in lines[:4]]
    own.stop()
    sender.send(lines[4])
    status, answered, words = sender.finish()

    assert (status, answered) == (3, "")
    assert "send it again with the same id" in words
    assert "Traceback" not in words
    own.ensure_running()
    before = sent_by(remote, "G01")
    again = shell(remote, "feed", input=as_text(lines))

    assert begun == again.stdout.splitlines(keepends=True)[:4]
    assert (again.exit_code, again.stdout.count('"ok":true')) == (0, 10)
    after = sent_by(remote, "G01")
    assert before == [each for each in after if each[0] in {line["id"] for line in lines[:4]}]
    assert [line["id"] for line in lines] == list(dict.fromkeys(each[0] for each in after))


@pytest.mark.parametrize("remote", [True, False], ids=["remote", "embedded"])
def test_a_server_restarted_in_mid_feed_is_waited_for(own, home, remote):
    """The embedded one is started again by the feed itself."""
    table = f"R{remote:d}"
    lines, url = lines_of(table), own.url(database="sabot")
    if remote:
        sender = Sender("--database", url, "feed")
    else:
        place = {"SABOT_HOME": str(home), "SABOT_DATABASE_URL": ""}
        sender = Sender("feed", **place)
    answers = [json.loads(sender.ask(line)) for line in lines[:5]]
    own.stop()
    sender.send(lines[5])
    if remote:
        own.ensure_running()
    answers += [json.loads(sender.process.stdout.readline())]
    answers += [json.loads(sender.ask(line)) for line in lines[6:]]
    status, more, _ = sender.finish()

    assert (status, more, [answer["ok"] for answer in answers]) == (0, "", [True] * 10)
    caused = [command_id for command_id, _ in sent_by(Database(url), table)]
    assert [line["id"] for line in lines] == list(dict.fromkeys(caused))


def test_a_feed_that_closed_a_table_signs_the_record(database, monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    made = shell(database, "audit", "key", "new", "--origin", ORIGIN)
    opened, *_ = lines_of("B01")
    open_only = shell(database, "feed", input=as_text([opened]))
    close = {"command": "table.close", "table": "B01", "closer": {"10000": 5}, "id": "close"}
    closed = shell(database, "feed", input=as_text([close]))

    assert (made.exit_code, open_only.stderr, closed.exit_code) == (0, "", 0)
    assert closed.stderr.startswith("The record is signed: ")
    assert json_of(database, "audit", "verify")["checkpoint"]["origin"] == ORIGIN
