"""What went wrong and what was done about it: exceptions, voids, and every wager."""

from ops.ledger.schema import run_sql

revision = "0009_exceptions"
down_revision = "0008_proof"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
