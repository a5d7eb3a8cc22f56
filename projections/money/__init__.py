"""The money of the tables: win, trays, slips, drop boxes, cash, game accounts."""
