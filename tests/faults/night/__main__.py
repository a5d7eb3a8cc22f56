"""`scripts/faults night`: nights by seed, one line for each."""

import sys

import click

from tests.faults import SEED
from tests.faults.night.evening import Failed, night
from tests.faults.night.schedule import FULL, QUICK, schedule_of


@click.command()
@click.option("--seed", type=int, default=SEED, show_default=True, help="Of the first night.")
@click.option("--nights", type=click.IntRange(1), default=1, help="How many, each with its seed.")
@click.option("--quick", is_flag=True, help="A short night, as in the tests.")
@click.option("--show", is_flag=True, help="Print what happens in a night before it begins.")
def nights(seed: int, nights: int, quick: bool, show: bool) -> None:
    """Actors by seed over real servers; exit status 1 if anything is lost, doubled or wrong."""
    failed = 0
    for each in range(seed, seed + nights):
        schedule = schedule_of(each, QUICK if quick else FULL)
        if show:
            click.echo(str(schedule))
        try:
            click.echo(str(night(schedule)))
        except Failed as error:
            failed += 1
            click.echo(f"seed {each} FAILED at {error}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    nights()
