"""`sabot group report NAME`: reports over the houses of a group, from what was pulled of each."""

import csv
import sys
from collections.abc import Sequence

import click
import msgspec

from ops.cli.progress import reading
from ops.cli.reading import permit_here
from ops.cli.session import json_option
from ops.group import members
from ops.group.asking import Answer, Narrowed, ask
from ops.group.questions import REPORTS, GroupReport
from ops.group.rates import head_of, labelled
from ops.reports.moments import MOMENT, Typed
from ops.reports.narrowings import NARROWINGS, require
from ops.words.csv_cells import guarded
from ops.words.group import heading
from ops.words.show import console
from ops.words.values import amount

INCOMPLETE = 1  # exit status: a house is not in the answer with all that is held
AS_OF = (
    "What each house had recorded by that moment; without an offset by each house's own clock. As "
    "in 2026-11-21T20:14, 2026-11-21T20:14:07+01:00 or 20:14."
)


@click.group("report")
def report() -> None:
    """Reports over all houses, as each one's own record has them.

    They need `pip install 'sabot[group]'`. Currencies are never added up with one another.
    """


def _command(asked: GroupReport) -> click.Command:
    def show(
        names: tuple[str, ...],
        per: tuple[str, ...],
        as_of: str | None,
        into: str | None,
        rate: str | None,
        as_csv: bool,
        as_json: bool,
        **narrowed: str | None,
    ) -> None:
        if as_json and as_csv:
            raise click.UsageError("Use only one of --json and --csv.")
        _require_rate(into, rate, as_csv=as_csv)
        require(narrowed)
        about = {**narrowed, "as_of": as_of, "house": ",".join(names), "per": ",".join(per)}
        permit_here(asked.reading(per), about, "csv" if as_csv else None, as_json=as_json)
        typed = Typed.required(as_of, "--as-of") if as_of else None
        houses = members.pulled(names)
        answer = _counted(asked, houses, per, Narrowed.of(narrowed), typed)
        if into and rate:
            answer = answer.converted(into, rate)
        if as_json:
            click.echo(msgspec.json.encode(answer.as_dict()))
        elif as_csv:
            _print_csv(answer)
        else:
            _print_table(answer)
        if any(each.stopped for each in answer.houses):
            raise SystemExit(INCOMPLETE)

    command = click.Command(asked.name, params=_params(asked), callback=show, help=_help(asked))
    return json_option(command)


def _counted(
    asked: GroupReport,
    houses: Sequence[members.Member],
    per: tuple[str, ...],
    narrowed: Narrowed,
    typed: Typed | None,
) -> Answer:
    """The answer, with a line that shows how far the houses are counted meanwhile."""
    with reading(transient=True) as progress:
        task = progress.add_task("Counting", total=None, at="")

        def show(position: int) -> None:
            progress.update(task, completed=position, at=f"{position:,}")

        return ask(asked, houses, per or None, narrowed, typed, show)


def _require_rate(into: str | None, rate: str | None, *, as_csv: bool) -> None:
    """Checks that a currency comes with the name of its rates. Raises UsageError."""
    if (into is None) != (rate is None):
        raise click.UsageError(
            "Give both --into, as in USD, and --rate, as in ECB/2026-11-21: sums of several "
            "currencies are added up only at rates that have a name."
        )
    if into and as_csv:
        raise click.UsageError("CSV has rows in their own currencies. Use --json with --into.")


def _help(asked: GroupReport) -> str:
    return f"{asked.about}\n\n{asked.more}".strip()


def _params(asked: GroupReport) -> list[click.Parameter]:
    """The houses, by what the rows are divided, to what they are narrowed, and in which form."""
    return [
        click.Argument(["names"], nargs=-1, metavar="[HOUSE]…"),
        click.Option(
            ["--per"],
            multiple=True,
            type=click.Choice([*asked.per]),
            help="By what the rows are divided; may be given several times.  "
            f"[default: {', '.join(asked.usually)}]",
        ),
        *(click.Option([f"--{each}"], help=NARROWINGS[each]) for each in asked.narrowings),
        click.Option(["--as-of"], metavar=MOMENT, help=AS_OF),
        click.Option(
            ["--into"], metavar="CURRENCY", help="Also sums in this currency, with --rate."
        ),
        click.Option(
            ["--rate"],
            metavar="SOURCE/DAY",
            help="At which rates, as `sabot group rate` recorded them: ECB/2026-11-21.",
        ),
        click.Option(["--csv", "as_csv"], is_flag=True, help="Print CSV."),
    ]


for _each in REPORTS.values():
    report.add_command(_command(_each))


def _print_csv(answer: Answer) -> None:
    out = csv.writer(sys.stdout)
    out.writerow(answer.columns)
    for row in answer.rows:
        out.writerow(["" if row[each] is None else guarded(row[each]) for each in answer.columns])


def _print_table(answer: Answer) -> None:
    """Prints the answer for people, below it up to which event each house is in it."""
    from rich.table import Table

    page = console()
    title = answer.report.title + (f", as of {answer.as_of}" if answer.as_of else "")
    table = Table(title=title, title_justify="left", title_style="bold")
    shown = (*answer.per, "currency", *answer.report.shown)
    for each in shown:
        table.add_column(heading(each), justify="right" if answer.is_number(each) else "left")
    for row in answer.rows:
        table.add_row(*(_cell(answer, each, row) for each in shown))
    if len(answer.rows) > 1 and answer.per:
        table.add_section()
        for total in answer.sums():
            table.add_row(*(_cell(answer, each, total) for each in shown))
    if answer.in_one:
        page.print(head_of(answer.in_one))
        table.add_section()
        for total in labelled(answer.in_one, shown[0]):
            table.add_row(*(_cell(answer, each, total) for each in shown))
    page.print(table)
    for house in answer.houses:
        behind = f" of {house.held:,}" if house.position != house.held else ""
        page.print(f"{house.property}: {house.name}, up to event #{house.position:,}{behind}.")
        if house.stopped:
            page.print(f"! {house.property} stopped: {house.stopped}")


def _cell(answer: Answer, column: str, row: dict[str, object]) -> str:
    value = row.get(column)
    if value is None:
        return ""
    if column in answer.report.counts:
        return f"{value:,}"
    return amount(value, str(row["currency"])) if answer.is_number(column) else str(value)
