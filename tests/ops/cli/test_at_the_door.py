"""What runs at the house server for a terminal: what a command declares, and nothing by default."""

import click
import pytest
from click.testing import CliRunner

from ops.cli import at_the_door, cli
from ops.cli.at_the_door import comes_through
from ops.door.through import AT_THE_RECORD
from ops.words.language import spoken
from tests.ops.cli.leaves import AT_THE_TERMINAL, LEAVES, ON_ITS_MACHINE


def given(*words):
    """What a terminal is told that sent these words."""
    with at_the_door._only_what_comes_through():
        return CliRunner().invoke(cli, list(words), env={"SABOT_DATABASE_URL": "none://"})


def test_whatever_does_not_come_through_is_stated_here():
    refused = {" ".join(words) for words in LEAVES if not comes_through(" ".join(words))}

    assert refused == AT_THE_TERMINAL | ON_ITS_MACHINE, "name it in tests/ops/cli/leaves.py"


@pytest.mark.parametrize("command", sorted(AT_THE_TERMINAL))
def test_what_needs_no_house_is_told_to_run_at_the_terminal(command):
    answer = given(*command.split())

    assert answer.exit_code == 2
    assert f"`sabot {command}` runs at the terminal itself" in answer.stderr


@pytest.mark.parametrize("command", sorted(ON_ITS_MACHINE))
def test_what_needs_the_server_is_told_where_it_is_given(command):
    answer = given(*command.split())

    assert answer.exit_code == 2
    assert f"`sabot {command}` is given on the house server's own machine" in answer.stderr


OF_THE_RECORD = [words for words in LEAVES if words[0] in AT_THE_RECORD]


@pytest.mark.parametrize("words", OF_THE_RECORD, ids=" ".join)
@pytest.mark.parametrize("named", [True, False], ids=["by its option", "by the environment"])
def test_a_terminal_of_a_house_makes_no_record_of_its_own(tmp_path, words, named):
    house = "http://127.0.0.1:1"
    typed = ["--house", house, *words] if named else words
    env = {"SABOT_HOME": str(tmp_path), "SABOT_HOUSE": "" if named else house}
    answer = CliRunner().invoke(cli, typed, env=env)

    assert (answer.exit_code, answer.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert f"`sabot {words[0]}` is given on the house server's own machine." in answer.stderr
    assert CliRunner().invoke(cli, [*typed, "--help"], env=env).exit_code == 0


@pytest.mark.parametrize(
    "words", [["dealer", "--training"], ["dealer", "T1", "--plain", "--training", "--seed", "7"]]
)
@pytest.mark.parametrize("named", [True, False], ids=["by its option", "by the environment"])
def test_a_course_runs_at_a_terminal_of_a_house_and_sends_nothing(monkeypatch, words, named):
    ran = []
    monkeypatch.setattr("ops.cli.dealer.require_screen", lambda *_: None)
    monkeypatch.setattr("ops.cli.dealer.train", lambda *_, **__: ran.append(spoken()))
    nobody = "http://127.0.0.1:1"
    typed = ["--house", nobody, *words] if named else words
    env = {"SABOT_HOUSE": "" if named else nobody, "SABOT_LANGUAGE": "pt"}
    answer = CliRunner().invoke(cli, typed, env=env)

    assert (answer.exit_code, answer.output, ran) == (0, "", ["pt"])


@pytest.mark.parametrize(
    "words", [["simulate", "--tables", "9"], ["feed", "--schema"], ["--", "demo"]]
)
def test_options_are_not_read_before_it_is_refused(words):
    answer = given(*words)

    assert (answer.exit_code, answer.stdout) == (2, "")


def test_a_new_command_does_not_come_through_by_default(monkeypatch):
    ran = []
    fresh = click.Command("fresh", callback=lambda: ran.append(1))
    monkeypatch.setattr(type(cli), "get_command", lambda *_: fresh)
    answer = given("fresh")

    assert (answer.exit_code, ran) == (2, [])
