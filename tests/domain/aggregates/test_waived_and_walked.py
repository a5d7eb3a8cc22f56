"""R-COM-4, R-IRR-5: commission that is waived, walked, or follows a payment that was put right."""

from collections import Counter

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.commission import require_settled
from domain.rules.addresses import Coup as Address
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.layout import Wager
from domain.rules.refusals import OverCollected, Refusal
from domain.rules.settlement import pay, pay_to
from tests.domain.floor import (
    BANKER_WINS,
    DAY,
    account,
    collect,
    print_receipt,
    waive,
    walk,
    won,
)
from tests.scenario import given, replayed

FIRST, SECOND = f"{DAY}/1", f"{DAY}/2"
DRAGON, CLASSIC = "dragon-bonus@1", "classic@1"


def paid(rules, stake, to=None):
    """The payment of a winning Banker wager; `to`: what two people made of it."""
    if to is None:
        return pay(named(rules), "banker", stake, play(BANKER_WINS.split()).result)
    return pay_to(named(rules), "banker", stake, to)


def put_right(stake, before, after, *, shoe=1, coup=1, rules=DRAGON, here=True):
    """The wager of seat 3 is paid otherwise; None: as the cards say."""
    wager = Wager(3, "banker", stake, "P-3", f"{DAY}/stay-1")
    address = Address.parse(f"{DAY}/{shoe}/{coup}")
    was, now = (paid(rules, stake, to) for to in (before, after))
    return lambda account: account.correct(address, wager, was, now, here=here)


def voided(stake, **how):
    """The coup that it won is void: the stake goes back."""
    return put_right(stake, None, stake, **how)


def settle(amount):
    """A part of what is open is settled with other money; less than 0: the house pays it."""
    return lambda account: account.settle(account.parts_of(amount))


def corrected(exact, charged, winnings=0, shoe=FIRST, coup=1, due="deferred"):
    return "CommissionCorrected", {
        "shoe": shoe, "coup": f"{shoe}/{coup}", "seat": 3, "winnings": winnings,
        "exact": exact, "charged": charged, "due": due,
    }  # fmt: skip


def refunded(amount, how="patron", receipt=2, shoe=FIRST, coup=1, of_coup=True):
    return "CommissionRefunded", {
        "coup": f"{shoe}/{coup}" if of_coup else None, "seat": 3 if of_coup else None, "how": how,
        "amount": amount, "by_shoe": {shoe: amount}, "receipt": numbered(how, receipt),
    }  # fmt: skip


def numbered(how, receipt):
    return "" if how == "at-payout" else f"{DAY}/stay-1/receipt-{receipt}"


def again(amount, was):
    return "CommissionOwedAgain", {
        "coup": f"{FIRST}/1", "seat": 3, "amount": amount, "by_shoe": {FIRST: amount}, "was": was
    }  # fmt: skip


def collected(amount, how, receipt=1):
    return "CommissionCollected", {
        "amount": amount, "by_shoe": {FIRST: amount}, "how": how,
        "receipt": numbered(how, receipt),
    }  # fmt: skip


# fmt: off
LET_OFF = [
    # act      event                                  by      approved_by  reason
    (waive,    "CommissionWaived", "S-11", "",          "a good guest"),
    (walk,     "CommissionWalked", "D-204", "S-11",     "left by the back door"),
]
# fmt: on


@pytest.mark.parametrize(("act", "event", "by", "approved_by", "reason"), LET_OFF)
@pytest.mark.parametrize(
    ("amount", "by_shoe"),
    [
        (None, {FIRST: 5_00, SECOND: 10_00}),
        (15_00, {FIRST: 5_00, SECOND: 10_00}),
        (7_00, {FIRST: 5_00, SECOND: 2_00}),
        (1, {FIRST: 1}),
    ],
)
def test_r_com_4_any_part_is_waived_or_walked_of_the_oldest_shoe_first(
    act, event, by, approved_by, reason, amount, by_shoe
):
    told = given(account(), won(100_00), won(200_00, shoe=2)).when(act(amount))
    together = sum(by_shoe.values())

    told.then(
        (
            event,
            {
                "amount": together, "by_shoe": by_shoe, "owed_before": 15_00, "reason": reason,
                "by": by, "approved_by": approved_by,
            },
        )
    )  # fmt: skip
    assert told.aggregate.owed == 15_00 - together
    assert told.aggregate.collected == 0


@pytest.mark.parametrize(
    ("act", "verb"), [(waive, "Waive"), (walk, "Write off"), (collect, "Collect")]
)
@pytest.mark.parametrize(
    ("earlier", "amount", "said"),
    [
        ([], 1, "P-3 owes nothing."),
        ([won(100_00)], 5_01, "P-3 owes 5.00, less than 5.01. {} 5.00 or less."),
        ([won(100_00), waive()], 1, "P-3 owes nothing."),
        ([won(100_00), waive(2_00)], 5_01, "P-3 owes 3.00, less than 5.01. {} 3.00 or less."),
    ],
)
def test_r_com_4_no_more_is_let_off_than_is_owed(act, verb, earlier, amount, said):
    refused = given(account(), *earlier).when(act(amount)).then_refused(OverCollected)

    assert said.format(verb) == str(refused)


@pytest.mark.parametrize("act", [waive, walk])
def test_r_com_4_of_nothing_all_is_too_much(act):
    given(account()).when(act()).then_refused(OverCollected)


@pytest.mark.parametrize("act", [waive, walk])
def test_r_com_4_what_is_let_off_is_settled(act):
    owing = account()
    won(100_00)(owing)
    collect(2_00)(owing)
    act()(owing)

    require_settled([owing])
    assert (0, 2_00) == (owing.owed, owing.collected)


# What becomes of 5.00 of commission when the coup is void.
GONE = corrected("-500", -5_00)
# fmt: off
VOIDED = [
    # earlier                                events
    ([],                                     [GONE]),
    ([collect(5_00)],                        [refunded(5_00), GONE]),
    ([collect(2_00)],                        [refunded(2_00), GONE]),
    ([waive()],                              [again(5_00, "waived"), GONE]),  # nobody paid it
    ([walk()],                               [again(5_00, "walked"), GONE]),
    ([waive(2_00)],                          [again(2_00, "waived"), GONE]),
    ([waive(2_00), walk()],        [again(3_00, "walked"), again(2_00, "waived"), GONE]),
    ([collect(1_00), waive()],               [again(4_00, "waived"), refunded(1_00), GONE]),
    ([collect(1_00), walk(1_00)],            [again(1_00, "walked"), refunded(1_00), GONE]),
]
# fmt: on


@pytest.mark.parametrize(("earlier", "events"), VOIDED)
def test_r_irr_5_a_void_coup_owes_nothing_and_only_what_was_paid_goes_back(earlier, events):
    told = given(account(), won(100_00), *earlier).when(voided(100_00))

    told.then(*events)
    assert (0, 0) == (told.aggregate.owed, told.aggregate.collected)


def test_r_irr_5_what_was_let_go_is_owed_again_once():
    """Taken after all, won after all, paid for, and then void: now there is something to refund."""
    told = given(
        *(account(), won(100_00), waive()),
        *(put_right(100_00, None, 0), put_right(100_00, 0, None), collect(5_00)),
    )

    told.when(voided(100_00)).then(refunded(5_00), GONE)


def test_r_irr_5_what_is_still_owed_of_other_coups_is_set_off_first():
    told = given(account(), won(100_00), collect(5_00), won(60_00, coup=2))

    told.when(voided(100_00)).then(refunded(2_00), corrected("-500", -5_00))
    assert (0, 3_00) == (told.aggregate.owed, told.aggregate.collected)


def test_r_irr_5_another_shoe_s_commission_is_its_own():
    told = given(account(), won(100_00), collect(5_00), won(60_00, shoe=2))

    told.when(voided(100_00)).then(refunded(5_00), corrected("-500", -5_00))
    assert 3_00 == told.aggregate.owed


# fmt: off
RIGHT = [
    # before  after     earlier           events                                         owed
    (None,    150_00,   [],               [corrected("-250", -2_50, 50_00)],            2_50),
    (None,    150_00,   [collect(5_00)],  [refunded(2_50), corrected("-250", -2_50, 50_00)], 0),
    (None,    300_00,   [],               [corrected("500", 5_00, 200_00)],             10_00),
    (None,    300_00,   [collect(5_00)],  [corrected("500", 5_00, 200_00)],             5_00),
]
# fmt: on


@pytest.mark.parametrize(("before", "after", "earlier", "events", "owed"), RIGHT)
def test_r_irr_5_the_commission_follows_the_payment(before, after, earlier, events, owed):
    told = given(account(), won(100_00), *earlier).when(put_right(100_00, before, after))

    told.then(*events)
    assert told.aggregate.owed == owed


def test_r_irr_5_a_wager_that_was_taken_and_won_after_all_owes_its_commission():
    told = given(account()).when(put_right(100_00, 0, None))

    told.then(corrected("500", 5_00, 100_00))
    assert told.aggregate.owed == 5_00


@pytest.mark.parametrize(("before", "after"), [(0, 100_00), (100_00, 50_00), (None, None)])
def test_r_irr_5_where_no_winnings_change_the_commission_stands(before, after):
    given(account(), won(100_00)).when(put_right(100_00, before, after)).then()


def test_r_com_2_at_payout_it_is_part_of_the_payment_that_is_put_right():
    classic = account(CLASSIC)
    won(100_00, rules=CLASSIC)(classic)
    told = given(classic).when(put_right(100_00, None, 147_50, rules=CLASSIC))

    told.then(refunded(2_50, "at-payout"), corrected("-250", -2_50, 50_00, due="at-payout"))
    told.when(put_right(100_00, 147_50, None, rules=CLASSIC)).then(
        refunded(2_50, "at-payout"),
        corrected("-250", -2_50, 50_00, due="at-payout"),
        corrected("250", 2_50, 100_00, due="at-payout"),
        collected(2_50, "at-payout"),
    )
    assert (0, 0) == (told.aggregate.owed, told.aggregate.collected)


EARLIER = (won(100_00), collect(5_00))
LESS = put_right(100_00, None, 150_00, here=False)
MORE = put_right(100_00, None, 250_00, here=False)


def test_r_irr_5_with_a_patron_who_is_not_here_it_is_open_until_it_is_settled():
    """Nobody is there who could pay, or be paid."""
    told = given(account(), *EARLIER).when(LESS)
    told.then(corrected("-250", -2_50, 50_00))
    assert (-2_50, 0) == (told.aggregate.balance, told.aggregate.owed)

    given(account(), *EARLIER, LESS).when(collect(1)).then_refused(OverCollected)
    told = given(account(), *EARLIER, LESS, settle(-2_00)).when(settle(-50))
    told.then(refunded(50, "settlement", receipt=3, of_coup=False))
    assert (0, 5_00) == (told.aggregate.balance, told.aggregate.collected)


def test_r_irr_5_a_charge_of_a_patron_who_is_not_here_is_owed_until_it_is_settled():
    given(account(), *EARLIER).when(MORE).then(corrected("250", 2_50, 150_00))
    told = given(account(), *EARLIER, MORE).when(settle(2_50))
    told.then(collected(2_50, "settlement", receipt=2))
    assert (0, 5_00) == (told.aggregate.balance, told.aggregate.collected)


def test_r_irr_5_what_is_owed_to_a_patron_is_set_off_against_what_they_owe():
    told = given(account(), *EARLIER, LESS).when(put_right(100_00, 150_00, None, here=False))
    told.then(corrected("250", 2_50, 100_00))
    assert told.aggregate.balance == 0


@pytest.mark.parametrize("act", [waive, walk])
def test_r_irr_5_once_the_table_is_closed_nobody_is_given_what_nobody_paid(act):
    was = {waive: "waived", walk: "walked"}[act]

    given(account(), won(100_00), act()).when(voided(100_00, here=False)).then(
        again(5_00, was), GONE
    )


def test_r_com_2_a_refund_has_a_receipt_of_its_own_that_is_printed_as_any_other():
    receipt = f"{DAY}/stay-1/receipt-2"

    given(account(), won(100_00), collect(5_00), voided(100_00)).when(print_receipt(receipt)).then(
        ("ReceiptPrinted", {"receipt": receipt, "copy": 1})
    )


def _acts():
    stakes = st.integers(1, 10**6)
    coups = st.integers(1, 5)
    shoes = st.integers(1, 3)
    return st.lists(
        st.one_of(
            st.tuples(st.just("win"), stakes, coups, shoes),
            st.tuples(
                st.sampled_from(["collect", "waive", "walk", "settle"]), stakes, coups, shoes
            ),
            st.tuples(st.just("correct"), stakes, coups, shoes),
            st.tuples(st.just("void"), stakes, coups, shoes),
        ),
        max_size=25,
    )


@for_all(st.sampled_from([DRAGON, CLASSIC]), _acts(), st.booleans())
def test_r_com_4_every_account_adds_up_whatever_happens(rules, acts, here):
    """charged + corrections = collected - refunded + waived + walked + owed, per shoe."""
    tally = account(rules)
    stakes, now = {}, {}  # of each coup that was won: what lay, and what it was paid last
    for act, amount, coup, shoe in acts:
        try:
            _tell(tally, stakes, now, (act, amount, coup, shoe), rules, here)
        except Refusal:
            continue
        _adds_up(tally, here)
    charged = sum(payment.commission_charged for payment in now.values())
    cleared = sum(_SIGN[type(event).__name__] * event.amount for event in _clearing(tally))

    settled = sum(
        _SIGN[type(event).__name__] * event.amount
        for event in _clearing(tally)
        if getattr(event, "how", "") == "settlement"
    )

    assert charged == cleared + tally.balance
    assert tally.collected + settled >= 0  # the table may give back what a settlement took
    assert replayed(tally) == tally


def _tell(tally, stakes, now, said, rules, here):
    act, amount, coup, shoe = said
    which = shoe, coup
    if act == "win" and which not in stakes:
        stakes[which], now[which] = amount, paid(rules, amount)
        won(amount, shoe=shoe, coup=coup, rules=rules)(tally)
    elif act in ("collect", "waive", "walk", "settle"):
        acts = {"collect": collect, "waive": waive, "walk": walk, "settle": settle}
        acts[act](-amount if act == "settle" and tally.balance < 0 else amount)(tally)
    elif act in ("correct", "void") and which in stakes:
        stake = stakes[which]
        to = stake if act == "void" else named(rules).payable(amount)
        wager = Wager(3, "banker", stake, "P-3", f"{DAY}/stay-1")
        after = paid(rules, stake, to)
        address = Address.parse(f"{DAY}/{shoe}/{coup}")
        tally.correct(address, wager, now[which], after, here=here)
        now[which] = after


# Which way an event clears what is owed.
_SIGN = {
    "CommissionCollected": 1,
    "CommissionRefunded": -1,
    "CommissionWaived": 1,
    "CommissionWalked": 1,
    "CommissionOwedAgain": -1,
}


def _clearing(tally):
    return [event for event in tally.pending_events if type(event).__name__ in _SIGN]


def _adds_up(tally, here):
    """By shoe; and nobody is given back what nobody paid, or owes again what was not let go."""
    charged, cleared, paid_in = Counter(), Counter(), Counter()
    for event in tally.pending_events:
        if hasattr(event, "charged"):
            charged[event.shoe] += event.charged
    for event in _clearing(tally):
        name = type(event).__name__
        for shoe, part in event.by_shoe.items():
            cleared[shoe] += _SIGN[name] * part
            if name in ("CommissionCollected", "CommissionRefunded"):
                paid_in[shoe] += _SIGN[name] * part
    for shoe, tab in tally.tabs.items():
        assert charged[shoe] == cleared[shoe] + tab.owed
        assert 0 <= paid_in[shoe] <= cleared[shoe]
        assert tab.owed >= 0 or not here


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (waive(5_01), "P-3 owes 3.00, less than 5.01. Waive 3.00 or less."),
        (walk(5_01), "P-3 owes 3.00, less than 5.01. Write off 3.00 or less."),
        (collect(5_01), "P-3 owes 5.00, less than 5.01. Collect 5.00 or less."),
    ],
)
def test_r_com_4_what_was_walked_may_be_collected_but_not_let_off_again(act, said):
    walked = given(account(), won(100_00), walk(2_00))

    assert said == str(walked.when(act).then_refused(OverCollected))


def test_r_com_2_what_is_paid_into_another_tray_is_not_in_this_table_s():
    elsewhere = given(account(), won(100_00), walk()).when(
        lambda account: account.collect(2_00, elsewhere=True)
    )
    elsewhere.then("CommissionOwedAgain", ("CommissionCollected", {
        "amount": 2_00, "by_shoe": {FIRST: 2_00}, "how": "elsewhere",
        "receipt": f"{DAY}/stay-1/receipt-1",
    }))  # fmt: skip
    assert (0, 0) == (elsewhere.aggregate.owed, elsewhere.aggregate.collected)
    assert {FIRST: 3_00} == elsewhere.aggregate.walked


def test_r_com_4_whoever_walked_may_come_back_and_pay():
    walked = given(account(), won(100_00), walk()).when(collect(5_00))
    walked.then(
        ("CommissionOwedAgain", {
            "coup": None, "seat": None, "amount": 5_00, "by_shoe": {FIRST: 5_00}, "was": "walked",
        }),
        "CommissionCollected",
    )  # fmt: skip
    assert walked.aggregate.owed == 0
