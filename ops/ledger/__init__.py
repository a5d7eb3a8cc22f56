"""The ledger: events in PostgreSQL, each written once, numbered, and chained by hashes.

`recorder` appends and reads, `chain` verifies, `database` connects, `schema` has the tables,
`embedded` is the PostgreSQL that comes with Sabot, `secrets` has PINs. Imports `domain` and
`ops.words`.
"""
