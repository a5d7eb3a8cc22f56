"""Reports on paper: all of them whole, page by page, and the same bytes at the same position."""

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from hashlib import sha256

import pytest
from pypdf import PdfReader

from ops.cli import session
from ops.commands.house_events import House
from ops.reports import paper as report_paper
from ops.reports.ask import ask
from ops.reports.cells import words_of
from ops.reports.paper import paper
from ops.words.columns import heading
from ops.words.coups import spot_name
from ops.words.dated import day_in, moment_in
from ops.words.values import NOTHING
from projections import REPORTS, Report
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS

MOMENT = datetime(2026, 11, 22, 4, 0, 1, tzinfo=UTC)
CASH = {
    "day": "2026-11-21",
    "position": 48213,
    "at": "2026-11-21T21:00:14+01:00",
    "table": "B01",
    "patron": "P-10417",
    "direction": "in",
    "amount": 1_234_567_89,
    "kind": "buy-in",
    "total_in": 1_234_567_89,
    "total_out": 0,
    "stay": "B01/2026-11-21/stay-1",
}


def pages(document):
    """What a PDF says, page by page."""
    return [page.extract_text() for page in PdfReader(io.BytesIO(document)).pages]


def plain(text):
    """Without blanks, which a PDF has as it likes."""
    return "".join(text.split())


HOUSE = House("Kurhaus", "USD", "Europe/Vienna", "06:00")


@dataclass(frozen=True)
class Answer:
    """What paper reads of a report that was asked for."""

    report: Report
    rows: list[dict[str, object]]
    as_of: str | None = None
    position: int = 1_234
    house: House = HOUSE
    unnamed: int = 0
    narrowed: Mapping[str, str] = field(default_factory=lambda: {"rows": "all"})

    @property
    def in_reading_order(self) -> list[dict[str, object]]:
        return self.rows[::-1] if self.report.newest_first else self.rows

    @cached_property
    def timed(self) -> set[str]:
        every = (each for row in self.rows for each in row.items())
        return {name for name, value in every if day_in(value) or moment_in(value)}

    def to_read(self, raw: dict[str, object]) -> dict[str, object]:
        return raw


def of(name, *rows, as_of=None, **narrowed):
    """A report of these rows, on paper."""
    return paper(Answer(REPORTS[name], list(rows), as_of), narrowed, MOMENT, "A-1")


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_has_every_column_of_its_contract_on_paper(night, tmp_path, name):
    file = tmp_path / "report.pdf"
    result = shell(night, "report", name, "--pdf", str(file))
    position = json_of(night, "report", name)["position"]
    title = REPORTS[name].title

    assert (0, "") == (result.exit_code, result.stdout)
    assert f"{title} at position {position:,} is in {file}.\n" == result.stderr
    found = pages(file.read_bytes())
    for n, page in enumerate(found, 1):
        head, foot = page.split("\n")[0], plain(page)
        assert title in head
        assert plain(f"Ledger position {position:,} · recorded ") in foot
        assert plain(f"page {n} of {len(found)}") in foot
        for column in REPORTS[name].columns:
            assert all(word in page for word in heading(column).split())


def test_the_same_position_makes_the_same_bytes_and_another_other_ones(pit, database, tmp_path):
    def made():
        file = tmp_path / "report.pdf"
        assert shell(database, "report", "commission", "--pdf", str(file)).exit_code == 0
        return file.read_bytes()

    pit.play(BANKER_WINS, (3, "banker", 100_00))
    first, again = made(), made()
    pit.say("shoe.pass", seat=3)
    later = made()
    rows = [plain(page).partition("Ledgerposition") for page in (*pages(first), *pages(later))]

    assert sha256(first).digest() == sha256(again).digest() != sha256(later).digest()
    assert rows[0][0] == rows[1][0]
    assert rows[0][2] != rows[1][2]


def test_the_head_and_the_foot_say_whose_it_is_and_where_it_is_true():
    page = pages(of("cash-log", CASH, **{"from": "2026-11-01", "to": None, "patron": "P-10417"}))[0]

    assert "Cash log" in page
    assert "Kurhaus" in page
    assert plain("Gaming days from 2026-11-01 · patron P-10417") in plain(page)
    assert "USD" in page
    assert plain("recorded 2026-11-22 05:00:01+01:00 · produced by A-1") in plain(page)


@pytest.mark.parametrize(
    ("narrowed", "scope"),
    [
        ({}, "All gaming days"),
        ({"day": "2026-11-21"}, "Gaming day 2026-11-21"),
        ({"from": "2026-11-21", "to": "2026-11-21"}, "Gaming day 2026-11-21"),
        ({"from": "2026-11-01", "to": "2026-11-30"}, "Gaming days from 2026-11-01 to 2026-11-30"),
        ({"to": "2026-11-30", "table": "B01"}, "Gaming days to 2026-11-30 · table B01"),
    ],
)
def test_the_head_says_what_was_asked_for(narrowed, scope):
    assert plain(scope) in plain(pages(of("cash-log", **narrowed))[0])


def test_only_who_is_signed_on_is_named(database, tmp_path, monkeypatch):
    file, token = tmp_path / "report.pdf", tmp_path / "token"
    monkeypatch.setenv("SABOT_SESSION", str(token))

    def named():
        assert shell(database, "report", "integrity", "--pdf", str(file)).exit_code == 0
        return plain("produced by A-1") in plain(pages(file.read_bytes())[0])

    code = json_of(database, "staff", "enrol", "A-1", "Ann", "administrator")["code"]
    typed = f"{code}\n482913\n482913\n"
    assert shell(database, "staff", "sign-on", "A-1", input=typed).exit_code == 0
    signed_on = named()
    token.write_text("A-1:a guess\n")

    assert (True, False) == (signed_on, named())


def test_what_the_record_said_at_another_moment_says_which():
    page = pages(of("cash-log", CASH, as_of="2026-11-21T23:30:00+01:00"))[0]

    assert plain("· as of 2026-11-21 23:30:00+01:00 ·") in plain(page)


def test_an_empty_report_says_so():
    (page,) = pages(of("commission"))

    assert "There is nothing to report." in page
    assert "outstanding" in page


def test_amounts_stand_in_major_units_and_an_exact_one_with_all_that_it_has():
    report = REPORTS["commission"]
    row = dict.fromkeys(report.columns) | dict.fromkeys(report.money, 0)
    row |= {
        "patron": "P-1",
        "accrued": "1234567.5",
        "charged": 1_234_568,
        "rounding": "0.5",
        "outstanding": -5,
    }
    page = pages(of("commission", row, row))[0]
    *_, total = (line for line in page.splitlines() if line.startswith("total"))

    assert ["12,345.675", "12,345.68", "0.005", "-0.05"] == [
        word
        for word in page.splitlines()[4].split()
        if word[-1].isdigit() and "." in word and word != "0.00"
    ]
    assert ["0.00", "24,691.35", "24,691.36", "0.01"] == total.split()[1:5]


def test_what_does_not_add_up_has_no_total():
    page = pages(of("cash-log", CASH, CASH))[0]

    assert not any(line.startswith("total") for line in page.splitlines())
    assert plain("2,469,135.78") not in page


def test_the_head_of_the_table_is_on_every_page_and_no_row_is_lost():
    rows = [CASH | {"patron": f"P-{n:04}"} for n in range(500)]
    found = pages(of("cash-log", *rows))

    assert len(found) > 5
    assert all("patron" in page and f"page {n} of " in page for n, page in enumerate(found, 1))
    assert [f"P-{n:04}" for n in reversed(range(500))] == [  # the newest first
        word for page in found for word in page.split() if word.startswith("P-")
    ]


@pytest.mark.parametrize(
    ("name", "landscape", "size"),
    [
        ("cash-log", True, 7.5),
        ("ctr", True, 7.5),
        ("exceptions", True, 7.5),
        ("commission", True, 6.5),
        ("coup", True, 5.5),
    ],
)
def test_the_print_is_as_large_as_the_columns_allow_and_no_page_runs_over(
    night, name, landscape, size
):
    rows = (ask(night, REPORTS[name]).rows * 150)[:150]
    laid_out = report_paper._laid_out(Answer(REPORTS[name], rows), rows)

    assert (landscape, size) == (laid_out.landscape, laid_out.size)
    assert len(laid_out.pages) == len(pages(of(name, *rows))) > 1


@pytest.mark.parametrize("words", ["x" * 3_000, "a word " * 400, "B01/" * 700])
def test_long_words_are_wrapped_over_as_many_pages_as_they_need(words):
    row = {
        **dict.fromkeys(REPORTS["voids"].columns, ""),
        "kind": "coup voided",
        "reason": words.strip(),
        "before": 5,
        "after": 0,
    }
    found = pages(of("voids", row))

    assert sum(plain(page).count(words[0]) for page in found) >= words.strip().count(words[0])
    assert all(len(line) < 180 for page in found for line in page.splitlines())


@pytest.mark.parametrize("patron", ["שלום 77", "سلام", "Zoe\u0308", "王小明", "x" * 40])
def test_whatever_somebody_is_called_the_amounts_keep_to_their_column(patron):
    rows = CASH | {"patron": "P-10417"}, CASH | {"patron": patron}
    laid_out = report_paper._laid_out(Answer(REPORTS["cash-log"], list(rows)), list(rows))
    lines = laid_out.pages[0].rows.lines.splitlines()
    first, last = (line for line in lines if "1,234,567.89" in line)

    assert first.index("1,234,567.89") == last.index("1,234,567.89")
    assert len(first) == len(last)
    assert "1,234,567.89" in pages(of("cash-log", *rows))[0]
    placed = [words for _, _, words in laid_out.pages[0].rows.placed]
    assert placed == ([] if patron in last else [patron])


def test_what_is_made_of_several_things_is_told_part_by_part(night, tmp_path):
    file = tmp_path / "report.pdf"

    def said(name, *narrowed):
        assert shell(night, "report", name, *narrowed, "--pdf", str(file)).exit_code == 0
        return "".join(map(plain, pages(file.read_bytes())))

    coups = said("coup")
    assert plain("P 9♣, B 5♠, P 7♣, B Q♦ (R-DEAL-1),") in coups
    assert plain("B 9♠ (R-DRAW-3)") in coups
    assert plain("200 of 100") in said("inventory")
    cash = said("ctr")
    assert plain("buy-in: table B03, patron ") in cash
    assert plain("P-10411, amount") in cash
    assert plain("100,000.00, event ") in cash
    late = said("exceptions", "--table", "B04")
    assert plain("seat 1 P-10411 has 50.00 on") in late


def test_a_report_too_long_for_paper_is_refused_in_words(night, tmp_path, monkeypatch):
    file = tmp_path / "report.pdf"
    monkeypatch.setattr("ops.cli.report.LARGEST", 5)
    result = shell(night, "report", "commission", "--pdf", str(file))

    assert (1, False) == (result.exit_code, file.exists())
    assert result.stderr == (
        "Error: 7 rows are too many for a PDF: it takes 5. Narrow the report, or use --csv.\n"
    )


def test_who_waits_for_a_long_one_is_told(night, tmp_path, monkeypatch):
    monkeypatch.setattr("ops.cli.report.LONG", 6)
    result = shell(night, "report", "commission", "--pdf", str(tmp_path / "report.pdf"))

    assert result.stderr.startswith("Laying out 7 rows …\n")


def test_a_file_is_written_whole_or_left_as_it_was(night, tmp_path, monkeypatch):
    file = tmp_path / "report.pdf"
    file.write_text("yesterday's")

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(session.Path, "replace", full)
    result = shell(night, "report", "commission", "--pdf", str(file))

    assert (1, "yesterday's") == (result.exit_code, file.read_text())
    assert f"Error: {file} was not written: No space left on device.\n" == result.stderr
    assert [file] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pdf", "/nowhere/at/all.pdf"), "cannot be written"),
        (("--pdf", "/"), "is a directory"),
        (("--pdf", "x.pdf", "--csv"), "Use only one of --json, --csv and --pdf."),
    ],
)
def test_wrong_usage_is_known_before_anything_is_asked(night, words, said):
    result = shell(night, "report", "commission", *words)

    assert result.exit_code == 2
    assert said in result.stderr


def test_paper_is_what_json_says(night):
    """Every amount of money that the report tells is on its page."""
    found = ask(night, REPORTS["wagers"])
    text = plain("".join(pages(paper(found, {}, MOMENT, ""))))

    for row in found.rows:  # as many words of the spot as its column is wide
        words = spot_name(row["spot"]).split()
        begins = [" ".join(words[:n]) for n in range(1, len(words) + 1)]
        assert any(plain(f"{each} {row['stake'] / 100:,.2f}") in text for each in begins)


def coup_at(n, **more):
    """One of many coups, a minute apart, from before midnight on."""
    opened = datetime(2026, 11, 21, 23, tzinfo=UTC) + timedelta(minutes=n)
    moments = ("opened_at", "closed_at", "first_card_at", "resulted_at", "settled_at")
    card = {"card": "KC", "hand": "player", "rule": "R-DEAL-1"}
    return {
        **dict.fromkeys(REPORTS["coup"].columns),
        "coup": f"B01/2026-11-21/1/{n}",
        **dict.fromkeys(moments, opened.isoformat()),
        "cards": [card] * 4 + [{**card, "hand": "banker", "rule": "R-DRAW-4"}],
        "exceptions": [],
        **more,
    }


def test_a_row_has_the_time_alone_and_the_day_stands_above_where_it_changes():
    before, after = pages(of("coup", coup_at(59), coup_at(60))), pages(of("coup", coup_at(60)))
    lines = [line.strip() for line in before[0].splitlines()]

    assert [line for line in lines if line in ("2026-11-21", "2026-11-22")] == [
        "2026-11-22",
        "2026-11-21",
    ]
    assert "2026-11-21" not in {line.strip() for line in after[0].splitlines()}
    assert "+00:00" not in before[0].replace("recorded 2026-11-22 05:00:01+01:00", "")
    assert plain("USD · times of Europe/Vienna") in plain(before[0])


def test_what_was_on_another_day_than_its_row_says_which():
    late = coup_at(0, settled_at="2026-11-23T04:00:00+00:00")

    assert "2026-11-23" in pages(of("coup", late))[0]


def test_a_thousand_coups_are_a_line_each_and_their_addresses_are_whole():
    found = pages(of("coup", *(coup_at(n) for n in range(941))))

    assert len(found) < 20
    assert all(f"B01/2026-11-21/1/{n}" in "".join(found) for n in range(941))


def test_exceptions_are_said_as_on_the_screen():
    noted = {"kind": "late bet", "at": "2026-11-21T23:00:14+00:00", "act": "bet", "seat": 3}
    noted |= {"patron": "P-1", "spot": "player", "amount": 25_00}
    (page,) = pages(of("coup", coup_at(0, exceptions=[noted])))

    assert plain("23:00:14 Late bet refused: seat 3 P-1, Player 25.00.") in plain(page)


COMPARED = [
    ("aml-patterns", "unlike", {"named": True, "others": "3.1", "power": 7}),
    (
        "patrons-compared",
        "results",
        {"named": True, "deviations": "4.2", "expected": "1.1", "power": 8},
    ),
    ("dealers-compared", "compared", []),
]


@pytest.mark.parametrize(("name", "column", "value"), COMPARED)
def test_what_is_compared_is_the_sentence_that_the_screen_has(name, column, value):
    row = dict.fromkeys(REPORTS[name].columns) | {column: value}
    on_screen = words_of(Answer(REPORTS[name], [row]), column, row, lambda at, _: str(at))

    if on_screen == NOTHING:
        assert "named" not in "".join(pages(of(name, row)))
    else:
        assert set(on_screen.split()) <= set("".join(pages(of(name, row))).split())


def test_the_total_of_a_column_has_room_in_it():
    report = REPORTS["measures"]
    row = dict.fromkeys(report.columns, "1") | dict.fromkeys(report.money, 9_999_99)
    laid_out = report_paper._laid_out(Answer(report, [row] * 900), [row] * 900)

    total = laid_out.pages[-1].last.lines
    assert total.split()[:2] == ["total", "8,999,991.00"]
    assert "\n" not in total


def test_money_by_spot_is_in_major_units_and_added_up():
    row = dict.fromkeys(REPORTS["ratings"].columns) | {
        "handle": {"banker": 1_612_00, "player": 1_348_00, "tie": 60_00},
        "theoretical_win": {"banker": 17_05, "player": 16_65, "tie": 8_62},
    }
    text = plain(pages(of("ratings", row))[0])

    for said in ("3,020.00", "Banker1,612.00", "42.32", "Banker17.05", "Tie8.62"):
        assert said in text
    assert "161200" not in text
