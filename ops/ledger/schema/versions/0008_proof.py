"""What Banker wins should have come to, reckoned from the wagers: the other side of the proof."""

from ops.ledger.schema import run_sql

revision = "0008_proof"
down_revision = "0007_shoes"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
