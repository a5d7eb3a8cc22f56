"""How many cards a shoe lacked when it was counted."""

from ops.ledger.schema import run_sql

revision = "0021_shoe_difference"
down_revision = "0020_pins"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
