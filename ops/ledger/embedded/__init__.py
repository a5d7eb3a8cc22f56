"""The PostgreSQL that Sabot brings along: made on first use, shared by every process.

`server` makes, starts and stops it; `place` says where it lives, `programs` which binaries it
runs and as whom, `processes` whether it is alive. Imports nothing else of Sabot.
"""

from ops.ledger.embedded.place import EmbeddedError
from ops.ledger.embedded.server import Embedded

__all__ = ["Embedded", "EmbeddedError"]
