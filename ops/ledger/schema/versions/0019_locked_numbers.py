"""A number that was locked is an alert."""

from ops.ledger.schema import run_sql

revision = "0019_locked_numbers"
down_revision = "0018_paid_as"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
