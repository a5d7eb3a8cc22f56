"""The ground under load: killed writers, killed servers, cut lines, many at one table.

Seeded: the seed is in the test's name or printed by it, and SABOT_FAULTS_SEED replays it.
`scripts/faults` runs the full counts; the tests run quick forms.
"""

import os

FULL = bool(os.environ.get("SABOT_FAULTS"))
SEED = int(os.environ.get("SABOT_FAULTS_SEED", "20261121"))


def times(quick: int, full: int) -> int:
    """How often: quick in the tests, full in `scripts/faults`."""
    return full if FULL else quick
