"""Files of a backup: packed by gzip, encrypted in the format of age for the holder of a key.

The house's machine has the public key only, so whoever takes it cannot read its backups.
"""

import gzip
import io
import os
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from ops.ledger.files import to_disk
from ops.words.failure import Failure

if TYPE_CHECKING:
    from pyrage.x25519 import Identity, Recipient

CHUNK = 1 << 20
_GZIP = 31  # zlib's window bits for gzip's form
_LEVEL = 1  # a log of 16 MB that is mostly empty becomes a few kB at any level


class BackupFailed(Failure):
    """A backup cannot be made, read or brought back; the message says why, and what to do."""


class Source(Protocol):
    """What can be read in pieces."""

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; empty at the end."""


class _Packed:
    """Packs what it reads."""

    def __init__(self, source: Source, count: Callable[[int], object] | None) -> None:
        self._source, self._count = source, count
        self._packer = zlib.compressobj(_LEVEL, wbits=_GZIP)
        self._left, self._ended = b"", False
        self.failed: Exception | None = None  # pyrage makes words of it

    def read(self, size: int = -1) -> bytes:
        try:
            return self._read(size)
        except Exception as error:
            self.failed = error
            raise

    def _read(self, size: int) -> bytes:
        while not self._ended and (size < 0 or len(self._left) < size):
            piece = self._source.read(CHUNK)
            if self._count:
                self._count(len(piece))
            self._ended = not piece
            self._left += self._packer.compress(piece) if piece else self._packer.flush()
        cut = len(self._left) if size < 0 else size
        answer, self._left = self._left[:cut], self._left[cut:]
        return answer


class _Output:
    """A file that keeps why it cannot be written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.failed: Exception | None = None

    def write(self, content: bytes) -> int:
        try:
            return self._file.write(content)
        except OSError as error:
            self.failed = error
            raise

    def flush(self) -> None:
        self._file.flush()


def public_key(text: str) -> "Recipient":
    """A public key as in age1…. Raises BackupFailed."""
    from pyrage import RecipientError
    from pyrage.x25519 import Recipient

    try:
        return Recipient.from_str(text.strip())
    except RecipientError as error:
        raise BackupFailed(
            f"{text!r} is not a public key for backups, which is age1 and 58 more characters: give "
            "the whole one that `sabot db backup-key FILE` shows, on a machine that is not the "
            "house's."
        ) from error


def private_key(text: str) -> "Identity":
    """The private key in a key file's text. Raises BackupFailed."""
    from pyrage import IdentityError
    from pyrage.x25519 import Identity

    lines = [each.strip() for each in text.splitlines()]
    try:
        return Identity.from_str(next(each for each in lines if each and each[0] != "#"))
    except (StopIteration, IdentityError) as error:
        raise BackupFailed(
            "The key file has no private key: its line begins with AGE-SECRET-KEY-1. Give the file "
            "that `sabot db backup-key` wrote."
        ) from error


def new_key() -> tuple[str, str]:
    """A new private key and its public key."""
    from pyrage.x25519 import Identity

    made = Identity.generate()
    return str(made), str(made.to_public())


def write_encrypted(
    source: Source, target: Path, key: str, count: Callable[[int], object] | None = None
) -> None:
    """Writes what a source gives, whole or not at all, and puts it on disk.

    `count` gets the number of bytes of each piece. Raises OSError.
    """
    import pyrage

    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            packed, output = _Packed(source, count), _Output(file)
            try:
                pyrage.encrypt_io(packed, output, [public_key(key)])
            except (pyrage.EncryptError, OSError) as error:
                raise (packed.failed or output.failed or error) from None
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        to_disk(target.parent)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def decrypted(file: Path, key: "Identity") -> Iterator[gzip.GzipFile]:
    """What is in an encrypted file, to be read in pieces. Raises BackupFailed."""
    reading, writing = os.pipe()
    failed: list[Exception] = []
    thread = threading.Thread(target=_decrypt, args=(file, key, writing, failed), daemon=True)
    thread.start()
    try:
        with closing(os.fdopen(reading, "rb")) as pipe:
            yield gzip.GzipFile(fileobj=pipe)
            while pipe.read(CHUNK):  # a cut at the very end is a cut, too
                pass
        thread.join()
    except (EOFError, OSError, zlib.error) as error:
        thread.join()
        raise (_in_words(file, failed[0] if failed else error)) from error
    if failed:
        raise _in_words(file, failed[0]) from failed[0]


def _decrypt(file: Path, key: "Identity", writing: int, failed: list[Exception]) -> None:
    import pyrage

    try:
        with os.fdopen(writing, "wb") as pipe, file.open("rb") as opened:
            pyrage.decrypt_io(opened, pipe, [key])
    except BrokenPipeError:
        pass  # the reader has what it wants
    except Exception as error:  # noqa: BLE001 - it is raised where the content is read
        failed.append(error)


def _in_words(file: Path, error: Exception) -> BackupFailed:
    """Why an encrypted file cannot be read."""
    if isinstance(error, OSError) and error.errno is not None:
        return BackupFailed(f"{file} cannot be read or unpacked: {error.strerror}.")
    if "No matching keys" in str(error):
        return BackupFailed(
            f"This key does not open {file}: it was encrypted for another one. Give the private "
            "key that belongs to the public key in house.json of the backup."
        )
    return BackupFailed(
        f"{file} is cut or damaged. Use another copy of the backup, or restore to a moment before "
        "it."
    )


def read_encrypted(file: Path, key: "Identity") -> bytes:
    """All that is in a small encrypted file. Raises BackupFailed."""
    with decrypted(file, key) as content:
        return content.read()


def of_bytes(content: bytes) -> Source:
    """Bytes as a source."""
    return io.BytesIO(content)
