"""`sabot manual`: the manual, a page at a time."""

import json
import sys

import click

from ops.cli.session import json_option
from ops.manual.topics import ORDER, Topic, topic, topics
from ops.words import show


@click.command()
@click.argument(
    "name", metavar="[TOPIC]", required=False, type=click.Choice(ORDER, case_sensitive=False)
)
@json_option
def manual(name: str | None, as_json: bool) -> None:
    """Show the manual's page about TOPIC; without it, list the topics.

    In a pipe the page is plain text, as in `sabot manual dealer | less`.
    """
    page = topic(name) if name else None
    if as_json:
        shown = _as_json(page) if page else {"topics": [_head(each) for each in topics()]}
        click.echo(json.dumps(shown, ensure_ascii=False))
    elif page:
        _print(page)
    else:
        _list()


def _head(page: Topic) -> dict[str, str]:
    return {"topic": page.name, "title": page.title, "summary": page.summary}


def _as_json(page: Topic) -> dict[str, str]:
    return {**_head(page), "text": page.text}


def _print(page: Topic) -> None:
    """Prints the page, rendered on a terminal, as plain text in a pipe."""
    if not sys.stdout.isatty():
        click.echo(page.text.rstrip("\n"))
        return
    from rich.markdown import Markdown

    show.console().print(Markdown(page.text, code_theme="bw", hyperlinks=False))


def _list() -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for page in topics():
        table.add_row(page.name, page.summary)
    show.console().print(table)
    click.echo("\nRead one: sabot manual dealer")
