"""Incidents on the floor: of which kind one is, and what may come of it (R-FLOOR-1)."""

KINDS = ("conduct", "fight", "medical", "theft", "damage", "goodwill", "chips", "other")
OUTCOMES = ("resolved", "warned", "removed", "barred", "reported", "unresolved")
