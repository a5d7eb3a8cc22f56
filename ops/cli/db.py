"""`sabot db`: the database, embedded or remote."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, suppress

import click
from msgspec import to_builtins

from ops.backup.standing import read_backups
from ops.cli.archive import archive, open_archive
from ops.cli.archive_leaving import bring_back, remove_archived
from ops.cli.backup import backup, backup_key, bring_up_to_now
from ops.cli.restore import restore
from ops.cli.restores import missing_from
from ops.cli.session import json_option, leave_down, say, with_database
from ops.ledger.database import Database, NotFit, RoleDenied
from ops.ledger.fit import Status, machine_clock
from ops.ledger.pepper import fault_in, pepper_file, replace
from ops.ledger.standby import is_of_a_dump, is_standby, take_place
from ops.ledger.upgrade_plan import Plan, plan
from ops.words.language import shown

_VIEWS = """
SELECT relname, obj_description(pg_class.oid, 'pg_class'),
       jsonb_agg(jsonb_build_object(
           'name', attname,
           'type', replace(format_type(atttypid, NULL), 'timestamp with time zone', 'timestamptz'),
           'comment', col_description(pg_class.oid, attnum)) ORDER BY attnum)
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
 WHERE relnamespace = 'analysis'::regnamespace AND relkind = 'v'
 GROUP BY pg_class.oid, relname ORDER BY relname
"""


@click.group()
def db() -> None:
    """The database that holds the ledger."""


for _each in (backup, backup_key, restore, archive, remove_archived, bring_back, open_archive):
    db.add_command(_each)


@db.command()
@with_database
def up(database: Database) -> None:
    """Start the embedded database; create or upgrade it first if needed."""
    _embedded(database, "started")
    with database.session("sabot_app", say):
        say(f"The embedded database is up: {database.url}")


@db.command()
@with_database
def down(database: Database) -> None:
    """Stop the embedded database; the data stays.

    The next command starts it again, but not `sabot db status` or `sabot db backup`.
    """
    _embedded(database, "stopped")
    assert database.embedded is not None
    if database.embedded.running():
        bring_up_to_now(database)
    stopped = database.embedded.take_down()
    say("The embedded database is down." if stopped else "The embedded database was not running.")


@db.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show the version, the settings, and what differs from the schema that the upgrade made.

    Exit status 1 if it is not safe to use.
    """
    leave_down(database)
    state = database.status()
    missing = missing_from(database) if state.ok or state.standby_away else None
    foreign = _pepper_fault(database) if state.ok else ""
    fine = state.ok and not missing and not foreign
    backups = read_backups(database, machine_clock())
    lacks = [shown(each.words) for each in backups.lacks]
    advice = [*filter(None, (missing, foreign)), *state.advice, *lacks]
    if as_json:
        body = {
            "url": state.url,
            "embedded": state.embedded,
            "server": state.server,
            "schema": state.schema,
            "ok": fine,
            "settings": state.settings,
            "advice": advice,
            "missing": missing,
            "backup": to_builtins(backups.standing),
            "differences": [to_builtins(each) for each in state.differences],
            "standby": state.only_reads or None,
            "replayed_at": state.replayed_at and state.replayed_at.isoformat(),
        }
        click.echo(json.dumps(body))
    else:
        kind = f"embedded, in {database.embedded.data}" if database.embedded else "remote"
        click.echo(f"PostgreSQL {state.server}, {kind}; schema {state.schema or 'missing'}")
        for name, value in state.settings.items():
            click.echo(f"  {name} = {value}")
        for line in _only_reads(state):
            click.echo(line)
        if backups.standing:
            click.echo(backups.standing.line(machine_clock()))
        elif not backups.are_on:
            click.echo("No backups are made: `sabot db backup --help` says how.")
        for each in advice:
            click.echo(f"! {each}")
        click.echo("Safe to use." if fine else "Not safe to use: see the lines with !.")
    sys.exit(0 if fine else 1)


def _only_reads(state: Status) -> Iterator[str]:
    """That nothing can be recorded on a standby or a copy, and what a standby has."""
    if state.only_reads:
        yield f"It only reads: {state.only_reads}."
    if state.replayed_at:
        yield f"It has what was committed up to {state.replayed_at:%Y-%m-%d %H:%M:%S} UTC."


def _pepper_fault(database: Database) -> str:
    """Why nothing can be recorded from this home; '' where this login records nothing anyway."""
    with suppress(RoleDenied), database.session("sabot_app") as connection:
        return fault_in(connection)
    return ""


@db.command()
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@json_option
@with_database
def upgrade(database: Database, dry_run: bool, as_json: bool) -> None:
    """Upgrade the schema to the newest version; needs a login that may create tables.

    All of it is done, or nothing. With --dry-run: which files would run, which tables they lock,
    and which rights the login lacks; exit status 1 if it lacks any.
    """
    if dry_run:
        with database.for_upgrade() as connection:
            planned = plan(connection)
        click.echo(json.dumps(to_builtins(planned)) if as_json else _planned(planned))
        sys.exit(0 if planned.possible else 1)
    version = database.upgrade()
    if as_json:
        click.echo(json.dumps({"schema": version}))
    else:
        say(f"The schema is {version}.")


def _planned(planned: Plan) -> str:
    """A plan, as it is read before an upgrade."""
    if not (planned.files or planned.reports):
        return f"The schema is {planned.schema}, the newest one: nothing would be done."
    lines = [f"The schema is {planned.schema or 'missing'}. In one transaction, or not at all:"]
    lines += [f"  run {file}" for file in planned.files]
    lines += [
        f"  lock {each.table} ({each.rows:,} rows, {each.bytes / 1e6:,.1f} MB): {each.waits} wait"
        f"{'s' if each.waits == 'everybody' else ''} until the upgrade ends"
        for each in planned.locks
    ]
    lines += [f"  compute {name} again, beside its rows of now" for name in planned.reports]
    lines.append(
        "It waits 60 s for another upgrade and 5 s for each lock; after that nothing is changed."
    )
    if planned.possible:
        return "\n".join([*lines, "This login may do it."])
    lines.append("This login may not. An administrator of the database must run before it:")
    return "\n".join([*lines, *(f"  {each};" for each in planned.missing)])


@db.command("new-pepper")
@click.confirmation_option(
    prompt="Is the house's pepper lost for good? Everybody will need a new code, a generated shoe "
    "cannot go on, and the seals so far cannot be checked",
    help="Do not ask.",
)
@with_database
def new_pepper(database: Database) -> None:
    """Take the pepper in this home as the house's, because the one before is lost for good.

    It is made if there is none. Only the ledger's owner can do it.
    """
    database.require_owner()
    with database.connect_as_is() as connection:
        connection.execute("SET ROLE sabot_owner")
        replace(connection)
    say(f"The house's pepper is {pepper_file()} from now on. Enrol everybody again.")


@db.command("take-place")
@click.confirmation_option(
    prompt="Does nobody record anything any more in the database of which this is a copy? Two that "
    "go on are two records, and one of them is lost",
    help="Do not ask.",
)
@with_database
def take_place_(database: Database) -> None:
    """Record here from now on: this copy takes the place of the one it was made from, for good.

    Only the ledger's owner can do it.
    """
    with database.connect_as_is() as connection:
        if is_standby(connection) or not is_of_a_dump(connection):
            raise NotFit(
                "This database was not made from a dump of another server's. In PostgreSQL a "
                "standby is promoted, and a subscription dropped."
            )
    database.require_owner()
    with database.connect_as_is() as connection:
        connection.execute("SET ROLE sabot_owner")
        take_place(connection)
    say("Commands are taken here from now on. Next: `sabot audit verify`, then `sabot db status`.")


@db.command()
@json_option
@with_database
def views(database: Database, as_json: bool) -> None:
    """List the views that analysts may read, with every column."""
    with suppress(RoleDenied):  # an analyst's login has no role of Sabot's, but may list views
        database.connect("sabot_auditor").close()
    with closing(database.connect_as_is()) as connection:
        records = connection.execute(_VIEWS).fetchall()
    rows = [
        {"view": view, "comment": words, "columns": columns} for view, words, columns in records
    ]
    if as_json:
        click.echo(json.dumps({"rows": rows}, ensure_ascii=False))
        return
    for row in rows:
        click.echo(f"analysis.{row['view']}: {row['comment']}")
        for column in row["columns"]:
            click.echo(f"  {column['name']:<22} {column['type']:<12} {column['comment']}")


def _embedded(database: Database, act: str) -> None:
    """Raises NotFit for a remote server."""
    if not database.embedded:
        raise NotFit(f"This server is remote: it is {act} on its own machine.")
