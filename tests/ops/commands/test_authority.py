"""Who may do what: every command by every role, second persons, devices, and the open house."""

import json
from dataclasses import replace

import pytest

from domain.rules.addresses import kind_of_alert
from domain.rules.permissions import ROLES, of_alert
from domain.rules.refusals import NotSignedOn
from ops.commands.casino import Casino
from ops.commands.signed_on import Token
from ops.commands.vocabulary import PERMISSIONS
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People, Proof, digest
from tests.conftest import ELSEWHERE
from tests.ops.commands.example_line import example_line
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.devices import KEY, token_of

CHIPS = {"10000": 1}
AT = {"table": "B01"}
OPEN = {"table": "B02", "rules": "classic@1", "opener": CHIPS}
BET = {"seat": 3, "spot": "player"}
SLIP = {"chips": CHIPS, "requested_by": number("supervisor")}
SLIP |= {"cashier": number("cage"), "runner": number("security")}


def given(command, second):
    """What its example has in it; whoever it is about is here, and not at work.

    `second`: who is the second person if it takes one. What it would do is another test's business.
    """
    line = {
        name: "X-2" if each == "D-204" else each for name, each in example_line(command).items()
    }
    two = PERMISSIONS[command].must or "with" in line
    fields = {name: each for name, each in line.items() if name not in ("command", "by", "with")}
    return fields | ({"with": second} if two else {})


def roles_that_may(command):
    """Who may give what its example has; who takes an alert off the board depends on its kind."""
    if command == "alert.acknowledge":
        return of_alert(kind_of_alert(example_line(command)["alert"])).acknowledged_by
    return PERMISSIONS[command].roles


@pytest.fixture(scope="module")
def closed(server):
    with server.database() as database:
        house = ClosedHouse(database, EVERY_ROLE)
        house.enrol("X-2", "dealer")
        yield house
        house.close()


@pytest.mark.parametrize("role", [role for role in ROLES if role != "device"])
@pytest.mark.parametrize("command", PERMISSIONS)
def test_every_command_of_every_role_is_allowed_or_not_permitted_and_nothing_else(
    closed, role, command
):
    permission = PERMISSIONS[command]
    second = next((each for each in permission.second if each != role), None)
    others = {field: number(second) for field in permission.second_among[:1]}
    answer = closed.ask(number(role), command, **{**given(command, number(second)), **others})
    people = {"NotPermitted", "NotSignedOn", "SecondPersonNeeded"}

    if role in roles_that_may(command):  # X-2, whom some lines are about, is not at work
        named = [event for event in answer.get("events", ()) if event.get("why") == "named"]
        assert answer.get("error") not in people or named or "X-2" in answer["message"], answer
    else:
        assert (answer["error"], answer["events"][0]["why"]) == ("NotPermitted", "role")
        assert [event["type"] for event in answer["events"]] == ["ActRefused"]


SECONDS = [
    # with              why                 words
    (None,              "second-missing",   " Name a supervisor or a pit boss as the second."),
    ("dealer",          "second-same",      "N-0 is already the first."),
    ("N-99",            "second-unknown",   "N-99 is no staff number."),
    ("cage",            "second-role",      "N-3 has another role."),
]  # fmt: skip


@pytest.mark.parametrize(("second", "why", "words"), SECONDS, ids=[row[1] for row in SECONDS])
def test_a_second_person_is_somebody_else_in_a_role_that_may(closed, second, why, words):
    named = {"with": number(second) if second in ROLES else second} if second else {}
    answer = closed.ask(number("dealer"), "table.open", **OPEN, **named)

    assert (answer["error"], answer["events"][0]["why"]) == ("SecondPersonNeeded", why)
    assert words in answer["message"]


def test_a_pin_typed_in_place_of_a_second_number_goes_on_no_record(closed):
    line = {**OPEN, "with": "824613"}
    answer = closed.ask(number("dealer"), "table.open", **line)

    assert answer["error"] == "BadValue"
    assert "824613" not in str(answer)
    assert "events" not in answer


def test_without_a_sign_on_every_command_is_refused(closed):
    for token in (
        Token(),
        Token(number("dealer"), "a guess"),
        Token("N-99", "x"),
        Token("X-2", ""),
    ):
        speaker = Dispatcher(closed.casino, "test", token=token)
        answer = speaker.dispatch({"command": "open", **AT, "by": number("dealer")}).body

        assert answer["error"] == "NotSignedOn"


def test_only_a_device_gives_commands_in_somebody_else_s_name(closed):
    other = closed.ask(number("dealer"), "open", **AT, by=number("supervisor"))

    assert (other["error"], other["events"][0]["why"]) == ("NotPermitted", "by")


def test_everybody_signs_themselves_off_and_on_again(closed):
    assert closed.ask(number("cage"), "staff.sign-off", staff=number("cage"))["ok"]
    assert closed.ask(number("cage"), "slip.issue", slip="2026-000001")["error"] == "NotSignedOn"
    assert closed.sign_on(number("cage"))["ok"]


def test_a_sign_on_while_signed_on_elsewhere_is_refused_and_recorded(closed, at_place):
    at_place(ELSEWHERE)
    answer = closed.sign_on(number("dealer"), table="B07")

    assert (answer["error"], answer["events"][0]["why"]) == ("NotPermitted", "signed-on-elsewhere")


def test_a_sign_on_without_a_pin_is_refused(closed):
    line = {"command": "staff.sign-on", "staff": "X-2"}

    assert closed.dispatchers[number("dealer")].dispatch(line).body["error"] == "NotSignedOn"


def test_a_device_has_its_own_key_and_names_only_people_who_are_signed_on(database):
    house = ClosedHouse(database, EVERY_ROLE)
    house.enrol("X-2", "dealer")
    house.ask(
        number("administrator"),
        "staff.enrol",
        staff="DEV-1",
        name="shoe 7",
        role="device",
        public_key=KEY,
        id="dev-1",
    )
    device = Dispatcher(house.casino, "feed", token=token_of("DEV-1"))
    house.ask(number("dealer"), "table.open", **OPEN, **{"with": number("supervisor")})
    lines = [
        ({"command": "open", "table": "B02"}, "ShoeNotReady"),
        ({"command": "open", "table": "B02", "by": number("dealer")}, "ShoeNotReady"),
        ({"command": "open", "table": "B02", "by": "X-2"}, "NotSignedOn"),
        ({"command": "bets", "wagers": [BET | {"amount": 5_00}], "table": "B02"}, "ShoeNotReady"),
        ({"command": "withdraw", **BET, "table": "B02"}, "ShoeNotReady"),
        ({"command": "table.limits", "table": "B02", "minimum": 50_00}, "NotPermitted"),
        ({"command": "table.limits", "table": "B02", "minimum": 5_00, "by": number("dealer")},
         "NotPermitted"),
    ]  # fmt: skip

    assert [error for _, error in lines] == [
        device.dispatch(line).body["error"] for line, _ in lines
    ]
    house.close()


def test_the_house_is_open_until_the_first_administrator_and_then_for_good(dispatcher, superuser):
    assert dispatcher.dispatch({"command": "table.open", **OPEN, "by": "any"}).ok
    enrol = {"command": "staff.enrol", "staff": "A-1", "name": "Ann", "role": "administrator"}
    answer = dispatcher.dispatch({**enrol, "by": "any", "id": "first"}).body
    again = dispatcher.dispatch({**enrol, "by": "any", "id": "first"}).body
    (kept,) = superuser.execute(
        "SELECT answer FROM ledger.commands WHERE command_id = 'first'"
    ).fetchone()

    assert [event["type"] for event in answer["events"]] == [
        *("StaffMemberEnrolled", "CodeIssued", "AdministratorsChanged", "HouseClosed"),
        "RecoverySecretIssued",
    ]
    assert answer == again
    assert "code" not in json.loads(kept)
    assert answer["code"] not in kept
    assert answer["recovery_secret"] not in kept
    assert (
        dispatcher.dispatch({"command": "open", **AT, "by": "any"}).body["error"] == "NotSignedOn"
    )


def test_the_actor_of_an_event_is_the_person_who_signed_on(closed):
    events = closed.casino.ledger
    with events.connection() as connection:
        closed.ask(number("pit-boss"), "patron.bar", patron="P-77", reason="banned")
        row = connection.execute(
            "SELECT DISTINCT actor FROM ledger.events WHERE topic = 'patron.barred' "
            "AND convert_from(state, 'UTF8') LIKE '%P-77%'"
        ).fetchone()

    assert row == (number("pit-boss"),)


# What is refused and recorded nowhere rests on nothing that another process changed since.
@pytest.fixture
def elsewhere(database):
    """A house, and another process that works in it."""
    house = ClosedHouse(database, EVERY_ROLE)
    other = Casino(Ledger(database))
    yield house, lambda role: Dispatcher(other, "test", token=house.token(number(role)))
    other.close()
    house.close()


def test_a_session_on_another_machine_can_be_ended_from_here(elsewhere):
    house, other = elsewhere
    line = {"command": "staff.sign-off", "staff": number("dealer")}
    off = [house.boss.dispatch(line).body for _ in range(2)]
    proof = Proof(right=True, session=digest("another"))
    on = other("dealer").dispatch({**line, "command": "staff.sign-on"}, proof)

    assert (off[0]["ok"], off[1]["error"], on.ok) == (True, "NotSignedOn", True)
    assert house.boss.dispatch(line).ok


def test_a_device_names_people_who_signed_on_at_another_process(elsewhere):
    """Their new token is good although this process still knows them by the old one."""
    house, other = elsewhere
    line = {"command": "staff.sign-off", "staff": number("pit-boss")}
    assert other("pit-boss").dispatch(line).ok
    proof = Proof(right=True, session=digest("fresh"))
    assert other("pit-boss").dispatch({**line, "command": "staff.sign-on"}, proof).ok
    fresh = Dispatcher(house.casino, "test", token=Token(number("pit-boss"), "fresh"))
    bar = {"command": "patron.bar", "patron": "P-7", "reason": "x"}

    assert fresh.dispatch(bar).ok
    assert house.dispatchers[number("pit-boss")].dispatch(bar).body["error"] == "NotSignedOn"


def test_checks_that_record_nothing_see_the_latest_events(elsewhere):
    house, other = elsewhere
    asks = house.dispatchers[number("dealer")].authority
    asks.require_one_of(("dealer",), "look")
    line = {"command": "staff.sign-off", "staff": number("dealer")}
    assert other("dealer").dispatch(line).ok

    with pytest.raises(NotSignedOn):
        asks.require_one_of(("dealer",), "look")


def test_a_refusal_that_is_not_kept_is_decided_once_where_nothing_changed(elsewhere, monkeypatch):
    house, _ = elsewhere
    stranger = Dispatcher(house.casino, "test")
    decided = []
    require = stranger.authority.require
    monkeypatch.setattr(
        stranger.authority,
        "require",
        lambda command, **how: (decided.append(1), require(command, **how)),
    )
    line = {"command": "open", **AT}

    assert stranger.dispatch(line).body["error"] == "NotSignedOn"
    assert len(decided) == 1


def test_a_device_gives_only_commands_of_the_game(database):
    house = ClosedHouse(database, EVERY_ROLE)
    enrolled = house.enrol("DEV-1", "device")
    device = Dispatcher(house.casino, "feed", token=token_of("DEV-1"))
    enrol = {"command": "staff.enrol", "staff": "A-2", "name": "A", "role": "administrator"}
    answer = device.dispatch({**enrol, "by": number("administrator")}).body
    house.close()

    assert "code" not in enrolled
    assert (answer["error"], answer["events"][0]["staff"]) == ("NotPermitted", "DEV-1")


def test_a_code_is_shown_again_only_to_people_who_may_enrol(database):
    house = ClosedHouse(database, EVERY_ROLE)
    enrol = {"command": "staff.enrol", "staff": "D-9", "name": "D", "role": "dealer", "id": "e-9"}
    first = house.boss.dispatch(enrol).body
    again = house.boss.dispatch(enrol).body
    for token in (Token(), house.token(number("dealer"))):
        other = Dispatcher(house.casino, "test", token=token).dispatch(enrol).body

        assert "code" not in other
        assert other == {name: told for name, told in first.items() if name != "code"}
    house.close()

    assert first == again


def test_a_first_administrator_who_chose_a_pin_gives_no_code_away(dispatcher):
    enrol = {"command": "staff.enrol", "staff": "A-1", "name": "A", "role": "administrator"}
    code = dispatcher.dispatch({**enrol, "id": "first"}).body["code"]
    proof = People(dispatcher.casino.ledger).proof("A-1", code, "471108")
    line = {"command": "staff.sign-on", "staff": "A-1"}
    assert dispatcher.dispatch(line, replace(proof, session=digest("x"))).ok

    assert code
    assert "code" not in dispatcher.dispatch({**enrol, "id": "first"}).body


NAMED = [
    ("table.fill", {"requested_by": "ghost"}),
    ("table.fill", {"cashier": number("dealer")}),
    ("table.fill", {"runner": "X-2"}),
    ("table.credit", {"cashier": "ghost"}),
    ("table.dealer", {"staff": "ghost"}),
    ("table.dealer", {"staff": number("supervisor")}),
    ("table.supervisor", {"staff": number("dealer")}),
]


@pytest.mark.parametrize(("command", "wrong"), NAMED)
def test_other_people_that_a_command_names_are_signed_on_in_that_role(closed, command, wrong):
    brought = number("security" if "cashier" in wrong else "cage")
    slip = {**SLIP, "with": brought} if command in ("table.fill", "table.credit") else {}
    closed.sign_off(number("pit-boss"))
    closed.sign_on(number("pit-boss"))
    answer = closed.ask(number("pit-boss"), command, **{**AT, **slip, **wrong})

    assert (answer["error"], answer["events"][0]["why"]) == ("NotPermitted", "named")


def test_a_proof_from_before_a_new_code_proves_nothing(dispatcher):
    enrol = {"command": "staff.enrol", "staff": "D-204", "name": "D", "role": "dealer"}
    old = dispatcher.dispatch(enrol).body["code"]
    proof = People(dispatcher.casino.ledger).proof("D-204", old, "471108")
    new = dispatcher.dispatch(enrol).body["code"]
    line = {"command": "staff.sign-on", "staff": "D-204"}
    stale = dispatcher.dispatch(line, replace(proof, session=digest("x"))).body
    people = People(dispatcher.casino.ledger)

    assert (stale["ok"], stale["error"]) == (False, "Conflict")
    assert (people.proof("D-204", old).right, people.proof("D-204", new).right) == (False, True)


def test_a_sign_on_in_open_house_does_not_count_after_the_house_closes(dispatcher):
    for staff, role in (("S-1", "supervisor"), ("A-1", "administrator")):
        enrol = {"command": "staff.enrol", "staff": staff, "name": staff, "role": role}
        code = dispatcher.dispatch(enrol).body["code"]
        line = {"command": "staff.sign-on", "staff": staff}
        if staff == "S-1":
            assert dispatcher.dispatch(line).ok  # no PIN was asked
        else:
            proof = People(dispatcher.casino.ledger).proof(staff, code, "471108")
            assert dispatcher.dispatch(line, replace(proof, session=digest("x"))).ok
    boss = Dispatcher(dispatcher.casino, "test", token=Token("A-1", "x"))
    unbar = {"command": "patron.unbar", "patron": "P-1", "reason": "over", "with": "S-1"}
    answer = boss.dispatch(unbar).body

    assert (answer["error"], answer["events"][0]["why"]) == (
        "SecondPersonNeeded",
        "second-unproved",
    )


def test_a_line_refused_without_a_sign_on_is_accepted_after_one(closed):
    line = {"command": "patron.bar", "patron": "P-5", "reason": "asked", "id": "poison"}
    stranger = Dispatcher(closed.casino, "test")

    assert stranger.dispatch(line).body["error"] == "NotSignedOn"
    assert closed.dispatchers[number("pit-boss")].dispatch(line).ok


def test_the_last_administrator_cannot_be_retired(database):
    house = ClosedHouse(database, EVERY_ROLE)
    me = number("administrator")
    demoted = house.ask(number("administrator"), "staff.enrol", staff=me, name="x", role="dealer")
    retired = house.ask(number("administrator"), "staff.retire", staff=me)
    house.close()

    assert [each["error"] for each in (demoted, retired)] == ["BadValue", "BadValue"]


def test_the_device_that_gave_a_command_is_recorded(database):
    house = ClosedHouse(database, EVERY_ROLE)
    house.enrol("DEV-1", "device")
    others = {"with": number("supervisor")}
    house.ask(number("dealer"), "table.open", **OPEN, **others)
    house.ask(number("dealer"), "shoe.load", table="B02", decks=8)
    house.ask(number("dealer"), "shoe.inspect", table="B02")
    device = Dispatcher(house.casino, "feed", token=token_of("DEV-1"))
    line = {"command": "shoe.shuffle", "table": "B02", "method": "machine", "by": number("dealer")}
    assert device.dispatch(line).ok
    with house.casino.ledger.connection() as connection:
        row = connection.execute(
            "SELECT actor, metadata::jsonb ->> 'device' FROM ledger.events "
            "WHERE topic = 'shoe.shuffled'"
        ).fetchone()
    house.close()

    assert row == (number("dealer"), "DEV-1")


def test_a_refused_name_is_not_repeated_in_the_answer(dispatcher, superuser):
    enrol = {"command": "staff.enrol", "staff": "D-1", "name": "Jane  Doe", "role": "dealer"}
    answer = dispatcher.dispatch({**enrol, "id": "x"})

    assert answer.body["error"] == "BadValue"
    assert "Jane" not in str(answer)
    assert superuser.execute("SELECT answer FROM ledger.commands").fetchone() is None
