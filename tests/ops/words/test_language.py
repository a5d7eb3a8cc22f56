"""The language in which the program speaks: one file of messages each; the record stays English."""

import json
import re
from datetime import UTC, date, datetime
from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from domain.rules.refusals import NoWager
from domain.rules.wording import Amount, Figure, Words, counted, listed, worded
from ops.words import language
from ops.words.failure import in_words
from ops.words.language import LANGUAGES, UnknownLanguage, _, reading, shown, speak, spoken
from tests import ROOT
from tests.acceptance.channels import shell

MESSAGES = {
    "{patron} owes {amount}.": "{patron} deve {amount}.",
    ("{n} card is missing.", "{n} cards are missing."): (
        "Falta {n} carta.",
        "Faltam {n} cartas.",
    ),
    "{some} and {last}": "{some} e {last}",
    "Seat {seat} has no bet on {spot} to take back.": "O lugar {seat} não tem aposta em {spot}.",
    "Banker": "Banca",
    "Player": "Jogador",
}


@pytest.fixture
def portuguese(monkeypatch):
    """A catalogue of our own, so that no translator's choice fails a test."""
    catalogue = Catalog(locale="pt")
    for message, translation in MESSAGES.items():
        catalogue.add(message, translation)
    catalogue.add("draw", "empate", context="an outcome")
    file = BytesIO()
    write_mo(file, catalogue)
    file.seek(0)
    translations = GNUTranslations(file)
    monkeypatch.setattr(language, "_catalogue", lambda _: translations)
    with reading("pt"):
        yield


def test_words_are_english_until_somebody_asks_for_another_language():
    assert shown(Words("{patron} owes nothing.", patron="P-1")) == "P-1 owes nothing."


def test_a_sentence_is_made_again_in_the_language(portuguese):
    assert _("{patron} owes {amount}.", patron="P-1", amount=Amount(1_250_050, "USD")) == (
        "P-1 deve 12\u00a0500,50."
    )


def test_plurals_lists_and_phrases_within_are_translated(portuguese):
    spots = listed([Words("Player"), Words("Banker")])

    assert shown(counted(1, *("{n} card is missing.", "{n} cards are missing."))) == (
        "Falta 1 carta."
    )
    assert shown(counted(2, *("{n} card is missing.", "{n} cards are missing."))) == (
        "Faltam 2 cartas."
    )
    assert shown(spots) == "Jogador e Banca"
    assert shown(worded("an outcome", "draw")) == "empate"


def test_a_refusal_is_shown_in_the_language_and_recorded_in_english(portuguese):
    refusal = NoWager(seat=3, spot=Words("Banker"))

    assert in_words(refusal) == "NoWager (R-BET-1): O lugar 3 não tem aposta em Banca."
    assert str(refusal) == "Seat 3 has no bet on Banker to take back."


def test_what_has_no_translation_is_english(portuguese):
    assert _("The shoe is cut.") == "The shoe is cut."
    assert shown("P-10417") == "P-10417"


# fmt: off
FORMS = [
    ("en",      "2026-11-21",   "12,500.00",        "12,500"),
    ("zh-Hant", "2026年11月21日", "12,500.00",        "12,500"),
    ("zh-Hans", "2026年11月21日", "12,500.00",        "12,500"),
    ("pt",      "21/11/2026",   "12\u00a0500,00",   "12\u00a0500"),
]
# fmt: on


@pytest.mark.parametrize(("which", "day", "amount", "short"), FORMS)
def test_dates_and_amounts_have_the_form_of_the_language(which, day, amount, short):
    with reading(which):
        assert day == language.day(date(2026, 11, 21))
        assert amount == language.amount(1_250_000, "USD")
        assert short == language.amount(1_250_000, "USD", short=True)
        assert language.number(12_500) == amount[:-3]


@pytest.mark.parametrize(
    ("which", "short"), [("en", "11-21"), ("zh-Hant", "11月21日"), ("pt", "21/11")]
)
def test_a_date_without_its_year_has_the_form_of_the_language(which, short):
    with reading(which):
        assert language.short_moment(datetime(2026, 11, 21, 20, 14, tzinfo=UTC)) == f"{short} 20:14"


def test_a_date_in_a_sentence_has_the_form_of_the_language():
    with reading("pt"):
        assert shown(Words("{day}", day="2026-11-21")) == "21/11/2026"
        assert shown(Words("{day}", day="2026-13-45")) == "2026-13-45"
        assert shown(Words("{text}", text="2026-11-21")) == "2026-11-21"  # somebody typed it


@pytest.mark.parametrize(("which", "owed"), [("en", "−1.5% of −2.50"), ("pt", "−1,5% of −2,50")])
def test_what_is_below_zero_has_a_minus_sign_on_a_page_and_a_hyphen_at_a_terminal(which, owed):
    words = Words("{share} of {owed}", share=Figure("-1.5%"), owed=Amount(-2_50, "USD"))
    with reading(which):
        assert shown(words) == owed

    assert shown(words) == "-1.5% of -2.50"


def test_no_signed_figure_is_a_negative_zero():
    """`z` in a format makes -0.0 to 0.0: wherever a sign is written, it has to be there."""
    signed = re.compile(r"\{[^{}\n]*:[^{}]*\+(?!z)[^{}]*\.\d[f%]\}")
    rooms = (ROOT / each for each in ("domain", "ops", "projections"))
    wrong = [(file.name, each) for room in rooms for file in room.rglob("*.py")
             for each in signed.findall(file.read_text())]  # fmt: skip

    assert not wrong


def test_a_language_that_sabot_does_not_speak_is_refused_with_those_it_does():
    with pytest.raises(UnknownLanguage, match=r"does not speak 'fr'. It speaks .*en \(English\)"):
        speak("fr")
    assert spoken() == "en"


def test_every_language_has_its_file_of_messages():
    for each in LANGUAGES:
        with reading(each):
            assert shown(Words("P-1")) == "P-1"


def test_json_is_english_in_every_language(database):
    line = ["adjudicate", "9C", "5S", "7C", "QD", "4H", "--json"]
    english, chinese = shell(database, *line), shell(database, "--language", "zh-Hant", *line)

    assert json.loads(english.stdout) == json.loads(chinese.stdout)
    assert spoken() == "en"


def test_a_language_that_is_none_is_wrong_usage(database):
    result = shell(database, "--language", "fr", "adjudicate", "9C")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Sabot does not speak 'fr'." in result.stderr
