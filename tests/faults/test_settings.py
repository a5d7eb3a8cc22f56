"""Whatever settings an administrator gave the database or the login, the answers are the same.

SABOT_FAULTS=1 tries every setting with each of its values; otherwise a seeded sample.
"""

import traceback
from random import Random

import pytest
from psycopg import sql

from ops.ledger.database import Database, NotFit
from ops.ledger.fit import ADVICE, REQUIRED_SETTINGS, STRICTER
from tests.faults import FULL, SEED
from tests.worlds.short_story import short_story

ALONE, TOGETHER = (None, 40) if FULL else (2, 1)
BITE_FIRST = {  # each was a traceback once, or stopped a part of Sabot
    *(("DateStyle", "German, DMY"), ("standard_conforming_strings", "off")),
    *(("IntervalStyle", "iso_8601"), ("default_transaction_read_only", "on")),
}
STRINGS = {
    "DateStyle": ["German, DMY", "SQL, MDY", "Postgres, DMY", "ISO, DMY"],
    "TimeZone": ["Asia/Kathmandu", "America/St_Johns"],
    "application_name": ["it's mine"],
    "client_encoding": ["LATIN1", "SQL_ASCII"],
    "default_tablespace": ["nowhere"],
    "default_text_search_config": ["pg_catalog.german"],
    "plpgsql.extra_errors": ["all"],
    "plpgsql.extra_warnings": ["all"],
    "restrict_nonsystem_relation_kind": ["view, foreign-table"],
    "search_path": ["nowhere", "beside"],
    "temp_tablespaces": ["nowhere"],
    "timezone_abbreviations": ["India"],
}
TIMEOUTS = {
    **dict.fromkeys(("statement_timeout", "lock_timeout", "transaction_timeout"), "50ms"),
    **dict.fromkeys(("idle_session_timeout", "idle_in_transaction_session_timeout"), "1s"),
}
TOO_MUCH = {"temp_buffers"}  # its most is 8 TB, which a server has to be out of
_SETTINGS = """
    SELECT name, vartype, setting, min_val, max_val, enumvals FROM pg_settings
     WHERE context = 'user' AND name NOT LIKE 'transaction_%' OR name = 'transaction_timeout'
     ORDER BY name
"""


def others_of(name, kind, now, low, high, kinds):
    """The other values that a setting may have."""
    if name in TIMEOUTS:
        return [TIMEOUTS[name]]
    if kind == "bool":
        return ["off" if now == "on" else "on"]
    if kind == "enum":
        return [each for each in kinds if each != now]
    if kind == "string":
        return STRINGS.get(name, [])
    ends = (low,) if name in TOO_MUCH else (low, high)
    return [each for each in dict.fromkeys(ends) if each != now]


@pytest.fixture(scope="module")
def values(server):
    """Every setting with another value, as far as Sabot does not refuse it in words."""
    with server.database() as database, database.connect_as_is() as connection:
        connection.execute("LOAD 'plpgsql'")
        rows = connection.execute(_SETTINGS).fetchall()
    found = [("role", "sabot_auditor")]
    for name, *row in rows:
        for value in others_of(name, *row):
            wanted = REQUIRED_SETTINGS.get(name)
            if wanted is None or name == "client_encoding" or value in STRICTER.get(name, ()):
                found.append((name, value))
    return found


@pytest.fixture(scope="module")
def as_ever(server):
    """What the story is told where nobody changed anything."""
    with server.database() as database:
        return short_story(database)


def change(database, name, value, *, of_login):
    """For whoever connects to this database from now on."""
    with database.connect_as_is() as connection:
        place = sql.Identifier(connection.info.dbname)
        whose = sql.SQL("ROLE postgres IN DATABASE {}" if of_login else "DATABASE {}").format(place)
        named = sql.Identifier(*name.split("."))
        statement = sql.SQL("ALTER {} SET {} TO {}").format(whose, named, sql.Literal(value))
        connection.execute(statement)


def told_under(server, chosen, random):
    """What the story is told where these settings have these values, or how it failed."""
    with server.database() as database:
        for name, value in chosen:
            change(database, name, value, of_login=random.random() < 0.5)
        try:
            return short_story(Database(database.url))
        except Exception:  # noqa: BLE001
            return traceback.format_exc()


def difference(told, as_ever):
    """The first line that is another; empty if none is."""
    lines = zip(told.splitlines(), as_ever.splitlines(), strict=False)
    first = next((f"{now}\ninstead of: {then}" for now, then in lines if now != then), "")
    return "" if told == as_ever else first or told[-1000:]


def sample(random, values):
    """All of them in full counts; otherwise those that bite first, and some others."""
    if ALONE is None:
        return values
    others = [each for each in values if each not in BITE_FIRST]
    return [*sorted(BITE_FIRST), *random.sample(others, ALONE)]


def test_no_setting_alone_changes_an_answer(server, values, as_ever):
    random = Random(SEED)
    failed = {}
    for each in sample(random, values):
        if found := difference(told_under(server, [each], random), as_ever):
            failed[each] = found

    assert BITE_FIRST <= set(values)
    assert failed == {}, f"seed {SEED}"


@pytest.mark.parametrize("n", range(TOGETHER))
def test_no_settings_together_change_an_answer(server, values, as_ever, n):
    random = Random(SEED + n)
    chosen = list(
        {name: (name, value) for name, value in random.sample(values, len(values) // 2)}.values()
    )

    assert difference(told_under(server, chosen, random), as_ever) == "", (
        f"seed {SEED + n}, {chosen}"
    )


def test_an_empty_database_is_upgraded_whatever_its_settings(server, values):
    random = Random(SEED)
    name = "sabot_upgraded_under_settings"
    server.run(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
    try:
        for setting in values:
            change(Database(server.address(name)), *setting, of_login=random.random() < 0.5)
        database = Database(server.address(name))
        database.upgrade()

        assert database.status().ok
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("session_replication_role", "replica"), ("zero_damaged_pages", "on")),
        *(("ignore_checksum_failure", "on"), ("synchronous_commit", "off")),
    ],
)
@pytest.mark.parametrize("of_login", [True, False])
def test_what_sabot_may_not_set_itself_is_named_with_what_to_do(database, name, value, of_login):
    change(database, name, value, of_login=of_login)
    advice = f"{name} is {value}: {ADVICE[name]}"

    with pytest.raises(NotFit) as refused:
        Database(database.url).connect("sabot_app")
    assert advice in str(refused.value)
    assert database.status().unfit == [advice]
