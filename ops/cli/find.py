"""`sabot find WORDS`: what people look for, by what they write."""

import json
from contextlib import closing

import click

from domain.rules.refusals import BadValue
from ops.cli.reading import permit
from ops.cli.session import json_option, with_database
from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.reader import Asked, Reader
from ops.commands.rights import OF_OPEN_HOUSE, Rights
from ops.commands.saved_token import saved_token
from ops.finding.hits import MOST_NAMES
from ops.finding.search import Result, Results, search
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.typed.shell import require_utf8
from ops.words import found as words
from ops.words import show
from ops.words.language import shown

# By kind: the command that shows it.
_SHOWS = {
    "patron": "report ratings --patron={}",
    "coup": "replay {}",
    "shoe": "road {}",
    "table": "board --once",
    "day": "report table-win --day={}",
    "case": "dispute show {}",
    "staff": "staff name {}",
    "position": "audit prove {}",
    "report": "report {}",
    "rule": "rule {}",
    "topic": "manual {}",
    "command": "{} --help",
}


@click.command()
@click.argument("words", nargs=-1, required=True)
@json_option
@with_database
def find(database: Database, words: tuple[str, ...], as_json: bool) -> None:
    """Find a patron, coup, shoe, case, slip, ticket, event, alert, report or rule by its name.

    As in `sabot find B01 17`, `sabot find P-10417`, `sabot find '#1234'`. It names only what you
    may open.
    """
    text = " ".join(words)
    require_utf8("words", text)
    if not text.strip():
        raise BadValue(field="WORDS", value="empty", why="type what you look for, as in B01 17")
    reader = permit(database, "find", as_json=as_json)

    def note(asked: Asked) -> None:
        permit(database, asked.what, asked.about, as_json=as_json)

    results = search(database, text, _rights(database, reader), note, clock.wall_clock())
    if as_json:
        body = {"words": text, "found": [*map(_as_json, results.hits)], "more": results.more}
        near = [*map(_as_json, results.near)]
        click.echo(json.dumps(body | {"near": near}, ensure_ascii=False))
    else:
        _print(text, results)


def _rights(database: Database, reader: Reader) -> Rights:
    """What the reader may open."""
    if reader.own_login:
        return Rights("auditor")
    with closing(Casino(Ledger(database, "sabot_auditor"))) as casino:
        authority = Authority(casino, saved_token())
        return Rights.of(authority.holder()) if authority.house_is_closed() else OF_OPEN_HOUSE


def _as_json(hit: Result) -> dict[str, str]:
    return {"kind": hit.kind, "name": hit.name, "line": str(hit.line), "page": hit.href}


def _print(text: str, results: Results) -> None:
    if not results.hits:
        click.echo(shown(words.nothing(text)))
        if results.near:
            click.echo(f"{shown(words.NEAR)}:")
    _print_hits(results.hits or results.near)
    if results.more:
        click.echo(shown(words.more_names(MOST_NAMES)))


def _print_hits(hits: list[Result]) -> None:
    from rich.table import Table

    if not hits:
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for fold in (False, False, True):
        table.add_column(no_wrap=not fold, overflow="fold" if fold else "ellipsis")
    for hit in hits:
        shows = f"sabot {_SHOWS[hit.kind].format(hit.name)}" if hit.kind in _SHOWS else ""
        beside = "  ".join(filter(None, (shows, shown(hit.line) if hit.line else "")))
        table.add_row(shown(words.KINDS[hit.kind]), hit.name, beside)
    show.console().print(table)
