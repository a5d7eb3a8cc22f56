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
        ("Ana", "Ána"),
        ("Sören", "Soren"),
        ("Søren", "Soren"),
        ("Нина", "Ни́на"),
        *(
            ("Ann Archer", each)
            for each in ("AnnArcher", "Ann-Archer", "Ann  Archer", "Ann.Archér")
        ),
        *(
            ("Ann O'Leary", each)
            for each in ("Ann OLeary", "Ann OʼLeary", "ANN O’LEARY", "Ann.O—Leary")
        ),
        ("P-100", "P100"),
        ("P-100", "P —100."),
        ("P-10-1", "P10 1"),
        ("P-10-1", "P-lO-1"),
        # A sample of each block that has letters or numbers to be taken for ours.
        ("Ann", "Åñn"),  # Latin-1 Supplement
        ("Ann", "Āńņ"),  # Latin Extended-A
        ("Nick", "Ɲiƈk"),  # Latin Extended-B
        ("Bing", "ʙɪɴɢ"),  # IPA Extensions
        ("Fabio", "Faƀɪ𝑜"),
        ("Ann", "ᴀɴɴ"),  # Phonetic Extensions
        ("Ted", "ᵀᵉᵈ"),
        ("Sam", "ᶊᶏᶆ"),  # Phonetic Extensions Supplement
        ("Ann", "Ẩṇṋ"),  # Latin Extended Additional
        ("Nina", "ₙⁱₙₐ"),  # Superscripts and Subscripts
        ("Kim", "Kℹm"),  # Letterlike Symbols
        ("Vic", "ⅤⅰⅭ"),  # Number Forms
        ("Ann", "ⒶⓃⓝ"),  # Enclosed Alphanumerics
        ("Ann", "⒜⒩⒩"),
        ("P-15", "P-⓯"),
        ("P-12", "P-❶➁"),  # Dingbats
        ("Lara", "Ⱡⱥrⱥ"),  # Latin Extended-C
        ("Frank", "ꜰrank"),  # Latin Extended-D
        ("Lex", "ꬸꬴꭖ"),  # Latin Extended-E
        ("Ann", "Ａｎｎ"),  # Halfwidth and Fullwidth Forms
        ("Cos", "𝼝𝼛𝼞"),  # Latin Extended-G
        ("Ann", "𝓐𝖓𝕟"),  # Mathematical Alphanumeric Symbols
        ("Ann", "🄐🄝🄝"),  # Enclosed Alphanumeric Supplement
        ("Ann", "🅐🅽🇳"),
        # Numbers of other scripts, and of several at once.
        *(
            ("P-666", f"P-{each}")
            for each in (
                *("٦٦٦", "۶۶۶", "๖๖๖", "६६६", "੬੬੬", "໖໖໖", "௬௬௬", "六六六", "፮፮፮"),
                *("⁶⁶⁶", "₆₆₆", "６６６", "𝟔𝟞𝟲", "⑥➅❻", "⓺⑹⒍", "ⅥⅥⅥ", "ⅵ6Ⅵ"),
                *("٦6๖", "б６໖", "66꘦"),
            )
        ),
        ("P-50", "Р-٥٠"),
        ("P-O", "P-٥"),
        ("P-10-1", "P-١٠-١"),
        ("P-10-1", "P-Ⅹ-Ⅰ"),
        # Small letters whose capitals look like ours.
        ("Abzmhkno", "ⲁⲃⲍⲙⲏⲕⲛⲟ"),  # Coptic
        ("Mapk", "ⲘаⲣК"),
        ("Tom", "том"),  # Cyrillic
        ("Heh", "нᴇн"),
        ("Mick", "μⅰⲥκ"),  # Greek
        ("Bob", "ᏼoᏴ"),  # Cherokee
    ],
)
def test_these_look_the_same(name, other):
    assert alike(name, other)
    assert alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("P-9", "P-8"),
        ("P-9", "P-90"),
        ("Nina", "Viva"),
        ("Ali", "Alo"),
        ("---", "..."),
        ("P-1", "P-11"),
        ("P-1-11", "P-11-1"),
        ("王一", "王"),
        ("Ann", "ᴀɴ"),
        ("P-1", "P-❷"),
        ("Ann", "ɐɴɴ"),  # turned
        ("P-666", "P-٦٦٧"),
        ("P-666", "P-٦٦"),
        ("P-1-11", "P-١١-١"),
        ("P-1-11", "P-ⅪⅠ"),
    ],
)
def test_these_do_not(name, other):
    assert not alike(name, other)


def test_no_two_numbers_look_the_same():
    seated = [f"P-{table}-{seat}" for table in range(100) for seat in range(100)]
    names = [*(f"P-{number}" for number in range(10_000)), *seated]
    shapes = [look for name in names for look in looks(name)]

    assert len(shapes) == len(set(shapes))


def test_a_name_of_many_looks_has_not_all_of_them():
    shapes = looks("І" * 60 + "٥" * 60)

    assert len(shapes) < 200
    assert alike("P-" + "6" * 60, "P-" + "٦๖" * 30)


@given(st.text())
def test_every_name_looks_like_itself_in_any_case_and_width(name):
    assert alike(name, name)
    assert alike(name, name.casefold())


def test_the_table_is_the_one_that_looks_were_made_by():
    """Another table: raise `TABLE` with this, so that the looks on file are made again."""
    table = (files("confusable_homoglyphs") / "confusables.json").read_bytes()

    assert (151, "2d8b4774cd9dc6f2") == (TABLE, hashlib.sha256(table).hexdigest()[:16])
