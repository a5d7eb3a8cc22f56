"""The options of `sabot dealer --training`, its course, and the score afterwards."""

import json
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from domain.rules.house_rules import named
from ops.words.failure import LOST

if TYPE_CHECKING:
    from ops.terminal.dealer.session import Session

MOST_COUPS = 60  # enough for any shoe: its cut card shows later
_OPTIONS = (
    click.option("--training", is_flag=True, help="Practise on a ledger of your own."),
    click.option("--seed", type=int, help="Training: the same seed gives the same course."),
    click.option(
        "--coups", type=click.IntRange(1, MOST_COUPS), help="Training: how many coups; default 10."
    ),
    click.option("--rules", help="Training: the rule set; default dragon-bonus@1."),
    click.option("--with-shoe", is_flag=True, help="Training: prepare the shoe yourself."),
    click.option("--json", "as_json", is_flag=True, help="Training: print the score as JSON."),
)


def training_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that need --training."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def require_training(ctx: click.Context, *, training: bool, **options: object) -> None:
    """Raises UsageError for options that do not go with --training, or only with it."""
    if training and ctx.obj:
        raise click.UsageError("--training has a ledger of its own: leave --database out.")
    given = [name for name, value in options.items() if value is not None and value is not False]
    if given and not training:
        called = given[0].removeprefix("as_").replace("_", "-")
        raise click.UsageError(f"--{called} is for training: add --training.")


def train(
    ctx: click.Context,
    table: str | None,
    face: Callable[["Session"], int],
    *,
    by: str | None = None,
    seed: int | None = None,
    coups: int | None = None,
    rules: str | None = None,
    with_shoe: bool = False,
    as_json: bool = False,
) -> None:
    """Runs one course, then prints the score, also if the course was left early."""
    from ops.terminal.training.course import planned
    from ops.terminal.training.session import TrainingSession, training_database

    chosen = secrets.randbelow(10_000) if seed is None else seed
    played = named(rules or "dragon-bonus@1")
    course = planned(chosen, played, coups or 10, with_shoe=with_shoe)
    session = TrainingSession(
        training_database(), course, table=table or "", by=by or "", with_shoe=with_shoe
    )
    try:
        status = face(session)
    finally:
        session.close()
    if as_json:
        click.echo(json.dumps(course.score.as_dict(), ensure_ascii=False))
    else:
        for line in course.score.lines():
            click.echo(f"TRAINING {line}")
    ctx.exit(status if status == LOST else 0)  # errors are what training is for
