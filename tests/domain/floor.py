"""An evening at table B01, as far as a test needs it."""

from datetime import UTC, date, datetime, timedelta

from msgspec.structs import replace

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.corrections import Rightly
from domain.aggregates.coup import Coup
from domain.aggregates.property import Property
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.rules.addresses import Coup as Address
from domain.rules.addresses import TableDay as Day
from domain.rules.hands import Result, outcome_of, play
from domain.rules.house_rules import HouseRules, Offer, SpotTerms, learn, named
from domain.rules.layout import Wager
from domain.rules.settlement import pay
from domain.rules.wagers import PayLine

EVENING = datetime(2026, 11, 21, 20, 14, tzinfo=UTC)
BEFORE = EVENING - timedelta(seconds=1)  # the first card of a coup that is dealt at once
DAY = Day("B01", date(2026, 11, 21))
SHOE = "B01/2026-11-21/1"
OPENER = {"10000": 200, "2500": 400}

# A bet on Lucky 6 after four cards, when Banker has 6: against a Player who draws and wins.
INSURED = (PayLine("player wins", (3, 1)), PayLine("tie", (0, 1)))

# Coups by how they end, cards in deal order.
PLAYER_WINS = "9C 5S 7C QD 9S"  # 6 to 4, Banker drew
BANKER_WINS = "KC 9S 2C QD"  # a natural 9 to 2
TIE = "KC KS 7C 7D"


def house(**settings):
    """The house as it was founded, but for these settings."""
    founded = Property.establish(EVENING)
    for name, value in settings.items():
        founded.set(name, value)
    return founded


def rules_of(rules):
    """A rule set by its name, or itself."""
    return rules if isinstance(rules, HouseRules) else named(rules)


def open_table(rules="dragon-bonus@1", *, seats=()):
    """A table that opened this evening; `seats` are taken by P-1, P-2 and so on."""
    table = TableDay.open(
        DAY,
        house(),
        rules_of(rules),
        OPENER,
        at=EVENING,
        dealer="D-204",
        supervisor="S-11",
    )
    for seat in seats:
        table.seat(seat, f"P-{seat}")
    return table


def loaded_shoe(rules="classic@1", *, decks=8, batch=""):
    """A shoe that has just come to the table."""
    address = open_table(rules).bring_shoe()
    return Shoe.load(
        address, rules_of(rules), at=EVENING, decks=decks, serials=["K-1"], batch=batch
    )


def shuffled_shoe(rules="classic@1", *, decks=8):
    """A shoe that waits for the cut."""
    shoe = loaded_shoe(rules, decks=decks)
    shoe.inspect()
    shoe.shuffle("machine", "SH-2")
    return shoe


def ready_shoe(rules="classic@1", *, decks=8, cut_card=14):
    """A shoe before its first coup: the burned card was a three, so 412 of 416 are left."""
    shoe = shuffled_shoe(rules, decks=decks)
    shoe.cut("seat 3", cut_card)
    if shoe.rules.burn != "none":
        shoe.burn("3D")
    return shoe


def in_coup(shoe, cards=""):
    """The shoe with its next coup begun, and these cards drawn for it."""
    shoe.begin_coup()
    return drawn(shoe, cards)


def drawn(shoe, cards):
    """The shoe without these cards."""
    for card in cards.split():
        shoe.draw(card)
    return shoe


def open_coup(rules="dragon-bonus@1", *, bets=(), seats=(3, 5)):
    """A coup that takes bets; `bets` lie already, as (seat, spot, amount)."""
    table, shoe = open_table(rules, seats=seats), ready_shoe(rules)
    coup = Coup.open(shoe.begin_coup(), table, shoe, at=EVENING)
    for seat, spot, amount in bets:
        coup.bet(seat, table.stay_at(seat), spot, amount)
    return coup


def house_s_own(rules="dragon-bonus@1", **terms):
    """A rule set with other terms than one of the program's, as if it were on record."""
    return learn(replace(named(rules), name="on-terms@1", **terms).stated)


def on_terms(spot="dragon-player", *, bets=(), **terms):
    """A coup that takes bets on a spot on such terms only."""
    return open_coup(house_s_own(terms={spot: SpotTerms(**terms)}), bets=bets)


def after_four(cards, *, bets=((3, "banker", 100_00),), **terms):
    """A coup with these cards; a bet on Lucky 6 is taken when Banker has 6 then (R-BET-8).

    It is at most half of the seat's bet on Banker.
    """
    when = "first two player cards make 0 to 5 and first two banker cards make 6"
    stated = {"beside": ("banker",), "up_to": (1, 2), "after_four": when, **terms}
    spots = {**named("dragon-bonus@1").spots, "lucky-6": Offer(pays=INSURED)}
    rules = house_s_own(spots=spots, terms={"lucky-6": SpotTerms(**stated)})
    return dealt(open_coup(rules, bets=bets), cards)


def stay(seat):
    """The stay of the patron whom `open_coup` has put there."""
    return open_table(seats=(3, 5)).stay_at(seat)


def dealt(coup, cards):
    """The coup with these cards on the table."""
    for card in cards.split():
        if coup.phase == "betting":
            coup.take_first_card()
        coup.deal(card)
    return coup


def card_dealt(n, card, hand, rule, *, face_down=False, carried=False):
    """The event that a card went where it was due."""
    fields = {"n": n, "card": card, "hand": hand, "rule": rule}
    return "CardDealt", {**fields, "face_down": face_down, "carried": carried}


def bet(seat, spot, amount):
    """Seat 3 or 5 says what lies on a spot."""
    return lambda coup: coup.bet(seat, stay(seat), spot, amount)


def account(rules="dragon-bonus@1", seat=3):
    """What the patron of seat 3 or 5 owes: nothing yet."""
    table = open_table(rules, seats=(3, 5))
    return CommissionAccount.open(table.stay_at(seat), table, at=EVENING)


def won(stake, *, shoe=1, coup=1, rules="dragon-bonus@1"):
    """A Banker wager of seat 3 that has won."""
    wager = Wager(3, "banker", stake, "P-3", f"{DAY}/stay-1")
    address = Address.parse(f"{DAY}/{shoe}/{coup}")
    payment = pay(named(rules), "banker", stake, play(BANKER_WINS.split()).result)
    return lambda account: account.accrue(address, wager, payment)


def collect(amount):
    """The patron pays commission."""
    return lambda account: account.collect(amount)


def print_receipt(receipt):
    """A receipt is asked for."""
    return lambda account: account.print_receipt(receipt)


def waive(amount=None, by="S-11", approved_by=""):
    """The house asks no more for it."""
    return lambda account: account.waive(amount, "a good guest", by, approved_by)


def walk(amount=None, by="D-204", approved_by="S-11"):
    """The patron is gone with it."""
    return lambda account: account.walk(amount, "left by the back door", by, approved_by)


def void(by="D-204", second="S-11"):
    """Two people void the coup."""
    return lambda coup: coup.void("a torn card", by, second)


def correct(seat, spot, to=None, *, as_spot=None, stake=None, by="D-204", second="S-11"):
    """Two people put the payment of seat 3 or 5 right."""
    rightly = Rightly(seat, spot, to, as_spot, stake)
    return lambda coup: next(iter(coup.correct(rightly, Signed("misread", by, second))), None)


def enter_late(seat, spot, amount, *, placed_at=BEFORE, second="S-11"):
    """A wager of seat 3 or 5 is found after the first card."""
    return lambda coup: coup.enter_late(
        seat, stay(seat), spot, amount, placed_at=placed_at, second=second
    )


def settle(coup):
    """Every wager is paid or taken."""
    return coup.settle()


def result_of(player, banker):
    """A coup by its totals; a third card is written behind a point: '9' beats '4.'."""
    return Result(
        outcome_of(int(player[0]), int(banker[0])),
        int(player[0]),
        int(banker[0]),
        len(player) + 1,
        len(banker) + 1,
    )
