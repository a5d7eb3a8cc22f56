"""The outside: the ledger in PostgreSQL, the dispatcher, the command line.

Heavy libraries are imported in the functions that use them, so that `sabot --help` stays quick.
"""

VERSION = "1.0.0"
