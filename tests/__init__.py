"""The rulebook, tried. May import everything; nothing imports it."""

from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the checkout
