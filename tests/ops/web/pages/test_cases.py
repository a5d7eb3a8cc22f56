"""Cases as pages: what is left of each deadline, the most pressing first, page by page."""

import re
from datetime import timedelta
from functools import partial

import pytest

from domain.rules.addresses import Case
from ops.commands.rights import Rights
from ops.pack.case import for_pack
from ops.replay.case import read_case
from ops.reports.paging import FIRST as NEWEST
from ops.reports.paging import Turn
from ops.web.pages import reports
from ops.web.pages.cases import _due, _pressing, read, typed_in
from ops.web.pages.viewer import Viewer, drawn_for, staff
from ops.words.language import shown, speaking
from ops.words.time_left import deadlines
from projections import REPORTS
from tests.worlds.disputed_table import CORRECT, FIRST, SECOND, STAND, TWO, VOID, DisputedTable
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY
from tests.worlds.pages_here import pages_of, ran

NOW = BEGINS + timedelta(days=8)
PAGES_OF_B01 = ("/", "/tables/B01")


@pytest.fixture
def cases(dispatcher, database):
    """A case that is decided and closed, and one that is open; both a week old by now."""
    floor = DisputedTable(dispatcher).open().prepare()
    floor.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 500_00))
    floor.say("property.set", name="regulator", value="singapore")
    floor.claims(hold=True)
    floor.claims(patron="grey-jacket", complaint="mine")
    floor.say("dispute.decide", **STAND)
    return floor


def line_of(act, form):
    """The fields of a form as a line has them."""
    typed = typed_in(act, form)
    typed |= {"seat": int(typed["seat"])} if "seat" in typed else {}
    return {name.removesuffix("_spot"): each for name, each in typed.items()}


def listed(database, turn=NEWEST, most=reports.MOST):
    sheet = reports.read(
        database, REPORTS["disputes"], {}, turn, most,
        order=_pressing, columns=("case", "deadlines"), own={"deadlines": partial(_due, NOW)},
    )  # fmt: skip
    return [row[0].words for row in sheet.rows], sheet


def test_whoever_may_read_a_case_is_told_who_does_what_is_next(cases, database):
    def then():
        return [shown(each.then) for each in (read(database, n, NOW) for n in (FIRST, SECOND))]

    bosses = "a supervisor or a pit boss"
    decides = f"Next, {bosses} decides it and another one signs; neither of them dealt the coup."
    assert then() == [f"Next, {bosses} informs the patron of the decision.", decides]
    cases.say("dispute.tell", case=FIRST)
    notifies = "Next, a supervisor, a pit boss or a surveillance officer notifies the regulator."
    assert then()[0] == notifies
    cases.say("dispute.notify", case=FIRST, reference="x")
    assert then()[0] == f"Next, {bosses} closes it."
    cases.say("dispute.close", case=FIRST)
    assert read(database, FIRST, NOW).then is None


def test_what_is_paid_now_and_may_be_decided_yet_is_as_the_coup_is_on_record(cases, database):
    def now(name):
        case = read(database, name, NOW)
        paid = [each.lines for each in case.facts if each.label == "Paid now"]
        return paid, case.decisions, bool(case.wagers)

    assert now(FIRST) == ([], ["stand", "correct", "void"], True)
    cases.say("dispute.decide", **VOID)
    assert now(FIRST) == ([["Seat 3 Banker 100.00, paid 100.00."]], [], False)
    assert now(SECOND) == ([["Seat 5 Player 500.00, paid 500.00."]], ["stand"], False)


def test_a_case_says_once_what_was_noted_when_it_was_opened_and_how_much_it_is_about(
    cases, database
):
    cases.say("dispute.note", case=SECOND, text="the camera was looked at")

    async def scene():
        async with pages_of(database, language="en") as ask:
            return await ask(f"/cases/{SECOND}")

    status, page = ran(scene())

    assert status == 200
    assert page.count("the camera was looked at") == 1
    assert re.findall("<dt>(Opened|Notes|In dispute)</dt>", page) == ["In dispute"]
    assert page.count("1,000.00") == 1


def test_a_case_is_decided_for_the_stake_that_really_lay_there_from_its_page(cases, database):
    sent = {"decision": "correct", "reason": "it was 50", "wager": "3 banker", "stake": "50"}
    typed = line_of("decide", sent)
    assert typed == {
        "decision": "correct",
        "reason": "it was 50",
        "seat": 3,
        "spot": "banker",
        "stake": "50",
    }
    cases.say("dispute.decide", case=FIRST, **TWO, **{**typed, "stake": 50_00})
    case = read(database, FIRST, NOW)
    (now,) = [each.lines for each in case.facts if each.label == "Paid now"]
    (decided,) = [each.words for each in case.events if "is decided" in each.words][1:]

    assert now == ["Seat 3 Banker 50.00, paid 100.00."]
    assert "seat 3 Banker was 50.00, not 100.00; seat 3 Banker is paid 100.00 in all" in decided


def test_every_deadline_has_what_is_left_of_it_and_then_by_how_much_it_is_overdue(cases, database):
    case = read(database, FIRST, NOW)
    soonest = case.due[0].at
    with database.session("sabot_auditor") as connection:
        _, file = read_case(connection, Case.parse(FIRST))

    def at(now):
        return shown(deadlines(file.due, now)[0].left)

    assert len(case.due) == 2
    assert at(soonest - timedelta(days=2, hours=4, seconds=30)) == "2 days 4 hours left"
    assert at(soonest - timedelta(minutes=30, seconds=5)) == "30 minutes left"
    assert at(soonest + timedelta(hours=3)) == "overdue by 3 hours"
    assert [each.overdue for each in case.due] == [True, True]


def test_what_is_done_is_due_no_more_and_the_patrons_time_to_appeal_is_not_overdue(cases, database):
    cases.say("dispute.tell", case=FIRST)
    cases.say("dispute.notify", case=FIRST)
    with database.session("sabot_auditor") as connection:
        _, file = read_case(connection, Case.parse(FIRST))
    (appeal,) = deadlines(file.due, NOW)

    assert (shown(appeal.words), appeal.overdue) == ("The patron may appeal until", False)


def test_the_list_has_what_is_open_first_and_goes_on_after_a_case(cases, database):
    cases.say("dispute.tell", case=FIRST)
    cases.say("dispute.notify", case=FIRST)
    cases.say("dispute.close", case=FIRST)
    names, sheet = listed(database)

    assert names == [SECOND, FIRST]
    assert "overdue by" in sheet.rows[0][1].words
    assert (sheet.rows[0][1].grave, sheet.rows[1][1].grave) == (True, False)
    first, sheet = listed(database, most=1)
    assert (first, listed(database, Turn(sheet.part.after), 1)[0]) == ([SECOND], [FIRST])


def test_a_deadline_has_its_day_in_the_reader_s_form(cases, database):
    with speaking("zh-Hant"):
        _, sheet = listed(database)

    assert all(re.search(r"2026年11月\d+日 \d\d:\d\d", row[1].words) for row in sheet.rows)


def test_a_case_of_another_day_says_on_which_it_was_opened(cases, database):
    sheet = reports.read(database, REPORTS["disputes"], {}, columns=("case", "opened_at"))

    assert [re.sub(r" \d\d:\d\d$", "", row[1].words) for row in sheet.rows] == [str(DAY)] * 2


def test_the_list_goes_on_after_a_case_that_was_closed_meanwhile(cases, database):
    (first, second), _ = listed(database)
    after = Turn(listed(database, most=1)[1].part.after)
    assert listed(database, after)[0] == [second]
    cases.say("dispute.tell", case=FIRST)
    cases.say("dispute.notify", case=FIRST)
    cases.say("dispute.close", case=FIRST)

    assert first == FIRST
    assert listed(database, after)[0] == [second, first]


def test_a_page_of_a_report_keeps_its_place_while_rows_arrive(cases, database):
    report = REPORTS["wagers"]
    first = reports.read(database, report, {}, most=1)
    after = Turn(first.part.after)
    second = reports.read(database, report, {}, after, 1)
    cases.play(BANKER_WINS, (3, "banker", 100_00))
    again = reports.read(database, report, {}, after, 1)

    assert again.rows == second.rows != first.rows
    assert (again.first, again.many) == (second.first + 1, second.many + 1)


def test_a_case_names_both_people_who_decided_it(cases, database):
    (decided,) = [each for each in read(database, FIRST, NOW).events if len(each.by) > 1]

    assert decided.by == ["S-11", "PB-2 (named in open house)"]
    with drawn_for(Viewer("en", Rights("pit-boss"))):
        led = [str(staff(each)) for each in decided.by]
    assert led == [
        '<a href="/staff/S-11">S-11</a>',
        '<a href="/staff/PB-2">PB-2</a> (named in open house)',
    ]


def test_a_wager_is_offered_for_a_decision_with_what_it_is_paid_now(cases, database):
    def facts():
        case = read(database, FIRST, NOW)
        known = {each.label: each.lines for each in case.facts}
        return [*case.wagers.values()], known["Wagers"], known.get("Paid now")

    paid = "Seat 3 Banker 100.00, paid {}."
    then, now = [paid.format("200.00")], [paid.format("150.00")]
    before = facts()
    cases.say("dispute.decide", **CORRECT, to=150_00)

    assert before == (then, then, None)
    assert facts() == (now, then, now)


def test_what_a_patron_who_left_is_owed_by_a_decision_is_on_the_case_until_it_is_settled(
    cases, database
):
    def not_settled():
        known = {each.label: each.lines for each in read(database, FIRST, NOW).facts}
        return known.get("Not settled yet")

    cases.say("commission.collect", seat=3, amount=5_00)
    cases.say("table.leave", seat=3)
    before = not_settled()
    cases.say("dispute.decide", **CORRECT, to=250_00)
    owed = not_settled()
    cases.say("patron.settle", patron="P-10417", how="paid", reason="came back", **TWO)

    assert before is None
    assert owed == [
        "P-10417 is not at the table, and owes 2.50 commission until it is settled.",
        "P-10417 has left, and is owed 50.00 for bets until it is settled.",
    ]
    assert not_settled() is None


def test_the_pit_and_the_table_say_for_which_case_a_table_is_held(cases, database):
    held = f'No further coup: <a href="/cases/{SECOND}">{SECOND}</a>'

    async def everywhere():
        async with pages_of(database) as ask:
            return [held in (await ask(page, "sabot-language=en"))[1] for page in PAGES_OF_B01]

    before = ran(everywhere())
    cases.say("dispute.hold", case=SECOND)

    assert (before, ran(everywhere())) == ([False, False], [True, True])


def test_a_table_is_held_for_a_case_only_while_it_is_open(cases, database):
    holding = f'action="/cases/{SECOND}/hold"'

    async def shown(path):
        async with pages_of(database) as ask:
            return (await ask(path))[1]

    coup = read(database, SECOND, NOW).coup
    before = ran(shown(f"/cases/{SECOND}")), ran(shown(f"/coups/{coup}"))
    cases.say("commission.collect", seat=3, amount=5_00)
    cases.end_shoe()
    cases.say("table.close", closer={"10000": 200}, confirmed=True, **{"with": "S-11"})
    after = ran(shown(f"/cases/{SECOND}")), ran(shown(f"/coups/{coup}"))

    assert [holding in each or 'name="hold"' in each for each in (*before, *after)] == [
        *(True, True),
        *(False, False),
    ]


def test_the_regulator_is_offered_to_be_notified_while_that_is_due(cases, database):
    due = read(database, FIRST, NOW).notify
    cases.say("dispute.notify", case=FIRST)

    assert (due, read(database, FIRST, NOW).notify) == (True, False)


SAID = "Your chips lay on Banker. You may write to the authority."


def test_a_decision_may_pay_a_wager_as_if_on_another_spot(cases, database):
    offered = read(database, FIRST, NOW).spots
    form = {"decision": "correct", "reason": "camera", "wager": "3 banker", "as": "tie"}
    cases.say("dispute.decide", case=FIRST, **{"with": "PB-2"}, **line_of("decide", form))
    (after,) = read(database, FIRST, NOW).wagers.values()

    assert {"player", "tie", "banker"} <= {*offered}
    assert after == "Seat 3 Banker 100.00, paid 0.00."


def test_what_the_patron_was_told_stands_on_the_page_the_paper_and_in_the_record(cases, database):
    told = cases.say("dispute.tell", case=FIRST, **line_of("tell", {"in-words": SAID}))
    case = read(database, FIRST, NOW)
    with database.session("sabot_auditor") as connection:
        _, file = read_case(connection, Case.parse(FIRST))
    (step,) = for_pack(file).informed

    assert told.body["events"][0]["in_words"] == SAID
    assert any(each.words.endswith(f"In words: {SAID}") for each in case.events)
    assert any(SAID in line for fact in case.facts for line in fact.lines)
    assert step.in_words == SAID


def test_a_note_that_asks_what_if_leads_to_the_answer(cases, database):
    changes = ["card 1 = KH", "card 2 = 9S"]
    cases.say("dispute.note", case=SECOND, text="misread?", what_if=changes)
    (answered,) = [each.answered for each in read(database, SECOND, NOW).events if each.answered]

    async def scene():
        async with pages_of(database) as ask:
            return await ask(f"/cases/{SECOND}")

    assert answered.endswith("?what-if=card+1+%3D+KH%3B+card+2+%3D+9S")
    assert f'href="{answered}"' in ran(scene())[1]
