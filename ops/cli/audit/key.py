"""`sabot audit key`: makes, shows and replaces the key that signs checkpoints."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from ops.cli.session import database_of, dispatcher_on, json_option, say, with_database
from ops.cli.speak import answer_to, tell
from ops.commands.house_events import house
from ops.ledger.database import Database, OnStandby
from ops.proof import keys, on_record
from ops.proof.note import NotGood, Verifier

_PUBLIC = click.Option(
    ["--public-key"],
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="The public key as PEM, where SABOT_AUDIT_KEY_COMMAND signs with the private one.",
)


@click.group()
def key() -> None:
    """The key that signs checkpoints of the record."""


@key.command("new")
@click.option(
    "--origin",
    metavar="NAME",
    help="The name of this record in every checkpoint, for good, as in casino.example/baccarat; "
    "default made of the house's name and the key.",
)
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@json_option
@click.pass_context
def new(
    ctx: click.Context, origin: str | None, public_key: Path | None, by: str | None, as_json: bool
) -> None:
    """Make the house's first key, and introduce it in the record.

    The private key is a file that only this account can read. Keep a copy of it in a safe.
    """
    database = database_of(ctx)
    with database.session("sabot_auditor") as connection:
        name = house(connection).name
    _require_leader(database)  # before a file is made

    def name_of(public: bytes) -> str:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "house"
        return origin or f"{slug}-{hashlib.sha256(public).hexdigest()[:8]}"

    _introduce(ctx, "audit.new-key", {"by": by}, _made(name_of, public_key), "", as_json=as_json)


def _require_leader(database: Database) -> None:
    """Requires that its last connection could record. Raises OnStandby."""
    if database.only_reads:
        raise OnStandby(database.only_reads)


def _made(name_of: Callable[[bytes], str], public_key: Path | None) -> tuple[str, str]:
    """The verifier keys of new private keys, or of the public key in a file and none."""
    try:
        if not public_key:
            return keys.make_keys(name_of)
        public = keys.read_public(public_key)
        return Verifier.ed25519(name_of(public), public).vkey, ""
    except NotGood as error:
        raise click.ClickException(str(error)) from error


def _introduce(
    ctx: click.Context,
    command: str,
    spoken: Mapping[str, Any],
    made: tuple[str, str],
    before: str,
    *,
    as_json: bool,
    lost: bool = False,
) -> None:
    """Sends the statement about new keys."""
    vkey = made[0]
    statement = keys.introduction(made, before, lost=lost)
    dispatcher = dispatcher_on(database_of(ctx), channel="shell").for_own_commands()
    answer, currency = answer_to(dispatcher, command, {**spoken, "statement": statement})
    if not answer.ok:
        for each in filter(None, made):
            keys.file_of(each).unlink(missing_ok=True)  # nothing half done
    elif not as_json:
        say(f"The public key, for regulators and witnesses: {vkey}")
        if keys.file_of(vkey).exists():
            say(f"The private key is in {keys.file_of(vkey).parent}. Put a copy of it in a safe.")
    tell(ctx, answer, currency, as_json=as_json)


@key.command("rotate")
@click.argument("reason")
@click.option("--lost", is_flag=True, help="The key before is lost, so that it cannot sign.")
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@click.option("--with", "with", metavar="STAFF", help="The second person; they type their PIN.")
@json_option
@click.pass_context
def rotate(
    ctx: click.Context, /, as_json: bool, public_key: Path | None, **spoken: str | bool | None
) -> None:
    """Replace the key by a new one that the one before signs, by two people.

    \b
    Example: sabot audit key rotate 'every January' --by A-1 --with S-11
    """
    database = database_of(ctx)
    with database.session("sabot_auditor") as connection:
        known = on_record.keys(connection)
    _require_leader(database)
    if not known:
        raise click.ClickException("The house has no signing key. Make one with `audit key new`.")
    origin, before = known[-1].origin, known[-1].key
    if spoken["lost"] and (file := keys.file_of(before)).exists():
        raise click.ClickException(f"The key before is not lost: it is {file}. Leave out --lost.")
    _introduce(
        ctx,
        "audit.replace-key",
        spoken,
        _made(lambda _: origin, public_key),
        before,
        as_json=as_json,
        lost=bool(spoken["lost"]),
    )


@key.command()
@click.option("--pem", is_flag=True, help="Print the public key as PEM, for openssl.")
@json_option
@with_database
def show(database: Database, pem: bool, as_json: bool) -> None:
    """Show the house's keys, the present one last, and whether it can sign here."""
    with database.session("sabot_auditor") as connection:
        known = on_record.keys(connection)
    if as_json:
        rows = [to_builtins(each) for each in known]
        signs = bool(known) and keys.may_sign(known[-1].key)
        click.echo(json.dumps({"keys": rows, "signs_here": signs}))
        return
    if not known:
        raise click.ClickException("The house has no signing key. Make one with `audit key new`.")
    if pem:
        click.echo(keys.public_pem(known[-1].key), nl=False)
        return
    for each in known:
        words = "; the key before was lost" if each.lost else ""
        click.echo(f"#{each.position}  {each.key}{words}")
    here = keys.file_of(known[-1].key)
    click.echo(f"The private key {'is' if here.exists() else 'is not'} at {here}.")


for _each in (new, rotate):
    _each.params.append(_PUBLIC)
