"""What patrons win from a dealer beyond theory has a row, counted as it was when the cards came."""

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from domain.events import coup, coup_wagers, shoe
from domain.rules.house_rules import named
from domain.rules.protection_levels import DEALER_LOSES, WINS_WITH
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS, Event, Rows
from projections.attention.protection import PROJECTION
from projections.attention.questions.answers import FINDINGS
from projections.attention.questions.cards import SHOES, ProtectedShoe
from projections.attention.questions.results import RESULTS
from projections.attention.questions.tray_short import TRAYS, ProtectedTray

DAY = date(2026, 11, 21)
AT = datetime(2026, 11, 21, 20, tzinfo=UTC)
SHOE = f"B01/{DAY}/1"
DEALER, GUEST, OTHER = "D-204", "P-1", "P-2"


class Bets:
    """Coups at a table, as the projection reads them."""

    def __init__(self):
        self.rows, self.position, self.number = Rows(), 0, 0
        cards = {"shoe": SHOE, "decks": 8, "earlier": [], "cards": [], "numbers": [], "rest": []}
        terms = named("pairs@1").stated
        self.rows.put(
            SHOES,
            ProtectedShoe(**cards, rules="pairs@1", terms=terms, table_code="B01", gaming_day=DAY),
        )

    def have(self, kind, actor=DEALER, **fields):
        self.position += 1
        event = Event(
            position=self.position,
            topic=kind.TOPIC,
            name=kind.__name__,
            at=AT,
            recorded_at=AT,
            gaming_day=DAY,
            table="B01",
            actor=actor,
            fields={"coup": f"{SHOE}/{self.number}", **fields},
            command_id=f"c-{self.position}",
            metadata={},
        )
        PROJECTION.changes[kind.TOPIC](event, self.rows)

    def begin(self, dealer=DEALER):
        self.number += 1
        if tray := self.rows.get(TRAYS, "B01"):
            self.rows.drop(TRAYS, tray)
        opened = {"table_code": "B01", "gaming_day": DAY, "session": 1, "counts": [], "coups": {}}
        self.rows.put(TRAYS, ProtectedTray(**opened, dealer=dealer))
        self.have(shoe.CoupBegun, shoe=SHOE, coup=self.number)

    def settle(self, *wagers):
        for patron, seat, spot, stake, result in wagers:
            self.have(
                coup_wagers.WagerSettled,
                patron=patron,
                seat=seat,
                spot=spot,
                stake=stake,
                result=result,
                winnings=stake * (8 if spot == "tie" else 1) if result == "win" else 0,
                commission_exact="0",
            )
        self.have(coup.Settled)

    def play(self, *wagers, dealer=DEALER):
        self.begin(dealer)
        self.settle(*wagers)

    def of(self, patron, dealer=DEALER):
        row = self.rows.get(RESULTS, patron, dealer)
        return row and row.beside

    def row(self, question, subject):
        return self.rows.get(FINDINGS, question, f"{subject} {DAY}")


@pytest.fixture
def bets():
    return Bets()


TOLD = (GUEST, 3, "tie", 100_00, "win")
PLAYS = (OTHER, 5, "player", 100_00, "push")


def test_a_patron_whom_the_dealer_tells_ties_has_a_row_by_this_question_alone(dispatcher, database):
    plan = Plan(tables=2, coups=110, seed=1, cheat="signals-ties", trouble=0.0)
    for number in (1, 2):
        evening = plan.evening(number, plan.day)
        told = replace(evening.patrons[0], stakes=(*[10_00] * 3, 100_00), learns_ties=2.0 - number)
        evening.patrons = (told, *evening.patrons[1:])
        dispatch_all(dispatcher.dispatch, evening.lines(), lambda _: None)
    told = plan.evening(1, plan.day).patrons[0].patron
    rows = ask(database, REPORTS["protection"]).rows

    assert (WINS_WITH, told, "D-201") in [
        (each["question"], each["patron"], each["dealer"]) for each in rows
    ]
    assert {each["question"] for each in rows} <= {WINS_WITH, DEALER_LOSES}
    assert {each["dealer"] for each in rows} == {"D-201"}
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal


def test_who_wins_with_one_dealer_has_a_row_with_them_and_none_with_another(bets):
    for _ in range(8):
        bets.play(TOLD, PLAYS)
        bets.play((GUEST, 3, "tie", 100_00, "lose"), PLAYS, dealer="D-205")
    found = bets.row(WINS_WITH, f"{GUEST} {DEALER}")

    assert (found.patron, found.dealer, found.detail["coups"]) == (
        GUEST,
        DEALER,
        found.detail["coups"],
    )
    assert bets.row(DEALER_LOSES, DEALER).patron is None
    assert bets.row(WINS_WITH, f"{OTHER} {DEALER}") is None
    assert bets.row(WINS_WITH, f"{GUEST} D-205") is None
    assert (bets.of(GUEST).coups, bets.of(OTHER).coups, bets.of("").coups) == (8, 8, 8)
    assert bets.of("", "D-205").more < 0


def test_a_bet_that_was_entered_once_a_card_was_out_does_not_count(bets):
    bets.begin()
    bets.have(
        coup_wagers.WagerFound, patron=GUEST, seat=3, spot="tie", amount=100_00, amount_before=0
    )
    bets.settle(TOLD)

    assert bets.of(GUEST) is None
    assert bets.of("") is None


def test_a_stake_that_was_put_right_counts_as_it_was_when_the_cards_came(bets):
    bets.play(TOLD)
    before = bets.of(GUEST).more
    bets.begin()
    bets.have(
        coup_wagers.StakeCorrected,
        patron=GUEST,
        seat=3,
        spot="tie",
        stake=500_00,
        stake_before=50_00,
    )
    bets.settle((GUEST, 3, "tie", 500_00, "win"))

    assert bets.of(GUEST).more == pytest.approx(before * 1.5)


def test_a_bet_that_was_moved_stays_that_of_who_had_it_when_the_cards_came(bets):
    bets.begin()
    moved = {"seat": 5, "patron": OTHER, "to_seat": 3, "to_patron": GUEST}
    bets.have(coup_wagers.WagerMoved, spot="tie", stake=100_00, **moved)
    bets.settle(TOLD)

    assert bets.of(GUEST) is None
    assert bets.of(OTHER).more > 0


def test_what_another_enters_belongs_to_the_dealer(bets):
    bets.begin()
    bets.have(
        coup_wagers.WagerSettled,
        actor="S-11",
        patron=GUEST,
        seat=3,
        spot="tie",
        stake=100_00,
        result="win",
        winnings=800_00,
        commission_exact="0",
    )
    bets.have(coup.Settled, actor="S-11")

    assert bets.of(GUEST).coups == 1
