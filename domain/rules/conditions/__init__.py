"""What has to be so of a settled coup for a line of a pay table to decide (R-BET-2, R-PAY-1 to 4).

>>> from domain.rules.hands import play
>>> ended = play(["9C", "9S", "KC", "9H"]).result
>>> condition("player wins with a natural 9").holds(ended)
True
>>> condition("player has a suited pair or at least two banker cards are 9s").holds(ended)
True
"""

from domain.rules.conditions.facts import Condition, Fact
from domain.rules.conditions.reading import Unreadable, condition

__all__ = ["Condition", "Fact", "Unreadable", "condition"]
