"""R-COM-3: what accrued since the last time that nothing was owed is rounded as one sum."""

from fractions import Fraction

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.rules import house_rules
from domain.rules.addresses import Coup as Address
from domain.rules.hands import play
from domain.rules.house_rules import Commission, named
from domain.rules.layout import Wager
from domain.rules.money import Rounding
from domain.rules.settlement import pay, pay_to
from domain.rules.tab import Tab
from tests.domain.floor import (
    BANKER_WINS,
    DAY,
    account,
    collect,
    dealt,
    open_coup,
    waive,
    walk,
    won,
)
from tests.scenario import given, replayed

SHOE = f"{DAY}/1"
# Up to the next whole unit of 1.00; the same with a minimum; to the nearest.
TERMS = {
    "up@1": Rounding(mode="up", unit=1_00, moment="on-collection"),
    "least@1": Rounding(mode="up", unit=25, minimum=2_00, moment="on-collection"),
    "near@1": Rounding(mode="nearest", unit=1_00, moment="on-collection"),
    "down@1": Rounding(mode="down", unit=1_00, moment="on-collection"),
    "each@1": Rounding(mode="up", unit=1_00),  # per win
}


@pytest.fixture(scope="module", autouse=True)
def on_collection():
    """Dragon Bonus tables, but for how commission is rounded."""
    dragon = named("dragon-bonus@1")
    with pytest.MonkeyPatch.context() as patch:
        for name, rounding in TERMS.items():
            commission = Commission(timing="deferred", rounding=rounding)
            rules = replace(dragon, name=name, commission=commission)
            patch.setitem(house_rules.RULE_SETS, name, rules)
        yield


def wins(*stakes, rules="up@1", first=1):
    """Seat 3's Banker wagers of one coup after the other."""
    return [win(stake, coup=coup, rules=rules) for coup, stake in enumerate(stakes, first)]


def win(stake, *, rules="up@1", **where):
    """Reckoned when it is told: the rule set is there only while a test runs."""

    def tell(account):
        won(stake, rules=rules, **where)(account)

    return tell


def charges(owing):
    return [event.charged for event in owing.pending_events if hasattr(event, "charged")]


def told(rules, *acts):
    owing = account(rules)
    for act in acts:
        act(owing)
    return owing


def paid(rules, stake, to):
    if to is None:
        return pay(named(rules), "banker", stake, play(BANKER_WINS.split()).result)
    return pay_to(named(rules), "banker", stake, to)


def put_right(stake, before, after, *, rules="up@1", coup=1):
    """Seat 3's wager of a coup is paid otherwise; None: as the cards say."""
    wager = Wager(3, "banker", stake, "P-3", f"{DAY}/stay-1")
    address = Address.parse(f"{SHOE}/{coup}")

    return lambda account: account.correct(
        address, wager, paid(rules, stake, before), paid(rules, stake, after), here=True
    )


# 25.00 wins 1.25 of commission, 5.00 wins 0.25.
# fmt: off
SUMS = [
    # rules      stakes                          charges
    ("up@1",     [25_00],                        [2_00]),
    ("up@1",     [25_00, 25_00],                 [2_00, 1_00]),        # 2.50 is 3.00
    ("up@1",     [25_00, 5_00, 5_00, 5_00],      [2_00, 0, 0, 0]),     # 2.00 is 2.00
    ("up@1",     [25_00, 5_00, 5_00, 5_00, 5_00], [2_00, 0, 0, 0, 1_00]),
    ("each@1",   [25_00, 25_00],                 [2_00, 2_00]),        # per win
    ("near@1",   [25_00, 25_00],                 [1_00, 2_00]),        # 2.50 is 3.00
    ("near@1",   [5_00, 5_00],                   [0, 1_00]),
    ("down@1",   [5_00, 5_00, 5_00, 5_00],       [0, 0, 0, 1_00]),     # 0.75 is nothing
    ("down@1",   [25_00, 25_00],                 [1_00, 1_00]),        # 2.50 is 2.00
    ("least@1",  [5_00, 5_00],                   [2_00, 0]),
    ("least@1",  [25_00, 25_00],                 [2_00, 50]),
]
# fmt: on


@pytest.mark.parametrize(("rules", "stakes", "charged"), SUMS)
def test_r_com_3_wins_are_rounded_together(rules, stakes, charged):
    owing = told(rules, *wins(*stakes, rules=rules))

    assert (charged, sum(charged)) == (charges(owing), owing.owed)


def test_r_com_3_the_coup_does_not_say_what_nobody_knows_yet():
    coup = dealt(open_coup("up@1", bets=[(3, "banker", 25_00)]), BANKER_WINS)
    ((_, payment),) = coup.settle()

    assert (0, Fraction(125), 50_00) == (
        payment.commission_charged,
        payment.commission_exact,
        payment.paid,
    )


def test_r_com_3_the_exact_accrual_stands_beside_a_charge_of_nothing():
    given(account("up@1"), *wins(25_00)).when(win(5_00, coup=2)).then(
        (
            "CommissionAccrued",
            {
                "shoe": SHOE, "coup": f"{SHOE}/2", "seat": 3, "winnings": 5_00,
                "exact": "25", "charged": 0, "due": "deferred",
            },
        )
    )  # fmt: skip


@pytest.mark.parametrize("pays", [collect(2_00), waive(), walk()], ids=["all", "waived", "walked"])
def test_r_com_3_once_nothing_is_owed_a_new_sum_begins(pays):
    owing = told("up@1", *wins(25_00), pays, *wins(5_00, first=2))

    assert ([2_00, 1_00], 1_00) == (charges(owing), owing.owed)


@pytest.mark.parametrize("pays", [collect(1_00), waive(1_00), walk(1_00)])
def test_r_com_3_a_part_does_not_round_a_second_time(pays):
    owing = told("up@1", *wins(25_00), pays, *wins(5_00, first=2))

    assert ([2_00, 0], 1_00) == (charges(owing), owing.owed)


def test_r_com_3_each_shoe_is_a_sum_of_its_own():
    owing = told("up@1", *wins(25_00), win(5_00, shoe=2))

    assert [2_00, 1_00] == charges(owing)


# fmt: off
PUT_RIGHT = [
    # acts                                                                charged last, owed
    ([*wins(25_00, 25_00), put_right(25_00, None, 25_00)],                -1_00, 2_00),
    ([*wins(25_00, 5_00), put_right(5_00, None, 5_00, coup=2)],           0,     2_00),
    ([*wins(25_00), put_right(25_00, None, 25_00)],                       -2_00, 0),
    # A win that was paid for goes out of the sum in which it was rounded.
    ([*wins(25_00), collect(2_00), *wins(25_00, first=2),
      put_right(25_00, None, 25_00)],                                     -2_00, 0),
    ([*wins(25_00), collect(2_00), *wins(35_00, first=2),
      put_right(25_00, None, 25_00)],                                     -2_00, 0),
    ([*wins(25_00), collect(2_00), *wins(65_00, first=2),
      put_right(25_00, None, 25_00)],                                     -2_00, 2_00),
]
# fmt: on


@pytest.mark.parametrize(("acts", "charged", "owed"), PUT_RIGHT)
def test_r_irr_5_a_win_that_goes_leaves_the_sum_it_was_rounded_in(acts, charged, owed):
    owing = told("up@1", *acts)

    assert (charged, owed) == (charges(owing)[-1], owing.owed)


def test_r_irr_5_the_exact_accrual_goes_though_the_charge_stays():
    given(account("up@1"), *wins(25_00, 5_00)).when(put_right(5_00, None, 5_00, coup=2)).then(
        (
            "CommissionCorrected",
            {
                "shoe": SHOE, "coup": f"{SHOE}/2", "seat": 3, "winnings": 0,
                "exact": "-25", "charged": 0, "due": "deferred",
            },
        )
    )  # fmt: skip


def test_r_irr_5_what_was_paid_for_a_sum_goes_back_when_its_win_goes():
    owing = told("up@1", *wins(25_00), collect(2_00))

    given(owing).when(put_right(25_00, None, 25_00)).then(
        (
            "CommissionRefunded",
            {
                "coup": f"{SHOE}/1", "seat": 3, "amount": 2_00, "by_shoe": {SHOE: 2_00},
                "how": "patron", "receipt": f"{DAY}/stay-1/receipt-2",
            },
        ),
        (
            "CommissionCorrected",
            {
                "shoe": SHOE, "coup": f"{SHOE}/1", "seat": 3, "winnings": 0,
                "exact": "-125", "charged": -2_00, "due": "deferred",
            },
        ),
    )  # fmt: skip


def test_r_com_3_a_tab_rounds_what_it_was_told_and_nothing_else():
    tab, up = Tab(), TERMS["up@1"]
    for win in ("one", "two"):
        tab.add(win, Fraction(125), tab.charge_of(win, Fraction(125), up))

    assert (3_00, [Fraction(250)]) == (tab.owed, tab.sums)
    assert -1_00 == tab.charge_of("one", Fraction(-125), up)
    assert 0 == tab.charge_of("three", Fraction(25), up)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["win", "win", "collect", "right"]),
        st.integers(1, 4),  # which coup
        st.integers(0, 40).map(lambda steps: 5_00 * steps),
    ),
    max_size=25,
)


@for_all(st.sampled_from(sorted(TERMS)), ACTS)
def test_r_com_3_what_was_charged_is_every_sum_rounded_once(rules, acts):
    """Whatever is paid in part, taken back or won after all on the way."""
    owing, now, terms = account(rules), {}, TERMS[rules]
    for act, coup, amount in acts:
        if act == "win" and coup not in now and amount:
            win(amount, coup=coup, rules=rules)(owing)
            now[coup] = amount, None
        elif act == "collect" and 0 < amount <= owing.owed:
            collect(amount)(owing)
        elif act == "right" and coup in now:
            stake, before = now[coup]
            put_right(stake, before, amount, rules=rules, coup=coup)(owing)
            now[coup] = stake, amount
        assert owing.owed >= 0
    tab = owing.tabs.get(SHOE, Tab())
    exact = [each for _, each in tab.wins.values()]
    rounded = exact if terms.moment == "per-win" else tab.sums

    assert sum(charges(owing)) == sum(map(terms.charge, rounded))
    assert sum(exact) == sum(tab.sums)
    assert sum(exact) == sum(paid(rules, *each).commission_exact for each in now.values())
    assert owing.owed + owing.collected == sum(charges(owing))
    assert replayed(owing) == owing
