"""The installed files of this program and their SHA-256 digest (58 Pa. Code 605a.4(c)).

Anybody can compute the digest without Sabot, in the directory that has the three packages:

    find domain ops projections -type f ! -path '*/__pycache__/*' | LC_ALL=C sort |
        xargs sha256sum | sha256sum
"""

import hashlib
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from ops import VERSION

PACKAGES = ("domain", "ops", "projections")
SHORT = 12  # hex digits of the digest on papers
HERE = Path(__file__).parents[2]  # the directory that has the packages


class Installed(Struct, frozen=True):
    """The SHA-256 of each file as hex digits, by its path as in `ops/__init__.py`."""

    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The SHA-256 of all paths and contents: that of the lines that `sha256sum` prints."""
        lines = (f"{self.files[path]}  {path}\n" for path in sorted(self.files, key=os.fsencode))
        return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()


@cache
def installed() -> Installed:
    """What this process runs from, as it was when first asked for."""
    return files_in(HERE)


def files_in(directory: Path) -> Installed:
    """The files of the packages in a directory, without what Python caches of them."""
    return Installed(
        {path: hashlib.sha256(file.read_bytes()).hexdigest() for path, file in _files(directory)}
    )


def _files(directory: Path) -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for at, directories, names in os.walk(directory / package):
            directories[:] = (each for each in directories if each != "__pycache__")
            for name in names:
                file = Path(at, name)
                yield file.relative_to(directory).as_posix(), file


def label() -> str:
    """The program at the foot of papers, as in `Sabot 0.1.0 (5435e131e473)`."""
    return f"Sabot {VERSION} ({installed().digest[:SHORT]})"


class Difference(Struct, frozen=True):
    """A file that is not as the installer wrote it."""

    file: str
    fault: str  # `changed`, `missing` or `added`


def as_released(directory: Path = HERE) -> Installed | None:
    """The files as the installer listed them (RECORD), or None where it did not, as in a checkout.

    `directory`: the one with the packages; a list of other packages of that name is no answer.
    """
    from importlib.metadata import distributions

    for distribution in distributions(name="sabot", path=[str(directory)]):
        listed = {
            each.as_posix(): urlsafe_b64decode(f"{each.hash.value}=").hex()
            for each in distribution.files or ()
            if each.parts[0] in PACKAGES and each.hash and each.hash.mode == "sha256"
        }
        if listed:
            return Installed(listed)
    return None


def differences(now: Installed, released: Installed) -> list[Difference]:
    """The files that are not as they were released, by path."""
    faults = {
        **dict.fromkeys(released.files.keys() - now.files.keys(), "missing"),
        **dict.fromkeys(now.files.keys() - released.files.keys(), "added"),
        **{
            path: "changed"
            for path in now.files.keys() & released.files.keys()
            if now.files[path] != released.files[path]
        },
    }
    return [Difference(path, fault) for path, fault in sorted(faults.items())]
