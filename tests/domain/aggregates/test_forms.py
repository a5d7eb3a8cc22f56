"""N.J.A.C. 13:69D-1.30: a form for commission that a patron leaves owing, and for each payment."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.forms import Debt, FormBook
from domain.rules.addresses import Form
from domain.rules.refusals import BadValue, NotFound
from tests.domain.floor import EVENING
from tests.scenario import given, replayed

TABLE_DAY = "B01/2026-11-21"
STAY, OTHER = f"{TABLE_DAY}/stay-1", f"{TABLE_DAY}/stay-2"
FIRST, SECOND = f"{TABLE_DAY}/1", f"{TABLE_DAY}/2"
COUP = f"{SECOND}/7"
UV = [f"UV-2026-00000{n}" for n in range(1, 6)]
VR = [f"VR-2026-00000{n}" for n in range(1, 6)]


def book(year=2026):
    return FormBook.begin_year(year, EVENING)


def debt(by_shoe, stay=STAY, table_day=TABLE_DAY):
    return Debt(
        table_day=table_day,
        patron="P-3",
        stay=stay,
        by_shoe=by_shoe,
        currency="USD",
        prepared_by="D-204",
        approved_by="S-11",
    )


def left_owing(by_shoe, stay=STAY):
    return lambda book: book.issue_uncollected(debt(by_shoe, stay), "left by the back door")


def paid(amount, stay=STAY, *, later=None):
    """A payment, on a form of this book, or of a `later` year's."""

    def act(book):
        by_form = book.parts(stay, amount)
        number = (later or book).issue_recovery(debt({FIRST: amount}, stay), book, by_form)
        book.recover(by_form, number)
        return number

    return act


def recovered(form, recovery, amount):
    return "FormRecovered", {"form": form, "recovery": recovery, "amount": amount}


def recovery_issued(form, amount, by_form, still_open):
    return "RecoveryFormIssued", {
        "form": form, "table_day": TABLE_DAY, "patron": "P-3", "stay": STAY, "amount": amount,
        "by_shoe": {FIRST: amount}, "currency": "USD", "by_form": by_form,
        "still_open": still_open, "prepared_by": "D-204", "approved_by": "S-11",
    }  # fmt: skip


def test_a_form_has_everything_that_is_on_its_paper():
    given(book()).when(left_owing({FIRST: 5_00, SECOND: 2_00})).then(
        ("UncollectedFormIssued", {
            "form": UV[0], "table_day": TABLE_DAY, "patron": "P-3", "stay": STAY,
            "amount": 7_00, "by_shoe": {FIRST: 5_00, SECOND: 2_00}, "currency": "USD",
            "reason": "left by the back door", "prepared_by": "D-204", "approved_by": "S-11",
        })
    )  # fmt: skip


def test_both_series_are_numbered_without_a_gap_each_by_itself():
    forms = book()
    numbers = [
        act(forms)
        for act in (left_owing({FIRST: 5_00}), paid(1_00), left_owing({FIRST: 1_00}), paid(5_00))
    ]

    assert [UV[0], VR[0], UV[1], VR[1]] == numbers


def test_each_year_begins_its_own_numbers():
    assert "UV-2027-000001" == left_owing({FIRST: 5_00})(book(2027))
    assert FormBook.stream(2026) == book().id != FormBook.stream(2027)


def test_a_form_is_recovered_part_by_part():
    forms = given(book(), left_owing({FIRST: 5_00}))
    forms.when(paid(2_00)).then(
        recovery_issued(VR[0], 2_00, {UV[0]: 2_00}, {UV[0]: 3_00}), recovered(UV[0], VR[0], 2_00)
    )
    forms.before = len(forms.aggregate.pending_events)
    forms.when(paid(3_00)).then(
        recovery_issued(VR[1], 3_00, {UV[0]: 3_00}, {UV[0]: 0}), recovered(UV[0], VR[1], 3_00)
    )
    assert {} == forms.aggregate.open


def test_one_payment_recovers_several_forms_the_oldest_first():
    earlier = left_owing({FIRST: 5_00}), left_owing({SECOND: 2_00}), left_owing({SECOND: 4_00})

    given(book(), *earlier).when(paid(8_00)).then(
        recovery_issued(
            VR[0],
            8_00,
            {UV[0]: 5_00, UV[1]: 2_00, UV[2]: 1_00},
            {UV[0]: 0, UV[1]: 0, UV[2]: 3_00},
        ),
        recovered(UV[0], VR[0], 5_00),
        recovered(UV[1], VR[0], 2_00),
        recovered(UV[2], VR[0], 1_00),
    )


def test_never_more_of_a_form_is_recovered_than_is_open():
    """Commission that was written off before forms were kept is on none."""
    forms = given(book(), left_owing({FIRST: 5_00}))

    forms.when(paid(6_00)).then(
        recovery_issued(VR[0], 6_00, {UV[0]: 5_00}, {UV[0]: 0}), recovered(UV[0], VR[0], 5_00)
    )


def test_another_stay_s_form_is_its_own():
    forms = book()
    left_owing({FIRST: 5_00}, OTHER)(forms)
    left_owing({FIRST: 4_00})(forms)

    assert {UV[1]: 4_00} == forms.parts(STAY, 9_00)


def test_a_form_of_last_year_is_recovered_by_a_form_of_this_year():
    last, this = book(), book(2027)
    left_owing({FIRST: 5_00})(last)
    number = paid(2_00, later=this)(last)

    assert "VR-2027-000001" == number
    assert (3_00, {}) == (last.uncollected[UV[0]].open, this.uncollected)
    assert {UV[0]: 3_00} == this.pending_events[-1].still_open


@pytest.mark.parametrize(
    ("amount", "taken"),
    [
        (1_00, {UV[1]: 1_00}),  # the form that the shoe is on
        (3_00, {UV[1]: 2_00, UV[0]: 1_00}),  # a payment took the other from it before
    ],
)
def test_a_corrected_coup_adjusts_the_form_of_its_shoe_first(amount, taken):
    forms = given(book(), left_owing({FIRST: 5_00}), left_owing({SECOND: 2_00}))

    forms.when(lambda book: book.adjust(STAY, {SECOND: amount}, COUP)).then(
        *(
            ("FormAdjusted", {"form": form, "coup": COUP, "amount": part})
            for form, part in taken.items()
        )
    )
    assert 0 == forms.aggregate.recoveries


def test_each_part_is_printed_once_and_copies_are_numbered():
    def printed(part):
        return lambda book: book.print_part(UV[0], part)

    def event(part, copy):
        return "FormPrinted", {"form": UV[0], "part": part, "copy": copy}

    forms = given(book(), left_owing({FIRST: 5_00}), printed("original"), printed("duplicate"))

    forms.when(printed("original")).then(event("original", 2))
    assert {UV[0]: {"original": 2, "duplicate": 1}} == forms.aggregate.copies


def test_a_form_that_was_never_issued_is_not_printed():
    given(book()).when(lambda book: book.print_part(UV[0], "original")).then_refused(NotFound)


@pytest.mark.parametrize("text", ["UV-2026-1", "uv-2026-000001", "UV-2026-000000", "C-2026-0001"])
def test_a_number_is_written_one_way(text):
    with pytest.raises(BadValue):
        Form.parse(text)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["walk", "pay", "correct"]),
        st.sampled_from([STAY, OTHER]),
        st.sampled_from([FIRST, SECOND]),
        st.integers(1, 20_00),
    ),
    max_size=30,
)


@for_all(ACTS)
def test_open_forms_are_what_was_walked_and_neither_paid_nor_corrected(acts):
    forms, owed = book(), dict.fromkeys([STAY, OTHER], 0)
    for act, stay, shoe, amount in acts:
        if act == "walk":
            left_owing({shoe: amount}, stay)(forms)
            owed[stay] += amount
        elif (part := min(amount, owed[stay])) > 0:
            paid(part, stay)(forms) if act == "pay" else forms.adjust(stay, {shoe: part}, COUP)
            owed[stay] -= part
        for each, left in owed.items():
            assert left == sum(form.open for form in forms.open.values() if form.stay == each)
    numbers = [Form.parse(form) for form in forms.copies]

    assert list(range(1, len(forms.uncollected) + 1)) == [
        each.number for each in numbers if each.series == "UV"
    ]
    assert list(range(1, forms.recoveries + 1)) == [
        each.number for each in numbers if each.series == "VR"
    ]
    assert all(form.open >= 0 for form in forms.uncollected.values())
    assert replayed(forms) == forms
