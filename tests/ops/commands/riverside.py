"""A rule set of a casino's own: its file, and the command by which two people approve it."""

RIVERSIDE = """
name = "riverside@1"
source = "Riverside Casino, table sheet"
based_on = "dragon-bonus@1"

[limits]
main = {minimum = "50.00"}

[spots]
tie.pays = {"tie" = "9:1"}

[commission]
rate = "4%"
rounding = {mode = "up", unit = "0.25"}
"""

APPROVE = {"command": "rules.approve", "file": RIVERSIDE, "by": "A-1", "with": "S-11"}
