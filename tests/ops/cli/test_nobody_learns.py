"""Nobody signed on: a command answers the same about what is on record and about what is not."""

import click

from ops.cli import cli
from ops.proof.keys import introduction, make_keys
from tests.acceptance.channels import shell
from tests.ops.cli.leaves import LEAVES
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse
from tests.worlds.gaming_table import GamingTable, disputed, mouth_on, trouble
from tests.worlds.signing import ORIGIN

# By argument: what is on record, then what is not; others have one value that can be read.
NAMES = {
    "table": ("B04", "B99"),
    "coup": ("B04/2026-11-21/1/1", "B77/2026-11-21/9/9", "B04", "B99"),
    "shoe": ("B04/2026-11-21/1", "B77/2026-11-21/9"),
    "case": ("C-2026-0001", "C-2026-0999"),
    "patron": ("P-10417", "P-999"),
    "table_day": ("B04/2026-11-21", "B99/2026-11-21"),
    "day": ("2026-11-21", "2025-01-01"),
    "staff": ("N-1", "N-99"),
    "what": ("B04/2026-11-21/1/1", "B77/2026-11-21/9/9"),
    "alert": ("late-bet/1", "late-bet/99999"),
    "position": ("3", "99999"),
    "seat": ("3", "5"),
    "spot": ("banker",),
    "hand": ("player",),
    "decision": ("stand",),
    "how": ("settle",),
    "timing": ("deferred",),
    "method": ("hand",),
    "kind": ("fill",),
}
OPTIONS = {
    **dict.fromkeys(("--closer", "--chips", "--opener", "--taken"), "100=1"),
    "--into": "packs",
    "--third": "S-1",
    "--reason": "x",
    "--stakes": "tie=1",
    "--tiles": "x",
}
TO_ANYBODY = {"road", "audit shoe"}  # which name nobody
NOT_SHORT = {
    *("serve", "dealer", "play", "demo", "simulate", "feed", "adjudicate"),
    *("projections run", "projections rebuild", "projections check", "table run"),
    "audit checkpoint",  # of the machine that has the key
}


def command_of(words):
    command = cli
    for word in words:
        command = command.get_command(click.Context(command), word)
    return command


def asked_of(command):
    """The arguments as they are asked about what is there, then with one thing that is not."""
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    values = [NAMES.get(each.name, ("1",)) for each in arguments]
    there = [each[0] for each in values]
    needed = [each.opts[0] for each in command.params if each.required and each.opts[0][0] == "-"]
    options = [word for name in needed for word in (name, OPTIONS.get(name, "1"))]
    yield options, there
    for n, each in enumerate(values):
        yield from ((options, [*there[:n], other, *there[n + 1 :]]) for other in each[1:])


def events(database):
    with database.connect("sabot_auditor") as connection:
        return connection.execute("SELECT count(*) FROM ledger.events").fetchone()


def test_nobody_learns_from_a_command_what_is_on_record_and_records_nothing(
    database, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    with mouth_on(database) as dispatcher:
        disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        line = {"command": "audit.new-key", "statement": introduction(make_keys(lambda _: ORIGIN))}
        assert dispatcher.for_own_commands().dispatch(line).ok
    ClosedHouse(database, EVERY_ROLE).close()
    before, learnt = events(database), {}
    for words in LEAVES:
        name = " ".join(words)
        if name in NOT_SHORT | TO_ANYBODY or words[0] == "db":
            continue
        answers = {}
        for options, arguments in asked_of(command_of(words)):
            answer = shell(database, *words, *options, *arguments)
            text = answer.output
            for each in arguments:
                text = text.replace(each, "#")
            answers.setdefault((answer.exit_code, text), arguments)
        if len(answers) > 1:
            learnt[name] = answers

    assert learnt == {}
    assert events(database) == before
