"""From a row of the report `protection` to its inquiry, and to the event by which it was seen."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from ops.commands.rights import Rights
from ops.reports.ask import ask
from ops.simulation.cheats import COLLUDING_PAIR
from ops.simulation.run import Plan, dispatch_all
from ops.web.pages.leads import lead_of
from ops.web.pages.viewer import Viewer, drawn_for
from projections import REPORTS
from tests.worlds.gaming_table import DAY, mouth_on
from tests.worlds.pages_here import pages_of, ran

REPORT = "/reports/protection"
FIRST = "I-2026-0001"
SHOE = f"S01/{DAY}/1"


def cheated(dispatcher, cheat, coups):
    plan = Plan(tables=1, coups=coups, seed=3, cheat=cheat)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    ask(dispatcher.casino.ledger.database, REPORTS["protection"])  # counts its rows


@pytest.fixture(scope="module")
def unshuffled(server):
    """An evening with decks that nobody shuffled, and one inquiry about a row of it."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            cheated(dispatcher, "new-decks", 12)
            opened = {"command": "inquiry.open", "about": "shoe", "subject": SHOE, "text": "look"}
            say(dispatcher, **opened, question="new deck")
        yield database


def say(dispatcher, **line):
    answer = dispatcher.dispatch({"by": "SV-1", **line})
    assert answer.ok, answer.body
    return answer.body


def asked(database, *addresses):
    async def scene():
        async with pages_of(database, language="en") as ask:
            return [(await ask(each))[1] for each in addresses]

    return ran(scene())


def filled_by(href):
    """What the form has that a row of somebody leads to."""
    filled = dict(parse_qsl(urlsplit(href).query))
    return {**filled, "position": int(filled["position"])}


def hrefs(page, pattern):
    return [unescape(each) for each in re.findall(rf'<a href="({pattern}[^"]*)"', page)]


def test_a_row_leads_to_its_open_inquiry_and_any_other_to_the_form_with_what_it_is(unshuffled):
    (report,) = asked(unshuffled, REPORT)
    (clump,) = hrefs(report, r"/inquiries\?")
    (form,) = asked(unshuffled, clump)

    assert hrefs(report, "/inquiries/") == [f"/inquiries/{FIRST}"]
    assert clump == f"/inquiries?about=shoe&subject={SHOE.replace('/', '%2F')}&question=cards+clump"
    assert f'value="{SHOE}"' in form
    assert '<option value="cards clump" selected>' in form


def test_a_row_whose_inquiry_is_closed_is_one_to_open_another_from(dispatcher, database):
    cheated(dispatcher, "new-decks", 12)
    rows = 2
    say(dispatcher, command="inquiry.open", about="shoe", subject=SHOE, text="look")
    for question in ("new deck", "cards clump"):
        row = {"about": "shoe", "subject": SHOE, "question": question}
        say(dispatcher, command="inquiry.attach", inquiry=FIRST, text="row", **row)

    assert hrefs(asked(database, REPORT)[0], "/inquiries/") == [f"/inquiries/{FIRST}"] * rows
    ended = {"outcome": "unfounded", "reason": "it was shuffled", "with": "A-1"}
    say(dispatcher, command="inquiry.close", inquiry=FIRST, **ended)
    assert len(hrefs(asked(database, REPORT)[0], r"/inquiries\?")) == rows


def test_a_patron_s_row_fills_the_form_with_the_day_and_opens_with_its_numbers(
    dispatcher, database
):
    cheated(dispatcher, "knows-all", 30)
    form = next(
        each
        for each in hrefs(asked(database, REPORT)[0], r"/inquiries\?")
        if "patron+right" in each
    )
    filled = filled_by(form)
    (shown,) = asked(database, form)
    body = say(dispatcher, command="inquiry.open", text="always right", **filled)

    assert (filled["about"], filled["day"]) == ("patron", DAY)
    assert all(f'value="{filled[name]}"' in shown for name in ("subject", "day", "position"))
    assert body["events"][-1]["row"]["patron"] == filled["subject"]
    assert hrefs(asked(database, REPORT)[0], "/inquiries/") == [f"/inquiries/{FIRST}"]


def test_who_may_open_no_inquiry_is_offered_none():
    row = {"inquiry": None, "patron": None, "partner": None, "dealer": "D-204"}
    row |= {"question": "tray", "day": DAY, "position": 7}

    def offered(role):
        with drawn_for(Viewer(rights=Rights(role))):
            return lead_of("protection", "inquiry", row).href

    assert offered("pit-boss") == ""
    assert filled_by(offered("surveillance")) == {
        "about": "dealer",
        "subject": "D-204",
        "question": "tray",
        "day": DAY,
        "position": 7,
    }


@pytest.mark.parametrize("page", [REPORT, "/", f"/inquiries/{FIRST}"])
def test_what_chance_does_not_explain_leads_to_the_card_by_which_it_was_seen(unshuffled, page):
    (text,) = asked(unshuffled, page)
    found = hrefs(text, rf"/coups/{SHOE}/\d+\?at=")
    assert found
    for href in found:
        (coup,) = asked(unshuffled, href)
        (step,) = re.findall(r'<li [^>]*aria-current="step">(.*?)</li>', coup, re.S)
        assert re.search(r'<span class="what">[^<]*(Player|Banker)', step)
        (position,) = re.findall(r'/ledger/(\d+)"', step)
        (seen,) = re.findall(r"at=(\d+)", href)
        assert 0 <= int(position) - int(seen) <= 1


@pytest.mark.parametrize("at", ["1", "999999"])
def test_a_coup_at_an_event_that_it_does_not_have_is_shown_at_the_next_or_whole(unshuffled, at):
    (text,) = asked(unshuffled, f"/coups/{SHOE}/3?at={at}")
    steps = re.findall(r"<li [^>]*", text.partition('<ol class="story">')[2])
    current = [n for n, each in enumerate(steps) if "aria-current" in each]

    assert current == ([0] if at == "1" else [len(steps) - 1])


def joined_by_another(lines):
    """The lines of an evening, on which somebody at seat 1 does what the patron at seat 6 does."""
    for line in lines:
        yield line
        if line.get("seat") == 6:
            whose = {"patron": "P-101"} if "patron" in line else {}
            yield {**line, "seat": 1, "id": f"{line['id']}-too", **whose}


def test_each_of_two_rows_of_one_evening_opens_with_its_own_numbers(dispatcher, database):
    plan = Plan(tables=1, coups=110, seed=1, cheat=COLLUDING_PAIR)
    dispatch_all(dispatcher.dispatch, joined_by_another(plan.lines([1])), lambda _: None)
    rows = ask(database, REPORTS["protection"]).rows
    whose = {(each["patron"], each["partner"]): each["detail"]["coups"] for each in rows}
    row = {"about": "patron", "subject": "P-102", "question": "patrons together", "day": DAY}
    unsaid = dispatcher.dispatch(
        {"command": "inquiry.open", "by": "SV-1", "text": "look", **row}
    ).reason
    opened = {}
    for form in hrefs(asked(database, REPORT)[0], r"/inquiries\?"):
        body = say(dispatcher, command="inquiry.open", text="look", **filled_by(form))
        stored = body["events"][-1]["row"]
        opened[stored["patron"], stored["partner"]] = stored["coups"]

    assert opened == whose
    assert len(whose) == 2
    assert all(name in unsaid for name in ("2 such rows", "P-101", "P-106", "`beside`"))
    assert len(hrefs(asked(database, REPORT)[0], "/inquiries/")) == 2
