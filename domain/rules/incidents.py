"""Incidents on the floor: of which kind one is, and what may come of it (R-FLOOR-1)."""

KINDS = ("conduct", "fight", "medical", "theft", "damage", "goodwill", "chips", "other")
OUTCOMES = ("resolved", "warned", "removed", "barred", "reported", "unresolved")
# Where money is before and after: the tray of a table, the cage, somebody in it, or the floor.
OF_HOUSE = ("tray", "cage")
PLACES = (*OF_HOUSE, "person", "floor")


def into_house(amount: int, out_of: str, into: str) -> int:
    """What the house has more after money moved between two places; less than 0: what it gave.

    >>> into_house(5_00, "floor", "cage"), into_house(5_00, "tray", "person")
    (500, -500)
    """
    return amount * ((into in OF_HOUSE) - (out_of in OF_HOUSE))
