"""One slip of the keys: what was meant is shown, and nothing else."""

from datetime import timedelta

import pytest

from ops.finding.near import near
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY
from tests.worlds.pages_here import pages_of, ran

LATER = BEGINS + timedelta(hours=2)
COUP = f"B01/{DAY}/1/1"


@pytest.fixture
def played(pit, database):
    """A coup of P-10417 at B01, and a complaint about it."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("dispute.open", coup=COUP, patron="P-10417", complaint="too little")
    with database.session("sabot_auditor") as connection:
        yield connection


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("P10417", ("patron", "P-10417")),  # one is missing
        ("P-1O417", ("patron", "P-10417")),  # another one
        ("p-104177", ("patron", "P-10417")),  # one too many
        ("P-10471", ("patron", "P-10417")),  # two exchanged
        ("B1", ("table", "B01")),
        ("BO1", ("table", "B01")),
        ("B1 coup 1", ("coup", COUP)),
        ("10B 1", None),  # two slips
        ("C 2026 1", ("case", "C-2026-0001")),
        ("c-2026-1", ("case", "C-2026-0001")),
        ("21 Nov", ("day", DAY)),
        ("November 21", ("day", DAY)),
        ("21.11.", ("day", DAY)),
        ("31 Feb", None),
        ("P-20499", None),
        ("x" * 5000, None),
        ("%", None),
        ("", None),
    ],
)
def test_one_slip_of_the_keys_finds_what_was_meant(played, typed, meant):
    found = [(hit.kind, hit.name) for hit in near(played, typed, LATER)]

    assert meant in found if meant else not found


def test_the_shell_and_the_page_say_what_is_near_and_open_nothing_by_themselves(played, database):
    said = json_of(database, "find", "P-10471")
    text = shell(database, "find", "P-10471").output

    async def scene():
        async with pages_of(database) as ask:
            return await ask("/find?q=P-10471", "sabot-language=en")

    status, page = ran(scene())
    assert (said["found"], "P-10417" in {each["name"] for each in said["near"]}) == ([], True)
    assert "Near to it:" in text
    assert "P-10417" in text
    assert (status, "Near to it" in page) == (200, True)
    assert 'href="/patrons/P-10417"' in page
