"""Reports as FinCEN's own file: filled from the record, validated, refused field by field."""

import json
from hashlib import sha256
from xml.etree import ElementTree

import pytest
import xmlschema
from pypdf import PdfReader

from ops.ledger.secrets import People
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.fincen import ADDRESS, FILER, SCHEMAS
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

SPACE = "{www.fincen.gov/base}"
CASE = "AML-2026-0001"


@pytest.fixture(scope="module")
def schemas():
    return {name: xmlschema.XMLSchema(file) for name, file in SCHEMAS.items()}


@pytest.fixture
def pit(dispatcher):
    """B01 under Title 31, with cash of P-10417 over two tables, and nothing in the file."""
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.open().prepare()
    for amount in (4_000_00, 6_000_00, 500_50):
        pit.say("table.buy-in", seat=3, amount=amount, confirmed=True)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("table.cash-out", seat=3, amount=2_000_00, confirmed=True)
    return pit


@pytest.fixture
def made(pit, tmp_path, dispatcher):
    """Makes a report of the words, and gives what was printed and where the files are."""
    filer = tmp_path / "filer.toml"
    filer.write_text(FILER)

    def make(*words, filer=filer):
        into, paper = tmp_path / "made.xml", tmp_path / "made.pdf"
        places = ("--into", str(into), "--draft", str(paper), "--filer", str(filer))
        return shell(dispatcher.casino.ledger.database, "filing", *words, *places), into, paper

    return make


def written(pit, dispatcher, name="Mann, Janice Maria", patron="P-10417", without=(), **more):
    """The patron's file, with all that a report needs, but for what it is `without`."""
    if "name" not in without:
        People(dispatcher.casino.ledger).name_patron(patron, name)
    file = {"birth_date": "1961-04-17", "address": ADDRESS, "occupation": "dentist", **more}
    file = {field: text for field, text in file.items() if field not in without}
    assert pit.ask("patron.file", patron=patron, by="C-1", **file).ok
    passport = {"kind": "passport", "number": f"U{patron[2:]}67", "issuer": "Austria"}
    if "document" not in without:
        assert pit.ask("patron.document", patron=patron, by="C-1", **passport).ok


def texts(root, path):
    steps = "/".join(f"{SPACE}{each}" for each in path.split("/"))
    return [each.text or "" for each in root.iterfind(f".//{steps}")]


def suspected(pit, *positions):
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1", positions=list(positions))
    note = {"aml_case": CASE, "by": "SV-1", "narrative": True}
    assert pit.ask("aml.note", text="On 21 November she bought in < 3 times.", **note).ok


ROLES = {
    "PurchaserSenderIndicator",
    "PayeeReceiverIndicator",
    "BothPurchaserSenderPayeeReceiveIndicator",
}


def named(pit, patron, *, ok=True, **more):
    asked = {"aml_case": CASE, "patron": patron, "text": "together", "by": "SV-1", **more}
    done = pit.ask("aml.subject", **asked)
    assert done.ok == ok, done.body
    return done.error


def cash_positions(dispatcher):
    rows = ask(dispatcher.casino.ledger.database, REPORTS["cash-log"]).rows
    return [each["position"] for each in rows if each["patron"] == "P-10417"]


def test_what_is_missing_is_named_field_by_field_with_what_fills_it(made, tmp_path):
    done, into, paper = made("ctr", "P-10417", DAY, "--json", filer=tmp_path / "none.toml")

    body = json.loads(done.stdout)
    assert (done.exit_code, body["ok"], into.exists(), paper.exists()) == (1, False, False, False)
    every = {each["field"]: each["how"] for each in body["lacks"]}
    assert {name for name in every if not name.startswith("filer.")} == {
        "name", "address", "birth_date", "document", "occupation",
    }  # fmt: skip
    assert len(every) == 15
    assert "sabot patron name P-10417" in every["name"]


def test_each_field_that_is_filled_is_missing_no_more(made, pit, dispatcher):
    fields = ["name", "address", "birth_date", "document", "occupation"]
    steps = [
        lambda: People(dispatcher.casino.ledger).name_patron("P-10417", "Mann, Janice"),
        lambda: pit.ask("patron.file", patron="P-10417", by="C-1", address=ADDRESS),
        lambda: pit.ask("patron.file", patron="P-10417", by="C-1", birth_date="1961-04-17"),
        lambda: pit.ask(
            "patron.document", patron="P-10417", by="C-1", kind="passport", number="U1", issuer="AT"
        ),
        lambda: pit.ask("patron.file", patron="P-10417", by="C-1", occupation="dentist"),
    ]
    for place, step in enumerate(steps):
        done, *_ = made("ctr", "P-10417", DAY, "--json")
        assert [each["field"] for each in json.loads(done.stdout)["lacks"]] == fields[place:]
        step()
    assert made("ctr", "P-10417", DAY)[0].exit_code == 0


def test_a_ctr_has_the_days_cash_by_direction_and_is_what_the_schema_wants(
    made, pit, dispatcher, schemas
):
    written(pit, dispatcher)
    done, into, paper = made("ctr", "P-10417", DAY, "--json")
    assert done.exit_code == 0, done.output
    schemas["ctrx"].validate(str(into))
    root = ElementTree.parse(into).getroot()

    assert json.loads(done.stdout)["sha256"] == sha256(into.read_bytes()).hexdigest()
    assert (root.attrib["TotalAmount"], root.attrib["PartyCount"]) == ("10501", "6")
    assert texts(root, "TotalCashInReceiveAmountText") == ["10501"]  # 10,500.50, rounded up
    assert texts(root, "TotalCashOutAmountText") == [""]  # 2,000 is not reported
    detail = "CurrencyTransactionActivityDetail"
    assert texts(root, f"{detail}/{detail}TypeCode") == ["18"]
    assert texts(root, "TransactionDateText") == [DAY.replace("-", "")]
    assert texts(root, "AggregateTransactionIndicator") == ["Y"]
    assert texts(root, "RawEntityIndividualLastName") == ["Mann"]
    assert texts(root, "RawIndividualMiddleName") == ["Maria"]
    assert texts(root, "IndividualBirthDateText") == ["19610417"]
    assert texts(root, "OtherIssuerCountryText") == ["AT"]
    assert "Mann" in "".join(page.extract_text() for page in PdfReader(paper).pages)
    assert "DRAFT" in PdfReader(paper).pages[0].extract_text()


@pytest.mark.parametrize(
    "unknown",
    [["name"], ["birth_date"], ["address"], ["document"], ["occupation"], ["name", "address"]],
)
def test_what_the_house_could_not_find_out_is_stated(made, pit, dispatcher, schemas, unknown):
    written(pit, dispatcher, without=unknown)
    words = [word for each in unknown for word in ("--unknown", each)]
    done, into, _ = made("ctr", "P-10417", DAY, *words)
    assert done.exit_code == 0, done.output
    schemas["ctrx"].validate(str(into))
    root = ElementTree.parse(into).getroot()
    stated = {
        "name": "EntityLastNameUnknownIndicator",
        "birth_date": "BirthDateUnknownIndicator",
        "address": "CityUnknownIndicator",
        "document": "IdentificationPresentUnknownIndicator",
    }
    assert {each for each, name in stated.items() if texts(root, name)} == {*unknown} & {*stated}
    assert len(texts(root, "OccupationBusinessText")) == ("occupation" not in unknown)


# fmt: off
WRONG = [
    # what is written                                 what is named
    ({"name": "Janice Maria Mann"},                   "name"),
    ({"address": "Ring 1, Vienna"},                   "address"),
    ({"address": "1 Main St, Las Vegas, 89101, US"},  "address"),
    ({"on_behalf_of": "her brother"},                 "on_behalf_of"),
]
# fmt: on


@pytest.mark.parametrize(("more", "field"), WRONG)
def test_what_cannot_be_read_is_named_and_nothing_is_written(made, pit, dispatcher, more, field):
    written(pit, dispatcher, **more)
    done, into, _ = made("ctr", "P-10417", DAY, "--json")

    assert [each["field"] for each in json.loads(done.stdout)["lacks"]] == [field]
    assert not into.exists()


def test_files_with_names_and_suspicions_are_only_their_owners(made, pit, dispatcher, tmp_path):
    written(pit, dispatcher)
    (tmp_path / "made.xml").touch(0o644)  # an older one, that all could read
    _, into, paper = made("ctr", "P-10417", DAY)
    cases = tmp_path / "cases.pdf"
    shell(dispatcher.casino.ledger.database, "report", "aml-cases", "--pdf", str(cases))

    assert [oct(each.stat().st_mode & 0o777) for each in (into, paper, cases)] == ["0o600"] * 3


def test_a_report_of_an_agent_has_the_one_for_whom_they_play(made, pit, dispatcher, schemas):
    written(pit, dispatcher, on_behalf_of="P-10418")
    lacking = [json.loads(made("ctr", "P-10417", DAY, "--json")[0].stdout)["lacks"]]
    pit.ask("patron.file", patron="P-10418", by="C-1", occupation="importer", address=ADDRESS)
    lacking.append(json.loads(made("ctr", "P-10417", DAY, "--json")[0].stdout)["lacks"])
    of_file = {"on_behalf_of.address", "on_behalf_of.occupation"}
    without = {"on_behalf_of.name", "on_behalf_of.birth_date", "on_behalf_of.document"}
    assert [{each["field"] for each in lacks} for lacks in lacking] == [without | of_file, without]

    written(pit, dispatcher, "Shah, Ravi", "P-10418", without=["birth_date"])
    done, into, _ = made("ctr", "P-10417", DAY, "--unknown", "on_behalf_of.birth_date")
    assert done.exit_code == 0, done.output
    schemas["ctrx"].validate(str(into))
    parties = ElementTree.parse(into).getroot().iterfind(f".//{SPACE}Party")
    people = {
        (texts(each, "ActivityPartyTypeCode") or [""])[0]: [
            *texts(each, "RawEntityIndividualLastName"),
            *texts(each, "IndividualEntityCashInAmountText"),
            *texts(each, "BirthDateUnknownIndicator"),
        ]
        for each in parties
        if texts(each, "PartyOccupationBusiness/OccupationBusinessText")
    }
    assert people == {"17": ["Mann", "10501"], "23": ["Shah", "10501", "Y"]}
    looks = ask(dispatcher.casino.ledger.database, REPORTS["readings"], patron="P-10418").rows
    assert [each["command"] for each in looks] == ["filing ctr"] * 3


def test_cash_of_several_agents_of_one_person_is_one_report_with_each_of_them(
    made, pit, dispatcher, schemas
):
    """P-5 and P-6 bring 6,000 each for P-10418, who brings 500 too: nobody passes it alone."""
    for seat, patron in ((4, "P-5"), (6, "P-6"), (7, "P-10418")):
        pit.say("table.seat", seat=seat, patron=patron)
    for patron, name in (("P-5", "Cole, Amy"), ("P-6", "Diaz, Eva"), ("P-10418", "Shah, Ravi")):
        written(pit, dispatcher, name, patron)
    for seat, agent in ((4, "P-5"), (6, "P-6")):
        pit.say("patron.file", patron=agent, on_behalf_of="P-10418", by="C-1")
        more = pit.say("table.buy-in", seat=seat, amount=6_000_00, confirmed=True).body.get(
            "cash", {}
        )
    pit.say("table.buy-in", seat=7, amount=500_00, confirmed=True)
    assert (more["total"], more["agents"]) == (12_000_00, ["P-5"])
    assert "counted with P-5: they play for one person" in more["message"]

    rows = ask(dispatcher.casino.ledger.database, REPORTS["ctr"], patron="P-10418").rows
    seen = [(each["patron"], each["agents"], each["on_behalf_of"], each["total"]) for each in rows]
    assert seen == [("P-10418", ["P-5", "P-6"], ["P-10418"], 12_500_00)]
    printed = shell(dispatcher.casino.ledger.database, "report", "ctr").output
    assert "P-5, P-6" in printed
    for about in ("P-10418", "P-6"):
        done, into, _ = made("ctr", about, DAY)
        assert done.exit_code == 0, done.output
        schemas["ctrx"].validate(str(into))
        root = ElementTree.parse(into).getroot()
        people = [
            (
                *texts(each, "ActivityPartyTypeCode"),
                *texts(each, "RawEntityIndividualLastName"),
                *texts(each, "IndividualEntityCashInAmountText"),
            )
            for each in root.iterfind(f".//{SPACE}Party")
            if texts(each, "PartyOccupationBusiness/OccupationBusinessText")
        ]
        assert people == [
            ("17", "Cole", "6000"),
            ("17", "Diaz", "6000"),
            ("50", "Shah", "500"),
            ("23", "Shah", "12000"),
        ]
        assert texts(root, "TotalCashInReceiveAmountText") == ["12500"]
    assert pit.ask("filing.record", patron="P-5", of_day=DAY, reference="1", by="C-1").ok
    again = pit.ask("filing.record", patron="P-6", of_day=DAY, reference="2", by="C-1")
    amended = {"filing": "amended", "reference": "3", "by": "C-1"}
    assert again.error == "BadValue"
    assert pit.ask("filing.record", patron="P-6", of_day=DAY, **amended).ok
    (row,) = ask(dispatcher.casino.ledger.database, REPORTS["ctr"], patron="P-6").rows
    assert row["reference"] == "3"


def test_what_an_agent_lacks_is_named_with_the_number(made, pit, dispatcher):
    written(pit, dispatcher, "Shah, Ravi", "P-10418")
    written(pit, dispatcher)
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=600_00)
    for agent in ("P-5", "P-10417"):
        pit.say("patron.file", patron=agent, on_behalf_of="P-10418", by="C-1")
    known = ("--unknown", "P-5.name", "--unknown", "P-5.address")
    lacks = json.loads(made("ctr", "P-10417", DAY, *known, "--json")[0].stdout)["lacks"]

    assert [each["field"] for each in lacks] == [
        "P-5.birth_date", "P-5.document", "P-5.occupation",
    ]  # fmt: skip


# fmt: off
FROM = [
    # what is written                                        refused with
    ({"from_day": "2026-11-20"},                             "MissingField"),
    ({"from_day": "2026-11-20", "occupation": "dentist"},    "BadValue"),
    ({"from_day": "2099-01-01", "on_behalf_of": "P-10418"},  "BadValue"),
    ({"from_day": "2026-11-20", "on_behalf_of": "P-10417"},  "BadValue"),
]
# fmt: on


@pytest.mark.parametrize(("more", "error"), FROM)
def test_from_when_somebody_plays_for_another_is_a_day_until_today(pit, more, error):
    assert pit.ask("patron.file", patron="P-10417", by="C-1", **more).error == error


def test_who_played_for_whom_counts_from_its_day_on(pit, dispatcher):
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=600_00)

    def agents():
        (row,) = ask(dispatcher.casino.ledger.database, REPORTS["ctr"], patron="P-10417").rows
        return row["agents"]

    whom = {"on_behalf_of": "P-10417", "patron": "P-5", "by": "C-1"}
    seen = [agents()]
    pit.say("patron.file", **whom)
    seen.append(agents())
    pit.say("patron.file", patron="P-5", clear=["on_behalf_of"], by="C-1")
    seen.append(agents())
    pit.say("patron.file", **whom, from_day="2026-11-20")
    seen.append(agents())

    assert seen == [None, ["P-5"], None, ["P-5"]]


# fmt: off
UNKNOWN = [
    # agents, and for whom by the files          whether their cash is one total
    (("P-5", "P-6"), "P-50",                     True),
    (("P-5", "P-6"), "Jill 50",                  False),  # may be a name: it is in no event
    (("P-5", "P-6"), "Jill",                     False),
    (("ann", "bob"), "Jill",                     False),
]
# fmt: on


@pytest.mark.parametrize(("agents", "whom", "together"), UNKNOWN)
def test_agents_of_a_number_of_which_nothing_is_known_count_together(pit, agents, whom, together):
    for seat, agent in zip((4, 6), agents, strict=True):
        pit.say("table.seat", seat=seat, patron=agent)
        pit.say("patron.file", patron=agent, on_behalf_of=whom, by="C-1")
    pit.say("table.buy-in", seat=4, amount=6_000_00)
    held = pit.ask("table.buy-in", seat=6, amount=6_000_00, confirmed=False)

    assert held.ok != together
    if together:
        assert "counted with P-5: they play for one person" in held.body["message"]


def test_cash_below_the_amount_has_no_report(made):
    assert made("ctr", "P-10411", DAY)[0].exit_code == 1
    assert "no cash" in made("ctr", "P-10411", DAY)[0].output


def test_each_who_plays_for_the_same_person_shows_an_id_also_once_the_amount_is_reached(pit):
    """31 CFR 1010.312: whoever comes after the others have reached it, and the person in person."""
    for seat, patron in ((4, "P-5"), (6, "P-6")):
        pit.say("table.seat", seat=seat, patron=patron)
        pit.say("patron.file", patron=patron, on_behalf_of="P-10417", by="C-1")
    asked = [pit.ask("table.buy-in", seat=seat, amount=100_00) for seat in (4, 6)]
    pit.say("table.buy-in", seat=6, amount=100_00, confirmed=True)
    again = pit.ask("table.buy-in", seat=6, amount=100_00)

    brings = [each.body.get("cash", {"brings": []})["brings"] for each in (*asked, again)]
    assert [[each["threshold"] for each in some] for some in brings] == [["ctr"], ["ctr"], []]


def test_what_is_on_file_is_not_stated_as_unknown(made, pit, dispatcher):
    written(pit, dispatcher)
    done, into, _ = made("ctr", "P-10417", DAY, "--unknown", "name", "--unknown", "occupation")

    assert done.exit_code == 1
    assert done.output.count("It is on file, so it is not unknown.") == 2
    assert not into.exists()


def test_a_suspicion_without_cash_is_reported_without_an_amount(made, pit, dispatcher, schemas):
    written(pit, dispatcher)
    suspected(pit)
    done, into, paper = made("sar", CASE, "--activity", "refuses-documents")
    assert done.exit_code == 0, done.output
    schemas["sarx"].validate(str(into))
    root = ElementTree.parse(into).getroot()

    assert texts(root, "NoAmountInvolvedIndicator") == ["Y"]
    assert texts(root, "TotalSuspiciousAmountText") == []
    assert texts(root, "SuspiciousActivityFromDateText") == [DAY.replace("-", "")]
    assert paper.exists()


def test_an_amended_report_names_the_one_before(made, pit, dispatcher, schemas):
    written(pit, dispatcher)
    assert made("ctr", "P-10417", DAY, "--amends", "310")[0].exit_code == 1
    done, into, _ = made("ctr", "P-10417", DAY, "--amends", "31000123456789")
    assert done.exit_code == 0, done.output
    schemas["ctrx"].validate(str(into))
    root = ElementTree.parse(into).getroot()

    assert texts(root, "EFilingPriorDocumentNumber") == ["31000123456789"]
    assert texts(root, "InitialReportIndicator") == [""]
    assert texts(root, "CorrectsAmendsPriorReportIndicator") == ["Y"]


def test_a_sar_has_the_case_and_is_what_the_schema_wants(made, pit, dispatcher, schemas):
    written(pit, dispatcher)
    suspected(pit, *cash_positions(dispatcher))
    done, into, _ = made("sar", CASE, "--activity", "little-play", "--activity", "below-amount")
    assert done.exit_code == 0, done.output
    schemas["sarx"].validate(str(into))
    root = ElementTree.parse(into).getroot()

    assert texts(root, "SuspiciousActivitySubtypeID") == ["1202", "114"]
    assert texts(root, "TotalSuspiciousAmountText") == ["12501"]  # in and out, never netted
    assert texts(root, "ActivityNarrativeText") == ["On 21 November she bought in < 3 times."]
    assert texts(root, "SuspiciousActivityFromDateText") == [DAY.replace("-", "")]
    assert root.attrib["PartyCount"] == "1"


# fmt: off
ABOUT = [
    # evidence                                dollars, in and out never netted
    ("cash-day.cash-counted",                 "4000"),   # the first: that cash alone
    ("cash-day.reporting-amount-near",        "10501"),  # what came in on that day
    ("cash-day.reporting-amount-passed",      "10501"),
    ("cash-day.little-play-noted",            "16901"),  # and what went out
    ("cash-day.identity-seen",                None),
]
# fmt: on


@pytest.mark.parametrize(("topic", "total"), ABOUT)
def test_an_alert_that_is_evidence_stands_for_the_cash_that_it_is_about(
    made, pit, dispatcher, topic, total
):
    written(pit, dispatcher)
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=4_000_00)  # of somebody else
    pit.say("table.cash-out", seat=3, amount=4_400_00, confirmed=True)
    with dispatcher.casino.ledger.connection() as connection:
        ((at,),) = connection.execute(
            "SELECT min(position) FROM ledger.events WHERE topic = %s", [topic]
        ).fetchall()
    suspected(pit, at)
    done, into, _ = made("sar", CASE, "--activity", "little-play", "--json")

    assert json.loads(done.stdout)["ok"]
    root = ElementTree.parse(into).getroot()
    assert texts(root, "TotalSuspiciousAmountText") == ([total] if total else [])


def test_each_of_several_who_act_together_is_a_subject_with_a_part_of_their_own(
    made, pit, dispatcher, schemas
):
    """P-10417 bought in and cashed out, P-5 bought in, P-10418 moved no cash: an agent watched."""
    written(pit, dispatcher)
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.seat", seat=7, patron="P-10418")
    pit.say("table.buy-in", seat=4, amount=9_000_00)
    rows = ask(dispatcher.casino.ledger.database, REPORTS["cash-log"]).rows
    suspected(pit, *(each["position"] for each in rows))
    for patron in ("P-5", "P-10418"):
        named(pit, patron)

    def lacks(*words):
        done = made("sar", CASE, "--activity", "little-play", "--json", *words)[0]
        return [each["field"] for each in json.loads(done.stdout).get("lacks", ())]

    fields = ["name", "address", "birth_date", "document", "occupation"]
    assert lacks() == [f"{patron}.{each}" for patron in ("P-5", "P-10418") for each in fields]
    written(pit, dispatcher, "Shah, Ravi", "P-5")
    written(pit, dispatcher, "Cole, Amy", "P-10418", address="Ring 1, Vienna")
    unknown = ("--unknown", "P-10418.address")
    assert [lacks(), lacks(*unknown)] == [["P-10418.address"], []]
    _, into, paper = made("sar", CASE, "--activity", "little-play", *unknown)
    schemas["sarx"].validate(str(into))
    root = ElementTree.parse(into).getroot()
    roles = {}
    for each in root.iterfind(f".//{SPACE}Party"):
        if texts(each, "PartyAssociation"):
            (name,) = texts(each, "RawEntityIndividualLastName")
            roles[name] = {part.tag.removeprefix(SPACE) for part in each} & ROLES
    assert roles == {
        "Mann": {"BothPurchaserSenderPayeeReceiveIndicator"},
        "Shah": {"PurchaserSenderIndicator"},
        "Cole": set(),
    }
    assert root.attrib["PartyCount"] == "3"
    assert texts(root, "TotalSuspiciousAmountText") == ["21501"]
    printed = "".join(page.extract_text() for page in PdfReader(paper).pages)
    assert all(name in printed for name in roles)


def test_a_subject_is_named_once_and_may_be_withdrawn_until_the_case_closes(pit, dispatcher):
    pit.say("table.seat", seat=4, patron="guest")
    suspected(pit)
    pit.say("patron.identify", patron="guest", **{"is": "P-5"})
    wrong = [
        named(pit, "P-10417", ok=False),
        named(pit, "P-nobody", ok=False),
        named(pit, "P-5", ok=False, withdrawn=True),
    ]
    named(pit, "guest")
    wrong += [named(pit, "P-5", ok=False), named(pit, "P-10417", ok=False, withdrawn=True)]
    assert wrong == ["BadValue", "NotFound", "BadValue", "BadValue", "BadValue"]

    def about(patron):
        database = dispatcher.casino.ledger.database
        return [
            each["with_others"] for each in ask(database, REPORTS["aml-cases"], patron=patron).rows
        ]

    assert [about("P-5"), about("guest"), about("P-6")] == [["P-5"], ["P-5"], []]
    named(pit, "P-5", withdrawn=True)
    assert [about("P-5"), about("P-10417")] == [[], [None]]


def test_an_alias_of_a_subject_is_no_second_one(made, pit, dispatcher):
    written(pit, dispatcher)
    pit.say("table.seat", seat=4, patron="guest")
    suspected(pit, *cash_positions(dispatcher))
    named(pit, "guest")
    unknown = ("--activity", "little-play", "--unknown", "guest.name")
    assert "guest.birth_date" in made("sar", CASE, *unknown)[0].output
    pit.say("patron.identify", patron="guest", **{"is": "P-10417"})

    assert made("sar", CASE, "--activity", "little-play")[0].exit_code == 0
    done, *_ = made("sar", CASE, *unknown)
    assert (done.exit_code, "name, birth_date" in done.output) == (1, True)


def test_what_a_sar_lacks_of_its_case_is_named(made, pit, dispatcher):
    written(pit, dispatcher)
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1")
    done, into, _ = made("sar", CASE, "--json")

    lacks = [each["field"] for each in json.loads(done.stdout)["lacks"]]
    assert lacks == ["narrative", "activity"]
    assert not into.exists()


def test_a_long_narrative_is_in_parts_and_one_too_long_is_named(made, pit, dispatcher, schemas):
    written(pit, dispatcher)
    suspected(pit, *cash_positions(dispatcher))
    note = {"aml_case": CASE, "by": "SV-1", "narrative": True}
    for number in range(30):
        assert pit.ask("aml.note", text=f"{number} " + "x" * 490, **note).ok
    done, into, _ = made("sar", CASE, "--activity", "chips-walked")
    assert done.exit_code == 0, done.output
    schemas["sarx"].validate(str(into))
    root = ElementTree.parse(into).getroot()
    assert texts(root, "ActivityNarrativeSequenceNumber") == ["1", "2", "3", "4"]
    for number in range(30):
        assert pit.ask("aml.note", text=f"{number} " + "x" * 490, **note).ok
    done, *_ = made("sar", CASE, "--activity", "chips-walked", "--json")
    assert [each["field"] for each in json.loads(done.stdout)["lacks"]] == ["narrative"]


def test_a_report_that_was_filed_is_in_the_report_of_what_is_due(pit, dispatcher):
    def record(**more):
        asked = {"patron": "P-10417", "of_day": DAY, "reference": "310", "by": "C-1"}
        return pit.ask("filing.record", **{**asked, **more})

    wrong = [
        record(filing="amended"),
        record(threshold="mtl"),
        record(of_day="2026-11-20"),
        record(filed_on="2026-11-30"),
    ]
    assert [each.error for each in wrong] == ["BadValue", "BadValue", "NotFound", "BadValue"]
    assert record(sha256="c0" * 32).ok
    assert record().error == "BadValue"
    assert record(filing="amended", reference="311").ok

    (row,) = [
        each
        for each in ask(dispatcher.casino.ledger.database, REPORTS["ctr"]).rows
        if each["patron"] == "P-10417"
    ]
    assert (str(row["filed_on"]), row["reference"], row["late"]) == (DAY, "311", None)


def test_whoever_makes_a_sar_is_shown_who_is_behind_the_cash_and_no_subject(made, pit, dispatcher):
    written(pit, dispatcher, "Shah, Ravi", "P-10418")
    written(pit, dispatcher)
    pit.say("patron.file", patron="P-10417", on_behalf_of="P-10418", by="C-1")
    suspected(pit, *cash_positions(dispatcher))
    words = ("sar", CASE, "--activity", "for-another", "--json")
    said = "P-10417 plays on behalf of P-10418, who is not in the report"
    undecided, note = json.loads(made(*words)[0].stdout)["notes"]
    assert (note.startswith(said), "not decided yet" in undecided) == (True, True)
    case = {"aml_case": CASE, "by": "SV-1"}
    pit.say("aml.subject", patron="P-10418", text="behind it", **case)
    assert json.loads(made(*words)[0].stdout)["notes"] == [undecided]
