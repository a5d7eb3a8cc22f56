"""Nobody signed on: a command answers the same about what is on record and about what is not."""

from ops.proof.keys import introduction, make_keys
from tests.acceptance.channels import shell
from tests.ops.cli.leaves import LEAVES, asked_of, command_of
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse
from tests.worlds.gaming_table import GamingTable, disputed, mouth_on, trouble
from tests.worlds.signing import ORIGIN

TO_ANYBODY = {"road", "audit shoe"}  # which name nobody
NOT_SHORT = {
    *("serve", "dealer", "play", "demo", "simulate", "feed", "adjudicate"),
    *("projections run", "projections rebuild", "projections check", "table run"),
    "audit checkpoint",  # of the machine that has the key
}


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
