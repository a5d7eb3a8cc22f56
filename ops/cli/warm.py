"""Imports what commands of the shell need, once, in the process that theirs are forked from."""

import importlib
from contextlib import suppress

import argon2  # noqa: F401
import psycopg  # noqa: F401
import rich.console
import rich.table  # noqa: F401

import ops.terminal.dealer.screen.app  # noqa: F401
from domain.rules.likeness import alike
from domain.rules.odds.deals import count_deals
from ops.cli import ENTRIES

_NEVER = ("serve", "demo", "simulate", "feed")  # what never ends

for _section in ENTRIES.values():
    for _name, (_module, _) in _section.items():
        if _name not in _NEVER:
            with suppress(ImportError):
                importlib.import_module(_module)

alike("I", "l")  # what letters look like is read from a large file
count_deals(8)  # every coup there is, which whatever asks for an edge counts
