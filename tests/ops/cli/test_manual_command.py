"""`sabot manual`: a list of topics, a page, plain in a pipe and rendered on a terminal."""

import json

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.manual.topics import ORDER, topic
from tests.worlds.shells import on_a_terminal


def sabot(*words):
    return CliRunner().invoke(cli, list(words), env={"COLUMNS": "100"}, prog_name="sabot")


def test_without_a_topic_it_lists_them_with_a_sentence_each():
    shown = sabot("manual")

    assert shown.exit_code == 0
    listed = [line.split()[0] for line in shown.stdout.splitlines() if line[:1].strip()]
    assert [*ORDER, "Read"] == listed


@pytest.mark.parametrize("name", ORDER)
def test_a_page_is_plain_text_in_a_pipe(name):
    shown = sabot("manual", name)

    assert (0, topic(name).text.rstrip("\n") + "\n") == (shown.exit_code, shown.stdout)
    assert "\x1b" not in shown.stdout


def test_json_has_the_topics_and_the_text_of_one():
    listed = json.loads(sabot("manual", "--json").stdout)["topics"]
    one = json.loads(sabot("manual", "put-right", "--json").stdout)

    assert list(ORDER) == [each["topic"] for each in listed]
    assert ("put-right", topic("put-right").text) == (one["topic"], one["text"])


def test_a_topic_that_there_is_not_is_refused_with_those_there_are():
    shown = sabot("manual", "dealers")

    assert shown.exit_code == 2
    assert "'dealers' is not one of 'dealer', 'supervisor'" in shown.stderr


def test_a_terminal_shows_it_rendered(settled, tmp_path):
    program = ["-m", "ops.cli", "manual", "dealer"]
    shown, status = on_a_terminal(settled, tmp_path, program, "")

    assert status == 0
    assert topic("dealer").title in shown
    assert "```" not in shown
