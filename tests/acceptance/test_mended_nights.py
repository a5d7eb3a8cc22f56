"""No mend can escape: a night with slips, each put right at some moment, ends as if without them.

Random nights over days and sessions are played twice, the second time with slips; a model that
knows nothing of Sabot has the money. In the end every reading of the record agrees with all three.
"""

import re
from random import Random
from unittest.mock import patch

import pytest

from domain.rules import addresses
from ops.pack.pack import pack
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range
from ops.replay.story import find
from ops.replay.what_if import ask
from ops.reports.rebuild import check_together
from ops.roads import road
from projections import PROJECTIONS
from tests import ROOT
from tests.faults import SEED, times
from tests.worlds.gaming_table import mouth_on
from tests.worlds.mended_night import MendedNight
from tests.worlds.night_rows import ALIKE, NightRows

NIGHTS = times(24, 25)  # in one house
HOUSES = times(1, 80)
ONE_IN = times(10, 1)  # of coups and shoes that are read alone
# What is put right at a table, or of its money; no table here takes coupons.
AT_TABLE = {
    *("account", "box", "commission", "correct", "coup", "dispute", "money", "readjudicate"),
    *("shoe", "slip", "table", "void", "withdraw", "bet", "bets", "move-card", "settle", "draw"),
}


class House:
    """Nights at tables of one house, and its record."""

    def __init__(self, database, number):
        self.database = database
        self.random = Random(SEED + number)
        self.nights = []
        with mouth_on(database) as dispatcher:
            cents = {"command": "property.set", "name": "chips", "value": "0.01", "by": "A-1"}
            assert dispatcher.dispatch(cents).ok
            for each in range(number * NIGHTS, (number + 1) * NIGHTS):
                self.nights.append(_played(MendedNight(dispatcher, each, Random(SEED + each))))

    @property
    def tables(self):
        """Every night with each of its tables."""
        return [(night, table) for night in self.nights for table in (night.right, night.wrong)]

    @property
    def commands(self):
        """What was typed where there were slips."""
        return {command for night in self.nights for command in night.wrong.commands}

    def few(self, places):
        """Those that are read alone."""
        return [each for each in places if self.random.randrange(ONE_IN) == 0]


def _played(night):
    try:
        return night.play()
    except Exception as error:
        error.add_note(f"night {night.number}, {night.rules}")
        raise


def require_twins(house, rows):
    """Both tables have the same rows."""
    for night in house.nights:
        for report in ALIKE:
            right, wrong = (rows.alike(each, report) for each in (night.right, night.wrong))
            if night.spots_typed_wrong and report in ("wagers", "ratings"):
                continue  # a bet stays entered on its spot, though it is paid as on another one

            assert wrong == right, (night, report)


def require_money(house, rows):
    """Every bet, patron and day has what is reckoned by hand, and nothing is unexplained."""
    for night, table in house.tables:
        by_hand = night.by_hand
        proofs = [row["difference"] for row in rows.of(table, "commission-proof")]
        won, handle = (rows.by_patron(table, "ratings", each) for each in ("win_loss", "handle"))

        assert rows.bets(table) == by_hand.bets, night
        assert rows.cash(table) == by_hand.cash_by_patron, night
        assert handle == by_hand.by_patron("handle"), night
        assert won == by_hand.by_patron("win_loss"), night
        assert rows.commission(table) == by_hand.by_patron("commission"), night
        assert proofs or not by_hand.by_patron("commission"), night
        assert not any(proofs), night
        for row in rows.of(table, "table-win"):
            assert row["win_by_wagers"] == by_hand.won_on(row["day"]), (night, row)
            assert row["drop"] == by_hand.cash_of(row["day"], "in"), (night, row)
            assert row["unreconciled"] == row["variance"] == row["drop_difference"] == 0, night
        if not night.accounts:
            assert table.from_patrons == by_hand.from_patrons, night


def require_coups(house, connection, stranger):
    """What-if of nothing changes nothing, and a stranger who has the pack finds nothing wrong."""
    for night, table in house.tables:
        for deal in house.few(night.by_hand.deals):
            record = find(connection, addresses.Coup.parse(table.at(deal.place)))
            with patch("ops.pack.pack.pdf", lambda *_: b"%PDF"):
                made = pack(connection, record)
            content = stranger.loads(made.json.decode())

            assert record.disagreements == [], (night, deal)
            assert stranger.verify(content, ("coup.pdf", made.pdf)) == 0, (night, deal)
            if not (deal.void or deal.set_to):
                moved = [(row.staked, row.paid) for row in ask(connection, record, []).difference]
                assert set(moved) <= {(0, 0)}, (night, deal)


def require_roads(house):
    for night in house.nights:
        for shoe in house.few(sorted({deal.shoe for deal in night.by_hand.deals})):
            right, wrong = (
                road.find(house.database, addresses.Shoe.parse(table.at(shoe))).roads
                for table in (night.right, night.wrong)
            )

            assert wrong == right, (night, shoe)


@pytest.fixture(scope="module")
def played():
    """What was typed in each house."""
    return {}


@pytest.mark.parametrize("number", range(HOUSES))
def test_whatever_is_put_right_and_when_a_night_is_as_if_it_had_been_right(
    database, stranger, played, number
):
    house = House(database, number)
    played[number] = house.commands
    with database.session("sabot_projector") as connection:
        rows = NightRows(connection)
        require_twins(house, rows)
        require_money(house, rows)
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
        require_coups(house, connection, stranger)
    require_roads(house)
    _, judged = walk(database, Range(), 1)

    assert [each for each in checked if each.differing] == []
    assert judged.disagreeing == []


def test_every_way_to_put_something_right_is_among_them(played):
    if len(played) < HOUSES:
        pytest.skip("not all houses were played")
    page = (
        (ROOT / "ops/manual/put-right.md").read_text().partition("## Everything that is typed")[2]
    )
    ways = {way for row in page.splitlines() for way in ways_of(row)}

    left_out = ways.difference(*played.values())
    assert {way for way in left_out if way.partition(".")[0] in AT_TABLE} == set()


def ways_of(row):
    """The commands in the second column of a row, as they are on the feed."""
    cells = [cell.strip() for cell in row.split("|")]
    return [
        way.partition(" --")[0].replace(" ", ".", 1)
        for way in re.findall(r"`([a-z][a-z -]+)`", cells[2] if len(cells) > 2 else "")
    ]
