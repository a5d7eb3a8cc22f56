"""A coup's record beside what its shoe and the accounts tell, as pure functions of events."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from domain.events.commission_account import CommissionAccrued, CommissionCollected
from domain.review.adjudication import (
    Adjudicated,
    Adjudication,
    Around,
    adjudicate,
    as_texts,
    charges,
    fingerprint,
)
from domain.review.replay import Disagreement, Line
from domain.rules.addresses import Coup as Address
from domain.rules.money import Rounding

COUP = "B01/2026-11-21/1/17"
AT = datetime(2026, 11, 21, 20, tzinfo=UTC)
UP = Rounding(mode="up", unit=1_00, moment="on-collection")


def accrued(position, exact, charged, coup=COUP, seat=3):
    told = {"shoe": "B01/2026-11-21/1", "coup": coup, "seat": seat, "due": "deferred"}
    event = CommissionAccrued(exact=exact, charged=charged, winnings=0, **told)
    return Line(position, event)


def collected(position, amount):
    by_shoe = {"B01/2026-11-21/1": amount}
    event = CommissionCollected(amount=amount, by_shoe=by_shoe, how="patron", receipt="")
    return Line(position, event)


def test_r_com_3_what_is_rounded_on_collection_is_rounded_as_one_sum_until_nothing_is_owed():
    account = [
        accrued(1, "125", 2_00, f"{COUP}1"),
        accrued(2, "50", 0, f"{COUP}2"),
        accrued(3, "50", 1_00, f"{COUP}3"),
        collected(4, 3_00),
        accrued(5, "50", 1_00, f"{COUP}4"),
    ]

    assert charges(account, UP) == {1: 2_00, 2: 0, 3: 1_00, 5: 1_00}


def test_what_was_charged_wrongly_is_reckoned_rightly():
    account = [accrued(1, "125", 1_00), accrued(2, "50", 1_00, f"{COUP}2")]

    assert charges(account, UP) == {1: 2_00, 2: 0}


@pytest.mark.parametrize("lines", [[], [Line(7, SimpleNamespace(coup=COUP, timestamp=AT))]])
def test_a_record_without_its_beginning_says_so(lines):
    found = adjudicate(COUP, lines, Around(begun=True))

    assert (found.agrees, found.replay, found.rules) == (False, None, "")
    assert found.disagreements == [
        Disagreement("the record", None, "begins with the coup's opening")
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        ("tie", "tie"),
        (300_00, "30000"),
        ([1, 2], "[1, 2]"),
        (True, "true"),
        ("a\x00b", r"'a\x00b'"),
        ("\ud800", r"'\ud800'"),
        ("x" * 1_000, "x" * 199 + "…"),
    ],
)
def test_whatever_somebody_put_there_is_told_as_a_text_that_may_be_kept(value, text):
    assert as_texts([Disagreement("w", value, None)]) == [
        {"what": "w", "recorded": text, "adjudicated": "nothing"}
    ]


def test_the_same_lines_of_the_same_coup_are_the_same_disagreement():
    address, differing = Address.parse(COUP), [Disagreement("outcome", "tie", "banker")]
    texts = as_texts(differing)
    other = as_texts([Disagreement("outcome", "tie", "player")])
    stated = Adjudication.disagree(address, Adjudicated(COUP, None, differing), at=AT)

    assert stated.id == Adjudication.stream(address, texts)
    assert stated.id != Adjudication.stream(address, other)
    assert stated.belongs_to == (address.shoe.table_day.day, "B01")
    assert fingerprint(COUP, texts) != fingerprint(f"{COUP}1", texts)
