"""An evening of twelve planted cases, each after a public decision.

Each is seen before or when the law wants it, reported, decided by two people, closed, and packed
for a stranger. All of it is said at shells, by people with the rights that they have.

Marks of a source: (read) its own text, or the regulator's release, was read; (reported) it was
read about.
"""

import json
from hashlib import sha256

import pytest
import xmlschema

from tests.worlds.closed_house import PIN
from tests.worlds.fincen import SCHEMAS
from tests.worlds.held_sessions import sessions_held
from tests.worlds.planted_night import STAFF, TWO, WALKS, PlantedNight

# By case: whose decision about whom, of which day, with how it is known; and what happened there.
SOURCES = {
    "hardly plays": (
        "FinCEN, Trump Taj Mahal, 6 March 2015 (reported)",
        "patrons who hardly played and took their money out, about whom nobody reported",
    ),
    "just under": (
        "FinCEN, Tinian Dynasty, 3 June 2015 (reported)",
        "a manager who advised to keep each transaction below 10,000",
    ),
    "over two tables": (
        "FinCEN, Sparks Nugget, 5 April 2016 (reported)",
        "currency of one day for which no CTR was filed",
    ),
    "shows no ID": (
        "FinCEN, Hawaiian Gardens, 15 July 2016 (reported)",
        "who refused to show an ID three times, and played on",
    ),
    "two share it": (
        "FinCEN, Hawaiian Gardens, 15 July 2016 (reported)",
        "agents who structured the cash of one gambler",
    ),
    "plays for another": (
        "US Attorney S.D. California, Wynn Las Vegas, 6 September 2024 (read)",
        "proxies who played in their own name for somebody who sat beside them",
    ),
    "takes chips along": (
        "FinCEN, Artichoke Joe's, 17 November 2017 (read)",
        "lenders who used chips of high value as money",
    ),
    "chips from nowhere": (
        "Inquiry under A. Bell, The Star Sydney, March 2022 (reported)",
        "45,000 in cash to somebody who belonged to no junket",
    ),
    "politically exposed": (
        "Gambling Commission, Caesars Entertainment UK, 2 April 2020 (reported)",
        "somebody politically exposed who was not asked where the money came from",
    ),
    "whose money is it": (
        "Nevada Gaming Commission, MGM Grand, 24 April 2025 (reported)",
        "50,000 in cash that the patron's business could not explain",
    ),
    "self-excluded": (
        "Pennsylvania Gaming Control Board, The Meadows, 26 August 2009 (read)",
        "who had excluded themselves, and played",
    ),
    "licence has ended": (
        "Pennsylvania Gaming Control Board, Presque Isle Downs, April 2018 (reported)",
        "three people at work whose credentials had expired",
    ),
}


class Seen:
    """What was seen: about whom, by which alert or from which report."""

    def __init__(self, patron, *, alert="", activity, ctr=False, also=()):
        self.patron, self.alert, self.activity, self.ctr = patron, alert, activity, ctr
        self.also = also  # patrons whose cash is evidence, too


def hardly_plays(night):
    place = night.sits("P-101")
    night.cash(place, "buy-in", "6,000")
    assert not night.alerts("little play", "P-101")
    night.cash(place, "cash-out", "5,900")
    (alert,) = night.alerts("little play", "P-101")
    night.leaves(place)
    return Seen("P-101", alert=alert, activity="little-play")


def just_under(night):
    place = night.sits("P-102")
    night.cash(place, "buy-in", "9,800")
    (alert,) = night.alerts("cash near", "P-102")  # while they are still there
    night.leaves(place)
    return Seen("P-102", alert=alert, activity="below-amount")


def over_two_tables(night):
    first = night.sits("P-103")
    night.cash(first, "buy-in", "6,000")
    night.leaves(first)
    second = night.sits("P-103", "B02")
    third = ("table", "buy-in", *second, "5,000")
    assert night.refused("S-1", *third) == "ConfirmationNeeded"  # before it is taken
    night.say("S-1", *third, "--confirmed")
    (alert,) = night.alerts("cash over", "P-103")
    night.leaves(second)
    return Seen("P-103", alert=alert, activity="below-amount", ctr=True)


def shows_no_id(night):
    place = night.sits("P-104")
    night.cash(place, "buy-in", "6,000")
    assert night.refused("S-1", "table", "buy-in", *place, "5,000") == "ConfirmationNeeded"
    night.cash(place, "buy-in", "3,900")  # instead
    (alert,) = night.alerts("cash near", "P-104")
    night.leaves(place)
    return Seen("P-104", alert=alert, activity="refuses-documents")


def two_share_it(night):
    places = [night.sits(patron) for patron in TWO]
    for place in places:
        night.cash(place, "buy-in", "6,000")
    patterns = night.rows("V-1", "aml-patterns")
    assert [
        (each["patron"], each["beside"]) for each in patterns if each["pattern"] == "two-together"
    ] == [TWO]
    for place in places:
        night.leaves(place)
    return Seen(TWO[0], activity="for-another", also=TWO[1:])


def plays_for_another(night):
    night.say("C-1", "patron", "file", "P-106", "--on-behalf-of", "P-116")
    place = night.sits("P-106")
    assert night.refused("S-1", "table", "buy-in", *place, "12,000") == "ConfirmationNeeded"
    night.cash(place, "buy-in", "12,000", "--confirmed")
    (alert,) = night.alerts("cash over", "P-106")
    night.leaves(place)
    return Seen("P-106", alert=alert, activity="for-another", ctr=True)


def takes_chips_along(night):
    place = night.sits(WALKS)
    night.cash(place, "buy-in", "4,000")
    night.leaves(place)
    patterns = night.rows("V-1", "aml-patterns")
    assert [each["patron"] for each in patterns if each["pattern"] == "chips-taken"] == [WALKS]
    return Seen(WALKS, activity="chips-walked")


def chips_from_nowhere(night):
    place = night.sits("P-108")
    paid = ("table", "cash-out", *place, "45,000")
    assert night.refused("S-1", *paid) == "ConfirmationNeeded"  # before it is paid
    night.say("S-1", *paid, "--confirmed")
    (alert,) = night.alerts("cash over", "P-108")
    night.leaves(place)
    return Seen("P-108", alert=alert, activity="unknown-chips", ctr=True)


def politically_exposed(night):
    night.say("C-1", "patron", "file", "P-109", "--exposed")
    (due,) = night.rows("C-1", "patron-files", "--patron", "P-109")
    assert (due["exposed"], due["source"]) == ("exposed", "no-source")  # before any cash
    place = night.sits("P-109")
    night.cash(place, "buy-in", "5,000")
    night.leaves(place)
    return Seen("P-109", activity="source-of-funds")


def whose_money_is_it(night):
    review = ("--review", "2099-12-31")
    night.say("PB-1", "patron", "risk", "P-110", "high", "what he earns does not fit", *review)
    (due,) = night.rows("C-1", "patron-files", "--patron", "P-110")
    assert (due["risk"], due["source"]) == ("high", "no-source")
    place = night.sits("P-110")
    assert night.refused("S-1", "table", "buy-in", *place, "50,000") == "ConfirmationNeeded"
    night.cash(place, "buy-in", "50,000", "--confirmed")
    (alert,) = night.alerts("cash over", "P-110")
    night.leaves(place)
    return Seen("P-110", alert=alert, activity="source-of-funds", ctr=True)


CASH = {
    "hardly plays": hardly_plays,
    "just under": just_under,
    "over two tables": over_two_tables,
    "shows no ID": shows_no_id,
    "two share it": two_share_it,
    "plays for another": plays_for_another,
    "takes chips along": takes_chips_along,
    "chips from nowhere": chips_from_nowhere,
    "politically exposed": politically_exposed,
    "whose money is it": whose_money_is_it,
}


@pytest.fixture(scope="module")
def night(server, tmp_path_factory):
    with server.database() as database, sessions_held():
        yield PlantedNight(database, tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def schemas():
    return {name: xmlschema.XMLSchema(file) for name, file in SCHEMAS.items()}


def made(night, schemas, kind, *about):
    """The digest of the regulator's file, which is as its schema wants it."""
    file = night.home / "made.xml"
    body = night.say("V-1", "filing", kind, *about, "--into", str(file))
    schemas[f"{kind}x"].validate(str(file))
    assert body["sha256"] == sha256(file.read_bytes()).hexdigest()
    return body["sha256"]


def packed(night, stranger, noun, name):
    """The pack of a case or an inquiry, of which a stranger says nothing against."""
    night.say("V-1", noun, "export", name, "--into", str(night.home / "packs"))
    pdf = night.home / "packs" / f"{name}.pdf"
    content = json.loads((night.home / "packs" / f"{name}.json").read_text())
    assert not stranger.verify(content, (pdf.name, pdf.read_bytes())), content
    return content


@pytest.mark.parametrize("case", CASH)
def test_cash_is_seen_in_time_reported_decided_by_two_and_packed(night, schemas, stranger, case):
    seen = CASH[case](night)
    begun, evidence = (), [seen.alert.rpartition("/")[2]]
    if seen.alert:  # which stands for the cash that it is about
        begun = "--alert", seen.alert
    else:
        evidence = night.cash_positions(seen.patron, *seen.also)
    name = night.say("V-1", "aml", "open", seen.patron, case, *begun)["aml_case"]
    told = [] if begun else [word for each in evidence for word in ("--positions", each)]
    night.say("V-1", "aml", "note", name, f"{case}: what happened", "--narrative", *told)
    night.say("V-1", "aml", "decide", name, "report", SOURCES[case][1], second="U-1")
    digest = made(night, schemas, "sar", name, "--activity", seen.activity)
    night.say("V-1", "aml", "filed", name, "31000123456789", "--sha256", digest)
    if seen.ctr:
        about = (seen.patron, night.day)
        digest = made(night, schemas, "ctr", *about)
        night.say("V-1", "filing", "record", *about, "31000123456790", "--sha256", digest)
        due = night.rows("V-1", "ctr", "--patron", seen.patron)
        assert [(each["reference"], each["late"]) for each in due] == [("31000123456790", None)]
    night.say("V-1", "aml", "close", name, "watched from now on")
    content = packed(night, stranger, "aml", name)

    (row,) = [each for each in night.rows("V-1", "aml-cases") if each["aml_case"] == name]
    assert (row["decision"], row["filings"], row["late"]) == ("report", 1, None)
    assert row["closed_at"]
    assert {*map(str, content["evidence"])} >= {*evidence}
    assert digest in json.dumps(content)


def test_who_excluded_themselves_is_not_seated_and_nobody_without_a_licence_signs_on(
    night, stranger
):
    (night.home / "list.csv").write_text("name,birth_date,reference\nKapok Kim,1961-04-17,X-7\n")
    listed = night.shells["PB-1"].run(
        *("patron", "exclude", str(night.home / "list.csv"), "--list", "STATE", "--yes")
    )
    assert listed.exit_code == 0, listed.output
    refused = night.refused("S-1", "table", "seat", "B01", "7", "P-111")
    assert refused == "PatronBarred"  # before a chip is bought

    night.say("A-1", "staff", "sign-off", "D-9")
    night.say("A-1", "staff", "licence", "D-9", "GL-1", "--until", night.day_before, "--confirmed")
    returns = night.shells["D-9"].ask("staff", "sign-on", "D-9", types=(PIN,))
    assert (returns["error"], "licence" in returns["message"]) == ("NotPermitted", True)
    (row,) = [each for each in night.rows("U-1", "staff") if each["staff"] == "D-9"]
    assert row["licence_days"] < 0

    for about, who, outcome in (("patron", "P-111", "barred"), ("dealer", "D-9", "corrected")):
        text = SOURCES["self-excluded" if about == "patron" else "licence has ended"][1]
        name = night.say("V-1", "inquiry", "open", about, who, text)["inquiry"]
        night.say("V-1", "inquiry", "close", name, outcome, "refused in time", second="U-1")
        packed(night, stranger, "inquiry", name)


def test_each_case_has_its_source_and_nobody_at_the_tables_learned_of_one(night):
    assert SOURCES.keys() - CASH.keys() == {"self-excluded", "licence has ended"}
    told = [
        night.shells[who].run(*words).output
        for who in STAFF
        if who not in ("V-1", "U-1")
        for words in (("report", "alerts"), ("report", "aml-cases"), ("find", "AML-"), ("board",))
    ]
    assert [each for each in told if "AML-2" in each] == []
