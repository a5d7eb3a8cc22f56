"""What people look for, by what they write."""

from datetime import datetime, timedelta

import pytest

from ops.commands.house_events import house
from ops.commands.rights import OF_OPEN_HOUSE
from ops.finding.hits import find
from ops.finding.search import search
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, PLAYER_WINS

SHOE = f"B01/{DAY}/1"
LATER = BEGINS + timedelta(hours=2)


@pytest.fixture
def played(pit, database):
    """Two coups of P-3, and a complaint about the first."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.say("dispute.open", coup=f"{SHOE}/1", patron="P-10417", complaint="too little")
    with database.session("sabot_auditor") as connection:
        yield connection


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        (f"{SHOE}/2", ["coup"]),
        ("B01 2", ["coup"]),
        ("b01/2", ["coup"]),
        ("B01 1/2", ["coup"]),
        ("B01 shoe 1 coup 2", ["coup"]),
        ("B01, #2", ["coup"]),
        ("  B01   coup 2 ", ["coup"]),
        ("B01 1", ["coup", "shoe"]),
        ("B01 shoe 1", ["shoe"]),
        (SHOE, ["shoe"]),
        ("b01", ["table"]),
        ("B01 KC", ["coup"]),
        ("b01 d10", []),
        (DAY, ["day"]),
        ("c-2026-0001", ["case"]),
        ("#3", ["position"]),
        ("r-draw-3", ["rule"]),
        ("commission proof", ["report"]),
        ("dispute decide", ["command"]),
        ("sabot table open", ["command"]),
        ("put-right", ["topic"]),
        ("D-204", ["staff"]),
        ("d-204", ["staff"]),
        ("D-999", []),
        ("UV-2026-000001", []),
        ("", []),
        ("B01 3", []),
        ("B99 1", []),
        ("C-2026-0002", []),
        ("#99999", []),
        ("2025-01-01", []),
        ("x" * 5000, []),
        ("%", []),
        ("B01/2026-13-41/1/1", []),
    ],
)
def test_what_is_written_is_found(played, typed, found):
    assert [hit.kind for hit in find(played, typed, LATER)] == found


def opened_at(connection, coup):
    """When a coup was opened, by the house's clock."""
    (at,) = connection.execute(
        "SELECT convert_from(state, 'UTF8')::jsonb ->> 'at' FROM ledger.events"
        " WHERE topic = 'coup.opened' ORDER BY position OFFSET %s LIMIT 1",
        (coup - 1,),
    ).fetchone()
    return house(connection).clock.local(datetime.fromisoformat(at))


@pytest.mark.parametrize(
    "typed", ["B01 {:%H:%M}", "b01, {:%H:%M}", "B01 {:%Y-%m-%d %H:%M}", "B01 {:%Y-%m-%dT%H:%M}"]
)
def test_a_coup_is_found_by_its_table_and_the_time(played, typed):
    found = find(played, typed.format(opened_at(played, 2)), LATER)

    assert f"{SHOE}/2" in [hit.name for hit in found if hit.kind == "coup"]
    assert all(str(hit.line).startswith(f"opened at {DAY[:4]}-") for hit in found)


def test_between_two_coups_the_one_before_is_found(played):
    first, second = opened_at(played, 1), opened_at(played, 2)
    typed = f"B01 {first + (second - first) / 2:%Y-%m-%d %H:%M:%S}"

    assert second - first > timedelta(seconds=2)
    assert [hit.name for hit in find(played, typed, LATER)] == [f"{SHOE}/1"]


@pytest.mark.parametrize(
    "typed", ["B99 {:%H:%M}", "B01 2020-01-01 {:%H:%M}", "B01 2099-01-01 {:%H:%M}", "B01 29:61"]
)
def test_no_coup_is_found_at_a_time_when_nothing_was_dealt_there(played, typed):
    assert find(played, typed.format(opened_at(played, 1)), LATER) == []


def test_a_patron_is_found_by_their_number_and_by_a_part_of_it_and_as_it_looks(played):
    patron = "P-10417"

    for typed in (patron, patron.lower(), patron[:-1]):
        assert patron in [hit.name for hit in find(played, typed, LATER) if hit.kind == "patron"]


def test_an_event_is_found_with_its_sentence_and_with_the_coup_it_is_about(played):
    (settled,) = played.execute(
        "SELECT min(position) FROM ledger.events WHERE topic = 'coup.resulted'"
    ).fetchone()
    event, coup = find(played, f"#{settled}", LATER)

    assert (event.kind, event.name) == ("position", str(settled))
    assert (coup.kind, coup.at) == ("coup", settled)  # it opens at that event
    assert str(event.line).startswith("Banker wins")
    assert (coup.kind, coup.name) == ("coup", f"{SHOE}/1")


def test_the_shell_finds_the_same(played, database):
    body = json_of(database, "find", "B01", "2")

    assert [(hit["kind"], hit["page"]) for hit in body["found"]] == [("coup", f"/coups/{SHOE}/2")]


def test_the_shell_names_whom_it_found_by_name(database):
    enrol = ("staff", "enrol", "D-9", "Grace Hopper", "dealer", "--by", "A-1")
    assert shell(database, *enrol).exit_code == 0

    assert "sabot staff name D-9  Grace Hopper" in shell(database, "find", "hopper").stdout
    assert json_of(database, "staff", "name", "D-9") == {"staff": "D-9", "name": "Grace Hopper"}


def test_who_looks_for_nothing_is_asked_what_they_look_for(database):
    refused = shell(database, "find", " ")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "type what you look for, as in B01 17" in refused.stderr


def test_more_names_than_are_shown_are_not_left_out_without_a_word(pit, database):
    for number in range(20):
        pit.say("patron.identify", patron=f"guest-{number:02}", **{"is": f"P-{number + 20000}"})
    all_of_them = json_of(database, "find", "guest")
    pit.say("patron.identify", patron="guest-20", **{"is": "P-30000"})
    some_of_them = json_of(database, "find", "guest")

    assert (len(all_of_them["found"]), all_of_them["more"]) == (20, False)
    assert (len(some_of_them["found"]), some_of_them["more"]) == (20, True)
    assert (
        "There are more than 20 such names: type more of the name."
        in shell(database, "find", "guest").stdout
    )


def test_a_card_leads_to_the_coups_in_which_it_came_the_newest_first(played):
    def coups(typed):
        return [hit.name for hit in find(played, typed, LATER)]

    assert coups("b01 Q♦") == coups("B01 dq") == [f"{SHOE}/2", f"{SHOE}/1"]
    assert coups("B01 5s") == [f"{SHOE}/2"]


def test_a_card_is_in_no_coup_before_it_is_turned(pit, database):
    pit.bet(3, "banker", 100_00)
    for card in ("9C", "5S", "7C", "QD"):
        pit.say("draw", card=card, face_down=True)
    with database.session("sabot_auditor") as connection:
        before = find(connection, "B01 9C", LATER)
    pit.say("reveal", hand="player")
    with database.session("sabot_auditor") as connection:
        after = {card: len(find(connection, f"B01 {card}", LATER)) for card in ("9C", "5S")}

    assert (before, after) == ([], {"9C": 1, "5S": 0})


def test_a_form_for_commission_leads_to_its_report(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.walked", seat=3, reason="left in a hurry", **{"with": "S-11"})

    def note(_):
        pass

    found = search(database, "uv-2026-000001", OF_OPEN_HOUSE, note, LATER)

    assert [(each.kind, each.name, each.href) for each in found.hits] == [
        ("form", "UV-2026-000001", f"/reports/vigorish?table=B01&day={DAY}")
    ]
