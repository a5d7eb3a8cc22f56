"""The record is read in pieces, each of whole commands."""

from itertools import pairwise

import pytest

from ops.ledger.database import LedgerLost
from ops.ledger.recorder import Ledger
from ops.verify import verification
from ops.verify.pieces import Ends, compare, pieces
from tests.worlds.six_commands import append, six_commands

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture
def house(database):
    return six_commands(database)


@pytest.fixture
def auditor(house):
    with house.session("sabot_auditor") as connection:
        yield connection


@pytest.mark.parametrize("size", [3, 4, 5, 100])
def test_pieces_follow_on_one_another_and_are_good_by_themselves(auditor, size):
    parts = list(pieces(auditor, Ends(), Ends(12, 6), size))

    assert (Ends(), Ends(12, 6)) == (parts[0].after, parts[-1].until)
    assert all(one.until == next_one.after for one, next_one in pairwise(parts))
    assert all(compare(auditor, each).good for each in parts)


def test_a_good_piece_lists_no_rows_but_its_ends(auditor):
    (part,) = pieces(auditor, Ends(), Ends(12, 6), 100)
    compared = compare(auditor, part)

    assert ([], []) == (compared.events.events, compared.commands.commands)
    assert [1, 6] == [each.number for each in compared.ends]


def test_many_refused_commands_are_several_pieces(house, auditor):
    ledger = Ledger(house)
    for n in range(9):
        append(ledger, f"refused-{n}", 0)
    append(ledger, "last", 1)
    ledger.close()
    parts = list(pieces(auditor, Ends(), Ends(13, 16), 4))

    assert all(each.until.commands - each.after.commands <= 4 for each in parts)
    assert verification.walk(house).ok


@pytest.mark.parametrize("changed", ["command_id = 'none'", "position = position + 100"])
def test_pieces_cover_a_record_whose_commands_were_changed(auditor, superuser, changed):
    superuser.execute(f"UPDATE ledger.events SET {changed} WHERE position BETWEEN 4 AND 8")
    parts = list(pieces(auditor, Ends(), Ends(12, 6), 4))

    assert all(one.until == next_one.after for one, next_one in pairwise(parts))
    assert Ends(12, 6) == parts[-1].until


def test_a_connection_that_is_cut_on_the_way_is_a_lost_ledger(house, superuser, monkeypatch):
    monkeypatch.setattr(verification, "PIECE", 4)

    def cut(*_):
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    with pytest.raises(LedgerLost):
        verification.walk(house, jobs=1, watch=cut)
