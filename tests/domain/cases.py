"""A dispute and an alert, as far as a test needs them."""

from datetime import timedelta

from domain.aggregates.alert import Alert
from domain.aggregates.corrections import Rightly
from domain.aggregates.dispute import Dispute, Frozen
from domain.rules import addresses
from domain.rules.addresses import Case
from tests.domain.floor import BANKER_WINS, DAY, EVENING, dealt, house, open_coup, settle

CASE = Case(2026, 7)
COUP = f"{DAY}/1/1"
LATE_COUP = f"{DAY}/1/17"
FROZEN = Frozen(position=48_213, version=9, phase="settled", agrees=True, disagreements=[])
BETS = [(3, "banker", 100_00), (5, "player", 60_00)]


def coup(*acts):
    """Banker won: seat 3's 100.00 became 200.00, seat 5's 60.00 is gone."""
    played = dealt(open_coup(bets=BETS), BANKER_WINS)
    settle(played)
    changes = [act(played) for act in acts]
    return (played, *changes) if acts else played


def open_case(of=None, names=("P-3",), **fields):
    about = {"frozen": FROZEN, "house": house(), "at": EVENING, "opened_by": "D-204"}
    return Dispute.open(
        CASE, of or coup(), names[0], names, "I was not paid", **{**about, **fields}
    )


def decided(decision="stand", changes=(), by="S-11", approved_by="PB-2", commission=0, **which):
    return lambda case: case.decide(
        decision, "the camera", changes, coup(), house(), rightly=Rightly(**which),
        commission=commission, by=by, approved_by=approved_by,
    )  # fmt: skip


def told(**settings):
    return lambda case: case.tell(house(**settings), "S-11")


def closed(case):
    case.close("S-11")


def closed_case():
    case = open_case()
    for act in (decided(), told(), closed):
        act(case)
    return case


def late_bet(**told):
    """An alert that was acknowledged."""
    said = {"text": "spoke to the dealer", "by": "S-11", "table": "B01", "coup": LATE_COUP, **told}
    address = addresses.Alert("late bet", 48213)
    since = EVENING - timedelta(minutes=2)
    return Alert.acknowledge(address, at=EVENING, day=DAY.day, since=since, **said)
