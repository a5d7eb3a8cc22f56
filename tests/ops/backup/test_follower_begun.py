"""Who begins the follower of a backup, and who does not."""

import subprocess

import pytest

from ops.ledger.embedded import follower


@pytest.fixture
def begun(monkeypatch):
    """What was begun, without beginning it."""
    commands = []

    def run(command, **options):
        commands.append((command, options["env"]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(follower.subprocess, "run", run)
    return commands


def test_a_home_with_backups_has_one_and_what_it_runs_begins_none(begun, monkeypatch, tmp_path):
    follower.ensure_followed(tmp_path)
    (tmp_path / follower.SETTING).write_text("")  # which no follower can read
    follower.ensure_followed(tmp_path)
    ((_, environment),) = begun
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    follower.ensure_followed(tmp_path)

    assert len(begun) == 1


def test_it_is_begun_once_while_one_is_at_work(begun, tmp_path):
    (tmp_path / follower.SETTING).write_text("{}")
    with follower.only_one(tmp_path):
        follower.ensure_followed(tmp_path)

    assert begun == []
