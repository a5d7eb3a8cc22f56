"""What AUSTRAC asks, on a sheet to type from: filled from the record, refused field by field."""

import csv
import json

import pytest
from pypdf import PdfReader

from ops.ledger.secrets import People
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.sydney import HOUSE, sydney

CASE = "AML-2026-0001"
FILE = {
    "birth_date": "1961-04-17",
    "address": "12 Main St, Sydney NSW 2000, Australia",
    "occupation": "dentist",
}


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """The house's files, of which there are none yet."""
    monkeypatch.setattr("ops.cli.austrac.data_home", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def pit(dispatcher):
    return sydney(dispatcher)


@pytest.fixture
def made(database, tmp_path):
    """Makes a sheet of the words, and gives what was printed, its rows, and the PDF."""

    def make(*words):
        into, paper = tmp_path / "made.csv", tmp_path / "made.pdf"
        into.unlink(missing_ok=True)
        done = shell(database, "filing", *words, "--into", str(into), "--draft", str(paper))
        rows = []
        if into.exists():
            rows = list(csv.reader(into.read_text(encoding="utf-8-sig").splitlines()))
        return done, rows, paper

    return make


def lacks(done):
    return [each["field"] for each in json.loads(done.stdout)["lacks"]]


def known(pit, dispatcher, home, patron="P-10417", name="Mann, Janice"):
    (home / "austrac.toml").write_text(HOUSE)
    People(dispatcher.casino.ledger).name_patron(patron, name)
    pit.say("patron.file", patron=patron, by="C-1", **FILE)
    passport = {"kind": "passport", "number": f"U{patron}", "issuer": "Australia"}
    pit.say("patron.document", patron=patron, by="C-1", **passport)


def test_a_threshold_transaction_has_what_is_asked_and_what_is_missing_is_named(
    made, pit, dispatcher, home
):
    done, rows, _ = made("ttr", "P-10417", DAY, "--json")
    house = [f"austrac.{each}" for each in ("name", "number", "address", "contact", "phone")]
    assert lacks(done) == [*house, "name", "birth_date", "address", "document"]
    assert rows == []
    known(pit, dispatcher, home)
    done, rows, paper = made("ttr", "P-10417", DAY)

    assert done.exit_code == 0, done.output
    assert "not the file for bulk upload" in rows[0][0]
    values = [(name, value) for _, name, value in rows]
    assert [each for name, each in values if name.startswith("cash")] == ["12000.50"]
    wanted = {("name", "Mann, Janice"), ("birth date", "1961-04-17"), ("kind", "first report")}
    wanted |= {("chips that were given", "12000.50"), ("recipient", "P-10417")}
    wanted |= {("how it was conducted", "in person, at a gaming table")}
    assert wanted <= {*values}
    assert ("due", "2026-12-04") in values  # ten working days after a Saturday
    printed = "".join(page.extract_text() for page in PdfReader(paper).pages)
    assert [each for each in ("12000.50", "Harbour Casino") if each not in printed] == []


def test_what_corrects_a_report_and_what_is_not_known_are_stated(made, pit, dispatcher, home):
    known(pit, dispatcher, home)
    pit.say("patron.file", patron="P-10417", clear=["address"], by="C-1")
    assert lacks(made("ttr", "P-10417", DAY, "--json")[0]) == ["address"]
    _, rows, _ = made("ttr", "P-10417", DAY, "--unknown", "address", "--amends", "R-1")

    values = [(name, value) for _, name, value in rows]
    assert ("address", "leave it blank: the house could not find it out") in values
    assert ("receipt of the report that it amends", "R-1") in values
    assert made("ttr", "P-10417", DAY, "--unknown", "shoe size")[0].exit_code == 1


def test_whoever_plays_for_another_is_on_the_sheet_with_that_one(made, pit, dispatcher, home):
    known(pit, dispatcher, home)
    known(pit, dispatcher, home, "P-9", "Cole, Ana")
    pit.say("patron.file", patron="P-10417", on_behalf_of="P-9", by="C-1")
    done, rows, _ = made("ttr", "P-9", DAY)
    assert done.exit_code == 0, done.output
    of_both = [row for row in rows if row[1] in ("name", "conducts the transaction")][1:]
    assert [(part, value) for part, _, value in of_both] == [
        ("customer P-9", "Cole, Ana"),
        ("customer P-9", "P-10417"),
        ("customer P-10417", "Mann, Janice"),
        ("customer P-10417", "the customer"),
    ]
    assert ["customer P-10417", "plays on behalf of", "P-9"] in rows


def test_what_is_on_file_is_not_unknown_and_an_occupation_is_never_asked(
    made, pit, dispatcher, home
):
    known(pit, dispatcher, home)
    assert lacks(made("ttr", "P-10417", DAY, "--unknown", "address", "--json")[0]) == ["address"]
    assert made("ttr", "P-10417", DAY, "--unknown", "occupation")[0].exit_code == 1


def test_each_transaction_of_a_day_is_recorded_as_reported_by_itself(pit, database):
    pit.say("table.buy-in", seat=3, amount=20_000_00, confirmed=True)
    one, _, two = [each["position"] for each in ask(database, REPORTS["cash-log"]).rows]

    def record(**more):
        asked = {"patron": "P-10417", "of_day": DAY, "by": "C-1", **more}
        return pit.ask("filing.record", **asked)

    which = record(reference="R-1")
    assert which.error == "BadValue"
    assert f"#{one} and #{two}" in which.reason
    assert record(reference="R-1", position=one).ok
    assert record(reference="R-1", position=one).error == "BadValue"  # it was reported
    assert record(reference="R-2", position=two + 1).error == "NotFound"
    rows = ask(database, REPORTS["ctr"]).rows
    assert [each["reference"] for each in rows if each["threshold"] == "ttr"] == ["R-1", None]
    assert record(reference="R-2", position=two).ok
    rows = ask(database, REPORTS["ctr"]).rows
    assert [each["reference"] for each in rows if each["threshold"] == "ttr"] == ["R-1", "R-2"]


def test_cash_below_the_amount_has_no_sheet(made, pit):
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=4_000_00)
    assert "no threshold transaction" in made("ttr", "P-5", DAY)[0].output


def test_a_suspicion_without_cash_is_on_a_sheet_with_its_grounds(made, pit, dispatcher, home):
    known(pit, dispatcher, home)
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1")
    pit.say("aml.note", aml_case=CASE, text="she would not say why", narrative=True, by="SV-1")
    done, rows, _ = made("smr", CASE)

    assert done.exit_code == 0, done.output
    assert ["transaction", "what happened", "no cash moved: see the grounds"] in rows


def test_a_house_that_counts_in_another_currency_has_none(made, dispatcher):
    GamingTable(dispatcher).open()
    for words in (("ttr", "P-10417", DAY), ("smr", CASE)):
        assert "counts in USD" in made(*words)[0].output


def test_a_suspicious_matter_has_everybody_its_cash_and_its_grounds(
    made, pit, dispatcher, home, database
):
    known(pit, dispatcher, home)
    pit.say("table.seat", seat=4, patron="P-5")
    positions = [each["position"] for each in ask(database, REPORTS["cash-log"]).rows]
    case = {"aml_case": CASE, "by": "SV-1"}
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1", positions=positions)
    pit.say("aml.subject", patron="P-5", text="together", **case)
    assert lacks(made("smr", CASE, "--json")[0]) == [
        *("P-5.name", "P-5.birth_date", "P-5.address", "P-5.document", "grounds"),
    ]
    known(pit, dispatcher, home, "P-5", "Shah, Ravi")
    pit.say("aml.note", text="=They brought it in pieces.", narrative=True, **case)
    done, rows, _ = made("smr", CASE)

    assert done.exit_code == 0, done.output
    values = [(name, value) for _, name, value in rows]
    assert [each for name, each in values if name.startswith("cash")] == ["12000.50", "4000.00"]
    assert [each for name, each in values if name == "name"][1:] == ["Mann, Janice", "Shah, Ravi"]
    assert ("grounds", "'=They brought it in pieces.") in values  # no spreadsheet runs it


def suspected(pit, **more):
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1", **more)
    pit.say("aml.note", aml_case=CASE, text="cash of another", narrative=True, by="SV-1")


def test_a_suspicious_matter_has_the_person_behind_the_cash(made, pit, dispatcher, home, database):
    known(pit, dispatcher, home)
    pit.say("patron.file", patron="P-9", occupation="cook", by="C-1")
    pit.say("patron.file", patron="P-10417", on_behalf_of="P-9", by="C-1")
    suspected(pit, positions=[ask(database, REPORTS["cash-log"]).rows[0]["position"]])
    lacking = lacks(made("smr", CASE, "--json")[0])
    assert lacking == ["P-9.name", "P-9.birth_date", "P-9.address", "P-9.document"]
    known(pit, dispatcher, home, "P-9", "Cole, Ana")
    done, rows, _ = made("smr", CASE)

    assert done.exit_code == 0, done.output
    assert ["customer P-10417", "plays on behalf of", "P-9"] in rows
    assert ["customer P-9", "name", "Cole, Ana"] in rows
    assert ["customer P-9", "conducts the transaction", "P-10417"] in rows
    read = ask(database, REPORTS["readings"]).rows
    assert [
        each for each in read if "P-9" in str(each)
    ] != []  # that the file was read is on record


def test_a_person_behind_the_cash_who_has_no_number_is_on_the_sheet_as_the_file_has_them(
    made, pit, dispatcher, home
):
    known(pit, dispatcher, home)
    pit.say("patron.file", patron="P-10417", on_behalf_of="a cousin in Perth", by="C-1")
    suspected(pit)
    for words in (("smr", CASE), ("ttr", "P-10417", DAY)):
        _, rows, _ = made(*words)
        assert ["customer P-10417", "plays on behalf of", "a cousin in Perth"] in rows
