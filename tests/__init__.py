"""The rulebook, tried. May import everything; nothing imports it."""
