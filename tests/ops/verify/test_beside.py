"""What a superuser does beside the record, to PINs and sealed orders, and what shows it."""

import pytest

from domain.events import property as property_events
from domain.events import shoe, staff_member
from ops.handlers.sign_on import change_pin
from ops.verify import verification
from tests.worlds.closed_house import PIN, ClosedHouse
from tests.worlds.gaming_table import GamingTable, generate

pytestmark = pytest.mark.usefixtures("held")

NEXT = "550731"


def faults(database):
    return {
        (each.fault, each.words.split(" is ")[0].split(" has ")[0])
        for each in verification.walk(database).faults
    }


@pytest.fixture
def house(database):
    """Two people with PINs, and one who has not used the code yet."""
    house = ClosedHouse(database, {"A-1": "administrator", "D-204": "dealer"})
    house.enrol("D-205", "dealer")
    yield database
    house.close()


@pytest.fixture
def shoes(dispatcher, database):
    """Generated shoes at B01 and B02."""
    for table in ("B01", "B02"):
        generate(GamingTable(dispatcher, table).open("electronic@1"))
    return database


def test_what_is_stored_is_what_the_events_have_after_every_way_to_change_it(database):
    house = ClosedHouse(database, {"A-1": "administrator", "D-204": "dealer", "X-1": "device"})
    assert change_pin(house.dispatchers["D-204"], "D-204", PIN, NEXT).ok
    house.enrol("D-204", "dealer")
    house.join("D-204", "dealer")
    house.enrol("D-204", "dealer")
    house.boss.dispatch({"command": "staff.new-secret"})
    house.boss.dispatch({"command": "staff.recover", "staff": "A-1"})
    house.boss.dispatch({"command": "staff.retire", "staff": "X-1", "reason": "broken"})
    house.close()

    assert not faults(database)


def test_an_order_that_was_revealed_is_missed_by_nobody(shoes, dispatcher):
    dispatcher.dispatch({"command": "shoe.end", "table": "B01", "reason": "the evening is over"})

    assert not faults(shoes)


PINS = {
    "two PINs changed places": (
        "UPDATE people.staff s SET pin_hash = o.pin_hash FROM people.staff o"
        " WHERE s.staff <> o.staff AND s.pin_hash IS NOT NULL AND o.pin_hash IS NOT NULL",
        {("PIN", "The PIN of A-1"), ("PIN", "The PIN of D-204")},
    ),
    "an administrator's PIN is a dealer's": (
        "UPDATE people.staff SET pin_hash = o.pin_hash"
        " FROM people.staff o WHERE o.staff = 'D-204' AND people.staff.staff = 'A-1'",
        {("PIN", "The PIN of A-1")},
    ),
    "a PIN without its event": (
        "UPDATE people.staff SET pin_hash = code_hash, code_hash = NULL WHERE staff = 'D-205'",
        {("PIN", "The PIN of D-205"), ("one-time code", "The one-time code of D-205")},
    ),
    "another's code": (
        "UPDATE people.staff SET code_hash = o.code_hash"
        " FROM people.staff o WHERE o.staff = 'D-205' AND people.staff.staff = 'A-1'",
        {("one-time code", "The one-time code of A-1")},
    ),
    "another code": (
        "UPDATE people.staff SET code_hash = repeat('0', 64) WHERE staff = 'D-205'",
        {("one-time code", "The one-time code of D-205")},
    ),
    "a stranger": (
        "INSERT INTO people.staff VALUES ('Z-9', 'Zed', 'forged')",
        {
            ("PIN", "The PIN of Z-9"),
            ("staff row", "The staff row of Z-9"),
            ("name of a staff number", "The name of a staff number (Z-9)"),
            ("count of wrong PINs", "The count of wrong PINs (Z-9)"),
        },
    ),
    "a person deleted": (
        "DELETE FROM people.staff WHERE staff = 'D-204'",
        {("PIN", "The PIN of D-204"), ("staff row", "The staff row of D-204")},
    ),
    "another recovery secret": (
        "UPDATE people.recovery SET digest = repeat('0', 64)",
        {("recovery secret", "The recovery secret")},
    ),
    "no recovery secret": (
        "DELETE FROM people.recovery",
        {("recovery secret", "The recovery secret")},
    ),
}


@pytest.mark.parametrize(("attack", "found"), PINS.values(), ids=PINS)
def test_a_secret_that_was_replaced(house, superuser, attack, found):
    assert not faults(house)
    superuser.execute(attack)

    assert faults(house) == found


ORDERS = {
    "two orders changed places": (
        "UPDATE sealed.orders s SET sealed = o.sealed FROM sealed.orders o WHERE o.shoe <> s.shoe",
        {"B01", "B02"},
    ),
    "one byte": ("UPDATE sealed.orders SET sealed = set_byte(sealed, 9, "
                 "255 - get_byte(sealed, 9))"
                 " WHERE shoe LIKE 'B01%'", {"B01"}),
    "deleted": ("DELETE FROM sealed.orders WHERE shoe LIKE 'B02%'", {"B02"}),
    "of a shoe that was never shuffled": (
        "INSERT INTO sealed.orders VALUES ('B03/2026-11-21/1', '\\x00')", {"B03"}
    ),
}  # fmt: skip


@pytest.mark.parametrize(("attack", "tables"), ORDERS.values(), ids=ORDERS)
def test_a_sealed_order_that_was_replaced(shoes, superuser, attack, tables):
    superuser.execute(attack)

    assert faults(shoes) == {
        ("sealed order", f"The sealed order of {table}/2026-11-21/1") for table in tables
    }


def test_the_events_with_digests_have_an_index_of_their_own(superuser):
    kinds = [
        *(staff_member.Enrolled, staff_member.CodeIssued, staff_member.KeyRegistered),
        *(staff_member.PinChosen, property_events.RecoverySecretIssued),
        *(shoe.Shuffled, shoe.OrderRevealed, shoe.OrderUntold),
    ]
    topics = ", ".join(f"'{kind.TOPIC}'" for kind in kinds)
    superuser.execute("SET enable_seqscan = off")
    plan = superuser.execute(
        f"EXPLAIN SELECT FROM ledger.events WHERE position > 0 AND topic IN ({topics})"
    ).fetchall()

    assert "events_with_digests" in str(plan)
