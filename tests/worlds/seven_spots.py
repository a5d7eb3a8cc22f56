"""An electronic table with side bets: Player, Tie, Banker, both Dragons, both Pairs."""

from pathlib import Path

NAME = "seven-spots@1"
SHEET = f"""
name = "{NAME}"
source = "a trial"
based_on = "electronic@1"
chips = ["1.00", "5.00", "25.00", "100.00", "500.00"]

[limits]
main = {{minimum = "5.00", maximum = "1000.00"}}
tie = {{minimum = "2.00", maximum = "200.00"}}
dragon-player = {{minimum = "2.00", maximum = "100.00"}}
dragon-banker = {{minimum = "2.00", maximum = "100.00"}}
pair-player = {{minimum = "2.00", maximum = "100.00"}}
pair-banker = {{minimum = "2.00", maximum = "100.00"}}

[spots]
pair-player.pays = {{"first two player cards are a pair" = "11:1"}}
pair-banker.pays = {{"first two banker cards are a pair" = "11:1"}}
"""
_DRAGON = """
[spots.{side_spot}.pays]
"{side} wins with a natural" = "1:1"
"natural tie" = "push"
"{side} wins by 9 without a natural" = "30:1"
"{side} wins by 8 without a natural" = "10:1"
"{side} wins by 7 without a natural" = "6:1"
"{side} wins by 6 without a natural" = "4:1"
"{side} wins by 5 without a natural" = "2:1"
"{side} wins by 4 without a natural" = "1:1"
"""


def approve_seven_spots(terminal, home: Path) -> str:
    """Has two people approve the rule set; the name under which tables may open."""
    sides = (_DRAGON.format(side_spot=f"dragon-{side}", side=side) for side in ("player", "banker"))
    file = home / "seven-spots.toml"
    file.write_text("".join([SHEET, *sides]))
    approved = ("rules", "approve", str(file), "--by", "A", "--with", "S", "--confirmed")
    done = terminal.run(*approved)
    assert done.exit_code == 0, done.output
    return NAME
