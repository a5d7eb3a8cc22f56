"""What is installed, and for whom: pinned files, the verifier, and an account that is a number."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from ops.ledger.embedded import EmbeddedError, programs
from ops.ledger.installed import as_released, files_in
from tests import ROOT

UNNAMED = 54_321  # nobody's number


def test_every_version_that_is_pinned_has_the_hashes_of_its_files():
    text = (ROOT / "constraints.txt").read_text().replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line.strip()]

    assert len(pins) > 40
    for pin in pins:
        assert re.match(r"[a-z0-9-]+==\S+ ", pin), pin
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", pin), pin
    assert "://" not in text


def test_nothing_is_installed_that_is_not_pinned():
    venv = (ROOT / "scripts/venv").read_text()

    assert "--require-hashes --requirement constraints.txt" in venv
    assert "--no-deps --no-build-isolation" in venv


def test_the_wheel_brings_the_verifier_as_a_command(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    script = tmp_path / "sabot-verify-pack"
    with zipfile.ZipFile(wheel) as files:
        (name,) = (each for each in files.namelist() if each.endswith(f"/{script.name}"))
        script.write_bytes(files.read(name))
    asked = subprocess.run(
        [sys.executable, "-I", "-S", str(script), str(tmp_path / "none.json")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert asked.returncode == 2
    assert "none.json" in asked.stdout + asked.stderr
    assert "Traceback" not in asked.stderr


def test_the_wheel_has_the_files_of_the_checkout_and_so_its_digest(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "installed")

    assert files_in(ROOT).digest == files_in(tmp_path / "installed").digest
    assert files_in(ROOT) == as_released(tmp_path / "installed")


# In a container an account may be a mere number, and its umask may be 0.
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another account")
def test_an_account_without_a_name_makes_its_database(tmp_path, monkeypatch):
    for above in (tmp_path, *tmp_path.parents):
        if above == Path(tempfile.gettempdir()):
            break
        above.chmod(0o755)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, UNNAMED, UNNAMED)
    for module in ("place", "programs"):
        monkeypatch.setattr(f"ops.ledger.embedded.{module}.ROOT", tmp_path / "root")
    copied = programs.programs_for(tmp_path / "nowhere").directory
    unnamed = programs.Programs(copied, UNNAMED, UNNAMED)
    said = unnamed.run("initdb", "--username=postgres", "--no-sync", "-D", str(theirs / "data"))

    assert "Success" in said
    assert UNNAMED == (theirs / "data").stat().st_uid


def test_an_account_without_a_name_is_told_what_it_needs(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(EmbeddedError, match="no name on this machine") as told:
        programs._under_a_name(["initdb"])

    assert "SABOT_DATABASE_URL" in str(told.value)


def test_whatever_the_umask_others_cannot_change_what_a_command_writes(tmp_path):
    program = (
        "import ops.cli, pathlib, sys; "
        "ops.cli.cli = lambda **_: pathlib.Path(sys.argv[1]).touch(); ops.cli.main()"
    )
    written = tmp_path / "written"
    command = [sys.executable, "-c", program, str(written)]
    subprocess.run(command, cwd=ROOT, umask=0, check=True)

    assert not stat.S_IMODE(written.stat().st_mode) & 0o022
