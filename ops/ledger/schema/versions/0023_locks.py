"""Locks that only this program can take."""

from ops.ledger.schema import run_sql

revision = "0023_locks"
down_revision = "0022_readings"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
