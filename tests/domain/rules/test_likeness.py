"""Which names look the same, by Unicode's table of look-alikes."""

import hashlib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.likeness import TABLE, alike, looks


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("P-9", "p-9"),
        ("P-9", "Ｐ-9"),
        ("P-9", "Р-9"),  # Cyrillic
        ("P-9", "P‑9"),  # a hyphen that does not break
        ("P-10", "P-lO"),
        ("P-10", "p-Ⅰ0"),
        ("Nick", "ΝICK"),  # a Greek capital, whose small letter looks like v
        ("Ivan", "ІVAN"),  # Cyrillic
        ("НИНА", "Нина"),
        ("Straße", "STRASSE"),
        ("Burn", "Bum"),
        ("ﬁve", "Five"),
    ],
)
def test_these_look_the_same(name, other):
    assert alike(name, other)
    assert alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("P-9", "P-8"), ("P-9", "P-90"), ("Nina", "Viva"), ("Ana", "Ána"), ("Ali", "Alo")],
)
def test_these_do_not(name, other):
    assert not alike(name, other)


def test_no_two_numbers_look_the_same():
    shapes = [look for number in range(10_000) for look in looks(f"P-{number}")]

    assert len(shapes) == len(set(shapes))


@given(st.text())
def test_every_name_looks_like_itself_in_any_case_and_width(name):
    assert alike(name, name)
    assert alike(name, name.casefold())


def test_the_table_is_the_one_that_looks_were_made_by():
    """Another table: raise `TABLE` with this, so that the looks on file are made again."""
    table = (files("confusable_homoglyphs") / "confusables.json").read_bytes()

    assert (151, "2d8b4774cd9dc6f2") == (TABLE, hashlib.sha256(table).hexdigest()[:16])
