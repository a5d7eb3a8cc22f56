"""Open house believes whoever is named; what takes two people takes somebody, and another one."""

import pytest

from ops.commands.vocabulary import PERMISSIONS
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable, mouth_on

COUP = f"B01/{DAY}/1/1"
AT = {"table": "B01"}
LATE = {"table": "B03", "late": True, "at": f"{DAY}T20:00:10+00:00"}
WAGER = {"seat": 1, "spot": "player", "amount": 100_00}
RULES = "name = 'riverside@1'\nsource = 'sheet'\nbased_on = 'dragon-bonus@1'\n"
# fmt: off
TAKES_TWO = {
    "void":              {"coup": COUP, "reason": "a torn card"},
    "correct":           {"coup": COUP, "seat": 3, "spot": "banker", "reason": "taken", "to": 1_00},
    "dispute.decide":    {"case": "C-2026-0001", "decision": "stand", "reason": "seen"},
    "slip.void":         {"slip": "2026-000001", "reason": "torn"},
    "shoe.end":          {"table": "B02", "reason": "torn"},
    "bet":               {**WAGER, **LATE},
    "bets":              {"wagers": [WAGER], **LATE},
    "commission.waive":  {**AT, "seat": 3, "amount": 1_00, "reason": "a good guest"},
    "commission.walked": {**AT, "seat": 3, "amount": 1_00, "reason": "gone"},
    "rules.approve":     {"file": RULES},
    "coup.correct-card": {"coup": COUP, "n": 1, "card": "9C", "reason": "misread"},
    "coup.move-wager":   {"coup": COUP, "seat": 3, "spot": "tie", "to_seat": 5, "reason": "hers"},
    "money.correct":     {"position": "last", **AT, "withdrawn": True, "reason": "typed wrong"},
    "table.recount":     {**AT, "closer": {"10000": 1}, "reason": "a rack"},
    "table.drop-recount": {**AT, "amount": 1_00, "reason": "a bundle"},
    "table.reopen":      {**AT, "opener": {"10000": 1}, "reason": "20:00"},
    "shoe.recount":      {**AT, "remaining": 14, "reason": "two stuck"},
    "patron.separate":   {"patron": "P-66", "reason": "another guest"},
    "box.remove":        {"box": "X-1"},
    "box.carry":         {"box": "X-2"},
    "box.count":         {"box": "X-3", "amount": 1_00, "third": "C-3"},
    "account.hand-pay":  {**AT, "seat": 3, "amount": 1_00, "reason": "no paper"},
    "table.unlock":      {**AT, "how": "return", "reason": "a screen was dark"},
    "patron.unbar":      {"patron": "P-66", "reason": "a year is over"},
}
# What a table signs for in a closed house, and a demo or a recorded shoe does without ceremony.
BY_ROLE_ONLY = {
    *("table.open", "table.close", "table.roll-over", "table.limits", "table.dealer"),
    *("table.supervisor", "table.fill", "table.credit", "slip.request", "slip.receive"),
    *("shoe.misdraw", "shoe.discard", "table.shift-count"),
}
ONLY_WHEN_CLOSED = {"staff.new-secret", "alert.acknowledge"}
PEOPLE = {
    "nobody":           {},
    "nobody else":      {"by": "D-204"},
    "nobody first":     {"with": "S-11"},
    "the same again":   {"by": "S-11", "with": "S-11"},
}
# fmt: on


@pytest.fixture(scope="module")
def pit(server):
    """Open house: B01 has a coup, a case and a slip; B02 a fresh shoe; B03 deals a coup."""
    with server.database() as database, mouth_on(database) as dispatcher:
        pit = GamingTable(dispatcher).open().prepare()
        pit.play(BANKER_WINS, (3, "banker", 100_00))
        pit.say("slip.request", kind="fill", chips={"10000": 5})
        speak(pit, "dispute.open", coup=COUP, patron="P-10417", complaint="x", by="S-12")
        GamingTable(pit.dispatcher, "B02").open().prepare()
        dealing = GamingTable(pit.dispatcher, "B03").open().prepare()
        dealing.bet(3, "player", 100_00)
        dealing.say("draw", card="9C")
        speak(pit, "patron.bar", patron="P-66", reason="asked for it", by="PB-2")
        with_boxes(pit)
        yield pit


def with_boxes(pit):
    """X-1 is on a table, X-2 is removed, X-3 is in the count room."""
    people = {"by": "R-1", "with": "S-11"}
    for table, box, steps in (("B03", "X-3", 2), ("B02", "X-2", 1), ("B01", "X-1", 0)):
        speak(pit, "box.attach", box=box, table=table)
        for step in ("box.remove", "box.carry")[:steps]:
            speak(pit, step, box=box, **people)


def speak(pit, command, **fields):
    """A line of the house's, at the moment of the pit's own."""
    moment = {} if "at" in fields else {"at": pit.moment.isoformat()}
    return pit.dispatcher.dispatch({"command": command, **moment, **fields}).body


def test_every_command_that_may_take_two_people_is_in_this_list():
    must = {name for name, each in PERMISSIONS.items() if each.must}
    game = {name for name, each in PERMISSIONS.items() if each.two_in_open_house}

    assert must | game == TAKES_TWO.keys() | BY_ROLE_ONLY | ONLY_WHEN_CLOSED
    assert TAKES_TWO.keys() | {"alert.acknowledge"} == game


@pytest.mark.parametrize("people", PEOPLE.values(), ids=PEOPLE)
@pytest.mark.parametrize("command", TAKES_TWO)
def test_a_command_of_two_people_is_refused_without_either(pit, command, people):
    answer = speak(pit, command, **TAKES_TWO[command], **people)

    assert (answer["ok"], answer.get("error")) == (False, "SecondPersonNeeded"), answer
    assert not answer.get("events")


@pytest.mark.parametrize("command", TAKES_TWO)
def test_a_terminal_asks_for_the_second_person_of_the_command(pit, command):
    line = {"command": command, **TAKES_TWO[command], "by": "PB-9"}
    moment = {} if "at" in line else {"at": pit.moment.isoformat()}

    assert pit.dispatcher.needs_second({**line, **moment})


@pytest.mark.parametrize("command", ["commission.waive", "commission.walked"])
def test_two_people_waive_commission_and_both_are_on_record(pit, command):
    answer = speak(pit, command, **TAKES_TWO[command], by="PB-2", **{"with": "S-11"})
    event = answer["events"][0]

    assert (event["by"], event["approved_by"]) == ("PB-2", "S-11")
