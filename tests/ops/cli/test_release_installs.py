"""What is released is installed where nothing of the checkout is, and opens a table there."""

import os
import subprocess
import sys
import sysconfig
import tarfile
from uuid import uuid4

import pytest

from ops import VERSION
from tests import ROOT, release

OPENS = ("table", "open", "B01", "classic@1", "--opener", "100=9", "--by", "D-1", "--with", "S-1")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The source and the wheel."""
    return release.build(tmp_path_factory.mktemp("dist") / "dist")


@pytest.fixture
def sabot(built, tmp_path):
    """`sabot` as it is installed from the wheel, beside the libraries that it needs."""
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    install = [sys.executable, "-m", "pip", "-q", "--python", place, "install"]
    (wheel,) = (each for each in built if each.suffix == ".whl")
    subprocess.run([*install, "--no-deps", "--no-index", wheel], check=True)
    (packages,) = place.glob("lib/python3*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))

    def run(url, *words):
        env = {**os.environ, "SABOT_DATABASE_URL": url}
        env.pop("PYTHONPATH", None)
        command = [place / "bin" / "sabot", *words]
        done = subprocess.run(
            command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout

    return run


def test_the_wheel_opens_a_table_in_an_empty_database(server, sabot):
    name = f"sabot_wheel_{uuid4().hex[:8]}"
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    url = server.address(name)
    try:
        version, help_, upgraded, opened, status = (
            sabot(url, *words)
            for words in (("--version",), ("--help",), ("db", "upgrade"), OPENS, ("db", "status"))
        )
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")

    assert (0, True) == (version[0], VERSION in version[1])
    assert (0, True) == (help_[0], "table" in help_[1])
    assert [0, 0, 0] == [upgraded[0], opened[0], status[0]]
    assert "B01" in opened[1]


def test_the_source_has_what_a_stranger_needs_to_build_and_test_it(built):
    (source,) = (each for each in built if each.name.endswith(".tar.gz"))
    with tarfile.open(source) as files:
        names = {name.partition("/")[2] for name in files.getnames()}

    assert f"sabot-{VERSION}.tar.gz" == source.name
    assert {"constraints.txt", "scripts/check", "tests/conftest.py", "CHANGELOG.md"} <= names
    assert not any(name.startswith((".venv", ".git/", "dist")) for name in names)


def test_what_is_built_is_no_part_of_the_checkout():
    ignored = (ROOT / ".gitignore").read_text().split()

    assert "dist/" in ignored or "/dist/" in ignored
