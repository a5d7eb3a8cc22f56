"""A page answers what whoever looks asks next: who, when, what it comes to, and where that is."""

import re
from html import unescape

import pytest

from ops.finding.opening import LISTED_IN
from ops.words.found import LISTS
from ops.words.report_groups import AUDIT, FLOOR, GROUPS, MONEY, grouped
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.pages_here import pages_of, ran

STAY = f"B01/{DAY}/stay-2"
SHOE = f"B01/{DAY}/1"


@pytest.fixture
def asked(dispatcher, database):
    """Asks for pages of a house open to all, of which one table was played."""
    table = GamingTable(dispatcher, "B01").open().prepare()
    table.say("table.dealer", staff="D-210", by="S-11")
    table.say("table.supervisor", staff="S-77", by="S-11")
    table.say("table.buy-in", seat=3, amount=2_000_00, by="D-210")
    table.play(BANKER_WINS, (3, "banker", 100_00))
    table.say("table.cash-out", seat=3, amount=150_00, by="D-210")

    def asked(*addresses, language="en"):
        async def scene():
            async with pages_of(database, language=language) as ask:
                return [await ask(each) for each in addresses]

        return ran(scene())

    return asked


def facts(page):
    """The head of a page: what is in it, by heading."""
    return {
        name: unescape(re.sub("<[^>]*>", "", value))
        for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    }


def rows_below(page, report):
    """The cells of each row of a report on a page."""
    (section,) = re.findall(
        rf'<section aria-labelledby="sheet-{report}">(.*?)</section>', page, re.S
    )
    body = re.search(r"<tbody>(.*?)</tbody>", section, re.S)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in body[1].split("</tr>")[:-1]]


def test_a_stay_says_who_sat_where_and_when_and_what_moved(asked):
    ((status, page),) = asked(f"/stays/{STAY}")
    head = facts(page)

    assert status == 200
    assert head["patron"] == "P-10417"
    assert (head["table"], head["seat"], head["buy in"]) == ("B01", "3", "2,000.00")
    assert head["seated at"]
    assert head["handle"]
    assert '<a href="/patrons/P-10417">P-10417</a>' in page
    assert f'href="/coups/{SHOE}/1"' in page
    amounts = [re.sub("<[^>]*>", "", "|".join(row)) for row in rows_below(page, "cash-log")]
    assert [re.search(r"\d[\d,.]*\.00", each)[0] for each in amounts] == ["150.00", "2,000.00"]
    assert rows_below(page, "commission")


def test_who_is_named_only_as_a_supervisor_or_a_second_person_has_a_page(asked):
    answers = asked("/staff/S-77", "/staff/S-11", "/staff/S-78")

    assert [status for status, _ in answers] == [200, 200, 404]


def test_a_shoe_is_shown_whole_and_says_once_what_was_burned(asked):
    ((_, page),) = asked(f"/shoes/{SHOE}")
    log, cards = rows_below(page, "shoe-log"), rows_below(page, "cards")

    assert len(cards) == 52
    assert page.count(">burned<") == 1
    assert "burned face down" in page
    assert len(log) == 1


def test_a_patron_s_page_leads_to_their_statement_of_play(asked):
    ((_, page),) = asked("/patrons/P-10417")

    assert 'href="/reports/statement?patron=P-10417"' in page


@pytest.mark.parametrize("kind", sorted(LISTED_IN))
def test_a_list_is_a_page_of_its_own_with_each_thing_once(asked, kind):
    ((status, page),) = asked(kind)
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.S)
    first = [re.search(r'href="([^"]*)"', row)[1] for row in body[1].split("</tr>")[:-1]]

    assert status == 200
    assert re.search(r"<h1>(.*?)</h1>", page)[1] == str(LISTS[kind])
    assert all(each.startswith(f"{kind}/") for each in first)
    assert len(first) == len(set(first)) > 0


def test_a_name_without_a_value_is_not_in_the_address(asked):
    ((status, _), (filled, _)) = asked(
        "/reports/wagers?table=&sort=&day=", "/reports/wagers?table=B01"
    )

    assert (status, filled) == (303, 200)


def test_an_empty_list_of_cases_says_where_one_begins(asked):
    ((_, page),) = asked("/cases")

    assert '<a href="/coups">A case is opened on the page of its coup.</a>' in page


def test_the_reports_are_listed_by_who_asks_for_each_once_and_what_a_role_asks_for_first():
    listed = [name for names in GROUPS.values() for name in names]
    first = {role: next(iter(grouped(REPORTS, role))) for role in ("supervisor", "cage", "auditor")}

    assert sorted(listed) == sorted(REPORTS)
    assert first == {"supervisor": FLOOR, "cage": MONEY, "auditor": AUDIT}


def test_the_page_of_reports_has_each_group_with_its_reports(asked):
    ((_, page),) = asked("/reports")
    groups = dict(re.findall(r"<h2>(.*?)</h2>\s*<ul[^>]*>(.*?)</ul>", page))

    assert [*groups] == [str(group) for group in GROUPS]
    assert '<a href="/reports/table-win">' in groups["Money"]
    assert groups["The floor"].index("/reports/incidents") < groups["The floor"].index(
        '"/incidents"'
    )


@pytest.mark.parametrize(
    "page", ["/reports/incidents", "/reports/wagers", "/slips", "/alerts", "/ledger"]
)
def test_a_table_that_nobody_has_leads_to_the_one_that_was_meant(asked, page):
    ((status, text),) = asked(f"{page}?table=b1")

    assert status == 200
    assert "The record has no table b1." in text
    assert '<a href="?table=B01">B01</a>' in text


def test_the_list_of_alerts_offers_the_kinds_that_there_are_by_their_gravity(asked, dispatcher):
    complaint = {"coup": f"{SHOE}/1", "patron": "P-10417", "complaint": "too little"}
    later = {"at": f"{DAY}T21:00:00+00:00", "by": "S-11"}
    assert dispatcher.dispatch({"command": "dispute.open", **complaint, **later}).ok
    ((_, text),) = asked("/alerts")
    form = re.search(r'<select name="kind">(.*?)</select>', text, re.S)[1]
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', form)

    assert "dispute open" in dict(groups)["Somebody has to decide"]
    assert len(re.findall("<option", form)) < 10
