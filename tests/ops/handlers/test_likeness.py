"""A name that looks like another is asked about once, and refused for the barred."""

import pytest

from ops.ledger.reading import read_naming
from ops.reports.ask import ask
from ops.words.alerts import alert_words
from projections import REPORTS
from projections.people.patrons import NAMED
from tests.worlds.gaming_table import DAY, GamingTable

TWO = {"by": "S-11", "with": "S-12"}
# Small letters, full width, Cyrillic, Greek, a mathematical letter, another hyphen, a dash; none, a
# blank, a dot, an apostrophe, an accent; a Coptic letter, digits and numbers of other scripts.
SPELLINGS = (
    *("p-9", "Ｐ-9", "Р-9", "ρ-9", "𝐏-9", "P‐9", "P–9", "p-９"),
    *("P9", "P 9", "P.9", "P'9", "Ṕ-9"),
    *("ⲣ-9", "P-٩", "P-๙", "p-९", "P-Ⅸ", "P-九"),
)


def say(dispatcher, command, **fields):
    return dispatcher.dispatch({"command": command, "by": "S-11", **fields}).body


def seat(table, patron, seat=8, **fields):
    return table.ask("table.seat", seat=seat, patron=patron, **{"confirmed": False, **fields}).body


def another(dispatcher, code):
    table = GamingTable(dispatcher, code)
    table.say("table.open", rules="dragon-bonus@1", opener={"10000": 900}, day=DAY, **TWO)
    return table


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_barred_patron_is_refused_by_every_spelling(pit, dispatcher, spelling):
    say(dispatcher, "patron.bar", patron="P-9", reason="asked for it")
    refused = seat(pit, spelling, confirmed=True)

    assert refused["error"] == "PatronBarred"
    assert "P-9 may not play" in refused["message"]


def test_a_bar_by_another_spelling_holds_for_the_patron(pit, dispatcher):
    say(dispatcher, "patron.bar", patron="p-10411", reason="asked for it", confirmed=False)
    assert say(dispatcher, "patron.bar", patron="p-9", reason="asked for it")["ok"]

    assert "PatronBarred" == seat(pit, "P-9")["error"]
    assert (
        say(dispatcher, "patron.unbar", patron="P-9", reason="over", **TWO)["error"] == "NotFound"
    )


def test_whoever_looks_like_a_patron_at_another_table_is_asked_about_once(pit, dispatcher):
    other = another(dispatcher, "B02")
    other.say("table.seat", seat=1, patron="P-9")
    asked = seat(pit, "p-9")

    assert asked["error"] == "ConfirmationNeeded"
    assert asked["message"] == (
        "P-9 sits at B02, and p-9 looks the same. If this is the same person, use P-9; if not, p-9 "
        "is somebody else. Check it, then confirm it with `confirmed` if it is right."
    )
    answer = seat(pit, "p-9", confirmed=True)
    told = [each for each in answer["events"] if each["type"] == "ToldApart"]
    assert [("p-9", "P-9", "")] == [
        (each["patron"], each["other"], each["reason"]) for each in told
    ]
    pit.say("table.leave", seat=8)
    assert seat(pit, "p-9")["ok"]
    other.say("table.leave", seat=1)
    assert other.ask("table.seat", seat=1, patron="P-9", confirmed=False).ok
    assert seat(pit, "ｐ-9", seat=7)["error"] == "ConfirmationNeeded"


def test_two_names_of_one_line_are_asked_about_too(pit):
    both = [{"seat": 6, "patron": "P-9"}, {"seat": 7, "patron": "p-9"}]
    asked = pit.ask("table.seats", patrons=both, confirmed=False).body

    assert asked["error"] == "ConfirmationNeeded"
    assert "P-9 sits at B01" in asked["message"]
    assert pit.ask("table.seats", patrons=both, confirmed=True).ok


def test_five_spellings_that_are_one_person_are_in_the_ctr(pit, dispatcher, database):
    for number, name in enumerate(("P-9", *SPELLINGS[:3], "P 9"), 20):
        if name != "P-9":
            say(dispatcher, "patron.identify", patron=name, **{"is": "P-9"})
        table = another(dispatcher, f"B{number}")
        assert seat(table, name, seat=1)["ok"]
        table.say("table.buy-in", seat=1, amount=6_000_00)
    rows = ask(database, REPORTS["ctr"]).rows

    assert [("P-9", 30_000_00)] == [(row["patron"], row["total"]) for row in rows]


def test_names_that_somebody_told_apart_are_in_the_ctr_together(pit, dispatcher, database):
    for number, name in enumerate(("P-9", *SPELLINGS[:2], "P-8"), 20):
        table = another(dispatcher, f"B{number}")
        assert seat(table, name, seat=1, confirmed=True)["ok"]
        table.say("table.buy-in", seat=1, amount=4_000_00)
    rows = ask(database, REPORTS["ctr"]).rows
    one, *others = sorted(("P-9", *SPELLINGS[:2]))

    assert [(one, others, 12_000_00)] == [
        (row["patron"], row["alike"], row["total"]) for row in rows
    ]
    assert {each["patron"] for each in rows[0]["components"]} == {one, *others}
    for name, found in (("P-9", 1), (SPELLINGS[0], 1), ("P-8", 0)):
        assert len(ask(database, REPORTS["ctr"], patron=name).rows) == found


def sits_and_buys(dispatcher, amounts):
    """Patrons who sit down at tables of their own, each confirmed, and buy in: the last answer."""
    for number, (name, amount) in enumerate(amounts, 20):
        table = another(dispatcher, f"B{number}")
        assert seat(table, name, seat=1, confirmed=True)["ok"]
        answer = table.say("table.buy-in", seat=1, amount=amount)
    return answer


def alerts(database, kind="cash over"):
    rows = ask(database, REPORTS["alerts"]).rows
    return [row["detail"] for row in rows if row["kind"] == kind]


def test_six_look_alikes_over_the_amount_together_are_one_row_and_one_alert(dispatcher, database):
    names = ("P-9", "p-9", "P-٩", "P-๙", "P-९", "ⲣ-9")
    sits_and_buys(dispatcher, [(name, 2_000_00) for name in (*names, "P-8")])
    (row,) = ask(database, REPORTS["ctr"]).rows
    (alert,) = alerts(database)

    assert sorted([row["patron"], *row["alike"]]) == sorted(names)
    assert sorted([alert["patron"], *alert["alike"]]) == sorted(names)
    assert row["total"] == alert["total"] == 12_000_00
    assert len(alerts(database, "cash near")) == 1
    assert alert_words("cash over", alert, "USD") == (
        "ⲣ-9, together with P-9, P-٩, P-९, P-๙ and p-9, is over the reporting amount: cash in "
        "12,000.00. Their names look the same."
    )


def test_one_who_is_over_alone_is_in_the_row_of_those_who_look_the_same(dispatcher, database):
    sits_and_buys(dispatcher, [("P-9", 1_00), ("p-9", 11_000_00), ("P-٩", 11_000_00)])
    rows = ask(database, REPORTS["ctr"]).rows

    assert [22_001_00] == [row["total"] for row in rows]
    assert [11_001_00] == [each["total"] for each in alerts(database)]


def test_two_who_look_like_a_third_are_one_row_with_it(dispatcher, database):
    # Bengali 4 looks like 8.
    sits_and_buys(dispatcher, [("P-4", 4_000_00), ("P-8", 4_000_00), ("P-৪", 4_000_00)])
    (row,) = ask(database, REPORTS["ctr"]).rows
    (alert,) = alerts(database)

    assert (row["total"], [row["patron"], *row["alike"]]) == (12_000_00, ["P-4", "P-8", "P-৪"])
    assert (alert["total"], alert["alike"]) == (12_000_00, ["P-4", "P-8"])


def test_an_alert_of_look_alikes_ends_when_a_correction_makes_it_untrue(
    dispatcher, database, superuser
):
    sits_and_buys(dispatcher, [("P-9", 4_000_00), ("p-9", 4_000_00), ("P-٩", 4_000_00)])
    line = {"position": "last", "table": "B20", "amount": 1_00, "reason": "typed wrong"}
    assert say(dispatcher, "money.correct", **line, **TWO)["ok"]

    assert [] == ask(database, REPORTS["ctr"]).rows
    assert len(alerts(database)) == 1
    ended = superuser.execute("SELECT kind FROM projections.alerts WHERE ended_at IS NOT NULL")
    assert ("cash over",) in ended.fetchall()


def test_two_people_tell_a_look_alike_of_a_barred_patron_apart(pit, dispatcher):
    say(dispatcher, "patron.bar", patron="P-9", reason="asked for it")
    line = {"patron": "p-9", "other": "P-9", "reason": "her brother"}
    alone = say(dispatcher, "patron.tell-apart", **line)

    assert alone["error"] == "SecondPersonNeeded"
    assert say(dispatcher, "patron.tell-apart", **line, **TWO)["ok"]
    assert seat(pit, "p-9")["ok"]
    assert seat(pit, "P-9")["error"] == "PatronBarred"
    assert say(dispatcher, "patron.tell-apart", **line, **TWO)["error"] == "BadValue"
    unlike = {**line, "other": "P-8"}
    assert say(dispatcher, "patron.tell-apart", **unlike, **TWO)["error"] == "BadValue"


def test_a_look_alike_that_turns_out_to_be_the_patron_is_identified(pit, dispatcher):
    assert seat(pit, "p-10411", confirmed=True)["ok"]
    pit.say("table.leave", seat=8)
    assert say(dispatcher, "patron.identify", patron="p-10411", **{"is": "P-10411"})["ok"]
    assert seat(pit, "p-10411")["error"] == "SeatTaken"


def test_an_alias_is_not_identified_as_a_look_alike_unasked(pit, dispatcher):
    line = {"patron": "red-hat", "is": "p-10411"}
    assert say(dispatcher, "patron.identify", **line)["error"] == "ConfirmationNeeded"
    assert say(dispatcher, "patron.identify", **line, confirmed=True)["ok"]


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("commission.collect", {"table": "B01", "patron": "p-10411", "amount": 1}),
        ("dispute.open", {"coup": f"B01/{DAY}/1/1", "patron": "p-10411", "complaint": "a bet"}),
    ],
)
def test_a_patron_named_by_another_spelling_is_named(dispatcher, command, fields):
    table = GamingTable(dispatcher).open().prepare()
    table.say("bet", seat=1, spot="banker", amount=100_00)
    refused = say(dispatcher, command, **fields)

    assert refused["error"] == "NotFound"
    assert "P-10411 looks the same" in refused["message"]


def test_a_name_is_found_in_the_rows_and_in_the_ledger_after_them(pit, dispatcher, database):
    pit.say("table.seat", seat=7, patron="P-9")
    ask(database, REPORTS["cash-log"])
    assert seat(pit, "p-9")["error"] == "ConfirmationNeeded"
    pit.say("table.seat", seat=8, patron="P-77")
    assert seat(pit, "p-77", seat=9)["error"] == "ConfirmationNeeded"


def test_the_ledger_is_read_for_the_events_that_bring_names(pit, database, superuser):
    def asked(connection):
        return {each.topic for each in read_naming(connection, 0)}

    assert asked(superuser) <= set(NAMED)
    plan = (
        superuser.execute("SET enable_seqscan = off")
        and superuser.execute(
            "EXPLAIN SELECT position FROM ledger.events WHERE position > 0 AND topic IN "
            "('table-day.patron-seated', 'patron.known', 'patron.identified')"
        ).fetchall()
    )
    assert "events_naming_patrons" in str(plan)


def test_a_report_of_a_patron_is_found_by_another_spelling(pit, dispatcher, database):
    pit.say("table.buy-in", seat=1, amount=500_00)

    def asked(patron):
        return ask(database, REPORTS["cash-log"], patron=patron)

    assert 1 == len(asked("P-10411").rows)
    assert asked("P-10411").rows == asked("ｐ-10411").rows
    assert "P-10411" == asked("ｐ-10411").narrowed["patron"]
    pit.say("table.seat", seat=8, patron="p-10411")
    assert [] == asked("ｐ-10411").rows, "two patrons look like that"


def test_a_dispute_is_listed_under_every_name_of_the_patron(dispatcher, database):
    table = GamingTable(dispatcher).open().prepare()
    table.play("9C 5S 7C QD 9S", (5, "banker", 100_00))
    line = {"coup": f"B01/{DAY}/1/1", "patron": "grey-jacket", "complaint": "paid wrong"}
    table.say("dispute.open", **line)
    table.say("patron.identify", patron="grey-jacket", **{"is": "P-9"})
    rows = ask(database, REPORTS["disputes"], patron="P-9").rows

    assert ["P-9"] == [row["patron"] for row in rows]
