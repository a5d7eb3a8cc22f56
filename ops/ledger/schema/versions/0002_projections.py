"""The read side: how far each projection has read, commission owed, coups."""

from ops.ledger.schema import run_sql

revision = "0002_projections"
down_revision = "0001_ledger"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
