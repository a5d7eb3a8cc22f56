"""`sabot projections`: the tables that reports read."""

import json
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from ops.cli.progress import reading
from ops.cli.session import json_option, say, with_database
from ops.cli.signing import signing_now_and_then
from ops.cli.starts import record_start
from ops.cli.verifying import verifying
from ops.ledger.database import Database, NotFit
from ops.ledger.reading import head_of
from ops.ledger.standby import is_standby
from ops.reports.at_once import at_once, shares
from ops.reports.follow import run
from ops.reports.rebuild import check_together, rebuild_together
from ops.reports.runner import LedgerNotAsRead, Standing, standings
from ops.verify.rounds import SHARE, Round, read_round
from ops.words import show
from ops.words.durations import duration
from projections import PROJECTIONS, Projection

LONG = 20_000  # events; with fewer, starting other processes takes longer than the work

if TYPE_CHECKING:
    from ops.reports.at_once import Work
    from ops.reports.rebuild import Checked

_which = click.argument("names", nargs=-1, type=click.Choice(list(PROJECTIONS)), metavar="[NAME]…")


@click.group()
def projections() -> None:
    """The tables that reports read, built from the ledger."""


@projections.command("run")
@click.option(
    "--verify-share",
    "share",
    type=click.IntRange(1, 100),
    default=SHARE,
    show_default=True,
    envvar="SABOT_VERIFY_SHARE",
    metavar="PERCENT",
    help="The share of one core with which the whole record is verified again and again.",
)
@with_database
def run_(database: Database, share: int) -> None:
    """Keep every projection up to date until stopped; without it, reports update them.

    It also verifies the record: what is new at once, and all of it again in slow rounds. What it
    finds is an alert that rings until two people have acknowledged it.
    """
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    record_start(database, "projections")
    say(f"Following the ledger: {', '.join(PROJECTIONS)}. Ctrl-C stops.")
    sign = signing_now_and_then(database)
    with verifying(database, stop, say, share) as verify:

        def caught_up() -> None:
            verify()
            sign()

        stopped = run(database, stop, say, caught_up)
    raise SystemExit(1 if stopped else 0)


@projections.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show how far each projection is behind the ledger, and which one stopped and why.

    Exit status 1 if one stopped, has read events that the ledger no longer has, or is behind for
    more than five minutes, as when nobody runs `sabot projections run`; and if the record failed
    the last whole round of verification, or no round can be made.
    """
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        at_work, rows = standings(connection)
        verified = read_round(connection)
        follows = is_standby(connection)
    if as_json:
        body = {
            "head": head,
            "runner": at_work,
            "rows": [each.as_dict() for each in rows],
            "round": verified and verified.as_dict(),
        }
        click.echo(json.dumps(body))
    else:
        words = "running" if at_work else "not running: each report updates its own projections"
        words = "at work at the leader, or nobody counts: this is a standby" if follows else words
        click.echo(f"The ledger has {head:,} events. `sabot projections run` is {words}.")
        for each in rows:
            click.echo(_standing(each))
        for line in round_lines(verified):
            click.echo(line)
    has_faults = verified is not None and (verified.faults or verified.failing_since)
    sys.exit(1 if has_faults or not all(each.well for each in rows) else 0)


def _standing(each: Standing) -> str:
    """One projection's line: its position, how far and how long it is behind, and its error."""
    line = f"{each.projection:<20} at {each.position:>12,}, "
    if each.behind is None:
        line += "NOT AS THE LEDGER"
    elif each.behind:
        behind = timedelta(seconds=each.lag)
        line += f"{show.count(each.behind, 'event')} behind, for {duration(behind)}"
        line += "\n  ! too long: `sabot projections run` must be at work" if each.late else ""
    else:
        line += "up to date"
    if each.rate:
        line += f"; last {each.rate:,.0f} events a second"
    if each.stopped_at:
        line += f"\n  ! stopped at {each.stopped_at:,}: {each.stopped_why}"
    if each.missing:
        line += f"\n  ! {LedgerNotAsRead(each.missing)}"
    if each.to_be_grown:
        line += "\n  ! this version has other tables for it: the next report builds it again"
    return line


def round_lines(verified: Round | None) -> Iterator[str]:
    """How far the slow round through the record is, and what the last whole one found."""
    if verified is None:
        yield (
            "The record was never verified in a round, or what the last one found cannot be read: "
            "`sabot projections run` verifies it."
        )
        return
    yield (
        f"Verified in this round: {verified.position:,} of {show.count(verified.head, 'event')}, "
        f"since {verified.begun_at:%Y-%m-%d %H:%M}."
    )
    if verified.failing_since:
        yield f"  ! No round could be made since {verified.failing_since:%Y-%m-%d %H:%M}: " + (
            verified.failing_why or ""
        )
    if verified.finished_at is None:
        yield "No round is finished yet."
        return
    took = duration(timedelta(seconds=verified.seconds or 0))
    result = "nothing" if not verified.faults else show.count(len(verified.faults), "fault")
    yield (
        f"The last whole round ended at {verified.finished_at:%Y-%m-%d %H:%M}, took {took} and "
        f"found {result}."
    )
    for each in verified.faults:
        yield f"  ! #{each.position:,} {each.fault}: {each.words}"


@projections.command()
@_which
@json_option
@with_database
def rebuild(database: Database, names: tuple[str, ...], as_json: bool) -> None:
    """Build projections again from the ledger, then replace the old ones; without NAME all.

    Reports and tables work meanwhile.
    """
    chosen = _chosen(names)
    rows = [
        {"projection": each.name, "position": position}
        for each, position in zip(chosen, _at_once(database, chosen, rebuild_together), strict=True)
    ]
    if as_json:
        click.echo(json.dumps({"rows": rows}))
    else:
        for row in rows:
            click.echo(f"{row['projection']:<20} rebuilt at {row['position']:,}")


@projections.command()
@_which
@json_option
@with_database
def check(database: Database, names: tuple[str, ...], as_json: bool) -> None:
    """Build projections a second time and compare them row by row; without NAME all.

    Exit status 1 if a row differs.
    """
    checked = checked_again(database, _chosen(names))
    if as_json:
        rows = [
            {
                "projection": each.projection,
                "position": each.position,
                "rows": each.rows,
                "equal": each.equal,
                "differing": each.differing,
            }
            for each in checked
        ]
        click.echo(json.dumps({"rows": rows}))
    else:
        for each in checked:
            click.echo(_checked(each))
    sys.exit(0 if all(each.equal for each in checked) else 1)


def checked_again(database: Database, chosen: list[Projection]) -> "list[Checked]":
    """Builds projections a second time and compares their rows; shows progress if it is long.

    Raises NotFit on a standby.
    """
    with database.session("sabot_auditor", say) as connection:
        if is_standby(connection):
            raise NotFit(
                "Rows are built a second time in tables of their own, which a standby cannot make: "
                "check them at the leader."
            )
    return _at_once(database, chosen, check_together)


def _checked(each: "Checked") -> str:
    if not each.position:
        return f"{each.projection:<20} not computed yet: no report has asked for it"
    verdict = "equal" if each.equal else "DIFFERS"
    lines = [f"{each.projection:<20} {each.rows:>10,} rows at {each.position:,}: {verdict}"]
    lines += [f"  {line}" for line in each.differing]
    if not each.equal:
        lines.append(
            "  Run `sabot audit verify` first. If the ledger is intact, `sabot projections rebuild "
            f"{each.projection}` repairs it; if not, keep these rows: they may be the only true "
            "ones."
        )
    return "\n".join(lines)


def _chosen(names: Sequence[str]) -> list[Projection]:
    return [each for each in PROJECTIONS.values() if not names or each.name in names]


def _at_once(database: Database, chosen: list[Projection], work: "Work") -> list[Any]:
    """The result of each projection; shows progress when it takes long."""
    with database.session("sabot_auditor", say) as connection:
        head = head_of(connection)
    if head <= LONG:
        with database.session("sabot_projector") as connection:
            return list(work(connection, chosen, lambda _: None))
    dealt = shares(chosen)
    with reading() as progress:
        names = (", ".join(each.name for each in share) for share in dealt)
        tasks = [progress.add_task(_short(name), total=head, start=False, at="") for name in names]

        def watch(reached: Sequence[int]) -> None:
            for task, position in zip(tasks, reached, strict=True):
                if position and not progress.tasks[task].started:
                    progress.start_task(task)
                progress.update(task, completed=position, at=f"{position:,}/{head:,}")

        results = at_once(database.given, dealt, work, watch)
    return [results[each.name] for each in chosen]


def _short(names: str, width: int = 40) -> str:
    return names if len(names) <= width else f"{names[: width - 2]} …"
