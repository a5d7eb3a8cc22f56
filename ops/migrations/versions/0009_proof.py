"""What Banker wins should have come to, reckoned from the wagers: the other side of the proof."""

from ops.migrations import run_sql

revision = "0009_proof"
down_revision = "0005_floor"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
