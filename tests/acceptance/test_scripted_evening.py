"""An evening of every command, and everything that is read of it, as it was kept.

What a change does to an answer, a report, a paper or an exit status shows as a difference of
`golden/scripted`: a file for the answers of each command, and one for each reading and report. No
file has how long the whole record is, so that a new command changes no file but its own and those
of the reports that show what it records.
"""

import os
import re
from collections import defaultdict

import pytest

from projections import REPORTS
from tests import ROOT
from tests.acceptance.channels import recorded, shell
from tests.worlds.every_command import OWN_RULES, both_forms
from tests.worlds.held_sessions import sessions_held

MEANT = (
    "golden/scripted has other texts for these. Where that is meant: "
    "`SABOT_REWRITE=1 scripts/test tests/acceptance/test_scripted_evening.py`, and read what git "
    "shows as changed."
)
KEPT = ROOT / "tests" / "golden" / "scripted"
DAY, SHOE, COUP, CASE = "2026-11-21", "B01/2026-11-21/1", "B01/2026-11-21/1/1", "C-2026-0001"
FAULT = 3  # an exit status that nothing of this evening may have
# What differs from run to run: hashes, and the moments of recording.
PASSING = (
    (r"\b[0-9a-f]{64}", "HASH"),
    (r"[0-9a-f]{4}( [0-9a-f]{4}){15}", "HASH"),
    (r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", "UUID"),
    (r'("recorded_at": ?")[^"]*', r"\1…"),
    (r"\d\d:\d\d:\d\d\.\d+", "HH:MM:SS"),
    (r"(?m)^(Chain +)[0-9a-f]{16}$", r"\1HASH"),
    (r"(?<=up to event #)\d+|(?<=as of position )\d+", "LAST"),
    (r"\d+( events without a gap, and the answers to )\d+( commands)", r"N\1N\2"),
    (r'(?<="events": )\d+(?=, "since": 0)', "N"),
    (r"(?<=ime code: )\w+", "…"),
    (r"\d+ coups and [\d,]+ events a second", "N coups and N events a second"),
    (r'("seconds": ?)[\d.]+', r"\1…"),
)
# Reports of when something was verified, or read.
BY_THE_CLOCK = {"integrity", "readings", "secret-readings"}
READINGS = (
    ("board",),
    ("replay", COUP),
    ("replay", COUP, "--until", "4"),
    ("replay", COUP, "--for", "P-10417"),
    ("replay", COUP, "--what-if", "card 3 = 2c"),
    ("replay", COUP, "--what-if", "void"),
    ("replay", "B01/2026-11-21/1/2"),
    ("replay", "B01", "--at", "2026-11-21T20:00:30+01:00"),
    ("audit", "adjudicate", "--day", DAY, "--look", "--processes", "1"),
    ("audit", "shoe", SHOE),
    ("audit", "verify"),
    ("box", "report", DAY),
    ("dispute", "list"),
    ("dispute", "show", CASE),
    ("odds",),
    ("odds", "--rules", "tiger@1"),
    ("patron", "name", "P-10417"),
    ("road", SHOE),
    ("rule", "R-IRR-4"),
    ("rules", "list"),
    ("rules", "show", "classic@1"),
    ("rules", "show", "riverside@1"),
    ("shift", "slip", f"B01/{DAY}", "1"),
)
WRONG = (
    ("replay", "B01/2026-11-21/9/9"),
    ("replay", "B01"),
    ("road", "B09/2026-11-21/1"),
    ("dispute", "show", "C-2026-0099"),
    ("report", "wagers", "--day", "yesterday"),
    ("rules", "show", "riverside@9"),
    ("rule", "R-IRR"),
    ("bet", "B01", "3", "bnaker", "100"),
    ("bet", "B01", "3"),
    ("shift", "slip", f"B01/{DAY}", "9"),
)


def typed(words, result, last=None):
    """What was typed, what came of it, and the exit status, as somebody would paste it."""
    assert result.exit_code != FAULT, f"{words} shows a fault of the house: {result.stderr}"
    told = "".join(f"{line}\n" for line in (result.stdout + result.stderr).splitlines())
    for pattern, shown in PASSING:
        told = re.sub(pattern, shown, told)
    if last:  # the last event of the record
        told = re.sub(rf'("position": ?){last}\b', r"\1LAST", told)
    line = " ".join(words).replace(OWN_RULES, "OWN_RULES")
    return f"$ sabot {line}\n{told}[{result.exit_code}]\n\n"


class Counted:
    """How many events each command of an evening records, in place of their numbers."""

    def __init__(self):
        self.last = 0

    def __call__(self, text):
        return re.sub(r"(?m)^((?:Recorded as )?#)(\d+)", self._since, text)

    def _since(self, match):
        before, self.last = self.last, int(match[2])
        return f"{match[1]}+{self.last - before}"


@pytest.fixture(scope="module")
def house(server):
    """The evening at a shell; what was answered, by command."""
    with server.database() as database:
        answers, counted = defaultdict(str), Counted()
        with sessions_held():
            for words, line in both_forms():
                answers[line["command"]] += counted(typed(words, shell(database, *words)))
        yield database, answers


def differing(room, texts):
    """The files of a room that are not as they were kept; with SABOT_REWRITE they are written."""
    kept = {file.stem: file.read_text() for file in (KEPT / room).glob("*.txt")}
    if os.environ.get("SABOT_REWRITE"):
        for name in kept.keys() - texts.keys():
            (KEPT / room / f"{name}.txt").unlink()
        for name, text in texts.items():
            (KEPT / room / f"{name}.txt").write_text(text)
        return []
    return sorted(name for name in kept | texts if kept.get(name) != texts.get(name))


def test_every_command_is_answered_as_it_was(house):
    _, answers = house

    assert differing("answers", answers) == [], MEANT


def test_every_reading_and_report_is_as_it_was(house):
    database, _ = house
    asked = [(each[0], words) for each in READINGS for words in (each, (*each, "--json"))]
    asked += [("wrong", words) for words in WRONG]
    for name in sorted(REPORTS.keys() - BY_THE_CLOCK):
        forms = ((), ("--json",), ("--csv",))
        asked += [(f"report-{name}", ("report", name, *form)) for form in forms]
    last, texts = recorded(database)[-1][0], defaultdict(str)
    with sessions_held():
        for file, words in asked:
            texts[file] += typed(words, shell(database, *words), last)

    assert differing("readings", texts) == [], MEANT
