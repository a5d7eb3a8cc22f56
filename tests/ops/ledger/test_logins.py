"""The login that `docker-compose.yml` gives the server: Sabot's roles, and nothing else."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, RoleDenied
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.place import PORT
from ops.ledger.embedded.programs import programs_for
from ops.ledger.recorder import Ledger
from tests import ROOT
from tests.worlds.closed_house import OPEN


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A server as the container makes it, upgraded by its owner; the database by the login."""
    secrets = tmp_path_factory.mktemp("secrets")
    (secrets / "house").write_text("it's $ecret\n")
    server = Embedded(tmp_path_factory.mktemp("logins"))
    server.ensure_running()
    try:
        with psycopg.connect(server.url(), autocommit=True) as superuser:
            superuser.execute("CREATE DATABASE sabot")
        env = {
            "PATH": f"{programs_for(server.data).directory}:{os.environ['PATH']}",
            "PGHOST": str(server.socket_dir),
            "PGPORT": str(PORT),
            "PGDATA": str(server.data),
            "POSTGRES_USER": "postgres",
            "POSTGRES_DB": "sabot",
            "SECRETS": str(secrets),
        }
        subprocess.run(["sh", ROOT / "scripts" / "logins"], env=env, check=True)
        Database(server.url(database="sabot")).upgrade()
        yield Database(server.url(user="house", database="sabot"))
    finally:
        server.destroy()


def test_it_records_projects_and_reads(house: Database) -> None:
    with closing(Casino(Ledger(house))) as casino:
        assert Dispatcher(casino, "test").dispatch(OPEN).ok
    for role in ("sabot_app", "sabot_projector", "sabot_auditor"):
        house.connect(role).close()
    assert house.status().ok


def test_it_owns_nothing_and_is_no_superuser(house: Database) -> None:
    with pytest.raises(RoleDenied):
        house.require_owner()
    with house.connect_as_is() as connection:
        row = connection.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles "
            "WHERE rolname = current_user"
        ).fetchone()
    assert row == (False, False, False, False)


def test_what_the_image_is_made_of_is_listed() -> None:
    """Whatever else lies in the directory, a key or a password, is no part of it."""
    first, *allowed = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]

    assert first == "*"
    assert all((ROOT / line[1:]).exists() for line in allowed if line.startswith("!"))
    assert not any("tls" in line or "key" in line for line in allowed)


def test_the_script_is_the_one_that_the_container_runs() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()

    assert "./scripts/logins:/docker-entrypoint-initdb.d/" in compose
    assert os.access(Path(ROOT / "scripts" / "logins"), os.X_OK)
