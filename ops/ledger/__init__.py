"""Facts in PostgreSQL, written once: append, once-only, canonical form, chain.

Imports `domain` for the facts themselves, and `ops.ledger.database` for the way there.
"""
