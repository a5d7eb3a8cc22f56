"""The npm packages of rivals, at exact versions, in a cache of their own."""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
_PINNED = ("package.json", "package-lock.json")
_PATIENCE = 120.0  # seconds, for the registry


class Missing(Exception):
    """The rivals from npm cannot be installed here."""


def installed() -> Path:
    """The directory of the packages, installed at the first use. Raises Missing."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise Missing("npm is not on this machine")
    pinned = b"".join((HERE / name).read_bytes() for name in _PINNED)
    place = _cache() / hashlib.sha256(pinned).hexdigest()[:12]
    packages = place / "node_modules"
    if not (place / "complete").exists():
        place.mkdir(parents=True, exist_ok=True)
        for name in _PINNED:
            shutil.copyfile(HERE / name, place / name)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        try:
            subprocess.run(
                ["npm", "ci", *options],
                cwd=place,
                check=True,
                timeout=_PATIENCE,
                capture_output=True,
            )
        except (subprocess.SubprocessError, OSError) as error:
            raise Missing("npm could not fetch the packages") from error
        (place / "complete").touch()
    return packages


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sabot-bench"


def versions() -> dict[str, str]:
    """The pinned version of each rival."""
    versions_by_name: dict[str, str] = json.loads((HERE / "package.json").read_text())[
        "dependencies"
    ]
    return versions_by_name
