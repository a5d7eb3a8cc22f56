"""What is told to whoever is asked to sign, before they do."""

import pytest

from domain.aggregates.due import NextAct
from ops.terminal.dealer.feed_lines import lines_for
from ops.terminal.dealer.in_question import in_question
from ops.terminal.dealer.table_now import TableNow
from ops.typed.grammar import parse
from tests.ops.terminal.dealer.tables import (
    BET,
    PLAYER_WINS,
    TABLES,
    betting,
    coup,
    drawing,
    over,
    table,
)

SETTLED = over(PLAYER_WINS, phase="settled")
UNDER_WAY = TABLES["slips"]
NEXT = table(BET, coup=coup("betting", number=18))


# fmt: off
@pytest.mark.parametrize(("typed", "now", "asked"), [
    ("void a card fell", betting(),
     "Coup 17: 2,175.00 in bets will be returned."),
    ("void a card fell", drawing("9C 5S"),
     "Coup 17: 2,175.00 in bets will be returned."),
    ("void a bet came late", SETTLED,
     "Coup 17, Player wins, 6 to 4: 2,175.00 was bet and 1,000.00 paid. The coup will be void."),
    ("void B01/2026-11-21/1/3 a bet came late", SETTLED,
     "Coup B01/2026-11-21/1/3 will be void."),
    ("correct 3 b 500 paid wrong", SETTLED,
     (
         "Coup 17, Player wins, 6 to 4: seat 3 had 100.00 on Banker, lost, and was paid 0.00. "
         "It will be paid 500.00 in all, stake included."
     )),
    ("correct 5 p paid wrong", SETTLED,
     (
         "Coup 17, Player wins, 6 to 4: seat 5 had 500.00 on Player, won, and was paid "
         "1,000.00. It will be paid what the cards say."
     )),
    ("correct 3 b as p it lay there", SETTLED,
     (
         "Coup 17, Player wins, 6 to 4: seat 3 had 100.00 on Banker, lost, and was paid 0.00. "
         "It will be paid as a bet on Player."
     )),
    ("correct 3 b 500 paid wrong", NEXT,
     "Coup B01/2026-11-21/1/17: seat 3, Banker. It will be paid 500.00 in all, stake included."),
    ("waive 8 a good patron", SETTLED, "P-10502 owes 50.00. All of it will be waived."),
    ("waive 8 20 a good patron", SETTLED, "P-10502 owes 50.00. 20.00 will be waived."),
    ("walked P-10502 gone", SETTLED,
     "P-10502 owes 50.00. All of it will be written off: the patron left without paying."),
    ("walked P-9 gone", SETTLED, "All of it will be written off: the patron left without paying."),
    ("limits 50 5000", SETTLED,
     (
         "Limits of Player and Banker: 50.00 to 5,000.00 from the next coup on; now 25.00 to "
         "10,000.00."
     )),
    ("request fill --chips 100=20 --chips 25=40", SETTLED,
     "A fill of 3,000.00 will be requested from the cage: 20 of 100, 40 of 25."),
    ("request credit --chips 100=20", SETTLED,
     "A credit of 2,000.00 to the cage will be requested: 20 of 100."),
    ("slip receive 2026-000017", UNDER_WAY,
     (
         "Fill 2026-000017 of 3,000.00: 20 of 100, 40 of 25. Issued by C-1, carried by R-1. It "
         "will be received."
     )),
    ("slip void 2026-000018 torn", UNDER_WAY,
     "Credit 2026-000018 of 500.00: 5 of 100. Not issued yet. It will be void."),
    ("slip receive 2026-000019", UNDER_WAY, "Slip 2026-000019 is not under way at this table."),
    ("seat 3 P-1", SETTLED, ""),
])
def test_whoever_signs_is_told_what_it_would_change(typed: str, now: TableNow, asked: str):
    (line,) = lines_for(parse(typed), now)

    assert in_question(line, now) == asked


def test_a_table_that_was_not_read_asks_no_less():
    now = table(NextAct("bet", "R-BET-1"), coup=None, seats=(), limits={})

    assert in_question({"command": "void", "coup": "B01/2026-11-21/1/1", "reason": "x"}, now)
    assert in_question({"command": "table.limits", "minimum": 1, "maximum": 2}, now)
    assert not in_question({"command": "table.limits", "differential": 2}, now)
