"""The chain, walked as the record grows."""

from ops.ledger.schema import run_sql

revision = "0015_integrity"
down_revision = "0014_analysis"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
