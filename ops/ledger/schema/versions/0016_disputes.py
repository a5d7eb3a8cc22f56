"""What patrons say of their coups, and which tables wait for that."""

from ops.ledger.schema import run_sql

revision = "0016_disputes"
down_revision = "0015_integrity"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
