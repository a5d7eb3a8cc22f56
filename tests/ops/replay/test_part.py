"""A part of the story: until a card or an event, as of a moment, for one patron, step by step."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.rules.addresses import Coup, TableDay
from ops.cli.step import KEYS, Walk, step
from ops.replay.find_coup import coups_of
from ops.replay.story import find
from ops.reports import moments
from tests.acceptance.channels import shell
from tests.worlds.evening import Evening
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS

SHOE = "B01/2026-11-21/1"
FIRST, SECOND, THIRD = f"{SHOE}/1", f"{SHOE}/2", f"{SHOE}/3"


@pytest.fixture(scope="module")
def evening(server):
    with server.database() as database:
        yield Evening(database)


@pytest.mark.parametrize(
    ("card", "dealt", "totals"),
    [(1, [], (None, None)), (4, ["9C", "5S", "7C"], (6, 5)), (5, ["9C", "5S", "7C", "QD"], (6, 5))],
)
def test_the_story_stops_before_a_card(evening, card, dealt, totals):
    told = evening.told(FIRST, "--until", str(card))

    assert dealt == [each["card"] for each in told["cards"]]
    assert totals == (told["player_total"], told["banker_total"])
    assert ("dealing", None, [], []) == (
        told["phase"],
        told["outcome"],
        told["payments"],
        told["afterwards"],
    )
    assert told["agrees"]
    assert evening.told(FIRST)["cards"][card - 1]["position"] == told["until"]
    assert f"Shown until before card {card}, #" in evening.page(FIRST, "--until", str(card)).stdout


def test_the_story_stops_before_an_event(evening):
    whole = evening.told(FIRST)
    first, second = (each["position"] for each in whole["wagers"])

    assert [[], whole["wagers"][:1]] == [
        evening.told(FIRST, "--until", str(position))["wagers"] for position in (first, second)
    ]
    last = evening.told(FIRST, "--until", str(whole["proof"]["last_position"]))
    assert ("settled", []) == (last["phase"], last["afterwards"])


@pytest.mark.parametrize(
    ("until", "why"),
    [(6, "has no card 6"), (7, "its events are #"), (900, "its events are #"), (0, "0 is not in")],
)
def test_nobody_stops_where_the_coup_has_nothing(evening, until, why):
    said = evening.page(FIRST, "--until", str(until))

    assert said.exit_code in (1, 2)
    assert why in said.stderr


def test_as_of_a_moment_what_was_recorded_later_is_not_told(evening):
    now, then = (
        evening.told(FIRST, *words) for words in ((), ("--as-of", str(evening.until_here)))
    )

    assert (1, 0) == (len(now["afterwards"]), len(then["afterwards"]))
    assert evening.until_here.isoformat() == datetime.fromisoformat(then["as_of"]).astimezone(
        UTC
    ).isoformat().replace("Z", "+00:00")
    assert then["agrees"]
    assert then["proof"]["chain_good"]
    assert "Later events are not shown" in evening.page(
        FIRST, "--as-of", str(evening.until_here)
    ).stdout.replace("\n", " ")


def test_before_it_was_recorded_there_is_no_coup(evening):
    said = evening.page(THIRD, "--as-of", str(evening.until_here))

    assert said.exit_code == 1
    assert f"NotFound: The ledger has no coup {THIRD} as of" in said.stderr


def test_a_page_for_one_patron_names_nobody_else(evening):
    page = evening.page(FIRST, "--for", "grey-jacket")

    assert page.exit_code == 0
    assert "P-10417" not in page.stdout
    assert "grey-jacket" in page.stdout
    assert "seat 3" not in page.stdout
    assert "agrees, line by line" in page.stdout
    assert "no wager of P-1 in" in evening.page(FIRST, "--for", "P-1").stderr


def test_what_somebody_wrote_may_name_others_and_is_left_out(evening):
    told = evening.told(FIRST, "--for", "P-10417")
    written = json.dumps(told)

    assert [each["reason"] for each in told["afterwards"]] == ["…"]
    assert "grey-jacket" not in written
    assert "goodwill" not in written
    assert "goodwill" in json.dumps(evening.told(FIRST))
    assert {each["stay"] for each in told["wagers"]} == {"B01/2026-11-21/stay-2"}


def test_an_empty_name_is_nobody_and_an_empty_moment_is_none(evening):
    assert evening.page(FIRST, "--for", "").exit_code == 1
    assert "type the time by the house's clock" in evening.page(FIRST, "--as-of", "").stderr


def test_a_patron_is_shown_what_they_did_under_every_name(pit, database):
    pit.play(PLAYER_WINS, (5, "player", 50_00), (3, "banker", 100_00))
    known = {"patron": "grey-jacket", "is": "P-55", "by": "S-11"}
    assert pit.dispatcher.dispatch({"command": "patron.identify", **known}).ok
    page = shell(database, "replay", FIRST, "--for", "P-55").stdout

    assert "grey-jacket" in page
    assert "P-10417" not in page


def test_who_turned_out_to_be_somebody_else_is_not_shown_to_the_patron_any_more(pit, database):
    pit.play(PLAYER_WINS, (5, "player", 50_00), (3, "banker", 100_00))
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})
    pit.say("patron.separate", patron="grey-jacket", reason="it was not", **{"with": "S-12"})
    page = shell(database, "replay", FIRST, "--for", "P-10417").stdout

    assert "P-10417" in page
    assert "grey-jacket" not in page


# Which coup somebody means.
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("B01",), THIRD),
        (("B01/2026-11-21",), THIRD),
        (("B01", "--at", "20:00:17"), SECOND),
        (("B01/2026-11-21", "--at", "20:00:16.9"), FIRST),
        (("B01", "--at", "19:00"), FIRST),
        (("B01", "--at", "23:00"), THIRD),
    ],
)
def test_a_table_and_a_time_are_a_coup(evening, words, expected):
    assert expected == evening.told(*words)["coup"]


def test_a_table_whose_new_day_has_no_coup_yet_is_its_last_coup_before(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    between = pit.moment
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    assert pit.say("table.roll-over", closer={"10000": 200}, **{"with": "S-11"}).ok
    dated = between.strftime("%Y-%m-%d %H:%M:%S")

    for words, expected in (
        (("B01",), THIRD),
        (("B01", "--at", "23:00"), THIRD),
        (("B01", "--at", dated), SECOND),
    ):
        said = shell(database, "replay", *words, "--json")
        assert expected == json.loads(said.stdout)["coup"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("B01", "--at", "noon"),
            "BadValue: --at cannot be 'noon': type the time by the house's clock",
        ),
        ((FIRST, "--at", "20:00"), "names the coup already"),
        (("B09",), "NotFound: The ledger has no table B09."),
        (("B01/2026-11-20",), "NotFound: The ledger has no coup at B01/2026-11-20."),
        (("B01/yesterday",), "write table/day, as in `B01/2026-11-21`"),
        (("B 01",), "write table/day/shoe/coup"),
        ((SHOE,), "write table/day/shoe/coup"),
        (("",), "write table/day/shoe/coup"),
    ],
)
def test_what_is_no_coup_is_said(evening, words, why):
    said = evening.page(*words)

    assert (1, "") == (said.exit_code, said.stdout)
    assert why in said.stderr


# Step by step.
@pytest.fixture
def walk(evening):
    with evening.database.connect("sabot_auditor") as connection:

        def read(coup):
            return find(connection, coup)

        coups = coups_of(connection, TableDay.parse("B01/2026-11-21"))
        yield Walk(read(Coup.parse(SECOND)), coups, read)


def place(walk):
    """Where one stands: at which coup, and at which of its events."""
    return str(walk.coup.address), type(walk.line.event).__name__, walk.shown


def test_one_begins_at_the_end_of_the_coup(walk):
    assert (SECOND, "Settled", len(walk.coup.lines)) == place(walk)
    assert walk.coup.stops_before is None


def test_on_and_back_is_every_event_of_the_coup_once(walk):
    walk.first()
    events = len(walk.coup.lines)
    there = [(walk.on(), place(walk))[1] for _ in range(events)]
    back = [(walk.back(), place(walk))[1] for _ in range(events)]

    assert [*range(2, events + 1), events] == [told for _, _, told in there]
    assert [*range(events - 1, 0, -1), 1] == [told for _, _, told in back]
    assert {SECOND} == {coup for coup, _, _ in (*there, *back)}


def test_from_card_to_card(walk):
    walk.first()
    there = [(walk.next_card(), walk.line)[1] for _ in range(5)]
    back = [(walk.previous_card(), walk.line)[1] for _ in range(5)]

    assert BANKER_WINS.split() == [line.event.card for line in there[:4]]
    assert there[4] is walk.coup.lines[-1]
    assert [*reversed(BANKER_WINS.split())] == [line.event.card for line in back[:4]]
    assert back[4] is walk.coup.lines[0]


def test_from_coup_to_coup_and_no_further_than_there_are(walk):
    places = [(walk.next_coup(), place(walk))[1] for _ in range(2)]
    before = [(walk.previous_coup(), place(walk))[1] for _ in range(3)]

    assert [(THIRD, "Opened", 1)] * 2 == places
    assert [(SECOND, "Opened", 1), (FIRST, "Opened", 1), (FIRST, "Opened", 1)] == before


def test_to_a_moment(evening, walk):
    assert walk.to(evening.settled_at)
    assert (FIRST, "Settled") == place(walk)[:2]
    assert not walk.to(datetime(2026, 11, 21, 19, tzinfo=UTC))
    assert (FIRST, "Settled") == place(walk)[:2]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("20:14", "2026-11-21 20:14:00-05:00"),
        ("20:14:07.5", "2026-11-21 20:14:07.500000-05:00"),
        ("02:10", "2026-11-22 02:10:00-05:00"),
        ("quarter past", None),
        ("", None),
        ("25:00", None),
    ],
)
def test_a_time_of_day_is_the_nearest_one(typed, expected):
    near = datetime(2026, 11, 21, 23, 50, tzinfo=ZoneInfo("America/New_York"))
    read = moments.Typed.of(typed)

    assert expected == (str(read.near(near)) if read else None)


class Typed:
    """Keys that were typed, and lines."""

    def __init__(self, *typed):
        self._typed = iter(typed)

    def key(self):
        return next(self._typed)

    line = key


def test_every_key_draws_where_one_stands(walk, capsys):
    events = len(walk.coup.lines)
    step(walk, ZoneInfo("UTC"), Typed("g", "c", "]", "]", "?", "t", "noon", "t", "01:00", "q"))
    screen = capsys.readouterr().out

    assert f"1 of {events} " in screen
    assert "'noon' is not a time" in screen
    assert "K♣" in screen
    assert "is open for bets" in screen
    assert KEYS in screen
    assert "That key does nothing here." in screen


def test_without_a_keyboard_one_does_not_step(evening):
    assert "needs a keyboard and a screen" in evening.page(FIRST, "--step").stderr
    assert "Use --step without them" in evening.page(FIRST, "--step", "--until", "3").stderr


def test_a_terminal_steps_and_is_left_as_it_was(evening):
    """The real program in a real terminal."""
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover  (another process)
        os.environ |= {"SABOT_DATABASE_URL": evening.database.url, "TERM": "xterm"}
        os.execv(sys.executable, [sys.executable, "-m", "ops.cli", "replay", FIRST, "--step"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = [_until(terminal, "leave")]
    for key, awaited in (("\x1b[D", "leave"), ("t", "Time, as in"), ("20:00:30\r", "leave")):
        os.write(terminal, key.encode())
        seen.append(_until(terminal, awaited))
    os.kill(child, signal.SIGTERM)
    seen.append(_until(terminal, "\x1b[?1049l"))  # the screen that was there before
    _, status = os.waitpid(child, 0)

    assert 143 == os.waitstatus_to_exitcode(status)
    assert "agrees, line by line" in seen[0]
    assert "Shown until before #" in seen[1]
    assert "1 of" not in seen[1]
    assert THIRD in seen[3]


def _until(terminal, awaited):
    """What the terminal shows until then, without its control sequences."""
    seen, ends = "", time.monotonic() + 20
    while awaited not in seen and time.monotonic() < ends:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65_536).decode(errors="replace")
    assert awaited in seen
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)
