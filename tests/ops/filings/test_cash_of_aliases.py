"""A case's cash stays the case's: when an alias is identified, and when the cash is corrected."""

import json
from xml.etree import ElementTree

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.fincen import ADDRESS, FILER
from tests.worlds.gaming_table import DAY, GamingTable

CASE, TOTAL = "AML-2026-0001", "{www.fincen.gov/base}TotalSuspiciousAmountText"
ALIAS, PATRON = "q", "P-10417"  # the patron sits at seat 3
IN, OUT = 9_500_00, 9_000_00
OWN = {"birth_date": "1961-04-17", "address": ADDRESS, "occupation": "dentist"}


@pytest.fixture
def pit(dispatcher):
    """B01 under Title 31; an alias brings cash in and takes it out again."""
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.open()
    pit.say("table.seat", seat=2, patron=ALIAS)
    pit.say("table.buy-in", seat=2, amount=IN, confirmed=True)
    pit.say("table.cash-out", seat=2, amount=OUT, confirmed=True)
    return pit


@pytest.fixture
def amount(database, tmp_path):
    """The dollars of the report about the case; None if it has no amount."""
    (tmp_path / "filer.toml").write_text(FILER)

    def amount():
        into = tmp_path / "made.xml"
        unknown = [each for name in ("name", "document") for each in ("--unknown", name)]
        words = ("--activity", "little-play", *unknown, "--into", str(into), "--json")
        done = shell(
            database, "filing", "sar", CASE, *words, "--filer", str(tmp_path / "filer.toml")
        )
        assert json.loads(done.stdout)["ok"], done.stdout
        totals = [each.text for each in ElementTree.parse(into).getroot().iterfind(f".//{TOTAL}")]
        return int(*totals) if totals else None

    return amount


def first(dispatcher, topic):
    """The position of the first event of a topic."""
    with dispatcher.casino.ledger.connection() as connection:
        ((position,),) = connection.execute(
            "SELECT min(position) FROM ledger.events WHERE topic = %s", [topic]
        ).fetchall()
    return position


def suspected(pit, patron=ALIAS, **evidence):
    for each in {patron, PATRON}:
        pit.ask("patron.file", patron=each, by="C-1", **OWN)
    assert pit.ask("aml.open", patron=patron, text="why", by="SV-1", **evidence).ok
    note = {"aml_case": CASE, "by": "SV-1", "narrative": True}
    assert pit.ask("aml.note", text="In and out.", **note).ok


def identified(pit):
    pit.say("patron.identify", patron=ALIAS, **{"is": PATRON})


# fmt: off
ALERTS = [
    # evidence                          dollars
    ("cash-day.little-play-noted",      18_500),
    ("cash-day.cash-counted",            9_500),
    ("table-day.bought-in",              9_500),
]
# fmt: on


@pytest.mark.parametrize("whose", [ALIAS, PATRON])
@pytest.mark.parametrize(("topic", "dollars"), ALERTS)
def test_the_cash_is_the_same_once_an_alias_is_identified_and_when_it_is_separated(
    pit, dispatcher, amount, topic, dollars, whose
):
    suspected(pit, whose, positions=[first(dispatcher, topic)])
    pit.say("table.buy-in", seat=5, amount=1_000_00)  # of somebody else
    seen = [amount()]
    identified(pit)
    seen.append(amount())
    pit.say("patron.separate", patron=ALIAS, reason="somebody else", **{"with": "S-12"})
    seen.append(amount())

    assert seen == [dollars] * 3


def test_cash_of_an_alias_that_was_identified_before_is_its_patrons(pit, dispatcher, amount):
    identified(pit)
    pit.say("table.cash-out", seat=2, amount=100_00, confirmed=True)
    pit.say("table.buy-in", seat=3, amount=1_500_00, confirmed=True)
    suspected(pit, PATRON, positions=[first(dispatcher, "cash-day.reporting-amount-passed")])

    assert amount() == 9_500 + 1_500
    pit.say("patron.separate", patron=ALIAS, reason="somebody else", **{"with": "S-12"})
    assert amount() == 1_500  # the alert is about the patron, whose cash that is


# fmt: off
CORRECTED = [
    # what the cash really was                        dollars
    ({"amount": 9_100_00},                            9_100),
    ({"withdrawn": True},                             None),
    ({"seat": 3},                                     None),  # another patron's
]
# fmt: on


@pytest.mark.parametrize(("really", "dollars"), CORRECTED)
def test_cash_that_was_counted_is_evidence_as_it_was_corrected(
    pit, dispatcher, database, amount, really, dollars
):
    suspected(pit, positions=[first(dispatcher, "cash-day.cash-counted")])
    assert amount() == 9_500
    (row, _) = ask(database, REPORTS["cash-log"]).rows
    pit.say("money.correct", position=row["position"], reason="typed wrong", **really,
            **{"with": "S-12"})  # fmt: skip

    assert amount() == dollars


def test_who_was_identified_as_the_one_for_whom_they_play_plays_for_themselves(pit, database):
    pit.say("table.buy-in", seat=3, amount=10_500_00, confirmed=True)
    pit.ask("patron.file", patron=ALIAS, by="C-1", address=ADDRESS)
    assert pit.ask("patron.file", patron=PATRON, by="C-1", on_behalf_of=ALIAS, **OWN).ok

    def lacks():
        unknown = [each for name in ("name", "document") for each in ("--unknown", name)]
        done = shell(database, "filing", "ctr", PATRON, DAY, *unknown, "--json")
        every = json.loads(done.stdout)["lacks"]
        return [each for each in every if not each["field"].startswith("filer")]

    before = lacks()
    assert "on_behalf_of.name" in [each["field"] for each in before]
    identified(pit)
    (lack,) = lacks()

    assert (lack["field"], "themselves" in lack["message"]) == ("on_behalf_of", True)
    done = shell(database, *lack["how"].split()[1:], "--by", "C-1")
    assert (done.exit_code, lacks()) == (0, []), done.output
