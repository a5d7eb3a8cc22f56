"""Every message is in the catalogue, and every language has every message."""

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


def test_the_template_has_the_messages_of_today():
    """`scripts/catalogue` writes it."""
    assert catalogue.template().decode() == (catalogue.LANGUAGES / "sabot.pot").read_text()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_language_has_the_messages_of_today_and_no_others(language):
    ours = {(each.id, each.context) for each in read(language) if each.id}
    wanted = {(each.id, each.context) for each in catalogue.messages() if each.id}

    assert wanted == ours


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language):
    missing = [each.id for each in read(language) if each.id and not all(forms(each.string))]

    assert [] == missing


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_places_of_its_message(language):
    """A plural may leave its number out, where it says `one`."""
    for each in read(language):
        if each.id:
            known = [placeholders(form) for form in forms(each.id)]
            needed = set.intersection(*known) - {"n"}
            for form in forms(each.string):
                assert needed <= placeholders(form) <= set.union(*known), (each.id, form)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_typed_is_the_same_in_every_language(language):
    for each in read(language):
        if each.id:
            typed = sorted(_TYPED.findall(forms(each.id)[-1]))
            assert typed == sorted(_TYPED.findall(forms(each.string)[-1])), each.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_head_says_where_the_terms_of_the_trade_are_from(language):
    assert "http" in (read(language).header_comment or "")


def test_simplified_and_traditional_chinese_are_two():
    simplified, traditional = read("zh-Hans"), read("zh-Hant")

    assert simplified.get("Banker").string == "庄"
    assert traditional.get("Banker").string == "莊"
