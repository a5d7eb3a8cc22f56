"""A spreadsheet of patrons: what is made, merged, asked about or wrong, and twice is as once."""

import csv
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.patron_files import DOCUMENTS as KINDS
from domain.rules.patron_files import Contents, Document
from domain.rules.patron_import import House, Known, Row, plan
from ops.handlers.patron_import import rows_of
from ops.manual.topics import topic
from ops.words.csv_cells import guarded
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import mouth_on

HEADINGS = ("patron", "name", "birth_date", "address", "document", "number", "issuer", "expires")
ANN = ("P-1", "Ann A", "1961-04-17", "Ring 1", "passport", "U1", "Austria", "2031-02-01")
SHEET = [
    ANN,
    ("P-2", "Bea B", "1970-13-01", "Ring 2", "", "", "", ""),
    ("P-9", "Ann A", "1961-04-17", "", "", "", "", ""),
    ("", "", "", "Ring 9", "passport", "U1", "Austria", ""),
    ("P-O1", "Cas C", "", "", "", "", "", ""),
    ("P-01", "Dan D", "", "", "", "", "", ""),
    ("P-8", "", "", "", "passport", "", "", ""),
    ("P-7", "", "", "Ring 7", "", "", "", ""),
]


def written(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([HEADINGS, *rows])
    return str(path)


def imported(database, *words):
    result = shell(database, "patron", "import", *words, "--json")
    return {each["row"]: each for each in json.loads(result.stdout)["rows"]}, result.exit_code


def test_it_shows_what_it_would_do_then_does_it_and_again_changes_nothing(database, tmp_path):
    file = written(tmp_path / "patrons.csv", SHEET)
    with mouth_on(database) as dispatcher:
        said = {"command": "patron.file", "patron": "P-7", "address": "Ring 70", "by": "C-1"}
        assert dispatcher.dispatch(said).ok

    shown, status = imported(database, file)
    nothing = shell(database, "patron", "show", "P-1")
    taken, _ = imported(database, file, "--yes", "--by", "C-1")
    again, _ = imported(database, file, "--yes", "--by", "C-1")

    assert (shown, status, nothing.exit_code) == (taken, 1, 1)
    assert {row: (each["what"], each["why"], each["other"]) for row, each in shown.items()} == {
        2: ("made", "", ""),
        3: ("wrong", "", ""),
        4: ("asked", "person", "P-1"),
        5: ("same", "document", ""),
        6: ("made", "", ""),
        7: ("asked", "looks", "P-O1"),
        8: ("wrong", "", ""),
        9: ("same", "number", ""),
    }
    assert [each["column"] for each in shown[8]["faults"]] == ["number", "issuer"]
    assert (shown[5]["stays"], shown[9]["stays"]) == (["address"], ["address"])
    assert {each["what"] for each in again.values()} == {"same", "asked", "wrong"}
    apart, _ = imported(database, file, "--apart", "P-9")
    assert (apart[4]["what"], apart[7]["what"]) == ("made", "asked")
    file_of_ann = json.loads(shell(database, "patron", "show", "P-1", "--json").stdout)["file"]
    assert file_of_ann["documents"] == [
        {"kind": "passport", "number": "U1", "issuer": "Austria", "expires": "2031-02-01",
         "seen_by": "", "seen_on": ""}
    ]  # fmt: skip
    assert "not seen here" in shell(database, "patron", "show", "P-1").stdout


def test_it_says_how_much_was_written_and_up_to_which_event(database, tmp_path):
    file = written(tmp_path / "patrons.csv", [ANN])
    words = ("patron", "import", file, "--yes", "--by", "C-1")
    assert "Written" not in shell(database, *words[:3]).stdout
    assert re.search(r"\nWritten: 1 row, up to #\d+\.\n$", shell(database, *words).stdout)
    again = json.loads(shell(database, *words, "--json").stdout)
    assert (again["taken"], again["written"], again["position"]) == (True, 0, None)


def test_a_file_that_is_no_such_sheet_is_refused_in_words(database, tmp_path):
    sheet = tmp_path / "x.csv"
    for content, words in {
        b"patron,nickname\n": "There is no column 'nickname'",
        b"patron,patron\n": "is there twice",
        b"": "empty",
        b"patron\n\xff\xfe\n": "not UTF-8",
        b"patron\nP-1,2\n": "more cells",
    }.items():
        sheet.write_bytes(content)
        refused = shell(database, "patron", "import", str(sheet))
        assert (refused.exit_code, words in refused.output) == (1, True), refused.output


def test_a_cell_that_is_guarded_against_spreadsheets_is_read_as_it_was():
    names = ["=hat", "@grey", "-", "P-1", "'s-Gravenhage", "-5"]
    sheet = "patron\n" + "".join(f"{guarded(each)}\n" for each in names)

    assert [each.cells["patron"] for each in rows_of(sheet.encode())] == names


NUMBERS, DOCUMENTS = ("A-1", "B-2", "C-3", ""), ("", "X", "Y")
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "patron": st.sampled_from(NUMBERS),
            "address": st.sampled_from(("", "here", "there")),
            "number": st.sampled_from(DOCUMENTS),
        }
    ),
    max_size=8,
)


def modelled(rows, stored):
    """What becomes of each row, by plain dictionaries: no code of the program's."""
    addresses, holders = {"A-1": "here"}, {"X": "A-1"} if stored else {}
    there, became = {"A-1"} if stored else set(), []
    if not stored:
        addresses = {}
    for row in rows:
        number, document, address = row["patron"], row["number"], row["address"]
        holder = holders.get(document, "") if document else ""
        patron = number or holder
        if not patron:
            became.append("wrong")
        elif holder not in ("", patron):
            became.append("asked")
        else:
            news = (address and not addresses.get(patron)) or (document and not holder)
            if patron not in there:
                became.append("made" if news else "wrong")
            else:
                became.append("merged" if news else "same")
            there |= {patron} if news else set()
            if address and not addresses.get(patron):
                addresses[patron] = address
            if document:
                holders[document] = patron
    return became


@given(ROWS, st.booleans())
def test_rows_become_what_an_independent_model_says(rows, stored):
    passport = Document("passport", "X", "Austria", "", "C-1", "2026-11-21")
    known = {"A-1": Known("A-1", "", Contents(address="here", documents=(passport,)))}
    cells = [
        {**row, "document": "passport", "issuer": "Austria"} if row["number"] else row
        for row in rows
    ]

    became = plan(
        [Row(number, each) for number, each in enumerate(cells, 2)],
        House(known if stored else {}, {}),
    )

    assert [each.what for each in became] == modelled(rows, stored)


def test_the_manual_names_each_kind_of_document():
    page = topic("patron-files").text

    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []


SPELLINGS = ("US", "usa", "United States", "U.S.A.", "United States of America")


@pytest.mark.parametrize("issuer", SPELLINGS)
def test_one_document_is_the_same_however_its_issuer_and_number_are_spelled(issuer):
    passport = Document("passport", "U123", "United States", "2031-02-01", "C-1", "2026-11-21")
    row = {"document": "passport", "number": "u 123", "issuer": issuer}
    house = House({"P-1": Known("P-1", "", Contents(documents=(passport,)))}, {})
    nobody, other, theirs = plan(
        [Row(2, row), Row(3, {**row, "patron": "P-2"}), Row(4, {**row, "patron": "P-1"})], house
    )

    assert (nobody.patron, nobody.why, nobody.what) == ("P-1", "document", "same")
    assert (other.what, other.why, other.other) == ("asked", "document", "P-1")
    assert (theirs.adds, theirs.stays) == ({}, ())


def test_a_document_of_another_country_or_state_is_another_one():
    licence = Document("driving-licence", "77", "US-NV", "", "C-1", "2026-11-21")
    house = House({"P-1": Known("P-1", "", Contents(documents=(licence,)))}, {})
    rows = [
        Row(n, {"patron": f"P-{n}", "document": "driving-licence", "number": "77", "issuer": each})
        for n, each in enumerate(("US-CA", "Austria", "USA-NV"), 2)
    ]

    assert [each.what for each in plan(rows, house)] == ["made", "made", "asked"]
