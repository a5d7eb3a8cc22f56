"""Who may do what, and who may stand by as the second person."""

import re
from pathlib import Path

import pytest

from domain.rules.acts import ACTS, act_called, reading_called
from domain.rules.permissions import BOSSES, READINGS, ROLES, WATCH
from ops import manual
from ops.commands.reader import Asked
from ops.commands.vocabulary import COMMANDS, PERMISSIONS

OWN = {"staff.sign-on", "staff.change-pin"}  # everybody for themselves, with a PIN
EACH = pytest.mark.parametrize("name", PERMISSIONS)


def test_every_command_has_its_permission_and_none_is_left_over():
    assert COMMANDS.keys() - OWN == PERMISSIONS.keys()
    assert OWN <= COMMANDS.keys()


@EACH
def test_the_roles_that_may_exist_and_are_named_once(name):
    roles = PERMISSIONS[name].roles

    assert roles
    assert set(roles) <= set(ROLES)
    assert len(roles) == len(set(roles))


@EACH
def test_there_is_a_person_who_may_be_the_second(name):
    second = PERMISSIONS[name].second

    assert set(second) <= set(ROLES) - {"device"}
    assert second


def test_r_irr_5_these_commands_take_two_people():
    expected = {
        *("table.open", "table.close", "table.roll-over", "table.shift-count"),
        *(
            "slip.request",
            "slip.receive",
            "slip.void",
            "patron.unbar",
            "rules.approve",
            "staff.new-secret",
        ),
        *("void", "correct", "commission.waive", "commission.walked", "patron.settle"),
        *(
            "coup.correct-card",
            "coup.move-wager",
            "coupon.correct",
            "money.correct",
            "patron.separate",
        ),
        "patron.tell-apart",
        *("table.recount", "table.drop-recount", "table.reopen", "shoe.recount"),
        *("shoe.misdraw", "shoe.discard", "dispute.decide"),
        *("table.limits", "table.dealer", "table.supervisor", "table.fill", "table.credit"),
        *("box.remove", "box.carry", "box.count", "account.hand-pay"),
        "table.unlock",
        *("property.level", "inquiry.close", "regime.choose", "incident.money"),
    }

    assert [name for name in expected if not PERMISSIONS[name].must] == []


def test_what_takes_a_dealer_and_a_supervisor_a_supervisor_may_do_alone():
    expected = {
        *("table.limits", "table.dealer", "table.supervisor", "slip.request"),
        *("commission.waive", "commission.walked", "shoe.misdraw", "shoe.discard"),
    }
    alone = {name: each.alone for name, each in PERMISSIONS.items() if each.alone}

    assert alone == dict.fromkeys(expected, BOSSES)


def test_a_device_may_deal_and_nothing_else():
    expected = {
        *("open", "bet", "bets", "withdraw", "no-more-bets", "draw", "reveal", "settle"),
        *("shoe.shuffle", "shoe.cut", "shoe.burn", "shoe.cut-card"),
        *("account.bet", "account.deal", "table.lock-up"),
    }

    assert expected == _may("device")


def test_what_somebody_may_not_do_or_see_is_said_in_words():
    closed = [name for name, reading in READINGS.items() if reading]
    words = [*map(act_called, COMMANDS), *map(reading_called, closed)]

    assert [each for each in words if "`" in each or "." in each] == []
    assert set(ACTS) == set(COMMANDS)
    assert "read the report “Wagers”" == Asked("report wagers").act


# What each gives of what a dealer gives, too. All else that they may, `ops/manual/commands.md` has
# of every command, and its own test compares it with the code.
APART = [
    ("cage", {f"account.{step}" for step in ("hand-pay", "pay-in", "pay-out")}
             | {"commission.form", "commission.receipt", "patron.no-id"}),
    ("security", set()),
    ("surveillance", {f"dispute.{step}" for step in ("open", "note", "hold")}),
    ("auditor", {"dispute.note"}),
    ("administrator", set()),
]  # fmt: skip


@pytest.mark.parametrize(("role", "expected"), APART)
def test_people_who_do_not_work_on_the_floor_do_nothing_that_a_dealer_does_but_this(role, expected):
    assert expected == _may(role) & _may("dealer")


@pytest.mark.parametrize("role", WATCH)
def test_who_watches_neither_deals_nor_moves_money_nor_enrols_anybody(role):
    nouns = {name.partition(".")[0] for name in _may(role) if "." in name}

    assert nouns.isdisjoint({"table", "shoe", "commission", "account", "money", "slip", "staff"})
    assert {name for name in _may(role) if "." not in name} <= {"readjudicate"}


def test_no_role_requests_issues_and_carries_chips():
    steps = [PERMISSIONS[f"slip.{step}"].roles for step in ("request", "issue", "carry", "receive")]
    asks, issues, carries, receives = map(set, steps)

    assert not (asks | receives) & issues
    assert not (asks | issues | receives) & carries


def test_a_pit_boss_may_what_a_supervisor_may_and_a_supervisor_what_a_dealer_may():
    assert _may("dealer") < _may("supervisor") < _may("pit-boss")


def _may(role):
    return {name for name, permission in PERMISSIONS.items() if role in permission.roles}


# The role of whom the manual calls so.
CALLED = {
    "A": "administrator",
    "AU": "auditor",
    "C": "cage",
    "PB": "pit-boss",
    "S": "supervisor",
    "SV": "surveillance",
    "R": "security",
    "D": "dealer",
    "P": "patron",
}


def seconds_in_the_manual():
    """Each command that the manual types with a second person, and that person's number."""
    texts = [path.read_text() for path in Path(manual.__file__).parent.glob("*.md")]
    texts += [f"sabot {kind.example}" for kind in COMMANDS.values()]
    with_second = r"sabot ([a-z-]+(?: [a-z-]+)?)\b[^\n]*--with ([A-Z]+)-[0-9]+"
    typed = re.findall(with_second, "\n".join(texts))
    for words, letters in typed:
        name = words.replace(" ", ".")
        yield name if name in COMMANDS else words.split(" ")[0], CALLED[letters]


def test_the_second_person_of_the_manual_may_be_it():
    asked = {(name, role) for name, role in seconds_in_the_manual() if name in COMMANDS}
    wrong = [each for each in asked if each[1] not in COMMANDS[each[0]].permission.second]

    assert len(asked) > 20
    assert wrong == []
