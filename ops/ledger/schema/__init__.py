"""The schema's history: plain SQL files in order, walked by Alembic and by nothing else."""

from pathlib import Path

VERSIONS = Path(__file__).parent / "versions"


def head() -> str:
    """The newest version, without asking Alembic, whose import takes longer than a command may."""
    return max(path.stem for path in VERSIONS.glob("[0-9]*.sql"))


def run_sql(revision: str) -> None:
    """Runs a version's SQL file as it stands: several statements, and `%` means `%`."""
    from alembic import op

    driver = op.get_bind().connection.driver_connection
    assert driver is not None
    driver.execute((VERSIONS / f"{revision}.sql").read_text())
