"""Addresses are written one way, and the same address is the same stream."""

from datetime import date
from string import ascii_letters, digits
from uuid import RFC_4122, UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.rules.addresses import Case, Coup, Form, Receipt, Shoe, TableDay, parse_day, stream_id
from domain.rules.refusals import BadValue

DAYS = st.dates(date(1970, 1, 1), date(2199, 12, 31))
_LETTERS = ascii_letters + digits
CODES = st.builds(str.__add__, st.sampled_from(_LETTERS), st.text(_LETTERS + "_-", max_size=15))
NUMBERS = st.integers(1, 999_999)
TABLE_DAYS = st.builds(TableDay, CODES, DAYS)
SHOES = st.builds(Shoe, TABLE_DAYS, NUMBERS)
COUPS = st.builds(Coup, SHOES, NUMBERS)
RECEIPTS = st.builds(Receipt, TABLE_DAYS, NUMBERS, NUMBERS)
CASES = st.builds(Case, st.integers(1000, 9999), NUMBERS)
FORMS = st.builds(Form, st.sampled_from(["UV", "VR"]), st.integers(1000, 9999), NUMBERS)
KINDS = st.sampled_from(["table-day", "shoe", "coup", "commission-account"])


@given(st.one_of(TABLE_DAYS, SHOES, COUPS, RECEIPTS, CASES, FORMS))
def test_every_address_is_read_back_as_it_was_written(address):
    assert address == type(address).parse(str(address))


def test_addresses_are_written_as_the_documents_write_them():
    coup = Coup(Shoe(TableDay("B01", date(2026, 11, 21)), 2), 17)
    expected = ["B01/2026-11-21/2/17", "B01/2026-11-21/2", "B01/2026-11-21"]

    assert expected == [str(coup), str(coup.shoe), str(coup.shoe.table_day)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (TableDay, ""),
        (TableDay, "B01"),
        (TableDay, "B01/21.11.2026"),
        (TableDay, "B01/2026-02-30"),
        (TableDay, "B01/2026-11-21/"),
        (TableDay, "-01/2026-11-21"),
        (TableDay, "B 1/2026-11-21"),
        (TableDay, "ABCDEFGHIJKLMNOPQ/2026-11-21"),
        (Shoe, "B01/2026-11-21"),
        (Shoe, "B01/2026-11-21/0"),
        (Shoe, "B01/2026-11-21/01"),
        (Shoe, "B01/2026-11-21/1000000"),
        (Shoe, "B01/2026-11-21/1\n"),
        (Coup, "B01/2026-11-21/1"),
        (Coup, "B01/2026-11-21/1/0"),
        (Coup, "B01/2026-11-21/1/-1"),
        (Coup, "B01/2026-13-21/1/1"),
        (Receipt, "B01/2026-11-21/stay-3"),
        (Receipt, "B01/2026-11-21/stay-0/receipt-1"),
        (Receipt, "B01/2026-11-21/stay-3/receipt-01"),
        (Receipt, "B01/2026-11-21/3/2"),
        (Case, "C-2026-7"),
        (Case, "C-2026-0000"),
        (Case, "C-2026-00007"),
        (Case, "c-2026-0007"),
        (Case, "C-2026-0007\n"),
    ],
)
def test_what_is_no_address_is_refused(kind, text):
    with pytest.raises(BadValue):
        kind.parse(text)


@pytest.mark.parametrize("text", ["", "today", "2026-2-3", "2026-02-29", "20261121", "2026-W47-6"])
def test_a_day_is_year_month_and_date_and_nothing_else(text):
    with pytest.raises(BadValue) as refused:
        parse_day(text)
    expected = f"day cannot be {text!r}: write YYYY-MM-DD, as in `2026-11-21`."

    assert expected == str(refused.value)


@given(KINDS, KINDS, CODES, CODES, DAYS, DAYS)
def test_streams_sort_by_gaming_day(kind, other_kind, code, other_code, day, other_day):
    assume(day != other_day)
    first, second = sorted([(day, kind, code), (other_day, other_kind, other_code)])
    streams = [stream_id(each[1], f"{each[2]}/{each[0]}", each[0]) for each in (first, second)]

    assert sorted(streams, key=lambda stream: stream.bytes) == streams


@given(CODES, DAYS)
def test_what_has_no_day_sorts_before_everything_that_has_one(code, day):
    assume(day > date(1970, 1, 1))

    assert stream_id("table", code) < stream_id("table-day", f"{code}/{day}", day)


@given(KINDS, CODES, st.none() | DAYS)
def test_a_stream_is_a_uuid_of_version_8(kind, address, day):
    stream = stream_id(kind, address, day)
    expected = (8, RFC_4122)

    assert expected == (stream.version, stream.variant)


@given(KINDS, CODES, st.none() | DAYS)
def test_the_same_address_is_the_same_stream(kind, address, day):
    assert stream_id(kind, address, day) == stream_id(kind, address, day)


@given(KINDS, KINDS, CODES, DAYS)
def test_different_kinds_have_different_streams(kind, other_kind, address, day):
    assume(kind != other_kind)

    assert stream_id(kind, address, day) != stream_id(other_kind, address, day)


@given(KINDS, COUPS, COUPS)
def test_different_addresses_have_different_streams(kind, coup, other):
    assume(coup != other)
    day = coup.shoe.table_day.day

    assert stream_id(kind, str(coup), day) != stream_id(kind, str(other), day)


@pytest.mark.parametrize(
    ("kind", "address", "day", "stream"),
    [
        ("table", "B01", None, "00000000-0000-872e-a7ff-be7f78851a0b"),
        ("property", "property", None, "00000000-0000-8fde-91a7-4fee167d24e4"),
        (
            "coup",
            "B01/2026-11-21/2/17",
            date(2026, 11, 21),
            "01a1fb67-1800-81b4-a602-de52bd4bd866",
        ),
    ],
)
def test_a_stream_is_where_it_was_when_the_first_house_was_founded(kind, address, day, stream):
    assert UUID(stream) == stream_id(kind, address, day)
