"""`sabot rules sheet`: a rule set as it is printed for the table, in every language."""

import pytest

from domain.rules.house_rules import RULE_SETS, named
from ops.cli.rules_sheet import RuleSheet
from ops.words.language import FORMS, speaking
from tests.acceptance.channels import json_of, shell

TWO = ("--by", "A-1", "--with", "S-11")


def test_a_sheet_has_every_bet_with_its_lines_and_limits_and_the_draws(database):
    said = shell(database, "rules", "sheet", "lucky-6@1").stdout.splitlines()

    for line in (
        "lucky-6@1",
        "Banker  10 to 5,000 USD",
        "  1 to 2          banker wins on 6",
        "  12 to 1         banker wins on 6 with two cards",
        "  push            tie",
        "Player draws on 0-5.",
        "If Player stands, Banker draws on 0-5.",
        "Banker draws on 0-2 if Player's third card counts 0-9.",
        "Banker draws on 3 if Player's third card counts 0-7, 9.",
        "Banker draws on 6 if Player's third card counts 6-7.",
    ):
        assert line in said


def test_it_says_what_commission_is_taken(database):
    body = json_of(database, "rules", "sheet", "dollar-up@1")
    about = {each["label"]: each["value"] for each in body["about"]}

    assert {"commission": "5%", "the commission is rounded to": "1.00"}.items() <= about.items()
    assert "commission" not in str(json_of(database, "rules", "sheet", "no-commission@1")["about"])


def test_what_nobody_approved_is_a_draft(database):
    def draft():
        return json_of(database, "rules", "sheet", "quik@1")["draft"]

    before = draft()
    assert shell(database, "rules", "approve", "quik@1", *TWO).exit_code == 0

    assert before == "Draft: two people have not approved it yet."
    assert (draft(), json_of(database, "rules", "sheet", "ez@1")["draft"]) == ("", "")


def test_it_says_when_a_bet_is_taken(database, tmp_path):
    file = tmp_path / "mine.toml"
    made = ("--defaults", "--source", "x", "--line", 'terms.tie = {beside = ["player"]}')
    assert shell(database, "rules", "new", str(file), *made).exit_code == 0
    body = json_of(database, "rules", "sheet", str(file))

    assert {each["name"]: each["taken"] for each in body["bets"]} == {
        "Player": "", "Banker": "", "Tie": "only beside Player"
    }  # fmt: skip


@pytest.mark.parametrize("language", sorted(FORMS))
def test_it_is_printed_in_each_language(language):
    with speaking(language):
        printed = RuleSheet(named("tiger@1"), "Harbour Casino", approved=True)

        assert printed.pdf().startswith(b"%PDF")
        assert "Harbour Casino" in printed.text()


def test_a_language_may_be_named_for_the_sheet_alone(database, tmp_path):
    file = tmp_path / "sheet.txt"
    said = shell(database, "rules", "sheet", "tiger@1", "--language", "pt", "--output", str(file))

    assert (said.exit_code, said.stderr) == (0, f"The sheet of tiger@1 is in {file}.\n")
    assert "Banca" in file.read_text()


def test_a_language_that_nobody_speaks_here_is_wrong_usage(database):
    said = shell(database, "rules", "sheet", "tiger@1", "--language", "xx")

    assert (said.exit_code, "--language" in said.stderr) == (2, True)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_no_line_of_a_sheet_is_wider_than_80_columns(name):
    text = RuleSheet(named(name), "", approved=True).text()

    assert [line for line in text.splitlines() if len(line) > 80] == []
