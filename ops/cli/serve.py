"""`sabot serve`: the house server, through which terminals without a login reach the record."""

import sys
from pathlib import Path

import click

from ops.cli.at_the_door import run
from ops.cli.restores import note_restore
from ops.cli.session import say, with_database
from ops.cli.starts import record_start
from ops.ledger.database import Database, NotFit
from ops.proof.seen import require_own
from ops.web.budget import Budget
from ops.web.server import Address
from ops.web.server import serve as serve_until_told
from ops.web.shells import preload
from ops.web.tokens import Tokens

_FILE = click.Path(dir_okay=False, exists=True, path_type=Path)
REFUSED_LINES = 1_000  # of one terminal in a minute
PRELOAD = ["ops.cli.warm"]


def _word_in(_: click.Context, __: click.Parameter, file: Path | None) -> str:
    """The word in a file, '' without one."""
    word = file.read_text().strip() if file else ""
    if file and not word:
        raise click.BadParameter(f"{file} is empty: write the token into it.")
    return word


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="The port; with 0 any that is free.",
)
@click.option("--tls-cert", "certificate", type=_FILE, help="Its certificate, with the chain.")
@click.option("--tls-key", "key", type=_FILE, help="The certificate's private key.")
@click.option(
    "--metrics-token",
    type=_FILE,
    callback=_word_in,
    envvar="SABOT_METRICS_TOKEN_FILE",
    help="A file with the word by which another machine reads /metrics.",
)
@click.option(
    "--log-token",
    type=_FILE,
    callback=_word_in,
    envvar="SABOT_LOG_TOKEN_FILE",
    help="A file with the word by which another machine reads the signed record at /log.",
)
@click.option(
    "--witness-token",
    type=_FILE,
    callback=_word_in,
    envvar="SABOT_WITNESS_TOKEN_FILE",
    help="A file with the word by which a witness reads the checkpoints and hashes at /log, and no "
    "event.",
)
@click.option(
    "--refused-lines",
    type=click.IntRange(min=1),
    default=REFUSED_LINES,
    show_default=True,
    help="How many lines of one terminal may be refused in a minute, before it has to wait.",
)
@click.option(
    "--reading",
    is_flag=True,
    help="Also on a standby: it serves what can be read, and takes commands once promoted.",
)
@with_database
def serve(
    database: Database,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    metrics_token: str,
    log_token: str,
    witness_token: str,
    refused_lines: int,
    reading: bool,
) -> None:
    """Serve the house: terminals with SABOT_HOUSE, devices and browsers reach the record by it.

    They need no login to the database then. On another address than this machine's own it needs a
    certificate. Ctrl-C stops it; what it accepted before is finished.

    \b
    Example: sabot serve --host 0.0.0.0 --port 443 \\
       --tls-cert /etc/sabot/house.pem --tls-key /etc/sabot/house.key
    """
    address = Address(host, port, certificate, key)
    if (certificate is None) != (key is None):
        raise click.UsageError("Give both --tls-cert and --tls-key, or neither.")
    if not (certificate or address.is_here_only):
        raise click.UsageError(
            f"PINs would go over the network unencrypted at {host}. Give --tls-cert and --tls-key."
        )
    with database.session("sabot_auditor", say) as connection:  # it is there and fits
        require_own(connection)
    if database.only_reads and not reading:
        raise NotFit(
            f"Nothing can be recorded here: {database.only_reads}. Start `sabot serve --reading`, "
            "which serves what can be read until it is promoted, or name the leader's database."
        )
    if not database.only_reads:
        note_restore(database, say)
    record_start(database, "server")
    with database.session("sabot_auditor") as connection:
        require_own(connection)  # a ledger that began just now
    preload(PRELOAD)
    tokens = Tokens(metrics_token, log_token, witness_token)
    serve_until_told(database, address, run, Budget(refused_lines), tokens, _say_open)


def _say_open(address: "Address") -> None:
    """Says it to a person; a program reads it in the log."""
    if sys.stderr.isatty():
        say(f"The house is open at {address}.")
