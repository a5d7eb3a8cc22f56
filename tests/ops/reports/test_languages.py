"""Every report on a screen and on paper is in the reader's language; what people typed is not."""

import io
from datetime import UTC, datetime

import msgspec
import pytest
from pypdf import PdfReader

from domain.rules.wording import plain
from ops.reports.ask import ask
from ops.reports.paper import paper
from ops.reports.table import print_table
from ops.words.language import LANGUAGES, speaking
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.pseudo import english_in, pseudo
from tests.worlds.pages_here import pages_of, ran

MOMENT = datetime(2026, 11, 22, 4, 0, 1, tzinfo=UTC)
# What people typed, and what is the same in every language.
TYPED = (
    *("I was not paid", "it was mine", "a card fell", "went home", "a torn card", "misread"),
    *("the camera", "a good patron", "end of the evening", "grey-jacket", "blue-hat"),
    *("dispute_patron_days", "dispute_notice_from", "regulator", "none", "singapore"),
    *("Sabot", "USD", "UTC", "Ann", "P", "B"),
)
READ_BY_THE_CLOCK = {"readings", "secret-readings", "integrity", "measures"}
# Of what people typed, what is in a column too narrow for it.
WRAPPED = {"shoe-log": "end of the evening", "disputes": "I was not paid it mine the camera"}


def on_paper(database, name):
    """The text of a report's PDF; its page number apart, which a template counts."""
    document = paper(ask(database, REPORTS[name]), {"day": "2026-11-21"}, MOMENT, "A-1")
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(document)).pages)


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_says_anything_past_the_catalogue(night, name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    answer = ask(night, REPORTS[name])
    with pseudo(speaking="pt"):
        print_table(answer)
        text = capsys.readouterr().out + on_paper(night, name)

    wrapped = WRAPPED.get(name, "").split()
    assert english_in(" ".join(text.split()), *TYPED, *wrapped) == []


@pytest.mark.parametrize("name", sorted(REPORTS.keys() - READ_BY_THE_CLOCK))
def test_programs_read_the_same_in_every_language(night, name):
    def read(language):
        with speaking(language):
            return msgspec.json.encode(ask(night, REPORTS[name]).as_dict(), enc_hook=plain)

    assert {read(language) for language in LANGUAGES} == {read("en")}


NAMES = ("2026-11-21", "2026-11-21T20:14:07Z", "KH", "banker")


@pytest.mark.parametrize("name", NAMES)
def test_a_patron_is_called_as_on_record_whatever_the_name_looks_like(pit, database, name):
    pit.say("table.seat", seat=7, patron=name)
    bought = pit.say("table.buy-in", seat=7, amount=480_00)
    asked = (
        *(("report", report) for report in ("cash-log", "statement", "ratings")),
        ("find", f"#{bought.position}"),
    )
    for language in LANGUAGES:
        for words in asked:
            there = shell(database, "--language", language, *words)
            assert name in there.stdout, (language, words)

    async def page():
        async with pages_of(database, language="pt") as ask:
            return [await ask(f"/ledger/{bought.position}"), await ask("/reports/cash-log")]

    assert all(name in text for _, text in ran(page()))


@pytest.mark.parametrize(
    "typed", ["2026-02-31", "2026-02-31T20:14:07+01:00", "2026-11-21T20:14 a guest fell", "2026-13"]
)
def test_what_somebody_typed_may_look_like_a_day_or_a_moment(pit, database, tmp_path, typed):
    pit.say("incident.open", kind="other", text=typed)
    file = tmp_path / "report.pdf"

    for language in LANGUAGES:
        ways = (
            ("report", "incidents"),
            ("report", "incidents", "--pdf", str(file)),
            ("incident", "show", "IR-2026-0001"),
        )
        there = [shell(database, "--language", language, *words) for words in ways]
        assert [each.exit_code for each in there] == [0, 0, 0]
        assert typed.split()[0] in there[0].stdout
        assert typed in there[2].stdout
