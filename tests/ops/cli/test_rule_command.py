"""`sabot rule`: one rule, all of them, and a number that there is not."""

import json

import pytest
from click.testing import CliRunner

from domain.rules.rulebook import RULEBOOK
from ops.cli import cli


def said(*words):
    return CliRunner().invoke(cli, ["rule", *words], prog_name="sabot")


def unwrapped(text):
    return " ".join(text.split())


@pytest.mark.parametrize("number", RULEBOOK)
def test_a_rule_is_shown_with_its_source_and_what_enforces_it(number):
    rule, shown = RULEBOOK[number], said(number)

    assert (0, "") == (shown.exit_code, shown.stderr)
    for words in (number, rule.sentence, rule.family, rule.source, *rule.enforced):
        assert words in unwrapped(shown.stdout)


def test_all_rules_are_listed_by_what_they_are_about():
    lines = said().stdout.splitlines()

    assert [each for each in lines if each and not each.startswith(("R-", " "))] == list(
        dict.fromkeys(rule.family for rule in RULEBOOK.values())
    )
    assert [line.split()[0] for line in lines if line.startswith("R-")] == list(RULEBOOK)


def test_rules_are_json_for_programs():
    one, every = json.loads(said("r-irr-4", "--json").stdout), json.loads(said("--json").stdout)

    assert {
        "rule": "R-IRR-4",
        "about": "Irregularities",
        "sentence": RULEBOOK["R-IRR-4"].sentence,
        "source": "Sabot's own rule",
        "enforced": ["domain.aggregates.coup", "domain.aggregates.shoe"],
    } == one
    assert list(RULEBOOK) == [each["rule"] for each in every["rules"]]
    assert one in every["rules"]


def test_a_number_that_there_is_not_is_refused_with_the_nearest():
    refused = said("R-IRR-9")

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert refused.stderr == (
        "UnknownRule: There is no rule R-IRR-9. The nearest are R-IRR-6, R-IRR-5 and R-IRR-4; "
        "`sabot rule` lists all.\n"
    )


def test_a_refusal_is_json_when_json_is_asked_for():
    refused = said("R-IRR-9", "--json")

    assert 1 == refused.exit_code
    assert ("UnknownRule", False) == tuple(
        json.loads(refused.stdout)[name] for name in ("error", "ok")
    )
