"""Facts in PostgreSQL, written once: append, once-only, canonical form, chain.

Imports `domain` for the facts themselves, and `ops.database` for the way there.
"""
