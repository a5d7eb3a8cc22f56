"""`scripts/release`: freezes what a release stores, keeps a ledger of it, and builds the wheel.

Until its tag is there a release may be frozen again; then it never changes.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.schema import VERSIONS, digests, head, inventory, released
from tests import ROOT

EVENTS = ROOT / "tests" / "golden" / "events"
STORED = ROOT / "tests" / "golden" / "released.json"
KEPT = ROOT / "tests" / "golden" / "kept"
_VERSION = re.compile(r"\d+\.\d+\.\d+\Z")
# Where the version is written, beside `ops/__init__.py`, from which the wheel has it.
VERSION_IN = {
    ROOT / "ops" / "__init__.py": r'(?<=^VERSION = ")[^"]+',
    ROOT / "scripts" / "Dockerfile": r'(?<=image\.version=")[^"]+',
    ROOT / "docker-compose.yml": r"(?<=image: sabot:)\S+",
    ROOT / "compose.ha.yml": r"(?<=image: sabot:)\S+|(?<=image: sabot-node:)\S+",
    ROOT / "scripts" / "Dockerfile.node": r'(?<=image\.version=")[^"]+',
}


def freeze(version: str) -> None:
    """Makes this program the release of a version. Exits with what to do if it cannot be."""
    if not _VERSION.match(version):
        sys.exit(f"{version} is no version: write it as 1.0.0.")
    if _tagged(version):
        sys.exit(f"{version} is released: its tag v{version} is there. Give the next version.")
    others = {name: frozen for name, frozen in released().items() if frozen["release"] != version}
    if faults := changed_since_released(others, digests()):
        sys.exit("\n".join(faults))
    for file, where in VERSION_IN.items():
        file.write_text(re.sub(where, version, file.read_text(), flags=re.MULTILINE))
    _head_changelog(ROOT / "CHANGELOG.md", version)
    if head() not in others:
        frozen = {"release": version, "digest": digests()[head()], "objects": _objects()}
        (VERSIONS / f"{head()}.json").write_text(json.dumps(frozen, indent=2) + "\n")
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    STORED.write_text(json.dumps({**stored, version: stored_forms(EVENTS)}, indent=1) + "\n")
    keep()
    print(f"Sabot {version} is frozen. Run scripts/check, commit, and tag it: see CONTRIBUTING.md.")


def changed_since_released(
    frozen: Mapping[str, Mapping[str, str]], now: Mapping[str, str]
) -> list[str]:
    """What to do about each released version of the schema whose files are not as released."""
    return [
        f"{version} was released with Sabot {noted['release']}, and its files never change: put "
        "them back, and write the change as a new directory in ops/ledger/schema/versions."
        for version, noted in frozen.items()
        if now.get(version) != noted["digest"]
    ]


def stored_forms(events: Path) -> dict[str, str]:
    """The digest of each event's golden file."""
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in sorted(events.iterdir())}


def _tagged(version: str) -> bool:
    command = ["git", "tag", "--list", f"v{version}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return bool(done.stdout.strip())


def _head_changelog(file: Path, version: str) -> None:
    """Gives what is unreleased the version as its heading; a second time it stays as it is."""
    text = file.read_text()
    if f"## {version}" not in text:
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        file.write_text(text.replace("## Unreleased\n", f"## {version} - {today}\n", 1))


def _objects() -> str:
    """The digest of what the schema makes, on a server of its own."""
    with TemporaryDirectory() as place:
        server = Embedded(Path(place) / "home")
        try:
            database = Database(home=server)
            database.upgrade()
            with database.connect_as_is() as connection:
                return inventory.digest(inventory.written(connection))
        finally:
            server.destroy()


def keep() -> None:
    """Writes a ledger of this program into `golden/kept`, in place of one of the same release."""
    test = "tests/acceptance/test_kept_ledgers.py"
    command = [sys.executable, "-m", "pytest", "-q", "-k", "taken_today", test]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "SABOT_KEEP": "1"}, check=True)


def build(into: Path) -> list[Path]:
    """The wheel and the source of this program; their files."""
    shutil.rmtree(into, ignore_errors=True)
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return sorted(into.iterdir())


def main() -> None:
    """What `scripts/release` was asked for."""
    parser = argparse.ArgumentParser(prog="scripts/release", description=__doc__)
    asked = parser.add_subparsers(dest="command", required=True)
    asked.add_parser("freeze", help=freeze.__doc__).add_argument("version")
    asked.add_parser("keep", help=keep.__doc__)
    builds = asked.add_parser("build", help=build.__doc__)
    builds.add_argument("--into", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    if given.command == "freeze":
        freeze(given.version)
    elif given.command == "keep":
        keep()
    else:
        for file in build(given.into):
            print(f"{sha256(file.read_bytes()).hexdigest()}  {file}")


if __name__ == "__main__":
    main()
