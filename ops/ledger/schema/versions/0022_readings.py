"""Who read or exported what, on whom."""

from ops.ledger.schema import run_sql

revision = "0022_readings"
down_revision = "0021_shoe_difference"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
