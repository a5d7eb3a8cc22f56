"""The roads of a shoe, from the coups that are on record, as one JSON object.

A coup counts as soon as its result is there for everybody to see: not while its last card is
out and lies face down, and not any more once it is void. A dummy coup counts: the roads tell
how the shoe falls, and displays mark every coup dealt, whether or not anybody bet on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from domain import addresses
from domain.refusals import NotFound
from domain.roads import Bead, Mark, Roads, roads
from ops import replay
from ops.database import Database
from ops.reports import ask
from projections import REPORTS

_LETTERS = {"banker": "B", "player": "P", "tie": "T", "red": "R", "blue": "B"}


@dataclass(frozen=True)
class Found:
    """A shoe's roads, true at `position`."""

    address: addresses.Shoe
    position: int
    coups: tuple[str, ...]  # the address of each bead's coup
    roads: Roads


def find(database: Database, address: addresses.Shoe) -> Found:
    """The roads of a shoe as it was dealt so far. Refuses: NotFound."""
    shoe = str(address)
    told = ask(database, REPORTS["coup"], shoe=shoe)
    if not told.rows and not ask(database, REPORTS["shoe-log"], shoe=shoe).rows:
        raise NotFound(what=f"shoe {shoe}")
    seen = [row for row in told.rows if _seen(database, row)]
    return Found(
        address=address,
        position=told.position,
        coups=tuple(row["coup"] for row in seen),
        roads=roads(_bead(row) for row in seen),
    )


def _seen(database: Database, row: dict[str, Any]) -> bool:
    """Settled, or resulted with its cards open: what lies face down no display shows."""
    if row["phase"] != "resulted":
        return bool(row["phase"] == "settled")
    with database.session("sabot_auditor") as connection:
        coup = replay.find(connection, addresses.Coup.parse(row["coup"])).replay
    if coup is None:  # the beginning of its record is gone
        return False
    turned = {line.fact.n for line in coup.turned}
    return all(line.fact.n in turned for line in coup.dealt if line.fact.face_down)


def _bead(row: dict[str, Any]) -> Bead:
    return Bead(
        outcome=row["outcome"],
        player_pair=_pair(row["cards"], "player"),
        banker_pair=_pair(row["cards"], "banker"),
        natural=row["natural"],
    )


def _pair(cards: list[dict[str, str]], hand: str) -> bool:
    """The first two cards of a hand are of one rank."""
    first, second = [each["card"][0] for each in cards if each["hand"] == hand][:2]
    return first == second


def as_dict(found: Found) -> dict[str, Any]:
    """As `--json` prints it: every road as a word of letters, and cell by cell from 0."""
    told = found.roads
    return {
        "shoe": str(found.address),
        "position": found.position,
        "coups": len(told.beads),
        "counts": told.counts(),
        "bead_plate": {
            "sequence": _word(bead.outcome for bead in told.beads),
            "cells": [
                {
                    "column": place.column,
                    "row": place.row,
                    "what": bead.outcome,
                    "coup": coup,
                    "player_pair": bead.player_pair,
                    "banker_pair": bead.banker_pair,
                    "natural": bead.natural,
                }
                for coup, bead, place in zip(found.coups, told.beads, told.bead_plate, strict=True)
            ],
        },
        "big_road": {
            "sequence": _word(entry.side for entry in told.big_road if entry.side),
            "cells": [
                {
                    "column": entry.place.column,
                    "row": entry.place.row,
                    "what": entry.side or "tie",
                    "ties": entry.ties,
                    "player_pair": entry.player_pair,
                    "banker_pair": entry.banker_pair,
                    "natural": entry.natural,
                }
                for entry in told.big_road
            ],
        },
        **{road: _derived(marks) for road, marks in told.derived.items()},
        "preview": {side: dict(marks) for side, marks in told.preview.items()},
    }


def _derived(marks: tuple[Mark, ...]) -> dict[str, Any]:
    return {
        "sequence": _word(mark.colour for mark in marks),
        "cells": [
            {"column": mark.place.column, "row": mark.place.row, "what": mark.colour}
            for mark in marks
        ],
    }


def _word(kinds: Iterable[str]) -> str:
    return "".join(_LETTERS[kind] for kind in kinds)
