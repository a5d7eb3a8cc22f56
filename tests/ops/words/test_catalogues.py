"""A language's file: what it translates keeps its message's places, and it is nobody's copy."""

import re
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from ops.words.language import ENGLISH, LANGUAGES
from tests import catalogue

TRANSLATED = sorted(LANGUAGES.keys() - {ENGLISH})
_TYPED = re.compile(r"`[^`]*`")


def read(language):
    file = catalogue.LANGUAGES / f"{language}.po"
    return read_po(BytesIO(file.read_bytes()), locale=language.replace("-", "_"))


def placeholders(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms(string):
    return string if isinstance(string, tuple | list) else (string,)


def translations(language):
    """Each message of a language's file that is translated."""
    return [each for each in read(language) if each.id and all(forms(each.string))]


def test_what_is_not_translated_is_named_and_fails_a_release(monkeypatch, capsys):
    grown = catalogue.messages.__wrapped__()
    grown.add("Nobody has translated this.")
    monkeypatch.setattr(catalogue, "messages", lambda: grown)
    before = {file: file.read_bytes() for file in catalogue.LANGUAGES.iterdir() if file.is_file()}

    assert catalogue.main(["--missing"]) == 1
    assert capsys.readouterr().out.count("  Nobody has translated this.\n") == len(TRANSLATED)
    assert before == {file: file.read_bytes() for file in before}


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("other", [*TRANSLATED, ENGLISH])
def test_no_language_is_a_copy_of_another(language, other):
    """Simplified and traditional Chinese write one long message in eight alike."""
    theirs = (
        {(each.id, each.context): each.string for each in read(other)}
        if other in TRANSLATED
        else {}
    )
    long = [each for each in translations(language) if len(forms(each.string)[0]) > 12]
    alike = [each for each in long if each.string == theirs.get((each.id, each.context), each.id)]

    assert other == language or len(alike) <= len(long) / 4, f"{language}.po is a copy of {other}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_places_of_its_message(language):
    """A plural may leave its number out, where it says `one`."""
    for each in translations(language):
        known = [placeholders(form) for form in forms(each.id)]
        needed = set.intersection(*known) - {"n"}
        for form in forms(each.string):
            assert needed <= placeholders(form) <= set.union(*known), (each.id, form)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_typed_is_the_same_in_every_language(language):
    for each in translations(language):
        typed = sorted(_TYPED.findall(forms(each.id)[-1]))
        assert typed == sorted(_TYPED.findall(forms(each.string)[-1])), each.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_head_says_where_the_terms_of_the_trade_are_from(language):
    assert not translations(language) or "http" in (read(language).header_comment or "")


def test_simplified_and_traditional_chinese_are_two():
    simplified, traditional = read("zh-Hans"), read("zh-Hant")

    assert simplified.get("Banker").string == "庄"
    assert traditional.get("Banker").string == "莊"
