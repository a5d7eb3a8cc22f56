"""The shell and the feed as tests use them, and what tests read back."""

import json

from click.testing import CliRunner

from ops.cli import cli
from ops.reports.ask import ask

ON_PAPER = {
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "TERM": "dumb",
}


def shell(database, *words, **options):
    """`sabot --database … WORDS`; with exit_code, stdout and stderr."""
    return CliRunner().invoke(cli, ["--database", database.url, *words], **options)


def json_of(database, *words):
    """What a command that succeeds prints as JSON."""
    result = shell(database, *words, "--json")

    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def as_text(lines):
    """A feed file's text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def feed(database, lines, *options):
    """`sabot feed` of these lines, or of this text: its exit status, and its answers."""
    text = lines if isinstance(lines, str | bytes) else as_text(lines)
    result = shell(database, "feed", *options, input=text)

    assert result.stderr == ""
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def accepted(database, lines):
    """The answers to lines that are all accepted."""
    status, answers = feed(database, lines)

    assert [answer for answer in answers if not answer["ok"]] == []
    assert (0, len(lines)) == (status, len(answers))
    return answers


def rows_of(database, *names, report, **narrowed):
    """These fields of every row of a report."""
    found = ask(database, report, **narrowed).rows
    return [tuple(row[name] for name in names) for row in found]


def kinds(answer):
    """Of the events that an answer tells of."""
    return [event["type"] for event in answer["events"]]


def recorded(database):
    """Every event as it stands, less its position's hash and the moment of recording."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT position, originator_id, originator_version, topic, state, gaming_day,"
            " table_code, actor, command_id, metadata FROM ledger.events ORDER BY position"
        ).fetchall()
