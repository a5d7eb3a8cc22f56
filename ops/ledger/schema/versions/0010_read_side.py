"""Gaming days where reports are narrowed by them."""

from ops.ledger.schema import run_sql

revision = "0010_read_side"
down_revision = "0009_exceptions"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
