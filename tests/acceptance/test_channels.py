"""One grammar, several channels: what is typed at the shell is what is sent on the feed."""

import json
import re

import pytest

from tests.acceptance.channels import as_text, feed, recorded, shell
from tests.worlds.every_command import SAID, both_forms
from tests.worlds.held_sessions import sessions_held

REFUSED = {number: error for number, (_, _, *errors) in enumerate(SAID, 1) for error in errors}
# Refused for a field, so that nothing is kept under their ids: sent again, they are decided again.
NOT_KEPT = ("MissingField", "BadValue")
# At the shell these print a slip, for printers of 42 columns.
PRINTING = {"commission.receipt"}
# At the shell these say what came of it, whatever the tables must do next.
LAST = {"alert.acknowledge": "off the board", "readjudicate": "agrees with today's rules"}

# The digest of a file or a text has a random number, so that nobody can try out what it had.
SALTED = re.compile(r'((?:"parts":.*?|"number":\d+,)"digest":")[0-9a-f]{64}')


def without_salt(answer):
    return SALTED.sub(r"\1…", answer)


def without_mouth(events):
    """The events without their channel, in which alone they may differ, and without salt."""
    return [
        (
            *(without_salt(str(each)) for each in row[:-1]),
            {**json.loads(row[-1]), "mouth": "…"},
        )
        for row in events
    ]


@pytest.fixture(scope="module")
def evenings(server):
    """The same evening said at the shell and sent on the feed."""
    with server.database() as at_shell, server.database() as on_feed:
        with sessions_held():
            said = [shell(at_shell, *words, "--json") for words, _ in both_forms()]
        sent = shell(on_feed, "feed", input=as_text([line for _, line in both_forms()]))
        yield at_shell, on_feed, said, sent.stdout.splitlines()


def test_the_answers_are_the_same_byte_by_byte(evenings):
    _, _, said, sent = evenings

    typed = [result.stdout.rstrip("\n") for result in said]
    assert [without_salt(each) for each in sent] == [without_salt(each) for each in typed]
    assert {"\n"} == {result.stdout[-1] for result in said}
    assert {result.stderr for result in said} == {""}


def test_the_events_are_the_same_except_for_the_channel(evenings):
    at_shell, on_feed, _, _ = evenings
    said, sent = recorded(at_shell), recorded(on_feed)

    assert without_mouth(said) == without_mouth(sent)
    assert ({"shell"}, {"feed"}) == tuple(
        {json.loads(row[-1])["mouth"] for row in events} for events in (said, sent)
    )


def test_the_exit_status_shows_which_lines_were_refused(evenings):
    _, _, said, sent = evenings
    answers = dict(enumerate(map(json.loads, sent), 1))
    refused = {n: answer["error"] for n, answer in answers.items() if not answer["ok"]}

    assert refused.keys() == {n for n, result in enumerate(said, 1) if result.exit_code == 1}
    assert {0, 1} == {result.exit_code for result in said}
    assert {n: error for n, error in refused.items() if n <= len(SAID)} == REFUSED


def test_a_command_from_the_shell_may_be_sent_again_on_the_feed(evenings):
    """The id is of the command, not of the channel: the first answer again, nothing recorded."""
    at_shell, _, said, _ = evenings
    before = recorded(at_shell)
    first = [json.loads(result.stdout) for result in said]
    decided_again = {n for n, each in enumerate(first, 1) if each.get("error") in NOT_KEPT}
    lines = {
        n: line
        for n, (_, line) in enumerate(both_forms(), 1)
        if n <= len(SAID) or n not in decided_again  # what refused an example may be over
    }
    _, answers = feed(at_shell, list(lines.values()))
    answers = dict(zip(lines, answers, strict=True))

    assert {n for n, each in answers.items() if each != first[n - 1]} == {*lines} & decided_again
    assert {answers[n]["ok"] for n in {*lines} & decided_again} == {False}
    assert before == recorded(at_shell)


def test_answers_for_people_are_sentences(server):
    with server.database() as database, sessions_held():
        for words, line in both_forms():
            result = shell(database, *words)
            if line["command"] in PRINTING:
                assert (0, "") == (result.exit_code, result.stderr)
                continue
            told, silent = result.stdout, result.stderr
            if result.exit_code:
                told, silent = silent, told
                assert told.count("\n") == 1
            else:
                assert "Next: " in told or LAST.get(line["command"], "\nRecorded as #") in told

            assert silent == ""
            assert told.endswith(".\n")
            assert not {"None", "True", "False"} & set(told.replace(",", " ").split())
            assert not set("{}[]\x1b") & set(told)
