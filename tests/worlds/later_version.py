"""A throw-away release after this one: a copy of the program with one more version of the schema.

Its schema has a column more and a function with another body, and one of its events a field more.
It runs in processes of its own.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from ops.ledger.installed import PACKAGES
from ops.ledger.schema import head
from tests import ROOT

LATER = "9002_later"
COLUMN = "ALTER TABLE ledger.command_rows ADD COLUMN channel text;\n"
FUNCTION = """\
CREATE OR REPLACE FUNCTION ledger.refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'no % on %.%', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
"""
FAILS = "SELECT 1 / 0;\n"
WAITS = "SELECT pg_sleep(60);\n"
_AS_OWNER = "SET LOCAL ROLE sabot_owner;\n"
_SCHEMA = Path("ops", "ledger", "schema", "versions")
# What is written differently in the copy: a file, what it has, and what it has instead.
_EDITS = (
    (Path("ops", "__init__.py"), 'VERSION = "', 'VERSION = "9.'),
    (
        Path("domain", "events", "shoe.py"),
        "    cut_card: int\n",
        '    cut_card: int\n    hue: str = "red"\n',
    ),
)
# Imports the program once.
_SEVERAL = """
import json, shlex, sys
from click.testing import CliRunner
from ops.cli import cli
done = [CliRunner().invoke(cli, shlex.split(line)) for line in sys.argv[1:]]
print(json.dumps([(each.exit_code, each.stdout, each.stderr) for each in done]))
"""


class LaterVersion:
    """The copy, in a directory. `last`: the second and last file of its schema's version."""

    def __init__(self, place: Path, last: str = FUNCTION) -> None:
        self.place = place
        for package in PACKAGES:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, place / package, ignore=ignored)
        for file, before, after in _EDITS:
            text = (place / file).read_text()
            assert text.count(before) >= 1, file
            (place / file).write_text(text.replace(before, after, 1))
        (place / _SCHEMA / LATER).mkdir()
        (place / _SCHEMA / LATER / "1_column.sql").write_text(_AS_OWNER + COLUMN)
        (place / _SCHEMA / LATER / "2_function.sql").write_text(_AS_OWNER + last)
        assert head() < LATER

    def start(self, url: str, *words: str, **more: Any) -> "subprocess.Popen[str]":
        """`sabot WORDS` of the copy, on a database."""
        env = {**os.environ, "PYTHONPATH": str(self.place), "SABOT_DATABASE_URL": url}
        command = [sys.executable, "-m", "ops.cli", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.place, env=env, stdout=pipe, stderr=pipe, text=True, **more
        )

    def run(self, url: str, *lines: str) -> list[tuple[int, str, str]]:
        """`sabot LINE` for each line, in one process: exit status, output, errors."""
        command = [sys.executable, "-c", _SEVERAL, *lines]
        env = {**os.environ, "PYTHONPATH": str(self.place), "SABOT_DATABASE_URL": url}
        done = subprocess.run(command, cwd=self.place, env=env, capture_output=True, check=True)
        return [tuple(each) for each in json.loads(done.stdout)]
