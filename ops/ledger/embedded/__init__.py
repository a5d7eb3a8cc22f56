"""The PostgreSQL that comes with Sabot: made on first use, shared by every process.

`server` makes, starts and stops it, `place` knows its directories, `programs` its binaries and
their account, `processes` whether it is alive, `mark` whether it was ever made.
"""

from ops.ledger.embedded.place import EmbeddedError
from ops.ledger.embedded.server import Embedded

__all__ = ["Embedded", "EmbeddedError"]
