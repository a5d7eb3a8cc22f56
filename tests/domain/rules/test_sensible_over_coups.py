"""R-BET-9: what a rule file cannot say of a bet on the next coups."""

import pytest

from domain.rules.house_rules import named
from domain.rules.refusals import BadValue
from ops.commands import rule_files

SHEET = """
name = "riverside@1"
source = "an example"
based_on = "dragon-bonus@1"

[spots.next-three]
key = "nt"
pays = {PAYS}

[terms.next-three]
EXTRA
over = {OVER}
"""
OVER = 'coups = 3, wins = "banker wins"'


def refused(*, pays='"won 3" = "8:1"', over=OVER, extra="", more="", base="dragon-bonus@1"):
    sheet = SHEET.replace("PAYS", pays).replace("OVER", over).replace("EXTRA", extra) + more
    with pytest.raises(BadValue) as refusal:
        rule_files.read(sheet.replace("dragon-bonus@1", base).encode(), named)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ('coups = 1, wins = "banker wins"', "write 2 to 20 coups"),
        ('coups = 21, wins = "banker wins"', "write 2 to 20 coups"),
        ('coups = 3, wins = "bank wins"', "over.wins"),
        ('coups = 3, wins = "banker wins", skips = "a draw"', "over.skips"),
        ('coups = 3, wins = "banker wins or player wins or tie"', "every coup ends so"),
        ('coups = 3, wins = "banker wins and player wins"', "no coup can end so"),
        (
            'coups = 3, wins = "banker wins", skips = "banker wins"',
            "it skips each coup that it wins",
        ),
        ('coups = 3, wins = "banker wins", skips = "tie or player wins"', "no coup is lost"),
        ('coups = 3, wins = "banker wins", at_end = "kept"', 'write "returned" or "lost"'),
    ],
)
def test_coups_that_decide_nothing_are_refused(over, said):
    assert said in refused(over=over)


@pytest.mark.parametrize(
    ("pays", "said"),
    [
        ('"three in a row" = "8:1"', "write won 3, won 2 or more, or in a row 4"),
        ('"banker wins" = "8:1"', "write won 3, won 2 or more, or in a row 4"),
        ('"won 4" = "8:1"', "the bet is on 3 coups"),
        ('"won 3" = "push"', "state at least one line that pays"),
        ('"won 3" = "meter"', "write odds as in 8:1, or push"),
        (
            '"won 2 or more" = "1:1", "won 3" = "8:1"',
            "it never decides, because of the lines above it",
        ),
        ('"won 0 or more" = "8:1"', "every bet ends so"),
    ],
)
def test_lines_that_decide_nothing_are_refused(pays, said):
    assert said in refused(pays=pays)


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ('beside = ["banker"]', "has no beside"),
        ('most_won = "500.00"', "has no most_won"),
        ('after_four = "first two player cards make 5"', "has no after_four"),
    ],
)
def test_terms_that_depend_on_one_coup_are_refused(extra, said):
    assert said in refused(extra=extra)


def test_a_main_bet_or_one_of_a_table_without_a_dealer_is_refused():
    tie = '[terms.tie]\nover = {coups = 3, wins = "banker wins"}'

    assert "only a dealer looks after such bets" in refused(base="electronic@1")
    assert "decided by its own coup" in refused(more=tie)


def test_a_line_that_counts_coups_says_that_over_is_missing():
    sheet = SHEET.replace("PAYS", '"won 3" = "8:1"').partition("[terms")[0]
    with pytest.raises(BadValue, match="state over in the bet's terms"):
        rule_files.read(sheet.encode(), named)
