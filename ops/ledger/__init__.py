"""Events in PostgreSQL, written once: append, once-only, canonical form, chain.

Imports `domain` for the events themselves, and `ops.ledger.database` for the way there.
"""
