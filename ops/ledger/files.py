"""Where the account's files are; writes files completely or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from threading import get_ident

MOST_LOGGED = 10 << 20  # bytes of a log, when whatever writes it starts


def begin_anew(log: Path) -> None:
    """Puts a log that has grown long aside, as NAME.1 in place of the one before."""
    with suppress(OSError):
        if log.stat().st_size > MOST_LOGGED:
            log.replace(log.with_name(f"{log.name}.1"))


def data_home() -> Path:
    """The account's directory for the house's files that are not in the database."""
    if place := os.environ.get("SABOT_HOME"):
        return Path(place)
    from platformdirs import user_data_path

    return user_data_path("sabot")


def write_whole(file: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file and puts it on disk, by way of a second file beside it. Raises OSError.

    `private`: only its owner can read it, also while it is written.
    """
    place = file.resolve()  # a link stays a link
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    mode = 0o600 if private else 0o666
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(
            os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb"
        ) as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Puts a file or a directory on disk, so that a rename in it survives a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_secret(path: Path, content: bytes) -> None:
    """Makes a file that only its owner can read; of several processes or threads the first wins.

    A file that is there already is left as it is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.part")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        os.link(fresh, path)
    fresh.unlink()
