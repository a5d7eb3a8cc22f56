"""The ledger to measure when a part is run by itself."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ops.ledger.database import Database
from tests.bench.setting import Setting


@contextmanager
def pointed_at(addresses: list[str]) -> Iterator[list[Database]]:
    """The given ledgers, the configured one, or a simulated evening."""
    if addresses or os.environ.get("SABOT_DATABASE_URL") or os.environ.get("SABOT_HOME"):
        yield [Database(each) for each in addresses or [None]]
        return
    with Setting(lambda text: print(text, file=sys.stderr), quick=True, given=[]) as setting:
        yield [setting.dealt]
