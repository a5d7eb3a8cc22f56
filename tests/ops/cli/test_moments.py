"""A moment is typed in one grammar, wherever one is typed."""

from datetime import UTC, datetime

import click
import pytest

from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import BadValue
from ops.cli import cli
from ops.commands.vocabulary import COMMANDS
from ops.reports.moments import FORMS, MOMENT
from ops.reports.narrowings import moments
from ops.typed.shell import line_of
from tests.acceptance.channels import shell
from tests.ops.cli.leaves import LEAVES
from tests.worlds.gaming_table import PLAYER_WINS

COUNTS = ("replay --until", "export events --until")  # of cards and events
OF_A_DAY = {"staff licence --until"}  # the last day of a licence
ARGUMENTS = {  # what is typed between the words and the option, for what is not of the feed
    "replay": ("B01",),
    "staff retire": ("D-204",),
    "export report": ("wagers", "--into", "never-made"),
}


def found():
    """Every option by which a moment may be given, with its words."""
    for words in LEAVES:
        command = cli
        for word in words:
            command = command.get_command(click.Context(command), word)
        for option in command.params:
            named = option.opts[0].removeprefix("--")
            if option.metavar == MOMENT or named in ("at", "as-of", "since", "until"):
                yield words, f"--{named}", option


OPTIONS = {f"{' '.join(words)} {name}": (words, name, option) for words, name, option in found()}
ASKED = sorted(set(OPTIONS) - set(COUNTS) - OF_A_DAY)


def test_every_option_for_a_moment_says_so_in_its_help():
    assert [name for name in ASKED if OPTIONS[name][2].metavar != MOMENT] == []
    assert {"replay --at", "replay --as-of", "export report --as-of", "bet --at"} <= set(ASKED)
    assert "report wagers --as-of" in ASKED


@pytest.mark.parametrize("name", [name for name in ASKED if not name.endswith(" --at")])
def test_a_moment_that_is_none_is_refused_with_the_forms(pit, database, name):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    words, option, _ = OPTIONS[name]
    for typed in ("soon", "25:00", "2026-11-21"):
        said = shell(database, *words, *ARGUMENTS.get(" ".join(words), ()), option, typed)

        assert (said.exit_code, FORMS in said.stderr) == (1, True), said.output


class House:
    """Where a line is typed."""

    currency = "USD"
    clock = GamingClock("Europe/Vienna", "06:00")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_reads_it_so_and_refuses_it_so(name, monkeypatch):
    monkeypatch.setattr(
        "ops.ledger.clock.wall_clock", lambda: datetime(2026, 11, 21, 22, tzinfo=UTC)
    )
    typed = {
        "21:14": "2026-11-21T21:14:00+01:00",
        "9:14:05": "2026-11-21T09:14:05+01:00",
        "0:30": "2026-11-22T00:30:00+01:00",
        "21:14:05.25": "2026-11-21T21:14:05.250000+01:00",
        "2026-11-20 21:14": "2026-11-20T21:14:00+01:00",
        "2026-11-20T21:14:05": "2026-11-20T21:14:05+01:00",
        "2026-11-20T21:14Z": "2026-11-20T21:14:00+00:00",
        "2026-11-20T21:14:05.5-05:00": "2026-11-20T21:14:05.500000-05:00",
    }

    assert {text: line_of(name, {"at": text}, House())["at"] for text in typed} == typed
    for text in ("soon", "25:00", "2026-11-21", "21:14+01:00", "2114"):
        with pytest.raises(BadValue) as refused:
            line_of(name, {"at": text}, House())
        assert FORMS in str(refused.value)


def test_a_coup_is_found_by_every_form(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    told = [
        shell(database, "replay", "B01", "--at", typed, "--json")
        for typed in ("20:14", "20:14:07.5", "2026-11-21 20:14", "2026-11-21T20:14:07Z")
    ]

    assert [each.exit_code for each in told] == [0] * 4, told[0].output


def test_the_record_is_asked_about_by_every_form(pit, database):
    for typed in ("0:00:01", "2020-11-21 20:14", "2020-11-21T20:14", "2020-11-21T20:14:07+01:00"):
        said = shell(database, "report", "wagers", "--as-of", typed)
        known = said.exit_code == 0 or "nobody knows yet" in said.stderr

        assert known, said.output


@pytest.mark.parametrize("date", ["", "2026-10-25T"])
def test_a_span_of_an_hour_that_comes_twice_is_both(date):
    now = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)  # between the two
    asked = {"since": f"{date}02:30", "until": f"{date}02:30"}
    vienna = GamingClock("Europe/Vienna", "06:00")

    assert [each.astimezone(UTC).hour for each in moments(asked, vienna, now).values()] == [0, 1]
