"""Ledgers that are kept: one of each release, as a file, with what was said to it and what it said.

A file has the database as SQL, the house's pepper, the lines with their answers, and the reports.
"""

import gzip
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from msgspec import Struct

from ops import VERSION
from ops.ledger.database import Database
from projections import REPORTS
from tests import ROOT
from tests.acceptance.channels import feed, json_of
from tests.worlds.every_command import both_forms

KEPT = ROOT / "tests" / "golden" / "kept"
DAY = "2026-11-21"
# Reports of when something was verified, or read.
BY_THE_CLOCK = {"integrity", "readings", "secret-readings"}
_DUMP = ("--inserts", "--rows-per-insert=200", "--no-comments", "--quote-all-identifiers")
# What only the program that wrote it understands, or a PostgreSQL of its version; and rights that
# an upgrade takes.
_OTHERS = (
    r"^(\\(un)?restrict .*|SET transaction_timeout = 0;|"
    r'(GRANT|REVOKE) .* ON FUNCTION "pg_catalog"\..*;)$'
)


class Kept(Struct, frozen=True):
    """A ledger of a release."""

    release: str
    dump: str
    pepper: bytes
    lines: list[dict[str, Any]]
    answers: list[dict[str, Any]]
    reports: dict[str, list[dict[str, Any]]]

    def write(self) -> Path:
        """Into its file; the file."""
        file = KEPT / f"{self.release}.json.gz"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.compress(msgspec.json.encode(self), mtime=0))
        return file

    def load(self, database: Database) -> None:
        """Into an empty database."""
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(self.dump.encode())


def released() -> list[Path]:
    """The files of all releases, the oldest first."""
    return sorted(KEPT.glob("*.json.gz"))


def read(file: Path) -> Kept:
    """A ledger as it was kept."""
    return msgspec.json.decode(gzip.decompress(file.read_bytes()), type=Kept)


def evening(database: Database, pepper: Path, programs: Path) -> Kept:
    """An evening of every command on an empty ledger, to keep. `programs`: PostgreSQL's."""
    lines = [line for _, line in both_forms()]
    _, answers = feed(database, lines)
    reports = {name: reported(database, name) for name in sorted(REPORTS.keys() - BY_THE_CLOCK)}
    dumped = _dumped(database, programs)
    return Kept(VERSION, dumped, pepper.read_bytes(), lines, answers, reports)


def reported(database: Database, name: str) -> list[dict[str, Any]]:
    """The rows of a report, as its readers get them."""
    rows: list[dict[str, Any]] = json_of(database, "report", name)["rows"]
    return rows


def _dumped(database: Database, programs: Path) -> str:
    """The database as SQL that any supported PostgreSQL runs."""
    command = [str(programs / "pg_dump"), "--dbname", database.url, *_DUMP]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    return re.sub(_OTHERS, "", done.stdout, flags=re.MULTILINE)
