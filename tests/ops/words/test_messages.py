"""What people read is in plain words: messages, help, the columns of reports, the manual."""

from pathlib import Path
from string import Formatter

import click
import pytest

from ops.cli import cli
from ops.web.pages.markdown import coded, linked
from ops.words.columns import COLUMNS
from ops.words.show import plain
from projections import PROJECTIONS
from tests import ROOT
from tests.catalogue import messages
from tests.ops.cli.leaves import LEAVES
from tests.plain_words import riddles, sentences

PAGES = sorted(
    path.relative_to(ROOT)
    for path in (*ROOT.glob("*.md"), *ROOT.glob("*/**/*.md"))
    if ".venv" not in path.parts and path.parent.name != "disputes"
)


@pytest.fixture(scope="module")
def texts():
    """Every message, and each form of one that counts."""
    return sorted(
        {
            form
            for message in messages()
            if message.id
            for form in (message.id if isinstance(message.id, tuple) else (message.id,))
        }
    )


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_has_no_riddles(page: Path):
    lines = (ROOT / page).read_text().splitlines()

    assert [] == [(n, riddles(line), line) for n, line in enumerate(lines, 1) if riddles(line)]


def test_a_message_has_no_riddles(texts):
    assert [] == [(riddles(each), each) for each in texts if riddles(each)]


def test_a_message_has_at_most_two_sentences(texts):
    assert [] == [each for each in texts if sentences(each) > 2]


def test_no_page_and_no_paper_shows_the_marks_of_a_message(texts):
    for render in (linked, coded, plain):
        assert [] == [each for each in texts if "`" in render(each)]


def test_a_message_has_no_blank_at_its_ends(texts):
    assert [] == [each for each in texts if each != each.strip()]


def test_a_place_in_a_message_is_a_simple_name(texts):
    """No format, no attribute, no index: a translator has to copy it."""

    def is_simple(name, form, conversion):
        return name is None or (name.isidentifier() and not form and not conversion)

    odd = [
        each
        for each in texts
        if "{" in each
        and not all(is_simple(name, *how) for _, name, *how in Formatter().parse(each))
    ]

    assert [] == odd


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_the_help_of_a_command_has_no_riddles(words):
    command, context = cli, click.Context(cli)
    for word in words:
        command = command.get_command(context, word)
        context = click.Context(command, parent=context)
    texts = [command.help, *(getattr(each, "help", None) for each in command.params)]

    assert [] == [(riddles(text), text) for text in texts if text and riddles(text)]


def test_the_columns_of_reports_and_of_views_are_explained_without_riddles():
    explained = [
        *(words for each in COLUMNS.values() for words in each),
        *(view.what for each in PROJECTIONS.values() for view in each.views),
        *(
            words
            for each in PROJECTIONS.values()
            for view in each.views
            for words in view.columns.values()
        ),
    ]

    assert [] == [(riddles(words), words) for words in explained if riddles(words)]
