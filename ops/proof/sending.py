"""Sends a checkpoint out of reach of whoever administers the database."""

import os
import re
from email.message import EmailMessage
from pathlib import Path

from ops.ledger.files import write_whole

MAIL_SERVER = "SABOT_SMTP"  # host or host:port
MAIL_FROM = "SABOT_MAIL_FROM"
SECONDS = 20
LATEST = "checkpoint"  # the file with the newest one


class NotSent(Exception):
    """A checkpoint did not reach its place; the words say why."""


def file_of(size: int, origin: str = "") -> str:
    """The name of the file of a checkpoint: they sort by size, those of each epoch of the record.

    >>> file_of(17), file_of(17, "casino.example/baccarat/epoch-2")
    ('checkpoint-000000000017.txt', 'checkpoint-epoch-2-000000000017.txt')
    """
    epoch = re.search(r"/(epoch-[0-9]+)\Z", origin)
    return f"checkpoint-{epoch[1]}-{size:012}.txt" if epoch else f"checkpoint-{size:012}.txt"


def put_into(directory: Path, origin: str, size: int, note: str) -> None:
    """Writes the checkpoint as a file of its own, and as `checkpoint`. Raises NotSent.

    An older file is never overwritten: one with another text under this name is a conflict.
    """
    own = directory / file_of(size, origin)
    try:
        if own.exists() and own.read_text().partition("\n\n")[0] != note.partition("\n\n")[0]:
            raise NotSent(
                f"{own} has another checkpoint of the same size: run `sabot audit verify`"
            )
        write_whole(own, note.encode())
        write_whole(directory / LATEST, note.encode())
    except OSError as error:
        raise NotSent(f"{error.strerror}: {directory}") from error


def mail(address: str, origin: str, size: int, note: str) -> None:
    """Sends the checkpoint to a mail address, by the house's mail server. Raises NotSent.

    It is the text of the mail, and an attachment, whose bytes no mail server changes.
    """
    import smtplib

    message = EmailMessage()
    message["Subject"] = f"Checkpoint of {origin}: {size} events"
    message["From"] = os.environ.get(MAIL_FROM) or "sabot@localhost"
    message["To"] = address
    message.set_content(note)
    message.add_attachment(
        note.encode(),
        maintype="application",
        subtype="octet-stream",
        filename=file_of(size, origin),
    )
    host, _, port = (os.environ.get(MAIL_SERVER) or "localhost").partition(":")
    try:
        with smtplib.SMTP(host, int(port or 25), timeout=SECONDS) as server:
            server.send_message(message)
    except (OSError, ValueError, smtplib.SMTPException) as error:
        raise NotSent(f"the mail server {host} did not take it: {error}") from error
