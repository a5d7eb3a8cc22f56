"""The board: how every table stands now, and what needs a person."""

from ops.ledger.schema import run_sql

revision = "0012_board"
down_revision = "0011_rebuild"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
