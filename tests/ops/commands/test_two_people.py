"""Two people are two people: tried by one of them, from a pipe, a feed, a device and a slip."""

import json
import subprocess

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.handlers.dispatcher import Dispatcher
from projections import REPORTS
from tests import VERIFY
from tests.acceptance.channels import rows_of
from tests.worlds.closed_house import GUESS, PIN, ClosedHouse
from tests.worlds.devices import KEY, token_of
from tests.worlds.gaming_table import PLAYER_WINS, GamingTable, mouth_on

pytestmark = pytest.mark.usefixtures("held")

PEOPLE = {
    "A-1": "administrator",
    "D-1": "dealer",
    "S-1": "supervisor",
    "S-2": "supervisor",
    "C-1": "cage",
    "R-1": "security",
}
COUP = "B01/2026-11-21/1/1"
CORRECT = {
    "command": "correct",
    "coup": COUP,
    "seat": 3,
    "spot": "player",
    "reason": "so it was",
    "to": 5_000_00,
}
FILL = {
    "command": "table.fill",
    "table": "B01",
    "chips": {"10000": 50},
    "requested_by": "S-2",
    "cashier": "C-1",
    "runner": "R-1",
}


@pytest.fixture
def house(database):
    with mouth_on(database) as dispatcher:
        GamingTable(dispatcher).open().prepare().play(PLAYER_WINS, (3, "player", 100_00))
    house = ClosedHouse(database, PEOPLE)
    yield house
    house.close()


def device(house, *for_two):
    """One that says this for two people."""
    house.enrol("DEV-1", "device", for_two=list(for_two))
    return Dispatcher(house.casino, "feed", token=token_of("DEV-1"))


def events(house):
    """What is on record of anything but of staff."""
    with house.casino.ledger.connection() as connection:
        return connection.execute(
            "SELECT topic FROM ledger.events WHERE topic NOT LIKE 'staff-member.%' "
            "ORDER BY position"
        ).fetchall()


def why(answer):
    return answer["error"], answer["events"][-1]["why"]


def as_dealer(house, tmp_path, *words, types):
    """The dealer's own shell, with whatever stands in the pipe."""
    return at_shell(house, tmp_path, "D-1", *words, types=types)


def at_shell(house, tmp_path, staff, *words, types=None):
    token = house.token(staff)
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    return CliRunner().invoke(
        cli,
        ["--database", house.database.url, *words],
        input=types,
        env={"SABOT_SESSION": str(tmp_path / "session")},
    )


def test_on_a_feed_naming_a_second_person_who_is_signed_on_is_not_enough(house, tmp_path):
    before = events(house)
    line = json.dumps({**CORRECT, "with": "S-1"}) + "\n"
    result = as_dealer(house, tmp_path, "feed", types=line)
    answer = json.loads(result.stdout)

    assert (result.exit_code, *why(answer)) == (1, "SecondPersonNeeded", "second-unproved")
    assert answer["message"] == (
        "`correct` takes two people, and naming S-1 is not enough. On a pipe or a feed nobody can"
        " type a PIN: S-1 types theirs at the dealer's terminal, or at a shell with a keyboard."
    )
    assert events(house) == before


def test_at_a_piped_shell_naming_a_second_person_is_not_enough(house, tmp_path):
    before = events(house)
    words = ("correct", COUP, "3", "player", "so it was", "--to", "5000", "--with", "S-1")
    result = as_dealer(house, tmp_path, *words, types=f"{PIN}\n" * 3)

    assert (result.exit_code, "On a pipe or a feed nobody can type a PIN" in result.stderr) == (
        1,
        True,
    )
    assert events(house) == before


def test_the_second_person_is_the_one_whose_pin_is_typed(house):
    wrong = house.ask("D-1", **{**CORRECT, "with": "S-1"}, pin=GUESS)

    assert wrong["error"] == "WrongPin"
    assert house.ask("D-1", **CORRECT, **{"with": "S-1"})["ok"]


def test_in_open_house_named_people_are_believed(dispatcher):
    GamingTable(dispatcher).open().prepare().play(PLAYER_WINS, (3, "player", 100_00))

    assert dispatcher.dispatch({**CORRECT, "by": "D-204", "with": "S-11"}).ok


# A device.
def test_a_device_gives_for_two_people_only_the_commands_it_was_enrolled_for(house):
    line = {**CORRECT, "by": "D-1", "with": "S-1"}
    plain = device(house).dispatch(line).body
    other = device(house, "table.limits").dispatch(line).body
    enrolled = device(house, "correct").dispatch(line).body

    assert why(plain) == why(other) == ("NotPermitted", "role")
    assert enrolled["ok"]


def test_a_device_enrolled_for_one_command_gives_no_other_for_two_people(house):
    dispatcher = device(house, "correct")
    void = {"command": "void", "coup": COUP, "reason": "x", "by": "D-1", "with": "S-1"}
    late = {"command": "bet", "table": "B01", "seat": 3, "spot": "player", "amount": 100_00}

    assert why(dispatcher.dispatch(void).body) == ("NotPermitted", "role")
    assert why(dispatcher.dispatch({**late, "by": "D-1", "with": "S-1"}).body) == (
        "SecondPersonNeeded",
        "second-device",
    )


def test_a_device_names_only_people_who_are_signed_on_in_a_role_that_may(house):
    dispatcher = device(house, "correct")
    assert house.dispatchers["S-2"].dispatch({"command": "staff.sign-off", "staff": "S-2"}).ok
    no = {None: "second-missing", "D-1": "second-same", "S-2": "second-off", "C-1": "second-role"}

    for second, told in no.items():
        named = {"with": second} if second else {}
        answer = dispatcher.dispatch({**CORRECT, "by": "D-1", **named}).body
        assert why(answer) == ("SecondPersonNeeded", told)


def test_a_device_for_two_people_names_a_second_even_where_a_boss_may_act_alone(house):
    dispatcher = device(house, "table.limits")
    line = {"command": "table.limits", "table": "B01", "minimum": 50_00, "by": "S-1"}

    assert why(dispatcher.dispatch(line).body) == ("SecondPersonNeeded", "second-missing")
    assert dispatcher.dispatch({**line, "with": "S-2"}).ok


def test_a_device_enrolled_again_gives_only_the_new_commands_for_two_people(house):
    assert house.enrol("DEV-1", "device", for_two=["void", "correct"])["ok"]
    again = house.enrol("DEV-1", "device")
    dispatcher = Dispatcher(house.casino, "feed", token=token_of("DEV-1"))

    assert {"type": "ForTwoChanged", "staff": "DEV-1", "for_two": [],
            "before": ["correct", "void"]} in again["events"]  # fmt: skip
    assert not dispatcher.dispatch({**CORRECT, "by": "D-1", "with": "S-1"}).ok


@pytest.mark.parametrize(
    ("role", "for_two"),
    [
        ("dealer", ["correct"]),  # a person's second types their PIN
        ("device", ["draw"]),  # takes one
        ("device", ["rules.approve"]),  # happens at no table
        ("device", ["no such"]),
    ],
)
def test_only_devices_are_enrolled_for_commands_of_two_people(house, role, for_two):
    answer = house.enrol("X-1", role, for_two=for_two)

    assert (answer["error"], "for_two" in answer["message"]) == ("BadValue", True)


def test_the_enrolment_and_the_access_report_show_a_device_s_commands_for_two(house, tmp_path):
    device(house, "table.fill", "correct")
    device(house)
    acts = [
        act
        for staff, act in rows_of(house.database, "staff", "act", report=REPORTS["access"])
        if staff == "DEV-1" and "two" in act
    ]

    assert acts == [
        "enrolled as device, for two people: correct, table.fill",
        "for two people: no command",
    ]


def test_the_shell_enrols_a_device_for_two(house, tmp_path):
    token = house.token("A-1")
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    words = ["staff", "enrol", "DEV-2", "shoe 2", "device"]
    result = CliRunner().invoke(
        cli,
        ["--database", house.database.url, *words, "--for-two", "correct",
         "--for-two", "table.fill", "--public-key", KEY, "--json"],
        env={"SABOT_SESSION": str(tmp_path / "session")},
    )  # fmt: skip

    assert json.loads(result.stdout)["events"][0]["for_two"] == ["correct", "table.fill"]


# Chips between departments: whoever gave them out or carried them, and not two of the floor.
@pytest.mark.parametrize(
    ("second", "told"), [(None, "second-missing"), ("S-2", "second-not-named"), ("C-1", None)]
)
def test_a_supervisor_cannot_make_a_fill_alone_by_naming_three_others(house, second, told):
    named = {"with": second} if second else {}
    alone = house.dispatchers["S-1"].dispatch({**FILL, **named}).body
    typed = house.ask("S-1", **FILL, **named) if second else alone

    assert alone["error"] == "SecondPersonNeeded"
    assert typed["ok"] if told is None else why(typed) == ("SecondPersonNeeded", told)


def test_whoever_enters_a_fill_that_the_runner_signs_has_counted_it(house):
    answer = house.ask("S-1", **FILL, **{"with": "R-1"})
    (received,) = [event for event in answer["events"] if event["type"] == "SlipReceived"]

    assert received["supervisor"] == "S-1"


# A sealed batch.
def test_a_sealed_batch_is_verified_by_the_person_whose_pin_is_typed(house):
    for line in (
        {"command": "shoe.end", "table": "B01", "reason": "torn", "with": "S-1"},
        {"command": "shoe.load", "table": "B01", "decks": 8, "batch": "T-9"},
    ):
        assert house.ask("D-1", **line, second="S-1")["ok"], line
    inspect = {"command": "shoe.inspect", "table": "B01", "verified_by": "S-1"}
    named = house.dispatchers["D-1"].dispatch(inspect).body

    assert why(named) == ("SecondPersonNeeded", "second-unproved")
    assert (
        why(house.ask("D-1", **{**inspect, "verified_by": "D-1"}, second="D-1"))[1] == "second-same"
    )
    assert house.ask("D-1", **inspect, second="S-1")["ok"]


# What is said of a second person says whether they proved it.
def voids(house):
    return rows_of(house.database, "approved_by", "approved_proved", report=REPORTS["voids"])


def replayed(house, tmp_path, *more):
    result = at_shell(house, tmp_path, "S-1", "replay", COUP, *more)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_view_of_an_approver_says_that_they_typed_their_pin(house, tmp_path):
    house.ask("D-1", **CORRECT, **{"with": "S-1"})
    story = json.loads(replayed(house, tmp_path, "--json"))
    (corrected,) = [each for each in story["afterwards"] if each["event"] == "PaymentCorrected"]

    assert voids(house) == [("S-1", "PIN typed")]
    assert (corrected["approved_by"], corrected["approved_proved"]) == ("S-1", "PIN typed")
    assert "By D-1 with S-1 (PIN typed)." in " ".join(replayed(house, tmp_path).split())


def test_every_view_says_that_an_approver_was_only_named_by_a_device(house, tmp_path):
    assert device(house, "correct").dispatch({**CORRECT, "by": "D-1", "with": "S-1"}).ok
    story = json.loads(replayed(house, tmp_path, "--json"))

    assert voids(house) == [("S-1", "named, not proved")]
    assert story["afterwards"][0]["approved_proved"] == "named, not proved"


def test_every_view_says_that_an_approver_was_only_named_in_open_house(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(PLAYER_WINS, (3, "player", 100_00), (5, "banker", 100_00))
    assert dispatcher.dispatch({**CORRECT, "by": "D-204", "with": "S-11"}).ok
    database = dispatcher.casino.ledger.database

    for report, who, how in (
        ("voids", "approved_by", "approved_proved"),
        ("inventory", "signed_by", "signed_proved"),
    ):
        rows = rows_of(database, who, how, report=REPORTS[report])
        assert rows == [("S-11", "named in open house")], report


def test_exceptions_show_whether_the_second_person_typed_a_pin(house):
    house.ask("D-1", **CORRECT, **{"with": "S-1"})
    people = rows_of(house.database, "kind", "by", report=REPORTS["exceptions"])

    assert ("payment corrected", "D-1, S-1 (PIN typed)") in people


def test_a_slip_shows_of_each_person_whether_they_typed_a_pin(house):
    house.ask("S-1", **FILL, **{"with": "R-1"})
    ((proved,),) = rows_of(house.database, "proved", report=REPORTS["slips"])

    assert proved == {
        "requested_by": "named, not proved",
        "cashier": "named, not proved",
        "runner": "PIN typed",
        "dealer": "named, not proved",
        "supervisor": "signed on",
    }


def test_a_case_and_its_pack_show_whether_the_second_person_typed_a_pin(house, tmp_path):
    late = {"at": "2026-11-21T22:00:00+00:00"}
    opened = {"command": "dispute.open", "coup": COUP, "patron": "P-10417", "complaint": "x"}
    assert house.dispatchers["S-1"].dispatch({**opened, **late}).ok
    decide = {"command": "dispute.decide", "case": "C-2026-0001", "decision": "stand"}
    line = {**decide, "reason": "seen", "with": "S-2", **late}
    assert house.ask("S-1", **line)["ok"]
    shown = at_shell(house, tmp_path, "S-1", "dispute", "show", "C-2026-0001").stdout
    decisions = rows_of(
        house.database, "approved_by", "approved_proved", report=REPORTS["disputes"]
    )
    replayed(house, tmp_path, "--export", str(tmp_path / "coup"))
    pack = json.loads((tmp_path / "coup.json").read_text())
    told = [each for each in pack["replay"]["afterwards"] if each["event"] == "Decided"]

    assert "S-1 with S-2 (PIN typed)" in " ".join(shown.split())
    assert decisions == [("S-2", "PIN typed")]
    assert told[0]["approved_proved"] == "PIN typed"


@pytest.mark.parametrize("says", ["PIN typed", "signed on"])
def test_verify_pack_checks_what_a_pack_says_of_an_approver(house, tmp_path, says):
    house.ask("D-1", **CORRECT, **{"with": "S-1"})
    replayed(house, tmp_path, "--export", str(tmp_path / "coup"))
    file = tmp_path / "coup.json"
    file.write_text(file.read_text().replace("PIN typed", says))
    checked = subprocess.run([VERIFY, file], capture_output=True, text=True, check=False)

    assert (checked.returncode == 0) == (says == "PIN typed"), checked.stdout
