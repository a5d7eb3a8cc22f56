"""The inspector's page, command by command, with what an inspector really has."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ops.handlers.checkpoints import make
from ops.manual.topics import topic
from ops.proof import keys
from ops.proof.printed import printed
from tests import VERIFY
from tests.acceptance.channels import shell
from tests.faults import FULL
from tests.worlds import programs
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.signing import ORIGIN

MOST = 5  # commands
COUP = f"B01/{DAY}/1/1"


@pytest.fixture
def bag(dispatcher, database, tmp_path, monkeypatch):
    """What the inspector has: the key, a sheet of paper, a pack; the record has grown since."""
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    bag = tmp_path / "bag"
    bag.mkdir()
    table = GamingTable(dispatcher).open().prepare()
    made = keys.make_keys(lambda _: ORIGIN)
    line = {"command": "audit.new-key", "statement": keys.introduction(made)}
    assert dispatcher.for_own_commands().dispatch(line).ok
    on_paper = make(dispatcher, database)
    paper = printed(on_paper.note, made[0])
    (bag / "paper.txt").write_text(paper.scanned)
    (bag / "typed.txt").write_text("\n".join(paper.lines).replace("  ", " ").lower())
    table.play(BANKER_WINS, (3, "banker", 100_00))
    later = make(dispatcher, database)
    (bag / "house.key").write_text(made[0])
    (bag / "house.pem").write_text(keys.public_pem(made[0]))
    exported = shell(database, "replay", COUP, "--export", str(bag / "coup-1"))
    assert exported.exit_code == 0, exported.stderr
    return bag, later.checkpoint.size


def commands():
    (block,) = re.findall(r"```console\n(.*?)```", topic("inspector").text, re.DOTALL)
    return block.strip().splitlines()


def run(command, bag, database, size):
    place = Path(sys.executable).parent
    env = {
        **os.environ,
        "SABOT_DATABASE_URL": database.url,
        "SIZE": str(size),
        "PATH": f"{place}:{os.environ['PATH']}",
    }
    if command.startswith("sabot") and not FULL:
        words = command.replace("$(cat house.key)", (bag / "house.key").read_text())
        _, *words = shlex.split(words.replace("$SIZE", str(size)))
        return programs.run(words, cwd=bag, env=env)
    command = command.replace("scripts/verify_pack", f"{sys.executable} {VERIFY}")
    return subprocess.run(
        command, shell=True, cwd=bag, env=env, capture_output=True, text=True, check=False
    )


def test_from_paper_to_the_coup_in_at_most_five_commands(bag, database):
    assert len(commands()) <= MOST
    place, size = bag
    for command in commands():
        if command.startswith("openssl") and not shutil.which("openssl"):
            continue
        done = run(command, place, database, size)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_a_record_that_was_rewritten_since_the_paper_is_found(bag, database, superuser):
    place, size = bag
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    verify = next(each for each in commands() if each.startswith("sabot audit verify"))
    done = run(verify, place, database, size)

    assert done.returncode == 1
    assert "the first fault is at position 3." in done.stdout
    assert re.search(r"The event at 3 is not as \S+ signs it", done.stdout)


def test_a_sheet_of_another_house_is_found(bag, database):
    place, size = bag
    paper = place / "paper.txt"
    paper.write_text(paper.read_text().replace("\n", "x\n", 1))
    openssl = [each for each in commands() if each.startswith(("sed", "openssl"))]
    done = [run(each, place, database, size) for each in openssl][-1]

    assert done.returncode != 0


def test_a_pack_that_nobody_signed_is_not_green_for_who_gives_a_key(bag, database):
    place, size = bag
    pack = json.loads((place / "coup-1.json").read_text())
    (place / "coup-1.json").write_text(json.dumps({**pack, "checkpoint": None}))
    with_key = run(commands()[0], place, database, size)
    without = run(commands()[0].split(" --key")[0], place, database, size)

    assert "WRONG  the key that you gave signed the record" in with_key.stdout
    assert with_key.returncode == 1
    assert "WRONG  the key" not in without.stdout


def typed_by(command, bag, database, text):
    """What a command says to a paper that was typed so."""
    place, size = bag
    (place / "typed.txt").write_text(text)
    return run(command.replace("paper.txt", "typed.txt"), place, database, size)


def test_a_typed_paper_does_what_a_scanned_one_does_and_a_slip_in_it_is_no_tampering(bag, database):
    paper = (bag[0] / "typed.txt").read_text()
    takes = [each for each in commands() if "--against" in each or "--consistent" in each]
    assert len(takes) == len(("pack", "verify", "prove"))
    lines = paper.splitlines()
    other = "q" if lines[4][-4].lower() != "q" else "r"
    slip = "\n".join([*lines[:4], lines[4][:-4] + other + lines[4][-3:], *lines[5:]])
    for each in takes:
        good = typed_by(each, bag, database, paper)
        wrong = typed_by(each, bag, database, slip)
        assert good.returncode == 0, f"{each}\n{good.stdout}{good.stderr}"
        assert (wrong.returncode, "Type line 5 again" in wrong.stderr) == (3, True), each
        assert "tampered" not in wrong.stdout + wrong.stderr


def test_a_key_typed_with_a_slip_is_told_by_the_script_too(bag, database):
    place, size = bag
    key = (place / "house.key").read_text()
    (place / "house.key").write_text(key[:-5] + ("A" if key[-5] != "A" else "B") + key[-4:])
    done = run(commands()[0], place, database, size)

    assert (done.returncode, done.stdout) == (3, "")
    assert "This key is not as it was printed" in done.stderr
