"""The ledger: events, commands, the one function that writes, and who may do what."""

from ops.ledger.schema import run_sql

revision = "0001_ledger"
down_revision = None


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
