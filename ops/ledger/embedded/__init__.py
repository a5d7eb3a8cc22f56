"""The PostgreSQL that comes with Sabot: made on first use, shared by every process.

`server` makes, starts and stops it, `place` has its directories, `programs` its binaries and their
account, `processes` checks whether it is alive, `mark` records that a cluster was made. Imports no
other part of Sabot.
"""

from ops.ledger.embedded.place import EmbeddedError
from ops.ledger.embedded.server import Embedded

__all__ = ["Embedded", "EmbeddedError"]
