"""Catalogues of two branches are merged message by message."""

from ops.words.language import LANGUAGES as NAMES
from tests.catalogue import LANGUAGES
from tests.merged_catalogues import merged


def entry(text, translation):
    return f'msgid "{text}"\nmsgstr "{translation}"\n\n'.encode()


HEAD = b'# head\nmsgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


def test_both_branches_messages_and_translations_are_there_and_none_that_one_took_away():
    base = HEAD + entry("a", "") + entry("gone", "ido") + entry("z", "zê")
    ours = HEAD + entry("a", "um") + entry("b", "bê") + entry("gone", "ido") + entry("z", "zê")
    theirs = HEAD + entry("a", "") + entry("c", "cê") + entry("z", "zê novo")

    both = HEAD + entry("a", "um") + entry("b", "bê") + entry("c", "cê") + entry("z", "zê novo")
    assert merged(base, ours, theirs).strip() == both.strip()


def test_a_catalogue_that_nobody_changed_stays_as_it_is():
    for name in NAMES:
        if (file := LANGUAGES / f"{name}.po").exists():
            text = file.read_bytes()
            assert merged(text, text, text) == text
