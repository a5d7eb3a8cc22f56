"""`sabot projections`: the read side at work."""

import json
import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ops.cli.session import json_option, say, with_database
from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.reports.follow import run
from ops.reports.runner import LedgerNotAsRead, Standing, standings
from projections import PROJECTIONS, Projection

LONG = 20_000  # events; of fewer it is done before other processes have begun

if TYPE_CHECKING:
    from ops.reports.at_once import Work
    from ops.reports.rebuild import Checked

_which = click.argument("names", nargs=-1, type=click.Choice(list(PROJECTIONS)), metavar="[NAME]…")


@click.group()
def projections() -> None:
    """What reports read, grown from the ledger."""


@projections.command("run")
@with_database
def run_(database: Database) -> None:
    """Keep every projection caught up until stopped; reports do it themselves otherwise."""
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())
    say(f"Following the ledger: {', '.join(PROJECTIONS)}. Ctrl-C stops.")
    raise SystemExit(1 if run(database, stop, say) else 0)


@projections.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show how far each projection has read, how fast, and which one stopped and why.

    Exit status 1 when one stopped, or has read what the ledger no longer has.
    """
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        at_work, rows = standings(connection)
    if as_json:
        told = {"head": head, "runner": at_work, "rows": [each.as_dict() for each in rows]}
        click.echo(json.dumps(told))
    else:
        words = "at work" if at_work else "not at work: reports catch up by themselves"
        click.echo(f"The ledger ends at {head:,}. The runner is {words}.")
        for each in rows:
            click.echo(_standing(each))
    sys.exit(1 if any(each.stopped_at or each.missing for each in rows) else 0)


def _standing(each: Standing) -> str:
    line = f"{each.projection:<20} at {each.position:>12,}, "
    line += "NOT AS READ" if each.behind is None else f"{each.behind:,} behind"
    if each.behind:
        line += f" since {each.lag:,.1f} s"
    if each.rate:
        line += f", last {each.rate:,.0f} events/s"
    if each.stopped_at:
        line += f"\n  ! stopped at {each.stopped_at:,}: {each.stopped_why}"
    if each.missing:
        line += f"\n  ! {LedgerNotAsRead(each.missing)}"
    if each.to_be_grown:
        line += "\n  ! its tables changed in this program: whoever reads it next grows it anew"
    return line


@projections.command()
@_which
@json_option
@with_database
def rebuild(database: Database, names: tuple[str, ...], as_json: bool) -> None:
    """Grow projections from nothing beside the live ones, and swap them in; without NAME all.

    Reports answer meanwhile, and the tables deal on.
    """
    from ops.reports.rebuild import rebuild_together

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
    """Grow projections once more to one side, and compare them row by row; without NAME all.

    Exit status 1 when a row differs.
    """
    from ops.reports.rebuild import check_together

    found: list[Checked] = _at_once(database, _chosen(names), check_together)
    if as_json:
        rows = [
            {
                "projection": each.projection,
                "position": each.position,
                "rows": each.rows,
                "equal": each.equal,
                "differing": each.differing,
            }
            for each in found
        ]
        click.echo(json.dumps({"rows": rows}))
    else:
        for each in found:
            click.echo(_checked(each))
    sys.exit(0 if all(each.equal for each in found) else 1)


def _checked(each: "Checked") -> str:
    verdict = "equal" if each.equal else "DIFFERS"
    lines = [f"{each.projection:<20} {each.rows:>10,} rows at {each.position:,}: {verdict}"]
    lines += [f"  {line}" for line in each.differing]
    if not each.equal:
        lines.append(
            "  Ask `sabot audit verify` first: if the record is whole, `sabot projections rebuild "
            f"{each.projection}` mends it; if not, these rows may be the last true ones."
        )
    return "\n".join(lines)


def _chosen(names: Sequence[str]) -> list[Projection]:
    return [each for each in PROJECTIONS.values() if not names or each.name in names]


def _at_once(database: Database, chosen: list[Projection], work: "Work") -> list[Any]:
    """What came of each, with progress for people when it takes long."""
    from ops.cli.progress import reading
    from ops.reports.at_once import at_once, shares

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

        found = at_once(database.given, dealt, work, watch)
    return [found[each.name] for each in chosen]


def _short(names: str, width: int = 40) -> str:
    return names if len(names) <= width else f"{names[: width - 2]} …"
