"""What the tests compare with: published figures, and shoes that others have dealt."""

import gzip
import json
from pathlib import Path

_HERE = Path(__file__).parent
_SHOES = _HERE.parents[1] / "ops" / "simulation" / "data" / "shoes_40.jsonl.gz"


def published(name):
    """One of the JSON files beside this one."""
    return json.loads((_HERE / name).read_text())


def recorded_shoes():
    """40 shoes of eight decks, with every coup as four public engines agree on it."""
    with gzip.open(_SHOES, "rt") as lines:
        return [json.loads(line) for line in lines]
