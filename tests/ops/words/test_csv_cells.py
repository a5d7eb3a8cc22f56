"""What a spreadsheet would run is text in every CSV, and numbers are numbers."""

import csv
import io
import json

import pytest

from ops.words.csv_cells import GUARD, guarded
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import GamingTable

NAMES = ("=HYPERLINK(1)", "+cmd|x", "-2+3", "@SUM(A1)")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        *((name, f"'{name}") for name in (*NAMES, "\t=1", "\r=1")),
        *((each, each) for each in ("P-1", "-5", "+5.50", "", "a=b", -5, None, 1.5)),
    ],
)
def test_text_that_would_be_run_begins_with_an_apostrophe(value, cell):
    assert cell == guarded(value)


@pytest.fixture
def named_so(dispatcher):
    pit = GamingTable(dispatcher).open()
    for seat, name in zip((2, 4, 6, 7), NAMES, strict=True):
        pit.say("table.seat", seat=seat, patron=name)
        pit.say("table.buy-in", seat=seat, amount=100_00)


@pytest.mark.parametrize("report", ["ratings", "cash-log"])
def test_every_csv_of_a_report_is_guarded(named_so, database, tmp_path, report):
    place = tmp_path / report
    printed = shell(database, "report", report, "--csv").stdout
    assert shell(database, "export", "report", report, "--into", str(place)).exit_code == 0
    manifest = json.loads((place / "manifest.json").read_text())

    for text in (printed, (place / manifest["file"]).read_text()):
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert {f"'{name}" for name in NAMES} <= set(cells)
        assert not {cell for cell in cells if cell.startswith(("=", "+", "@"))}
    assert GUARD == manifest["guard"]


def test_the_help_says_so():
    for words in (("export", "--help"), ("report", "ratings", "--help")):
        told = " ".join(shell(_Nowhere, *words).stdout.split())

        assert "put before text that a spreadsheet would run" in told


class _Nowhere:
    url = "postgresql://nobody@127.0.0.1:1/nowhere"
