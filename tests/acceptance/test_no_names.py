"""Nobody without the right sees a name, a patron's file, or what is written in a case.

Not on a page, in a report, an export, a pack, a log, a counter, or a backup of all but `people`.
What is planted is looked for as it was written; those with the right see it, so that it is there.
"""

import asyncio
import shutil
import subprocess
from collections import defaultdict
from html import unescape

import pytest

from ops.ledger.embedded.programs import programs_here
from ops.ledger.pepper import pepper_file
from ops.ledger.secrets import People
from projections import REPORTS
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.gaming_table import DAY, mouth_on
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server
from tests.worlds.pages_here import every_page
from tests.worlds.planted_night import STAFF, PlantedNight
from tests.worlds.shells import HouseOfShells
from tests.worlds.sydney import HOUSE, sydney

WHO, PAYS = "P-777", "P-10417"  # the second in Sydney
NAME = "Plantagenet"
LANE = "77 Planted Lane, Reno, NV 89501, US"
FILE = {
    "--birth-date": "1933-03-03",
    "--address": LANE,
    "--occupation": "plantsman",
    "--source-of-funds": "a planted orchard",
    "--on-behalf-of": "P-778",
    "--languages": "plantish",
}
NUMBER = "PLANT77X"
TEXTS = {
    "open": "planted doubt", "note": "planted account", "decide": "planted grounds",
    "close": "planted end",
}  # fmt: skip
OF_FILE = (NUMBER, *(each for each in FILE.values() if not each.startswith("P-")))
EVERY = (NAME, *OF_FILE, *TEXTS.values())
SEE_NAMES = {"S-1", "PB-1", "V-1", "A-1"}
SEE_CASES = {"V-1", "U-1"}


@pytest.fixture(scope="module")
def night(server, tmp_path_factory):
    """The house, in which somebody of whom everything is planted was a case from end to end."""
    with server.database() as database, sessions_held():
        night = PlantedNight(database, tmp_path_factory.mktemp("home"))
        named = night.shells["S-1"].run("patron", "name", WHO, f"{NAME}, Geoffrey")
        assert named.exit_code == 0, named.output
        night.say("C-1", "patron", "file", WHO, *(word for each in FILE.items() for word in each))
        night.say("C-1", "patron", "document", WHO, "passport", NUMBER, "Austria")
        night.say("C-1", "patron", "file", "P-778", "--occupation", "importer")
        place = night.sits(WHO)
        night.cash(place, "buy-in", "12,000", "--confirmed")
        night.cash(place, "cash-out", "11,900", "--confirmed")
        (alert,) = night.alerts("little play", WHO)
        opened = night.say("V-1", "aml", "open", WHO, TEXTS["open"], "--alert", alert)
        night.case = opened["aml_case"]
        more = ("--narrative", "--positions", night.cash_positions(WHO)[0])
        night.say("V-1", "aml", "note", night.case, TEXTS["note"], *more)
        night.say("V-1", "aml", "decide", night.case, "report", TEXTS["decide"], second="U-1")
        night.database = database
        yield night


@pytest.fixture(scope="module")
def in_sydney(server, tmp_path_factory):
    """A house in Australian dollars, closed since; a shell for each role, and one of nobody."""
    with server.database() as database, sessions_held():
        home = tmp_path_factory.mktemp("sydney")
        (home / "austrac.toml").write_text(HOUSE)
        with mouth_on(database) as dispatcher:
            pit = sydney(dispatcher)
            People(dispatcher.casino.ledger).name_patron(PAYS, f"{NAME}, Geoffrey")
            pit.say("patron.file", patron=PAYS, birth_date="1933-03-03", address=LANE, by="C-1")
            document = {"kind": "passport", "number": NUMBER, "issuer": "Austria"}
            pit.say("patron.document", patron=PAYS, by="C-1", **document)
            case = pit.say("aml.open", patron=PAYS, text=TEXTS["open"], by="SV-1").body["aml_case"]
            note = {"text": TEXTS["note"], "narrative": True, "by": "SV-1"}
            pit.say("aml.note", aml_case=case, **note)
        shutil.copy(pepper_file(), home / "pepper")  # of those who recorded until now
        house = HouseOfShells(database, home)
        shells = {who: house.join(who, role) for who, role in STAFF.items()}
        yield case, {"": house.shell("nobody"), "A-1": house.first, **shells}


@pytest.fixture(scope="module")
def papers(night, tmp_path_factory):
    """What an auditor, who reads everything, gets at a shell: reports, exports, and a pack."""
    auditor, place = night.shells["U-1"], tmp_path_factory.mktemp("papers")
    texts = {name: auditor.run("report", name, "--json").output for name in REPORTS}
    auditor.run("export", "events", "--into", str(place / "events"))
    for name in ("cash-log", "ctr", "patron-files", "aml-cases", "alerts"):
        auditor.run("export", "report", name, "--into", str(place / name))
    night.say("V-1", "aml", "export", night.case, "--into", str(place / "pack"))
    files = [each for each in place.rglob("*") if each.is_file()]
    return texts | {str(file): file.read_bytes().decode(errors="replace") for file in files}


@pytest.fixture(scope="module")
def house(night, papers):
    """The house server, and a browser for each role, and for nobody; their shells are left."""
    with house_server(night.database, night.home) as house:
        house.browsers = {who: PlainBrowser(house.address) for who in ("", "A-1", *STAFF)}
        signing_on = {who: each for who, each in house.browsers.items() if who}
        for who, browser in signing_on.items():
            night.say("A-1", "staff", "approve-terminal", browser.name, f"of {who}")
        for who, browser in signing_on.items():
            at = {"table": "B01"} if who == "D-9" else {}
            signed_on = browser.post("/sign-on", {"staff": who, "pin": PIN, **at})
            assert signed_on[0] == 303, signed_on
        yield house


def found(texts, planted):
    """What is planted, and where."""
    seen = defaultdict(list)
    for place, text in texts.items():
        for each in planted:
            if each in unescape(text):
                seen[each].append(place)
    return dict(seen)


def pages_of(house, night, who):
    """Every kind of page that somebody comes to from link to link, and those about the patron."""

    async def ask(address):
        if "?" in address and address not in first:  # the same page, of less or sorted
            return 200, ""
        return house.browsers[who].get(address)

    first = (
        *("/", "/tables/B01", f"/patrons/{WHO}", f"/find?q={NAME}", f"/find?q={NUMBER}", "/aml"),
        *(f"/aml/{night.case}", f"/find?q={night.case}", "/alerts", "/ledger", "/wall/B01"),
        *("/reports/patron-files", "/reports/cash-log", "/reports/ctr", "/reports/readings"),
    )
    return asyncio.run(every_page(ask, *first, of_a_kind=1))


@pytest.mark.parametrize("who", ["", "A-1", *STAFF])
def test_no_page_has_what_its_reader_has_no_right_to(house, night, who):
    pages = pages_of(house, night, who)
    seen = found(pages, EVERY)
    asked = f"/find?q={NAME}", f"/find?q={NUMBER}"  # which have what was typed
    seen = {each: [p for p in places if p not in asked] for each, places in seen.items()}

    assert len(pages) > 3
    assert [each for each in OF_FILE if seen.get(each)] == []
    assert bool(seen.get(NAME)) == (who in SEE_NAMES), seen
    assert bool(seen.get(TEXTS["note"])) == (who in SEE_CASES), seen
    of_the_case = [each for each in pages if night.case in pages[each] and "find" not in each]
    assert bool(of_the_case) == (who in SEE_CASES), of_the_case


def test_no_report_export_or_pack_has_any_of_it(night, papers):
    of_pack = [each for each in papers if each.endswith((f"{night.case}.json", ".pdf"))]
    seen = found(papers, EVERY)

    assert len(papers) > len(REPORTS) + 3
    assert [each for each in papers if WHO in papers[each] and "report" not in each] != []
    assert {each for each in seen if each not in TEXTS.values()} == set()
    assert {each for places in seen.values() for each in places} <= {*of_pack}


# fmt: off
SHEETS = [
    # sheet   who makes it
    ("ttr",   {"PB-1", "C-1", "V-1"}),
    ("smr",   {"V-1"}),
]
# fmt: on


@pytest.mark.parametrize("who", ["", "A-1", *STAFF])
@pytest.mark.parametrize(("kind", "makers"), SHEETS)
def test_no_sheet_for_austrac_is_made_by_who_has_no_right_to_its_names(
    in_sydney, tmp_path, kind, makers, who
):
    case, shells = in_sydney
    into, draft = tmp_path / "made.csv", tmp_path / "made.pdf"
    about = [case] if kind == "smr" else [PAYS, DAY]
    files = ("--into", str(into), "--draft", str(draft))
    for words in ((), ("--json",), files):
        answer = shells[who].run("filing", kind, *about, *words)
        assert found({"answer": answer.output}, EVERY) == {}, words  # not even to who makes it
        assert (answer.exit_code == 0) == (who in makers), answer.output
    assert into.exists() == draft.exists() == (who in makers)
    if who in makers:
        assert found({"sheet": into.read_text()}, (NAME, NUMBER, LANE)).keys() == {
            NAME,
            NUMBER,
            LANE,
        }


def test_no_line_of_a_log_and_no_counter_has_any_of_it(house, night):
    house.browsers["V-1"].post(f"/aml/{night.case}/note", {"text": TEXTS["close"]})
    sent = house.browsers["V-1"].post(f"/aml/{night.case}/files/sar", {"form": "xml"})[0]
    counters = PlainBrowser(house.address).get("/metrics")
    logs = {str(file): file.read_text() for file in night.home.rglob("*.log")}

    assert (sent, counters[0], bool(logs)) == (422, 200, True)
    assert found({**logs, "metrics": counters[1]}, EVERY) == {}


def test_a_backup_of_all_but_the_people_has_nothing_of_it(night):
    def dumped(*options):
        command = [programs_here() / "pg_dump", "--dbname", night.database.url, *options]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
        return {"dump": done.stdout}

    assert found(dumped("--exclude-schema=people"), EVERY) == {}
    assert {NAME, NUMBER, TEXTS["open"]} <= found(dumped(), EVERY).keys()
