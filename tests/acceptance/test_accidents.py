"""A whole evening with one of each accident, and what the floor is told: it reads as the rulebook.

The transcript and the reports are stored text; `tests/golden/accidents.*` is what to read.
"""

import re
import shlex
from datetime import UTC, datetime, timedelta

import pytest

from tests.acceptance.channels import shell

BEGINS = datetime(2026, 11, 21, 20, tzinfo=UTC)
REPORTS = ("commission-proof", "commission", "voids", "exceptions", "shoe-log")

# A line that begins with # says what the rulebook says; ! begins what the floor says no to, which
# is part of it. Everything is by D-204; & is with S-11, a supervisor.
EVENING = """
# A table opens for the gaming day, and two patrons sit down.
& table open B01 dragon-bonus@1 --day 2026-11-21 --opener 100=200 --opener 5=400 --opener 0.25=400
table seat B01 3 P-10417
table seat B01 5 grey-jacket

# R-SHOE-1: a sealed batch is verified by two people, and what was not shuffled deals no coup.
shoe load B01 8 --batch SB-77 --serials K-1 --serials K-2 --colour red
! shoe inspect B01
! shoe inspect B01 --verified-by D-204
shoe inspect B01 --verified-by S-11
! bet B01 3 banker 100
shoe shuffle B01 pre-shuffled
shoe cut B01 --seat 3 --cut-card 360

# R-SHOE-2: the first card is shown and burned, and as many more face down as it counts.
shoe burn B01 3D

# R-DEAL-2: a bet after the first card is refused, and recorded.
bet B01 3 banker 105
bet B01 5 player 500
draw B01 KC
! bet B01 5 tie 25

# R-BET-5: a wager that lay there before is entered with a supervisor; it is over its maximum, and
# this house plays it as it lies.
! bet B01 5 dragon-player 600 --late --at JUST-BEFORE
& bet B01 5 dragon-player 600 --late --at JUST-BEFORE

# R-IRR-2: a card lay on the wrong hand, and nothing was drawn since.
draw B01 9S
move-card B01 2 banker
draw B01 2C
! move-card B01 2 banker
draw B01 QD

# R-PAY-1: an overpayment stops the game, and is recorded.
! settle B01 --paid 3=315 --paid 5=0
settle B01 --paid 3=210 --paid 5=0

# R-IRR-1: a card comes when none is due. It is the first card of the next coup.
! draw B01 4H
shoe misdraw B01 4H --disposition carry
bet B01 3 banker 100
draw B01 7D
draw B01 3C
draw B01 2D --settle

# R-IRR-1: another house burns it.
shoe misdraw B01 8C --disposition burn

# R-IRR-1: or it is the start of a coup without bets.
shoe misdraw B01 9D --disposition dummy
! bet B01 3 banker 100
draw B01 KS
draw B01 KH
draw B01 7S --settle

# R-IRR-3: a card lies face up in the shoe. It is discarded, and the coup goes on.
bet B01 5 banker 200
draw B01 5C
shoe discard B01 5D face-up
draw B01 4C
draw B01 5H
draw B01 4S --settle

# R-IRR-4: a foreign card. The coup is void, and every wager returned.
bet B01 3 banker 25
bet B01 5 player 25
draw B01 6C
shoe discard B01 6D foreign
! draw B01 6H
! void B01/2026-11-21/1/5 'a foreign card'
& void B01/2026-11-21/1/5 'a foreign card'

# R-COM-2: the patron pays a part, and has a receipt for it.
commission collect B01 3 7.25

# R-IRR-5: a payment is corrected by two people. The commission that was paid for it goes back.
& correct B01/2026-11-21/1/2 3 banker 'the second card was misread' --to 0
! commission collect B01 3 1

# R-IRR-5: the first coup is void after all, though its commission is collected.
& void B01/2026-11-21/1/1 'the shoe was not closed'

# R-COM-5: commission goes along with the patron, from chair to chair.
table move B01 5 7
! table leave B01 7

# R-COM-4: what is owed is collected, waived, or walked, before anybody leaves.
& commission waive B01 7 'a guest of the house' --amount 4
! shoe end B01
& commission walked B01 grey-jacket 'left through the garden'
table leave B01 7

# R-SHOE-3: the cut card shows during a coup. That one is finished, and one more is dealt.
bet B01 3 player 25
draw B01 9H
shoe cut-card B01 --confirmed
draw B01 TD
draw B01 TC
draw B01 TS --settle
bet B01 3 player 25
draw B01 8D
draw B01 JD
draw B01 JC
draw B01 JS --settle
! bet B01 3 player 25
shoe end B01

# R-SHOE-4: what is left is counted, and nothing is missing; the foreign card was never its own.
shoe reconcile B01 385 --confirmed

# A deck that was used is not used again.
! shoe load B01 8 --serials K-2

# R-DEAL-3: the squeeze. Who bets most on Player looks first; nobody else sees what is face down.
& table open B02 big-table@1 --day 2026-11-21 --opener 1000=100
table seat B02 1 P-20001
table seat B02 2 P-20002
shoe load B02 6
shoe inspect B02
shoe shuffle B02 machine --device SH-2
shoe cut B02 --seat 1
shoe burn B02 TH

# R-BET-4: Player and Banker are too far apart, until they are level.
bet B02 1 player 50,000
bet B02 2 player 1,000
! no-more-bets B02
withdraw B02 2 player
no-more-bets B02
draw B02 9C
draw B02 2H
draw B02 KC
draw B02 4D
! reveal B02 banker
reveal B02 player
reveal B02 banker
settle B02

# R-BET-5: where the house plays at the limit, what is over it goes back.
& table open B03 electronic@1 --day 2026-11-21 --opener 1=5000
table seat B03 4 P-30001
shoe load B03 8
shoe inspect B03
shoe shuffle B03 hand
shoe cut B03 --seat 4
bet B03 4 player 100
draw B03 9C
& bet B03 4 player 1,500 --late --at JUST-BEFORE
draw B03 2H
draw B03 KC
draw B03 4D --settle

# R-IRR-4: a device fails in the middle of a coup.
bet B03 4 banker 100
draw B03 9D
& void B03/2026-11-21/1/2 'the screen went dark'

# R-PAY-5: the table's chips cannot make the amount, so it is paid up.
& table open B04 no-commission@1 --day 2026-11-21 --opener 100=100 --opener 1=500
table seat B04 1 P-40001
shoe load B04 8
shoe inspect B04
shoe shuffle B04 hand
shoe cut B04 --seat 1
shoe burn B04 AD
bet B04 1 banker 25
draw B04 2C
draw B04 6H
draw B04 3C
draw B04 KD
draw B04 TC --settle

# The tables close. What is in the trays is what should be there.
& table close B01 --confirmed {B01}
& shoe end B02 --reason 'end of play'
& table close B02 --confirmed {B02}
& shoe end B03 --reason 'end of play'
& table close B03 --confirmed {B03}
& shoe end B04 --reason 'end of play'
& table close B04 --confirmed {B04}
"""


# What each tray should have, worked out by hand.
CLOSERS = {
    # 22,100.00; coup 2 put right wins 100.00, coup 4 loses 200.00, coups 6 and 7 lose 25.00 each;
    # commission of 7.25 came in, and 2.00 and 5.25 went back.
    "B01": "--closer 100=219 --closer 5=10",
    # 100,000.00, less 50,000.00 to the Player.
    "B02": "--closer 1000=50",
    # 5,000.00; of 1,500.00 found 500.00 went back, and 1,000.00 won.
    "B03": "--closer 1=4000",
    # 10,500.00; 25.00 won 12.50, and 13.00 were paid.
    "B04": "--closer 100=104 --closer 1=87",
}


class Told:
    """The evening as it is said, and what it is answered."""

    def __init__(self, database):
        self.database = database
        self.moment = BEGINS
        self.first_card = None
        self.refused = []

    def transcript(self):
        return "".join(self.say(line) for line in EVENING.splitlines())

    def say(self, line):
        if not line or line.startswith("#"):
            return line + "\n"
        mark, words = (line[0], line[2:]) if line[:2] in ("! ", "& ") else ("", line)
        typed = shlex.split(words.format(**CLOSERS))
        people = ["--by", "D-204", *(["--with", "S-11"] if mark == "&" else [])]
        when = self.when(typed)
        result = shell(self.database, *typed, *when, *people)
        told = "".join(f"    {each}\n" for each in result.output.splitlines())
        if result.exit_code:
            self.refused.append((mark, words))
        return f"{mark or '>'} {words.format(**CLOSERS)}\n{told}"

    def when(self, typed):
        """A second after the last line; or just before the first card of the coup in play."""
        self.moment += timedelta(seconds=1)
        if typed[0] == "draw":
            self.first_card = self.first_card or self.moment
        if typed[0] in ("settle", "void") or "--settle" in typed:
            self.first_card = None
        if "JUST-BEFORE" in typed:
            typed[typed.index("JUST-BEFORE")] = (self.first_card - timedelta(seconds=1)).isoformat()
            return []
        return ["--at", self.moment.isoformat()]


@pytest.fixture(scope="module")
def evening(server):
    with server.database() as database:
        told = Told(database)
        yield database, told, told.transcript()


def _as_stored(golden, name, text):
    stored = golden / name
    if not stored.exists():
        stored.write_text(text)

    assert stored.read_text() == text


def test_the_evening_reads_as_the_rulebook(evening, golden):
    _, _, transcript = evening
    _as_stored(golden, "accidents.txt", transcript)


def test_exactly_the_refused_commands_are_marked(evening):
    _, told, _ = evening
    marked = [line[2:] for line in EVENING.splitlines() if line.startswith("! ")]

    assert [("!", words) for words in marked] == told.refused


@pytest.mark.parametrize("report", REPORTS)
def test_the_reports_of_the_evening_are_the_stored_ones(evening, golden, report):
    database, _, _ = evening
    told = shell(database, "report", report, "--csv").stdout
    told = re.sub(
        r'(recorded_(?:at|until)"": "")[^"]+', r"\1…", told
    )  # by the clock of this machine
    _as_stored(golden, f"accidents.{report}.csv", told)
