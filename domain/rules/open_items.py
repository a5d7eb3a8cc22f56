"""What is open between a patron and the house, and which of it a settlement settles.

What the patron owes is more than 0, and what the house owes is less. Before anything is paid, both
are set off.

>>> settling({"bets": 100_00, "commission": -5_00}, 95_00)
{'commission': -500, 'bets': 10000}
>>> settling({"bets": 100_00, "commission": -5_00}, 40_00)
{'commission': -500, 'bets': 4500}
>>> settling({"bets": -30_00, "commission": 2_50}, -27_50)
{'commission': 250, 'bets': -3000}
"""

from collections.abc import Mapping

FROM_PATRON = ("received", "written-off")
TO_PATRON = ("paid", "unclaimed")
HOW = (FROM_PATRON[0], TO_PATRON[0], FROM_PATRON[1], TO_PATRON[1])
IN_MONEY = ("received", "paid")


def settling(open_now: Mapping[str, int], amount: int) -> dict[str, int]:
    """The part of each item that is settled; `amount`: of all, with the sign of what is open."""
    net = sum(open_now.values())
    parts = {name: each for name, each in open_now.items() if each * net < 0 or (each and not net)}
    rest = amount - sum(parts.values())
    for name, each in open_now.items():
        if name not in parts and rest:
            parts[name] = min(each, rest) if rest > 0 else max(each, rest)
            rest -= parts[name]
    return {name: part for name, part in parts.items() if part}
