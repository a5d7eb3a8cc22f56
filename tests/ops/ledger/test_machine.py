"""By what a machine and an account on it are known again."""

import pytest

from ops.ledger import machine as place
from tests.conftest import HERE

real = place._own.__wrapped__


def test_a_machine_has_a_mark_and_readable_names():
    one, two = real(), real()

    assert one == two
    assert one.mark == HERE.mark
    assert len(one.mark) == 64
    assert one.machine
    assert one.user


@pytest.mark.parametrize(
    ("what", "is_now"),
    [
        ("os.getuid", 4242),
        ("socket.gethostname", "pit-9"),
        ("ops.ledger.machine._machine_id", "another"),
    ],
)
def test_another_account_or_machine_is_another_place(monkeypatch, what, is_now):
    monkeypatch.setattr(what, lambda: is_now)

    assert real().mark != HERE.mark


def test_an_account_without_a_name_is_called_by_its_number(monkeypatch):
    monkeypatch.setattr("os.getuid", lambda: 424242)

    assert real().user == "424242"


@pytest.mark.parametrize(
    ("node", "told"), [(0x02_42_AC_11_00_02, "0242ac110002"), (0x01_00_00_00_00_07, "")]
)
def test_a_machine_without_an_id_is_identified_by_its_network_card(monkeypatch, node, told):
    """Python makes one up anew for every process where there is none."""
    monkeypatch.setattr("ops.ledger.machine._MACHINE_IDS", ())
    monkeypatch.setattr("ops.ledger.machine.getnode", lambda: node)

    assert place._machine_id() == told
