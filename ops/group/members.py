"""The houses of a group: where each one's log is, and whose signature it must have.

A house is a directory of this home: `member.json`, `standing.json`, the verified log in `log/`, in
`refused/` what showed that it is not to be trusted, in `claimed/` signed checkpoints that it has to
continue, in `heard.json` what others saw of it, and in `accepted.jsonl` why it went on.
"""

import fcntl
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ops.ledger.files import data_home, to_disk, write_whole
from ops.proof.checkpoint import Checkpoint, epoch_of, opened
from ops.proof.note import ED25519, NotGood, Unsigned, Verifier, open_note
from ops.proof.tiles import CHECKPOINT, entries_in
from ops.words.failure import Failure

NONE = "There is no house in this group yet. `sabot group add` adds one."
NOW = timedelta(seconds=1)  # in which nobody needs to know that it was looked at again
LONG_AGO = timedelta(minutes=1)  # after which the same answer of a witness is noted again
MOST_CLAIMS = 8  # signed checkpoints that wait until its record is seen to continue them
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class NoMember(Failure):
    """A house of a group is not there, or may not be added."""


class Standing(Struct, frozen=True):
    """How a house was at the last pull.

    `stopped`: why nothing is pulled any more until somebody accepts it; `away`: why nothing came;
    `unwitnessed`: which required witnesses had not signed what came, so that it was not taken.
    """

    at: datetime
    stopped: str = ""
    away: str = ""
    unwitnessed: str = ""


class Accepted(Struct, frozen=True):
    """Why a group goes on with a house, and `by` whom; `was`: why it had stopped.

    `witnessed_by`: the witnesses that are required from now on; None: those of before.
    """

    at: datetime
    reason: str
    was: str = ""
    anew: bool = False
    keys: tuple[str, ...] = ()
    witnessed_by: tuple[str, ...] | None = None
    by: str = ""


class Heard(Struct, frozen=True):
    """What another house's witness answered about a house; `size`: None if it knew none."""

    at: datetime
    size: int | None


class Member(Struct, frozen=True):
    """A house of the group: its name there, its address, and the keys that sign its checkpoints.

    `address`: an `https` address under which `checkpoint` and `tile/` are, or a directory.
    `token_file`: has the word by which its server gives the log; '' for none.
    `only_seen`: only its checkpoints are held, and no event: this home is its witness.
    `witnessed_by`: keys of witnesses, each of which must have signed what is pulled, too.
    `begun_anew`: up to this size, what others saw of it is of a record that was accepted as over.
    """

    name: str
    address: str
    keys: tuple[str, ...]
    token_file: str = ""
    only_seen: bool = False
    begun_anew: int = 0
    witnessed_by: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """The name of its record in the first epoch, which is that of its key."""
        return Verifier.parse(self.keys[0]).name

    @property
    def place(self) -> Path:
        """The directory that has what was pulled."""
        return group_home() / self.name

    @property
    def log(self) -> Path:
        """The directory of the verified log."""
        return self.place / "log"

    @property
    def folded(self) -> Path:
        """The file that has how far the log is counted, and its rows."""
        return self.place / "counted.sqlite"

    @property
    def held(self) -> Checkpoint | None:
        """The checkpoint of what was pulled and verified; None before the first one."""
        try:
            return Checkpoint.of((self.log / CHECKPOINT).read_text())
        except FileNotFoundError:
            return None

    def signed(self, note: bytes) -> Checkpoint:
        """The checkpoint in a note that it signed, of whatever epoch. Raises NotGood."""
        try:
            text = note.decode()
        except UnicodeDecodeError as error:
            raise NotGood("It is not a signed note.") from error
        origin = Checkpoint.of(text).origin
        if epoch_of(origin, self.origin) is None:
            raise NotGood(f"The checkpoint is of {origin}, not of {self.origin}.")
        return opened(text, origin, *self.keys)

    def not_witnessed(self, note: bytes) -> list[str]:
        """The names of the witnesses whose cosignature a note of it lacks.

        Raises NotGood for a cosignature that is wrong.
        """
        verifiers = [Verifier.parse(each) for each in self.witnessed_by]
        with suppress(Unsigned):
            verified = open_note(note.decode(), verifiers).verified
            return [each.name for each in verifiers if each not in verified]
        return [each.name for each in verifiers]

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lets one thread of one process change what is held."""
        self.place.mkdir(parents=True, exist_ok=True)
        with (self.place / "held.lock").open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def hold(self, note: bytes) -> None:
        """Holds a checkpoint as the newest, on disk when this returns; for who is `alone`."""
        self.log.mkdir(parents=True, exist_ok=True)
        write_whole(self.log / CHECKPOINT, note)
        to_disk(self.log)

    @property
    def claims(self) -> list[Path]:
        """The files of signed checkpoints that it was not yet seen to continue."""
        return sorted((self.place / "claimed").glob("*.txt"))

    def claim(self, note: bytes) -> None:
        """Keeps a checkpoint that it signed, until it is seen to continue it; only a few."""
        if len(self.claims) < MOST_CLAIMS:
            self.keep_in("claimed", note)

    def keep_in(self, directory: str, note: bytes) -> None:
        """Keeps a checkpoint beside the one that is held."""
        place = self.place / directory
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / f"{hashlib.sha256(note).hexdigest()[:16]}.txt", note)

    def entries(self, after: int = 0, until: int | None = None) -> Iterator[bytes]:
        """What is held of its events after a position; up to another one, if it is given.

        Raises NotProven if files are missing.
        """
        held = self.held
        return entries_in(self.log, held.size if held else 0, after, until)

    @property
    def standing(self) -> Standing | None:
        """How it was at the last pull; None before the first one."""
        try:
            return msgspec.json.decode((self.place / "standing.json").read_bytes(), type=Standing)
        except FileNotFoundError:
            return None

    def note(self, standing: Standing) -> None:
        """Writes how it is, if it was otherwise or a second has passed."""
        before = self.standing
        same = before and replace(before, at=standing.at) == standing
        if before and same and timedelta() <= standing.at - before.at < NOW:
            return
        write_whole(self.place / "standing.json", msgspec.json.encode(standing))

    @property
    def heard(self) -> dict[str, Heard]:
        """What the witnesses of others answered about it, by the house that was asked."""
        try:
            content = (self.place / "heard.json").read_bytes()
        except FileNotFoundError:
            return {}
        return msgspec.json.decode(content, type=dict[str, Heard])

    def note_heard(self, other: str, heard: Heard) -> None:
        """Writes what another house's witness answered, if it is news or was long ago."""
        before = self.heard
        known = before.get(other)
        if known and known.size == heard.size and heard.at - known.at < LONG_AGO:
            return
        self.place.mkdir(parents=True, exist_ok=True)
        content = msgspec.json.encode({**before, other: heard})
        write_whole(self.place / "heard.json", content)

    def accept(self, accepted: Accepted) -> None:
        """Goes on with a house that was stopped; with other keys, or with its record anew.

        Other witnesses are required whether it was stopped or not. What was held of a record that
        begins anew is kept beside. Raises NoMember, NotGood.
        """
        standing, keys, others = self.standing, accepted.keys, accepted.witnessed_by
        was = standing.stopped if standing else ""
        if not was and (others is None or keys or accepted.anew):
            raise NoMember(f"{self.name} was not stopped: there is nothing to accept.")
        after = replace(self, keys=keys or self.keys)
        if others is not None:
            after = replace(after, witnessed_by=others)
            _require_witnesses(after)
        if accepted.anew:
            after = replace(after, begun_anew=max(self.begun_anew, *self._sizes()))
        if after.origin != self.origin:
            raise NoMember(f"The key is of {after.origin}, and {self.name} is {self.origin}.")
        with (self.place / "accepted.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(replace(accepted, was=was)) + b"\n")
        if accepted.anew and self.log.exists():
            self.log.rename(self.place / f"log-until-{accepted.at:%Y%m%dT%H%M%S%f}")
            for each in self.claims:
                each.unlink()
        write_whole(self.place / "member.json", msgspec.json.encode(after))
        self.note(Standing(accepted.at))

    def _sizes(self) -> Iterator[int]:
        """The sizes of all that is known to be signed of its record."""
        yield self.held.size if self.held else 0
        for file in (*self.claims, *(self.place / "refused").glob("*.txt")):
            with suppress(NotGood):
                yield self.signed(file.read_bytes()).size


def group_home() -> Path:
    """The directory of the group in this home."""
    return data_home() / "group"


def every() -> Iterator[Member]:
    """The houses of this home's group, by name."""
    for file in sorted(group_home().glob("*/member.json")):
        yield _read(file)


def _read(file: Path) -> Member:
    return msgspec.json.decode(file.read_bytes(), type=Member)


def has_houses() -> bool:
    """Whether this home is a group's, or the others' witness."""
    return any(group_home().glob("*/member.json"))


def named(name: str) -> Member:
    """The house of this name. Raises NoMember."""
    if _NAME.fullmatch(name):
        with suppress(FileNotFoundError):
            return _read(group_home() / name / "member.json")
    known = [each.name for each in every()]
    if not known:
        raise NoMember(NONE)
    raise NoMember(f"There is no house {name!r} in this group. There are: {', '.join(known)}.")


def seen() -> list[Member]:
    """The houses of which only checkpoints are held: those whose witness this home is."""
    return [each for each in every() if each.only_seen]


def pulled(names: Sequence[str] = ()) -> list[Member]:
    """The houses whose events are held, or these of them. Raises NoMember."""
    wanted = [named(each) for each in names] or [each for each in every() if not each.only_seen]
    if seen := [each.name for each in wanted if each.only_seen]:
        raise NoMember(f"Of {seen[0]} only checkpoints are held here, and no event to report.")
    if not wanted:
        raise NoMember(NONE)
    return wanted


def _is_private(address: str) -> bool:
    """Whether nobody on the way reads what comes from an address."""
    split = urlsplit(address)
    try:
        here = split.hostname == "localhost" or ip_address(split.hostname or "").is_loopback
    except ValueError:
        here = False
    return split.scheme in ("", "https") or (split.scheme == "http" and here)


def _require_witnesses(of: Member) -> None:
    """Requires that each is the key of a witness, and not the house's own.

    Raises NoMember, NotGood.
    """
    if of.witnessed_by and of.only_seen:
        raise NoMember("This home is the witness of a house that is only seen, and asks no other.")
    for verifier in map(Verifier.parse, of.witnessed_by):
        if verifier.kind == ED25519 or epoch_of(verifier.name, of.origin) is not None:
            raise NoMember(
                f"The key of {verifier.name} is no witness's. A witness prints its own with `sabot "
                "group witness`."
            )


def add(new: Member) -> None:
    """Adds a house. Raises NoMember for a name that is taken or cannot be one; NotGood."""
    if not _NAME.fullmatch(new.name):
        raise NoMember(f"{new.name!r} cannot be a name: use small letters, digits and hyphens.")
    if len(names := {Verifier.parse(each).name for each in new.keys}) > 1:
        raise NoMember(f"The keys are of different records: {', '.join(sorted(names))}.")
    _require_witnesses(new)
    if not _is_private(new.address):
        raise NoMember(
            f"The record would go over the network unencrypted from {new.address}. Give an https "
            "address."
        )
    for each in every():
        if each.name == new.name:
            raise NoMember(f"There is a house {new.name} already, at {each.address}.")
        if each.origin == new.origin:
            raise NoMember(f"{each.name} has this record already: {new.origin}.")
    new.place.mkdir(parents=True, exist_ok=True)
    write_whole(new.place / "member.json", msgspec.json.encode(new))
