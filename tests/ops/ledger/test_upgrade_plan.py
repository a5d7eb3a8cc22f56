"""An upgrade by a login with few rights: what it needs, what it would do, and that it does it."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from psycopg.conninfo import make_conninfo

from ops import manual
from ops.ledger import connection as connecting
from ops.ledger.database import Database, NotFit
from ops.ledger.schema import digests, head
from tests.acceptance.channels import accepted, shell
from tests.worlds.closed_house import OPEN
from tests.worlds.later_version import LATER, LaterVersion

PAGE = Path(manual.__file__).parent / "production.md"


def of_the_manual():
    """The statements that an administrator runs, as the manual has them."""
    return re.search(r"```sql\n(CREATE ROLE sabot_owner.*?)```", PAGE.read_text(), re.DOTALL)[1]


@pytest.fixture
def stranger(server):
    """A login that may do nothing yet, and its empty database."""
    name = f"sabot_poor_{uuid4().hex[:8]}"
    server.run(f"CREATE ROLE {name} LOGIN")
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    yield name, Database(make_conninfo(server.address(name), user=name))
    server.run(f"DROP DATABASE {name} WITH (FORCE)")
    server.run(f"DROP ROLE {name}")


def test_what_a_login_lacks_is_named_as_statements_after_which_it_upgrades(server, stranger):
    name, database = stranger
    first = shell(database, "db", "upgrade", "--dry-run")
    refused = shell(database, "db", "upgrade")
    statements = json.loads(shell(database, "db", "upgrade", "--dry-run", "--json").stdout)
    with Database(server.address(name)).connect_as_is() as administrator:
        for each in statements["missing"]:
            administrator.execute(each)
    then = shell(database, "db", "upgrade", "--dry-run")

    assert (1, 3) == (first.exit_code, refused.exit_code)
    assert "The schema is missing. In one transaction, or not at all:" in first.stdout
    assert f"  run {min(digests())}/1_roles.sql" in first.stdout
    assert f"  GRANT CREATE ON DATABASE {name} TO {name};" in first.stdout
    assert (0, True) == (then.exit_code, "This login may do it." in then.stdout)
    assert head() == database.upgrade()
    assert "is the newest" not in shell(database, "db", "upgrade", "--dry-run").stdout
    assert database.status().ok


def test_the_statements_of_the_manual_make_an_owner_who_is_no_superuser(server, tmp_path):
    """And who upgrades to the next release, and works with it."""
    name = f"house_owner_{uuid4().hex[:8]}"
    with Database(server.address("postgres")).connect_as_is() as administrator:
        ours = of_the_manual().replace("house_owner", name)
        for each in ours.replace("DATABASE sabot ", f"DATABASE {name} ").split(";"):
            if each.strip() and "CREATE ROLE sabot_" not in each:  # the server has those
                administrator.execute(each)
    database = Database(make_conninfo(server.address(name), user=name))
    try:
        made = database.upgrade()
        accepted(database, [OPEN])
        status = database.status()
        planned, upgraded, later = LaterVersion(tmp_path).run(
            database.url, "db upgrade --dry-run", "db upgrade", "db status"
        )
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")
        server.run(f"DROP ROLE {name}")

    assert head() == made
    assert status.ok
    assert ["have a superuser"] == [
        re.search("have a superuser", each)[0] for each in status.advice
    ]
    assert f"  run {LATER}/1_column.sql\n  run {LATER}/2_function.sql\n" in planned[1]
    assert re.search(r"  lock ledger.command_rows \(\d rows, .* MB\): everybody waits", planned[1])
    assert (0, f"The schema is {LATER}.\n") == (upgraded[0], upgraded[2])
    assert 0 == later[0]


def test_a_plan_changes_nothing_and_of_the_newest_schema_there_is_none(database):
    result = shell(database, "db", "upgrade", "--dry-run")

    assert result.stdout == f"The schema is {head()}, the newest one: nothing would be done.\n"
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("setting", "value", "named"),
    [
        ("timezone", "Asia/Tokyo", "timezone is Asia/Tokyo and not UTC"),
        ("lock_timeout", "7s", "lock_timeout is 7s and not 30s"),
        ("role", "sabot_owner", "the role is sabot_owner and not sabot_app"),
    ],
)
def test_a_setting_that_something_sets_again_is_refused_in_the_same_trip(
    database, monkeypatch, setting, value, named
):
    """As by a pooler between this program and the server."""
    asked = connecting._IN_FORCE
    monkeypatch.setattr(connecting, "_IN_FORCE", f"SET {setting} = '{value}'; {asked}")

    with pytest.raises(NotFit, match="does not keep what Sabot sets") as refused:
        database.connect("sabot_app")
    assert named in str(refused.value)
