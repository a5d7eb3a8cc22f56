"""The chain, walked as the record grows."""

from ops.migrations import run_sql

revision = "0015_integrity"
down_revision = "0013_measures"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
