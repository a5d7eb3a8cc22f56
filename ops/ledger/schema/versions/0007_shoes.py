"""What is read of shoes: their life, and every card of them."""

from ops.ledger.schema import run_sql

revision = "0007_shoes"
down_revision = "0006_sealed"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
