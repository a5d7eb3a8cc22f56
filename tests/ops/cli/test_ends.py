"""When output, time or the process ends: words, and nothing half done; and who says who acts."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ops.cli.pack import Pair
from ops.cli.session import write_whole
from tests.acceptance.channels import recorded, shell
from tests.worlds.gaming_table import GamingTable

SABOT = (sys.executable, "-m", "ops.cli")


def run(database, *words, **how):
    env = {**os.environ, "SABOT_DATABASE_URL": database.url}
    return subprocess.run(
        [*SABOT, *words],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **how,
    )


@pytest.mark.parametrize(
    ("day", "days"), [("9999-12-31", "2"), ("2199-12-31", "1"), ("1970-01-01", "1")]
)
def test_evenings_outside_the_record_s_time_are_wrong_usage(database, day, days):
    told = shell(database, "simulate", "--day", day, "--days", days, "--coups", "1")

    assert (2, "") == (told.exit_code, told.stdout)
    assert f"from {day} must lie between" in told.stderr
    assert [] == recorded(database)


def test_with_standard_output_closed_nothing_is_done_and_words_say_so(pit, database):
    before = recorded(database)
    told = run(database, "replay", "B01", preexec_fn=lambda: os.close(1))

    assert (2, "Standard output is closed: nothing was done. Send it to /dev/null.\n") == (
        told.returncode,
        told.stderr,
    )
    assert before == recorded(database)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_a_feed_whose_answers_cannot_be_written_exits_3_and_what_it_recorded_stays(
    dispatcher, database, tmp_path
):
    GamingTable(dispatcher).open().prepare()
    file = tmp_path / "lines.jsonl"
    lines = [
        {"command": "bet", "table": "B01", "seat": seat, "spot": "banker", "amount": 500_00}
        for seat in (1, 3)
    ]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with Path("/dev/full").open("w") as full:
        told = run(database, "feed", str(file), stdout=full)

    assert told.returncode == 3
    assert told.stderr.startswith("The answer to line 1 could not be written: No space left")
    assert "Traceback" not in told.stderr
    wagers = [each for each in recorded(database) if each[3] == "coup.wager-placed"]
    assert len(wagers) == 2  # they were recorded together


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_an_export_that_is_ended_leaves_nothing_half_written(pit, database, tmp_path, by):
    """The disk takes its time over what is written."""
    stands = tmp_path / "stands"
    held = (
        "import pathlib, time\n"
        "from ops.reports.export import files\n"
        "from ops.cli import main\n"
        "def slow(path):\n"
        f"    pathlib.Path({str(stands)!r}).touch()\n"
        "    time.sleep(60)\n"
        "files.to_disk = slow\n"
        "main()\n"
    )
    place = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-c", held, "export", "report", "commission", "--into", str(place)],
        env={**os.environ, "SABOT_DATABASE_URL": database.url},
        stderr=subprocess.PIPE,
    )
    ends = time.monotonic() + 90
    while not stands.exists() and process.poll() is None and time.monotonic() < ends:
        time.sleep(0.05)
    assert [".part"] == [each.suffix for each in tmp_path.glob(".out*")]
    process.send_signal(by)
    process.communicate(timeout=60)

    assert 128 + by == process.returncode
    assert [stands] == list(tmp_path.iterdir())


def test_in_open_house_whoever_acknowledges_an_alert_says_who_they_are(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    late = pit.ask("bet", seat=1, spot="player", amount=25_00).body
    alert = f"late-bet/{late['position']}"
    nobody = shell(database, "alert", "acknowledge", alert)
    somebody = shell(database, "alert", "acknowledge", alert, "--by", "S-11")

    assert (1, 0) == (nobody.exit_code, somebody.exit_code)
    assert "Say who acknowledges the alert" in nobody.stderr
    assert f"{alert} is acknowledged." in somebody.stdout


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_a_paper_or_a_pack_that_is_ended_leaves_nothing_half_written(tmp_path, monkeypatch, by):
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: signal.raise_signal(by))
    pair = Pair.of(tmp_path / "coup-1")
    for write in (
        lambda: write_whole(tmp_path / "report.pdf", b"paper"),
        lambda: pair.write_paper(b"paper"),
    ):
        with pytest.raises(SystemExit) as ended:
            write()

        assert (ended.value.code, list(tmp_path.iterdir())) == (128 + by, [])
