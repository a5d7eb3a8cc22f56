"""`sabot group`: other houses' records, pulled here and verified."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock

import click
import msgspec

from domain.aggregates.patron import BARRINGS
from ops.cli.group_report import report
from ops.cli.reading import permit_here
from ops.cli.session import json_option, say
from ops.group import members, rates, witness
from ops.group.counting import count, counted
from ops.group.exclusions import list_for
from ops.group.following import TOGETHER, Following, Looking
from ops.group.members import Accepted, Member
from ops.group.parquet import WithoutParquet
from ops.group.pulling import Pulled, held_of
from ops.group.state import state_of
from ops.ledger import clock
from ops.proof.note import NotGood

STOPPED, AWAY = 1, 3  # exit statuses
AT_ONCE = 8  # houses that are asked at once
_KEYS = click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="VKEY",
    help="The key by which its checkpoints are signed, as `sabot audit key show` prints it there.",
)

_WITNESSES = click.option(
    "--witnessed-by",
    multiple=True,
    metavar="VKEY",
    help="The key of a witness that must have signed what is pulled, too.",
)


@click.group()
def group() -> None:
    """Other houses' records: pulled to this machine, each event verified.

    It needs no database. What is pulled is kept in this machine's SABOT_HOME.
    """


@group.command()
@click.argument("name")
@click.argument("address")
@_KEYS
@click.option(
    "--token",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="A file with the word by which its house server gives the log.",
)
@click.option(
    "--only-seen",
    is_flag=True,
    help="Hold its checkpoints and no event: this house is its witness.",
)
@_WITNESSES
def add(
    name: str,
    address: str,
    keys: tuple[str, ...],
    token: Path | None,
    witnessed_by: tuple[str, ...],
    *,
    only_seen: bool,
) -> None:
    """Add a house. The key comes from that house by another way than the address.

    With `--only-seen` the house server here looks at it every second, cosigns its checkpoints
    (`sabot group witness`), and rings at the board if its record is not to be trusted. With
    `--witnessed-by` a checkpoint that this witness did not sign is not taken.

    \b
    Example: sabot group add riverside https://riverside.example/log \\
       --key 'riverside.example/baccarat+…' --token riverside.token
    """
    permit_here("group add", {"house": name})
    if not keys:
        raise click.UsageError("Give the key of the house with --key; two, if it signs with two.")
    file = str(token.absolute()) if token else ""
    at = address if "://" in address else str(Path(address).absolute())
    new = Member(name, at.rstrip("/"), keys, file, only_seen=only_seen, witnessed_by=witnessed_by)
    _with_good_keys(lambda: members.add(new))
    click.echo(f"{name} is in the group: {new.origin}. Next: `sabot group pull {name}`.")


@group.command("pull")
@click.argument("names", nargs=-1)
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    help="Go on until Ctrl-C, and pull as often; only what changes is printed.",
)
@json_option
def pull_(names: tuple[str, ...], every: float | None, as_json: bool) -> None:
    """Pull what is new of every house, or of these, and verify it.

    A house whose record forked, went back or is signed by another key stops alone, with exit status
    1; the others go on. Exit status 3: one cannot be reached, or a required
    witness has not signed what is new of it yet.
    """
    wanted = [members.named(each) for each in names] or [*members.every()]
    if not wanted:
        raise members.NoMember(members.NONE)
    if every is not None:
        _follow(wanted, every, as_json=as_json)
        return
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pulled = [*pool.map(_Pulling().pull, wanted)]
    for each in pulled:
        _print(each, as_json=as_json)
    if any(each.stopped for each in pulled):
        raise SystemExit(STOPPED)
    if any(each.waits for each in pulled):
        raise SystemExit(AWAY)


def _follow(wanted: list[Member], every: float, *, as_json: bool) -> None:
    """Pulls until Ctrl-C; what is new of a house is printed, and how it is."""
    printing: Lock = Lock()
    before: dict[str, Pulled] = {}
    pulling = _Pulling(TOGETHER)

    def pulled(one: Member) -> None:
        after = pulling.pull(one)
        with printing:
            if one.name not in before or _differ(before[one.name], after):
                _print(after, as_json=as_json)
            before[one.name] = after

    following = Following(every, lambda: wanted, pulled)
    following.begin()
    try:
        following.wait()
    finally:
        following.end()


class _Pulling:
    """Pulls what is new of houses, and counts it for reports once there is so much of it."""

    def __init__(self, at_least: int = 1) -> None:
        self._at_least = at_least
        self._looking = Looking(clock.wall_clock)
        self._counted: dict[str, int] = {}

    def pull(self, one: Member) -> Pulled:
        """Pulls what is new of a house."""
        pulled = self._looking.pull(one)
        known = self._counted.get(one.name)
        if one.only_seen or (known is not None and 0 <= pulled.events - known < self._at_least):
            return pulled
        with suppress(WithoutParquet):
            known = counted(one).position
            if pulled.events - known >= self._at_least:
                known = count(one).position
        self._counted[one.name] = known or 0
        return pulled


def _differ(before: Pulled, after: Pulled) -> bool:
    """Whether there is anything to print anew."""
    return after.new > 0 or (before.stopped, before.waits) != (after.stopped, after.waits)


@group.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the houses: how much of each is held and verified, how it is, and who else saw it."""
    permit_here("group list", {}, as_json=as_json)
    known = [*members.every()]
    if not (known or as_json):
        click.echo(members.NONE)
    for each in known:
        if as_json:
            click.echo(msgspec.json.encode(state_of(each)))
        else:
            _print(held_of(each), as_json=False)


def _print(of: Pulled, *, as_json: bool) -> None:
    """A line about a house."""
    if as_json:
        click.echo(msgspec.json.encode(of))
        return
    new = f", {of.new:,} of them new" if of.new else ""
    how = "seen" if members.named(of.name).only_seen else "held and verified"
    click.echo(f"{of.name}: {of.events:,} events {how}{new}{_standing(of)}.")


def _standing(of: Pulled) -> str:
    """What else a person must know of a house."""
    if of.at is None:
        return "; nothing was pulled yet"
    at = f"{of.at.astimezone():%Y-%m-%d %H:%M:%S}"
    if of.stopped:
        return (
            f". STOPPED at {at}: {of.stopped.rstrip('.')}. Look into it; then `sabot group accept "
            f"{of.name} REASON` goes on"
        )
    if of.waits:
        how = "away" if of.away else "not witnessed"
        return f"; {how} at {at}: {of.waits.rstrip('.')}"
    return f", at {at}"


@group.command()
@click.argument("name")
@click.argument("reason")
@_KEYS
@click.option("--anew", is_flag=True, help="Begin its record anew; what was held is kept beside.")
@_WITNESSES
@click.option("--no-witness", is_flag=True, help="Require no witness of it any longer.")
def accept(
    name: str,
    reason: str,
    keys: tuple[str, ...],
    anew: bool,
    witnessed_by: tuple[str, ...],
    no_witness: bool,
) -> None:
    """Go on with a house that was stopped, with a reason; with another key, or anew.

    Which witnesses must sign is changed so, too, with a house that was not stopped.

    \b
    Example: sabot group accept riverside 'restored, letter of 4 March' --anew
    """
    by = permit_here("group accept", {"house": name})
    house = members.named(name)
    accepted = Accepted(
        clock.wall_clock(),
        reason,
        anew=anew,
        keys=keys,
        witnessed_by=() if no_witness else witnessed_by or None,
        by=by,
    )
    _with_good_keys(lambda: house.accept(accepted))
    click.echo(f"{name} goes on. Next: `sabot group pull {name}`.")


@group.command("witness")
@click.argument("name", required=False)
def witness_(name: str | None) -> None:
    """Make this home the other houses' witness, under a name; without one, print its key.

    Its house server cosigns checkpoints of the houses that were added with `--only-seen`.

    \b
    Example: sabot group witness riverside.example/witness
    """
    if name:
        permit_here("group witness", {})
        _with_good_keys(lambda: witness.become(name), "NAME")
    if not (vkey := witness.key_here()):
        raise witness.IsWitness("This home is nobody's witness. Give it a name, as in the example.")
    click.echo(vkey)


@group.command("rate")
@click.argument("name", required=False, metavar="[SOURCE/DAY]")
@click.argument("from_", required=False, metavar="[FROM]")
@click.argument("into", required=False, metavar="[INTO]")
@click.argument("rate", required=False, metavar="[RATE]")
@click.option("--reason", default="", help="Why it replaces the rate that is on record.")
@json_option
def rate_(
    name: str | None,
    from_: str | None,
    into: str | None,
    rate: str | None,
    reason: str,
    as_json: bool,
) -> None:
    """Record what a currency was in another one, by a source and day; without, list the rates.

    Reports use a rate only where it is named: `sabot group report win --into USD --rate
    ECB/2026-11-21`.

    \b
    Example: sabot group rate ECB/2026-11-21 EUR USD 1.0834
    """
    if name and from_ and into and rate:
        by = permit_here("group rate", {})
        source, day = rates.parse_name(name)
        new = rates.Rate(from_, into, rate, source, day, clock.wall_clock(), by, reason)
        rates.record(new)
    elif name:
        raise click.UsageError("Give the source with the day, two currencies and the rate.")
    for each in rates.every():
        if as_json:
            click.echo(msgspec.json.encode(each))
        else:
            click.echo(f"{each.source}/{each.day}: {each.words}")


@group.command("exclusions")
@click.argument("house")
@click.option(
    "--kind",
    type=click.Choice(list(BARRINGS)),
    required=True,
    help="Whom: those whom a house barred, or who excluded themselves.",
)
def exclusions_(house: str, kind: str) -> None:
    """Print a list for HOUSE of who may not play at the others, for `sabot patron exclude` there.

    It has numbers and aliases as those records have them, and no names. The exit status is 1 if
    another house is not in it with all that is held.

    \b
    Example: sabot group exclusions harbour --kind self-excluded > list.csv
    """
    permit_here("group exclusions", {"house": house, "kind": kind})
    listed, houses = list_for(house, kind)
    click.echo(listed, nl=False)
    for each in houses:
        if each.stopped:
            say(f"! {each.property} stopped: {each.stopped}")
    if any(each.stopped for each in houses):
        raise SystemExit(STOPPED)


group.add_command(report)


def _with_good_keys(act: Callable[[], object], what: str = "--key") -> None:
    """Uses keys that somebody typed; one that is no key is refused in words."""
    try:
        act()
    except NotGood as error:
        raise click.BadParameter(str(error), param_hint=what) from error
