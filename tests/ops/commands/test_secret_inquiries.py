"""Only surveillance and auditors learn that there is an inquiry, or a case of money laundering."""

import pytest

from domain.rules.permissions import BOSSES, READINGS, ROLES, WATCH
from ops.commands.saved_token import save_token
from ops.door.session_file import token_file
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.closed_house import EVERY_ROLE, GUESS, PIN, ClosedHouse, number
from tests.worlds.held_sessions import sessions_held
from tests.worlds.typed_readings import typed

INQUIRY, WHY = "I-2026-0001", "he peeks at the burn card"
CASE, SUSPECTED = "AML-2026-0001", "changes cash for nothing"
HINTS = (WHY, "aml.decide", INQUIRY, "inquiry.", CASE, SUSPECTED, "aml-case.", "aml-book.")
EVERY = (*READINGS, *(f"report {name}" for name in REPORTS))
OTHERS = [role for role in ROLES if role not in (*WATCH, "device")]


@pytest.fixture(scope="module")
def house(server):
    """A closed house in which surveillance looks into a dealer, and suspects a patron."""
    with server.database() as database, sessions_held():
        house = ClosedHouse(database, EVERY_ROLE)
        assert house.ask(number("pit-boss"), "patron.bar", patron="P-7", reason="asked")["ok"]
        case = house.ask(number("surveillance"), "aml.open", patron="P-7", text=SUSPECTED)
        house.aml_position = case["position"]
        opened = house.ask(
            number("surveillance"), "inquiry.open", about="dealer", subject="N-0", text=WHY
        )
        house.position = opened["position"]
        for second, pin in (("pit-boss", PIN), ("auditor", GUESS)):
            decided = {"aml_case": CASE, "decision": "report", "text": SUSPECTED}
            decided |= {"with": number(second)}
            refused = house.ask(number("surveillance"), "aml.decide", **decided, pin=pin)
            assert refused["error"] in ("SecondPersonNeeded", "WrongPin")
        yield house
        house.close()


@pytest.fixture
def read(house, tmp_path):
    """What somebody in a role reads at this terminal."""

    def read(role, *words):
        save_token(house.token(number(role)))
        return shell(house.database, *words)

    yield read
    token_file().unlink(missing_ok=True)


def proofs(house):
    positions = [house.position - back for back in range(3)]
    positions += [house.aml_position - back for back in range(4)]
    return [("audit", "prove", str(each)) for each in positions]


@pytest.mark.parametrize("role", OTHERS)
def test_others_read_nothing_of_it(house, read, role, tmp_path):
    asked = [*(typed(each, str(tmp_path / "into")) for each in EVERY), *proofs(house)]
    watcher = ("aml", "show", CASE), ("report", "aml-cases", "--patron", "P-7")
    assert [read("surveillance", *words).exit_code for words in watcher] == [0, 0]
    asked += [("find", each) for each in (INQUIRY, WHY, CASE, SUSPECTED, "P-7", "aml")]
    asked += [("find", f"#{each}") for each in (house.position, house.aml_position)]
    asked += [("patron", "show", "P-7"), ("patron", "name", "P-7"), ("report", "readings")]
    outputs = {tuple(words): read(role, *words) for words in asked}
    betrayed = {
        words: done.output
        for words, done in outputs.items()
        if any(each in done.output.replace(words[-1], "") for each in HINTS)
    }

    assert betrayed == {}
    assert all(outputs[each].exit_code for each in proofs(house))


@pytest.mark.parametrize("role", BOSSES)
def test_who_may_prove_events_finds_none_where_an_inquiry_is(house, read, role):
    for words in proofs(house):
        assert f"no events of {words[-1]}" in read(role, *words).output


@pytest.mark.parametrize("role", WATCH)
def test_surveillance_and_auditors_read_it(house, read, role):
    assert WHY in read(role, "inquiry", "show", INQUIRY).output
    assert INQUIRY in read(role, "report", "inquiries").output
    assert INQUIRY in read(role, "find", INQUIRY).output
    shown = read(role, "aml", "show", CASE).output
    assert SUSPECTED in shown, shown
    assert CASE in read(role, "report", "aml-cases").output
    assert CASE in read(role, "report", "secret-readings", "--json").output
    assert read(role, "report", "access", "--json").output.count("aml.decide") == 2
