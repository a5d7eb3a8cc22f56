"""The command line: help, words in, exit status out, and JSON that others have built upon."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from domain.aggregates.property import SETTINGS
from domain.rules.permissions import ROLES
from ops import VERSION
from ops.cli import ENTRIES, cli
from ops.ledger.database import Database
from ops.manual.topics import topic
from tests import ROOT
from tests.acceptance.channels import feed, json_of, recorded, shell
from tests.ops.cli.leaves import LEAVES
from tests.worlds.gaming_table import GamingTable
from tests.worlds.programs import Program

NOWHERE = Database("postgresql://nobody@127.0.0.1:1/nowhere?connect_timeout=1")
PYTHON = re.compile(r"Python|None|True|False|Traceback|Args:|Raises|\b(str|int|dict|list\[)\b|<\w")


HELPED = sorted({words[:n] for words in LEAVES for n in range(len(words) + 1)})


@pytest.mark.parametrize("words", HELPED, ids=" ".join)
def test_every_command_helps_in_words_that_name_no_python(words):
    for option in ("--help", "-h"):
        result = CliRunner().invoke(cli, [*words, option])

        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.startswith("Usage: ")
        assert not PYTHON.search(result.stdout)
        assert max(map(len, result.stdout.splitlines())) <= 80


def test_help_lists_every_command():
    listed = re.findall(r"^  ([a-z][a-z-]+)  ", CliRunner().invoke(cli, ["--help"]).stdout, re.M)

    assert [name for section in ENTRIES.values() for name in section] == listed
    assert {words[0] for words in LEAVES} == set(listed)


def test_the_manual_lists_every_command_and_no_other():
    named = re.findall(r"^\| `sabot ([a-z -]+)` \|", topic("commands").text, re.MULTILINE)

    assert sorted(" ".join(words) for words in LEAVES) == sorted(named)


def test_the_settings_and_the_roles_stand_in_the_help_of_their_commands():
    settings = CliRunner().invoke(cli, ["property", "set", "--help"]).stdout
    roles = CliRunner().invoke(cli, ["staff", "enrol", "--help"]).stdout

    assert {*SETTINGS, "regulator"} <= set(re.findall(r"^ +(\w+) {2,}\S", settings, re.M))
    assert set(ROLES) <= set(re.findall(r"[a-z-]+", roles.partition("ROLE is one of")[2]))


SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell_name", SHELLS)
def test_the_manual_says_how_completion_is_switched_on(shell_name):
    switched_on = f"_SABOT_COMPLETE={shell_name}_source sabot"
    env = {"_SABOT_COMPLETE": f"{shell_name}_source"}
    script = CliRunner().invoke(cli, [], prog_name="sabot", env=env).stdout

    assert switched_on in topic("production").text
    assert f"_SABOT_COMPLETE={shell_name}_complete" in script


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("sabot sl", {"slip"}),
        ("sabot slip re", {"request", "receive"}),
        ("sabot bet --w", {"--with"}),
        ("sabot report exceptions --d", {"--day"}),
    ],
)
def test_commands_and_options_complete(typed, wanted):
    words = typed.split()
    env = {
        "_SABOT_COMPLETE": "bash_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words) - 1),
    }
    told = CliRunner().invoke(cli, [], prog_name="sabot", env=env).stdout

    assert wanted <= {line.partition(",")[2] for line in told.splitlines()}


@pytest.mark.parametrize(
    ("words", "command", "message"),
    [
        ("bet B01 3 banker", "bet", "Missing argument 'AMOUNT'."),
        ("table open B01 x@1 --nope", "table.open", "No such option '--nope'"),
        ("nothing", None, "No such command 'nothing'."),
        ("--nope board", None, "No such option '--nope'"),
        ("report wagers --csv", "report.wagers", "Use only one of --json, --csv and --pdf."),
    ],
)
def test_wrong_usage_is_json_to_whoever_asks_for_json(words, command, message):
    told = CliRunner().invoke(cli, [*words.split(), "--json"], prog_name="sabot")
    body = json.loads(told.stdout)

    assert (told.exit_code, told.stderr) == (2, "")
    assert (False, command, "UsageError", None) == (
        *(body["ok"], body["command"], body["error"], body["rule"]),
    )
    assert body["message"].startswith(message.rstrip("."))


def test_wrong_usage_is_told_in_words_to_everybody_else():
    for words in (["bet", "B01"], ["bet", "B01", "--", "--json"]):
        told = CliRunner().invoke(cli, words, prog_name="sabot")

        assert (told.exit_code, told.stdout) == (2, "")
        assert told.stderr.startswith("Usage: sabot bet")


def test_the_version_is_the_package_s():
    assert CliRunner().invoke(cli, ["--version"], prog_name="sabot").stdout == (
        f"sabot {VERSION}\n"
    )


def test_help_loads_nothing_heavy():
    asked = "import sys; from ops.cli import main; sys.argv = ['sabot', '--help']\n"
    asked += "try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    heavy = {"psycopg", "eventsourcing", "msgspec", "rich", "typst", "pyarrow", "domain"}

    assert result.stdout.startswith("Usage: sabot ")
    assert "ops.cli" in result.stderr.split()
    assert not heavy & {name.partition(".")[0] for name in result.stderr.split()}


# fmt: off
EXITS = [
    ("bet B01 3 player 100",                  1, "BothSides"),       # B02's is another table
    ("commission collect B01 3 x",            1, "BadValue"),
    ("commission collect B01 9 5",            1, "SeatEmpty"),
    ("commission collect B01 P-9 5",          1, "NotFound"),
    ("bet B01 three banker 100",              1, "BadValue"),
    ("settle B02 --paid 3",                   1, "BadValue"),
    ("table open B03 dragon@9 --opener 100=5", 1, "UnknownRules"),
    ("table open B03 classic@1 --opener 100=x", 1, "BadValue"),
    ("table open B03 classic@1 --opener 100=2 --opener 100=3", 1, "given twice"),
    ("table open B03 classic@1 --opener 1=2 --opener 1.00=3", 1, "given twice"),
    ("table close B03 --closer 100=2 --closer 100=2", 1, "given twice"),
    ("settle B02 --paid 3=100 --paid 3=200",  1, "given twice"),
    ("draw B02 11H",                          1, "UnknownCard"),
    (f"bet B01 {'9' * 5_000} banker 100",     1, "BadValue"),
    (f"bet B01 3 banker {'9' * 5_000}",       1, "BadValue"),
    (f"shoe reconcile B01 {'9' * 5_000}",     1, "UnknownCard"),
    (f"shoe load B03 {'9' * 5_000}",          1, "BadValue"),
    (f"table open B03 classic@1 --opener 1={'9' * 5_000}", 1, "BadValue"),
    ("table seat B01 9 P-\udcff",            1, "it is not UTF-8"),
    ("commission collect B01 P-\udcff 5",    1, "it is not UTF-8"),
    ("report commission --patron P-\udcff",  1, "it is not UTF-8"),
    ("report coup --table B\udcff",          1, "it is not UTF-8"),
    ("replay B01\udcff",                     1, "BadValue"),
    ("replay B01/2026-11-21/9/9",             1, "NotFound"),
    ("replay B01/17",                         1, "BadValue"),
    ("report commission --day tomorrow",      1, "BadValue"),
    ("report coup --shoe B01",                1, "BadValue"),
    ("report commission --json --csv",        2, "Use only one of"),
    ("report coup --csv --json",              2, "Use only one of"),
    ("report taxes",                          2, "No such command"),
    ("report coup --patron P-3",              2, "No such option"),
    ("bet B01 3 banker",                      2, "Missing argument"),
    ("bet B01 3 banker 100 200",              2, "unexpected extra argument"),
    ("bet B01 3 banker 100 --colour red",     2, "No such option"),
    ("table open B03 classic@1",              2, "Missing option"),
    ("shoe reconcile B01",                    2, "Missing argument"),
    ("wager B01",                             2, "No such command"),
    ("odds --decks 13",                       2, "Invalid value"),
]
# fmt: on


@pytest.mark.parametrize(
    ("words", "status", "error"), EXITS, ids=[ascii(row[0])[:60] for row in EXITS]
)
def test_what_is_refused_exits_1_and_wrong_usage_2_and_neither_records(
    settled, words, status, error
):
    words = words.replace("bet B01 3 player", "bet B02 3 player")
    before = recorded(settled)
    result = shell(settled, *words.split())
    told = result.stdout if status == 2 and "--json" in words else result.stderr

    assert (status, told) == (result.exit_code, result.output)
    assert error in told
    assert "Traceback" not in told
    assert before == recorded(settled)


@pytest.mark.parametrize(
    "words",
    [
        *("bet B01 3 banker 100", "feed --patience 0"),
        *("report coup", "replay B01/2026-11-21/1/1", "audit verify", "simulate"),
        *("db status", "db upgrade", "projections status"),
    ],
)
def test_a_ledger_out_of_reach_exits_3_and_says_what_is_known(words):
    result = shell(NOWHERE, *words.split(), input='{"command": "open", "table": "B01"}\n')
    then = (
        "The command may be recorded or not: send it again with the same id."
        if words.startswith("feed")
        else "Try again when it is back."
    )

    assert (result.exit_code, result.stdout) == (3, "")
    assert then in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_database_may_be_named_by_the_environment(settled):
    result = CliRunner().invoke(
        cli, ["report", "coup", "--json"], env={"SABOT_DATABASE_URL": settled.url}
    )

    assert json_of(settled, "report", "coup") == json.loads(result.stdout)


# fmt: off
AMOUNTS = [
    ("100", 100_00), ("100.0", 100_00), ("100.00", 100_00), ("1,000", 1_000_00),
    ("1,250.00", 1_250_00), ("9,995", 9_995_00), ("10000", 10_000_00), ("12.50", 12_50),
]
NO_AMOUNTS = [
    "", " ", "abc", "0", "-5", "12.505", "NaN", "Infinity", "1e30", "$5", "5 USD", "5.-", "0x10",
    "1e3", "1e999999", "1_000", "٣٠",
]
HALF_READ = ["12,50", "1,0"]  # a comma stands before three digits, or it stands for a point
# fmt: on


@pytest.mark.parametrize(("written", "minor"), AMOUNTS)
def test_amounts_are_spoken_in_major_units(settled, written, minor):
    """Read, and judged: most of them are wagers, and 12.50 is no multiple of 5.00."""
    answer = json.loads(shell(settled, "bet", "B02", "3", "banker", written, "--json").stdout)

    if minor == 12_50:
        assert answer["message"] == "12.50 is no multiple of 5.00. Bet 25.00."
    else:
        assert [event["amount"] for event in answer["events"]] == [minor]


@pytest.mark.parametrize(
    "written",
    NO_AMOUNTS + HALF_READ,
)
def test_what_is_no_amount_is_refused(settled, written):
    before = recorded(settled)
    result = shell(settled, "bet", "B02", "3", "banker", "--", written)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("BadValue: AMOUNT cannot be ")
    assert before == recorded(settled)


@pytest.mark.parametrize("who", ["3", "P-3"])
def test_commission_is_collected_by_seat_and_by_name(settled, who):
    (before,) = json_of(settled, "report", "commission", "--patron", "P-3")["rows"]
    result = shell(settled, "commission", "collect", "B01", who, "0.05")
    (row,) = json_of(settled, "report", "commission", "--patron", "P-3")["rows"]

    assert "P-3 paid 0.05 commission, receipt B01/2026-11-21/stay-1/receipt-" in result.stdout
    assert row["outstanding"] == row["charged"] - row["collected"] == before["outstanding"] - 5


def test_a_refusal_is_json_when_json_is_asked_for(settled):
    result = shell(settled, "bet", "B02", "3", "banker", "many", "--json")

    assert json.loads(result.stdout)["error"] == "BadValue"


@pytest.mark.parametrize(("late", "ends_with"), [(300.0, 0), (0.0, 1)])
def test_projections_that_are_behind_for_long_are_not_well(
    dispatcher, database, monkeypatch, late, ends_with
):
    GamingTable(dispatcher).open()
    monkeypatch.setattr("ops.reports.runner.LATE", late)
    result = shell(database, "projections", "status")

    assert result.exit_code == ends_with
    assert ("`sabot projections run` must be at work" in result.stdout) == bool(ends_with)
    assert shell(database, "report", "table-win").exit_code == 0
    assert shell(database, "projections", "rebuild").exit_code == 0
    assert shell(database, "projections", "status").exit_code == 0


def test_projections_are_followed_until_somebody_stops_them(settled):
    behind = json_of(settled, "projections", "status")
    running = Program(
        ["--database", settled.url, "projections", "run"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    words = running.stderr.readline()
    feed(settled, [{"command": "draw", "table": "B02", "card": "9C"}])
    for _ in range(200):
        status = json_of(settled, "projections", "status")
        if not any(row["behind"] for row in status["rows"]):
            break
    running.send_signal(signal.SIGINT)

    assert (running.wait(30), running.stderr.close()) == (0, None)
    assert words.startswith("Following the ledger: ")
    assert list(status) == list(behind) == ["head", "runner", "rows", "round"]
    assert [behind["runner"], status["runner"]] == [False, True]
    assert status["head"] == len(recorded(settled))
    assert set(map(tuple, status["rows"])) == {
        *[
            (
                "projection",
                "position",
                "behind",
                "lag",
                "rate",
                "stopped_at",
                "stopped_why",
                "missing",
                "to_be_grown",
            )
        ]
    }
    assert {(status["head"], 0)} == {(row["position"], row["behind"]) for row in status["rows"]}


def on_a_terminal(*words, **env):
    """What a command writes to a terminal that can show colours."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", **env}
    with Program(words, cwd=ROOT, env=env, stdout=theirs, stderr=theirs, stdin=theirs):
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 65536):
                written += piece
        except OSError:  # the other side is closed
            pass
    os.close(ours)
    return written.decode()


def test_colour_is_for_terminals_and_no_color_turns_it_off(settled):
    colour = re.compile(r"\x1b\[(\d+;)*[349]\d(;\d+)*m")
    words = ("--database", settled.url, "replay", coup_of("B01", settled))

    assert colour.search(on_a_terminal(*words, NO_COLOR=""))
    assert not colour.search(on_a_terminal(*words, NO_COLOR="1"))
    for each in (words[2:], ("report", "commission"), ("report", "coup"), ("audit", "verify")):
        assert "\x1b" not in shell(settled, *each).stdout


def coup_of(table, database):
    return json_of(database, "report", "coup", "--table", table)["rows"][0]["coup"]
