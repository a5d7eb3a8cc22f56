"""A house in which every command of two people can be given at once, and a line of each.

B01 has a settled coup, a case, two slips and a box; B02 a fresh shoe; B03 deals a coup; B04 is
open, and nobody sits there; B06 is closed; B08 has a jackpot to pay; B09 took a coupon; E01 is an
electronic table, locked up.
"""

from typing import Any

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.trial import second_of
from tests.worlds import coupon_sheets
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, sheet
from tests.worlds.twin_tables import TwinTable

COUP = f"B01/{DAY}/1/1"
AT = {"table": "B01"}
TWO = {"with": "S-11"}
NO_ID = 254  # the position of what `patron no-id` recorded
CLOSED = {"table": "B06"}
ACCOUNTS = {"table": "E01"}
SLIP = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1"}
LATE = {"table": "B03", "late": True, "at": f"{DAY}T20:00:10+00:00"}
WAGER = {"seat": 1, "spot": "player", "amount": 100_00}
PRINTED = {"coupon": "XX-1", "kind": "free-bet", "worth": 25_00}
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
    "patron.settle":     {**AT, "patron": "P-10417", "how": "received", "reason": "came by"},
    "rules.approve":     {"file": RULES},
    "regime.choose":     {"file": "united-states", "day": "2099-12-01"},
    "coup.correct-card": {"coup": COUP, "n": 1, "card": "9C", "reason": "misread"},
    "coup.move-wager":   {"coup": COUP, "seat": 3, "spot": "tie", "to_seat": 5, "reason": "hers"},
    "money.correct":     {"position": "last", **AT, "withdrawn": True, "reason": "typed wrong"},
    "table.recount":     {**AT, "closer": {"10000": 1}, "reason": "a rack"},
    "table.drop-recount": {**AT, "amount": 1_00, "reason": "a bundle"},
    "table.reopen":      {**AT, "opener": {"10000": 1}, "reason": "20:00"},
    "shoe.recount":      {**AT, "remaining": 14, "reason": "two stuck"},
    "patron.tell-apart": {"patron": "p-66", "other": "P-66", "reason": "her brother"},
    "patron.separate":   {"patron": "P-66", "reason": "another guest"},
    "patron.withdraw-no-id": {"position": NO_ID, "reason": "it was P-10471"},
    "table.cash-out":    {**AT, "seat": 3, "amount": 90_000_00},
    "box.remove":        {"box": "X-1"},
    "box.carry":         {"box": "X-2"},
    "box.count":         {"box": "X-3", "amount": 1_00, "third": "C-3"},
    "account.hand-pay":  {**AT, "seat": 3, "amount": 1_00, "reason": "no paper"},
    "table.unlock":      {**AT, "how": "return", "reason": "a screen was dark"},
    "patron.risk":      {"patron": "P-10417", "risk": "low", "reason": "all is well",
                         "review": "2027-05-31"},
    "patron.unbar":      {"patron": "P-66", "reason": "a year is over"},
    "property.level":    {"question": "new deck", "level": 1_000_000},
    "incident.money":    {"incident": "IR-2026-0001", "amount": 50_00, "source": "cage",
                          "into": "person", "reason": "for a taxi"},
    "aml.decide":        {"aml_case": "AML-2026-0001", "decision": "report", "text": "seen"},
    "inquiry.close":     {"inquiry": "I-2026-0001", "outcome": "unproven", "reason": "seen"},
    "settle":            {"table": "B08"},
    "coupon.lay":        {"table": "B09", "seat": 5, "spot": "tie", **PRINTED},
    "coupon.correct":    {"coup": f"B09/{DAY}/1/1", "seat": 3, "withdrawn": True, "reason": "x"},
}
# What a table signs for in a closed house, and a demo or a recorded shoe does without ceremony.
BY_ROLE = {
    "table.open":        {"table": "B05", "rules": "classic@1", "opener": {"10000": 9}, "day": DAY},
    "table.close":       {"table": "B04", "closer": {"10000": 199}, "confirmed": True},
    "table.roll-over":   {"table": "B04", "closer": {"10000": 200}, "confirmed": True},
    "table.limits":      {**AT, "minimum": 50_00},
    "table.dealer":      {**AT, "staff": "D-205"},
    "table.supervisor":  {**AT, "staff": "S-12"},
    "table.fill":        {**AT, "chips": {"10000": 2}, **SLIP},
    "table.credit":      {**AT, "chips": {"10000": 2}, **SLIP},
    "table.shift-count": {**AT, "chips": {"10000": 201}},
    "slip.request":      {**AT, "kind": "fill", "chips": {"10000": 3}},
    "slip.receive":      {"slip": "2026-000002"},
    "shoe.misdraw":      {**AT, "card": "9C"},
    "shoe.discard":      {"table": "B02", "card": "9C", "reason": "damaged"},
}
# Lines that are done as soon as a second person signs, where those above are not.
DECIDED = TAKES_TWO | BY_ROLE | {
    "coup.correct-card": {"coup": COUP, "n": 2, "card": "8S", "reason": "misread"},
    "coup.move-wager":   {"coup": COUP, "seat": 3, "spot": "banker", "to_seat": 5, "reason": "x"},
    "correct":           {"coup": COUP, "seat": 3, "spot": "banker", "reason": "x", "to": 1_00},
    "table.recount":     {**CLOSED, "closer": {"10000": 190}, "reason": "a rack"},
    "table.drop-recount": {**CLOSED, "amount": 900_00, "reason": "a bundle"},
    "table.reopen":      {**CLOSED, "opener": {"10000": 1}, "reason": "20:00", "confirmed": True},
    "shoe.recount":      {**CLOSED, "remaining": 411, "reason": "two stuck"},
    "account.hand-pay":  {**ACCOUNTS, "seat": 3, "amount": 1_00, "reason": "no paper"},
    "table.unlock":      {**ACCOUNTS, "how": "return", "reason": "a screen was dark"},
}
# fmt: on


def house_of_two(dispatcher):
    """The house; the answer is the table B01."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("slip.request", kind="fill", chips={"10000": 5})
    speak(pit, "dispute.open", coup=COUP, patron="P-10417", complaint="x", by="S-12")
    GamingTable(pit.dispatcher, "B02").open().prepare()
    dealing = GamingTable(pit.dispatcher, "B03").open().prepare()
    dealing.bet(3, "player", 100_00)
    dealing.say("draw", card="9C")
    speak(pit, "patron.bar", patron="P-66", reason="asked for it", by="PB-2")
    risk = {"risk": "high", "reason": "pays for others", "review": "2027-05-31"}
    speak(pit, "patron.risk", patron="P-10417", **risk, by="PB-2")
    with_boxes(pit)
    with_a_jackpot(pit)
    with_a_coupon(pit)
    speak(pit, "incident.open", kind="medical", text="x", by="S-12")
    speak(pit, "inquiry.open", about="coup", subject=COUP, text="x", by="SV-1")
    speak(pit, "aml.open", patron="P-10417", text="x", by="SV-1")
    return pit


def with_a_jackpot(pit):
    """B08 has a coup that wins a meter, and is not settled."""
    file = sheet(name="jackpots@1", more='two_people_above = "500.00"')
    assert speak(pit, "rules.approve", file=file, by="A-1", **{"with": "S-11"})["ok"]
    table = GamingTable(pit.dispatcher, "B08").open("jackpots@1").prepare()
    table.bet(3, "fortune", 100_00)
    table.deal(BY_NINE)


def with_a_coupon(pit):
    """B09 takes coupons, and has settled a coup with one."""
    assert speak(pit, "rules.approve", file=coupon_sheets.sheet(), by="A-1", **TWO)["ok"]
    table = GamingTable(pit.dispatcher, "B09").open("promo@1").prepare()
    speak(pit, "coupon.issue", coupon="MP-1", kind="match-play", worth=25_00, by="C-1")
    table.bet(3, "banker", 100_00)
    table.say("coupon.lay", seat=3, spot="banker", coupon="MP-1")
    table.deal(BANKER_WINS, settle=True)


def with_all_that_is_decided(pit):
    """The house, and what the lines of `DECIDED` need beside it."""
    pit.say("slip.request", kind="fill", chips={"10000": 4}, by="S-11")
    for step, person in (("issue", "C-1"), ("carry", "R-1")):
        assert speak(pit, f"slip.{step}", slip="2026-000002", by=person)["ok"]
    pit.say("table.buy-in", seat=1, amount=500_00)
    pit.play(PLAYER_WINS, (1, "player", 100_00), (3, "banker", 100_00))
    speak(pit, "patron.identify", patron="P-66", by="PB-2", **{"is": "P-7"})
    empty = {"rules": "classic@1", "opener": {"10000": 200}, "day": DAY}
    speak(pit, "table.open", table="B04", **empty, by="D-204", **{"with": "S-11"})
    TwinTable(pit.dispatcher, "B06").begin().finish(left=412)
    accounts = ElectronicTable(pit.dispatcher).begin((3, 200_00))
    accounts.bet(3, "player", 50_00)
    accounts.say("table.lock-up", reason="a screen is dark")
    missing = {"patron": "P-10411", "direction": "in", "amount": 9_000_00}
    answer = speak(pit, "patron.no-id", **missing, by="D-204")
    assert answer.get("position") == NO_ID, answer
    return pit


def with_boxes(pit):
    """X-1 is on a table, X-2 is removed, X-3 is in the count room."""
    people = {"by": "R-1", "with": "S-11"}
    for table, box, steps in (("B03", "X-3", 2), ("B02", "X-2", 1), ("B01", "X-1", 0)):
        speak(pit, "box.attach", box=box, table=table)
        for step in ("box.remove", "box.carry")[:steps]:
            speak(pit, step, box=box, **people)


def speak(pit, command, **fields):
    """A line of the house's, at the moment of the pit's own.

    Rule sets that a test learned are forgotten after it, so they are read from the record again.
    """
    pit.dispatcher.casino.forget()
    moment = {} if "at" in fields else {"at": pit.moment.isoformat()}
    return pit.dispatcher.dispatch({"command": command, **moment, **fields}).body


def needs_second(dispatcher: Dispatcher, line: dict[str, Any]) -> bool:
    """Whether a second person must be asked before the line is dispatched."""
    return second_of(dispatcher, line) is not None
