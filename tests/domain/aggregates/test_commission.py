"""R-COM-1 to 5: what a stay owes, and how it is paid."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.commission import CommissionAccount, require_settled
from domain.rules.refusals import CommissionOwed, NotFound, OverCollected
from tests.domain.floor import account, collect, open_table, print_receipt, won
from tests.scenario import given, replayed

DAY = "B01/2026-11-21"
RECEIPT = f"{DAY}/stay-1/receipt-{{}}"


def test_an_account_opens_with_the_stay_and_says_its_terms():
    event = account().pending_events[0]
    expected = {
        "stay": f"{DAY}/stay-1",
        "patron": "P-3",
        "table_day": DAY,
        "currency": "USD",
        "rate": [5, 100],
        "timing": "deferred",
        "rounding": "exact",
        "unit": 1,
        "minimum": 0,
        "moment": "per-win",
    }

    assert expected == {name: getattr(event, name) for name in expected}
    assert account().owed == 0


def test_r_com_2_deferred_commission_is_owed():
    told = given(account()).when(won(100_00, coup=7))

    told.then(
        (
            "CommissionAccrued",
            {
                "shoe": f"{DAY}/1",
                "coup": f"{DAY}/1/7",
                "seat": 3,
                "winnings": 100_00,
                "exact": "500",
                "charged": 5_00,
                "due": "deferred",
            },
        )
    )
    assert told.aggregate.owed == 5_00


def test_r_com_2_at_payout_commission_is_collected_in_the_same_act():
    told = given(account("classic@1")).when(won(1_01, rules="classic@1"))

    told.then(
        (
            "CommissionAccrued",
            {
                "shoe": f"{DAY}/1",
                "coup": f"{DAY}/1/1",
                "seat": 3,
                "winnings": 1_01,
                "exact": "5.05",
                "charged": 6,
                "due": "at-payout",
            },
        ),
        (
            "CommissionCollected",
            {"amount": 6, "by_shoe": {f"{DAY}/1": 6}, "how": "at-payout", "receipt": ""},
        ),
    )
    assert told.aggregate.owed == 0


def test_r_com_3_the_ledger_keeps_the_exact_accrual_beside_the_charge():
    owing = account()
    won(25_05)(owing)
    event = owing.pending_events[-1]
    expected = ("125.25", 1_26)

    assert expected == (event.exact, event.charged)
    assert owing.owed == 1_26


@pytest.mark.parametrize(
    ("amount", "by_shoe"),
    [
        (1_00, {f"{DAY}/1": 1_00}),
        (5_00, {f"{DAY}/1": 5_00}),
        (6_00, {f"{DAY}/1": 5_00, f"{DAY}/2": 1_00}),
        (15_00, {f"{DAY}/1": 5_00, f"{DAY}/2": 10_00}),
    ],
)
def test_r_com_2_any_part_may_be_paid_and_pays_the_oldest_shoe_first(amount, by_shoe):
    told = given(account(), won(100_00), won(200_00, shoe=2)).when(collect(amount))

    told.then(
        (
            "CommissionCollected",
            {"amount": amount, "by_shoe": by_shoe, "how": "patron", "receipt": RECEIPT.format(1)},
        )
    )
    assert told.aggregate.owed == 15_00 - amount


def test_r_com_2_a_shoe_that_is_paid_is_not_paid_again():
    given(account(), won(100_00), won(200_00, shoe=2), collect(5_00)).when(collect(10_00)).then(
        (
            "CommissionCollected",
            {
                "amount": 10_00,
                "by_shoe": {f"{DAY}/2": 10_00},
                "how": "patron",
                "receipt": RECEIPT.format(2),
            },
        )
    )


# fmt: off
TO_THE_TRAY = [
    # rules            acts                                               collected
    ("dragon-bonus@1", [],                                                0),
    ("dragon-bonus@1", [won(100_00)],                                     0),
    ("dragon-bonus@1", [won(100_00), collect(2_00)],                      2_00),
    ("dragon-bonus@1", [won(100_00), collect(2_00), collect(3_00)],       5_00),
    ("classic@1",      [won(100_00, rules="classic@1")],                  0),  # kept back at payout
]
# fmt: on


@pytest.mark.parametrize(("rules", "acts", "collected"), TO_THE_TRAY)
def test_r_com_2_what_a_patron_paid_in_chips_is_counted_by_itself(rules, acts, collected):
    owing = account(rules)
    for act in acts:
        act(owing)

    assert collected == owing.collected


@pytest.mark.parametrize(
    ("earlier", "amount", "message"),
    [
        ([], 1, "P-3 owes nothing."),
        ([won(100_00)], 5_01, "P-3 owes 5.00, less than 5.01. Collect 5.00 or less."),
        (
            [won(100_00), collect(5_00)],
            1,
            "P-3 owes nothing.",
        ),
    ],
)
def test_r_com_4_no_more_is_collected_than_is_owed(earlier, amount, message):
    refusal = given(account(), *earlier).when(collect(amount)).then_refused(OverCollected)

    assert message == str(refusal)


def test_r_com_4_nobody_leaves_and_no_shoe_ends_while_commission_is_owed():
    owing, also, paid, never = account(), account(seat=5), account(), account()
    won(100_00)(owing)
    won(150_00)(also)
    won(100_00)(paid)
    collect(5_00)(paid)

    require_settled([paid, never])
    require_settled([])
    with pytest.raises(CommissionOwed) as refused:
        require_settled([owing, paid, also, never])
    expected = (
        "P-3 owes 5.00 and P-5 owes 7.50. Collect the commission, or a supervisor waives "
        "it, or writes it off if the patron left."
    )

    assert expected == str(refused.value)
    assert refused.value.rule == "R-COM-4"


def test_r_com_5_the_account_belongs_to_the_stay_and_not_to_the_chair():
    table = open_table(seats=(3,))
    first = table.stay_at(3)
    table.leave(3)
    table.seat(3, "P-3")
    again = table.stay_at(3)

    assert first != again
    assert CommissionAccount.stream(first.address) != CommissionAccount.stream(again.address)


def test_receipts_are_numbered_by_the_account_and_without_a_gap():
    paid = account("classic@1")
    won(100_00, rules="classic@1")(paid)  # kept back at payout, without one
    won(100_00)(paid)
    for _ in range(3):
        collect(1_00)(paid)
    given(paid).when(collect(5_00)).then_refused(OverCollected)  # uses up none
    collect(2_00)(paid)
    numbers = [event.receipt for event in paid.pending_events if hasattr(event, "receipt")]

    assert ["", *(RECEIPT.format(n) for n in (1, 2, 3, 4))] == numbers
    assert RECEIPT.format(5) == paid.next_receipt


def test_a_receipt_is_printed_once_and_reprinted_after_that():
    first = RECEIPT.format(1)
    told = given(account(), won(100_00), collect(2_00), collect(1_00))
    copies = [told.aggregate.print_receipt(first) for _ in range(3)]

    assert [1, 2, 3] == copies
    assert told.aggregate.print_receipt(RECEIPT.format(2)) == 1
    told.when(print_receipt(first)).then(
        *(("ReceiptPrinted", {"receipt": first, "copy": n}) for n in (1, 2, 3)),
        ("ReceiptPrinted", {"receipt": RECEIPT.format(2), "copy": 1}),
        ("ReceiptPrinted", {"receipt": first, "copy": 4}),
    )
    assert told.aggregate.owed == 2_00


@pytest.mark.parametrize("receipt", ["", RECEIPT.format(2), f"{DAY}/stay-2/receipt-1"])
def test_no_receipt_is_printed_that_was_not_given_out(receipt):
    told = given(account(), won(100_00), collect(2_00)).when(print_receipt(receipt))
    refusal = told.then_refused(NotFound)

    assert f"The ledger has no receipt {receipt}." == str(refusal)


WINS = st.tuples(st.just("win"), st.integers(1, 10**7), st.integers(1, 4))
PAYMENTS = st.tuples(st.just("pay"), st.integers(1, 10**6), st.just(0))
TIMINGS = st.sampled_from(["classic@1", "dragon-bonus@1"])


@for_all(TIMINGS, st.lists(st.one_of(WINS, PAYMENTS), max_size=20))
def test_r_com_4_what_was_charged_is_what_was_collected_and_what_is_owed(rules, acts):
    owing = account(rules)
    for coup, (act, amount, shoe) in enumerate(acts, 1):
        if act == "win":
            won(amount, shoe=shoe, coup=coup, rules=rules)(owing)
        elif amount <= owing.owed:
            collect(amount)(owing)
        else:
            given(owing).when(collect(amount)).then_refused(OverCollected)
    events = owing.pending_events
    charged = sum(getattr(event, "charged", 0) for event in events)
    collected = sum(getattr(event, "amount", 0) for event in events)
    by_shoe = [part for event in events for part in getattr(event, "by_shoe", {}).values()]

    assert charged == collected + owing.owed
    assert collected == sum(by_shoe)
    assert all(tab.owed >= 0 for tab in owing.tabs.values())
    assert rules == "dragon-bonus@1" or owing.owed == 0
    assert replayed(owing) == owing
