"""Readers flush before they tell; commission is owed since its oldest open accrual."""

from ops.ledger.schema import run_sql

revision = "0003_readers"
down_revision = "0002_projections"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
