"""An evening of every command, and everything that is read of it, as it was kept.

What a change does to an answer, a report, a paper or an exit status shows as a difference of
`golden/scripted`: one file for the answers, one for the readings.
"""

import re
from pathlib import Path

import pytest

from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.every_command import OWN_RULES, both_forms
from tests.worlds.held_sessions import sessions_held

MEANT = (
    "golden/scripted has another answer. Where that is meant: delete golden/scripted/*.txt, run "
    "this twice, and read what git shows as changed."
)
KEPT = Path(__file__).parents[1] / "golden" / "scripted"
DAY, SHOE, COUP, CASE = "2026-11-21", "B01/2026-11-21/1", "B01/2026-11-21/1/1", "C-2026-0001"
# What differs from run to run: hashes, and the moments of recording.
PASSING = (
    (r"\b[0-9a-f]{64}", "HASH"),
    (r"[0-9a-f]{4}( [0-9a-f]{4}){15}", "HASH"),
    (r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", "UUID"),
    (r'("recorded_at": ?")[^"]*', r"\1…"),
    (r"\d\d:\d\d:\d\d\.\d+", "HH:MM:SS"),
    (r"(?m)^(Chain +)[0-9a-f]{16}$", r"\1HASH"),
    (r"(?<=ime code: )\w+", "…"),
    (r"\d+ coups and [\d,]+ events a second", "N coups and N events a second"),
    (r'("seconds": ?)[\d.]+', r"\1…"),
)
BY_THE_CLOCK = {"integrity", "readings"}  # reports of when something was verified, or read
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


def typed(words, result):
    """What was typed, what came of it, and the exit status, as somebody would paste it."""
    told = "".join(f"{line}\n" for line in (result.stdout + result.stderr).splitlines())
    for pattern, shown in PASSING:
        told = re.sub(pattern, shown, told)
    line = " ".join(words).replace(OWN_RULES, "OWN_RULES")
    return f"$ sabot {line}\n{told}[{result.exit_code}]\n\n"


@pytest.fixture(scope="module")
def house(server):
    """The evening at a shell; what was answered."""
    with server.database() as database:
        with sessions_held():
            answers = [(words, shell(database, *words)) for words, _ in both_forms()]
        yield database, answers


def kept(name, text):
    """The text as it was kept, or as it is kept from now on."""
    file = KEPT / name
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        pytest.fail(f"{file} is new: look at it, and run this again")
    return file.read_text()


def test_every_command_is_answered_as_it_was(house):
    _, answers = house
    text = "".join(typed(words, result) for words, result in answers)

    assert text == kept("answers.txt", text), MEANT


def test_every_reading_and_report_is_as_it_was(house):
    database, _ = house
    asked = [words for each in READINGS for words in (each, (*each, "--json"))]
    asked += WRONG
    for name in sorted(REPORTS.keys() - BY_THE_CLOCK):
        asked += [("report", name, *form) for form in ((), ("--json",), ("--csv",))]
    with sessions_held():
        text = "".join(typed(words, shell(database, *words)) for words in asked)

    assert text == kept("readings.txt", text), MEANT
