"""What passes the door is the same on its other side, in every reader's language."""

from datetime import UTC, date, datetime

import pytest

from domain.rules.wording import Amount, Moment, Number, Words, counted, either, listed, worded
from ops.door.coded import as_text, decoded, encoded
from ops.now.table_now import TableNow
from ops.words.language import LANGUAGES, reading, shown
from tests.ops.terminal.dealer.tables import TABLES

PHRASES = {
    "values": Words(
        "{a} {b} {c} {d} {e} {f}",
        a=Amount(12_500, "USD", short=True),
        b=Number(730_000),
        c=Moment(datetime(2026, 11, 21, 20, 14, 7, 120_000, UTC)),
        d=date(2026, 11, 21),
        e=datetime(2026, 11, 21, 20, 14, tzinfo=UTC),
        f=7,
    ),
    "plural": counted(2, "{n} card is missing.", "{n} cards are missing."),
    "singular": counted(1, "{n} card is missing.", "{n} cards are missing."),
    "about": worded("a card", "Six"),
    "within": Words("Refused: {why}", why=Words("{patron} owes {owed}.", patron="P", owed=0)),
    "listed": listed([Words("Player"), "Banker", Words("Tie")]),
    "either": either(["Player", "Banker"]),
    "nothing": listed([]),
}


@pytest.mark.parametrize("name", PHRASES)
def test_a_sentence_is_read_in_every_language_as_where_it_was_made(name):
    phrase = PHRASES[name]
    back = decoded(encoded(phrase), Words)

    assert back == phrase
    for language in LANGUAGES:
        with reading(language):
            assert shown(back) == shown(phrase)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_same_on_the_other_side(name):
    assert decoded(encoded(TABLES[name]), TableNow) == TABLES[name]


def test_an_answer_s_sentences_are_its_text():
    assert as_text({"words": PHRASES["within"], "n": 1}) == {"words": "Refused: P owes 0.", "n": 1}
