"""Alembic's entrance: walks the versions on the connection that `ops.ledger.database` hands in."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_version",
    version_table_schema="public",
)
with context.begin_transaction():
    context.run_migrations()
