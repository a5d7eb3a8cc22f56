"""Projections grown anew beside the live ones."""

from ops.ledger.schema import run_sql

revision = "0011_rebuild"
down_revision = "0010_read_side"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
