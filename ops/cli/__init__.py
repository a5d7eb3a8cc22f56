"""The command line: translates and prints, and decides nothing. One file a noun.

`sabot --help` imports click and this file only; a command's own file is imported when the command
is used.
"""

import importlib
import io
import os
import sys
from collections.abc import Sequence
from functools import partial

import click
from click.core import ParameterSource

from ops import VERSION

VERSION_TEXT = "%(prog)s %(version)s"
_JSON = "ops.cli.json"  # whether the line asks for JSON
_LINE = "ops.cli.line"  # its words, from the command's name on

# Section; then for each command: its name, its module and its help in a few words.
_FLOOR = "ops.cli.speak"
ENTRIES: dict[str, dict[str, tuple[str, str]]] = {
    "At the table": {
        "dealer": ("ops.cli.dealer", "the dealer's screen: bets, cards, payments"),
        "table": (
            "ops.cli.table",
            "run, open, seat, seats, move, leave, buy-in, fill, drop, close, and more",
        ),
        "shoe": (_FLOOR, "load, inspect, shuffle, cut, burn, misdraw, discard, end, and more"),
        "open": (_FLOOR, "open the next coup for bets"),
        "bet": (_FLOOR, "place or replace a wager"),
        "bets": (_FLOOR, "place several wagers at once, all or none"),
        "withdraw": (_FLOOR, "take a wager, or all of a seat, back before the first card"),
        "no-more-bets": (_FLOOR, "close the betting"),
        "draw": (_FLOOR, "draw a card; it goes where it is due"),
        "move-card": (_FLOOR, "move the last card to the hand where it belongs"),
        "reveal": (_FLOOR, "turn a hand or a card that is face down"),
        "settle": (_FLOOR, "pay and take every wager"),
        "void": (_FLOOR, "return every wager of a coup; takes two people"),
        "correct": (_FLOOR, "change what a settled wager is paid; takes two people"),
        "coup": (_FLOOR, "correct-card, move-wager: a card or a wager was another's; two people"),
        "coupon": (_FLOOR, "issue, lay, withdraw, correct, void: match plays and free bets"),
        "money": (_FLOOR, "correct: cash, chips or commission typed wrong; takes two people"),
        "dispute": (
            "ops.cli.dispute",
            "open, note, decide, tell, notify, hold, close, export, show, list",
        ),
        "commission": ("ops.cli.commission", "collect, waive, walked, and receipts for it"),
        "account": (_FLOOR, "pay-in, pay-out, hand-pay: patrons who bet without chips"),
        "slip": (_FLOOR, "request, issue, carry, receive, void"),
        "box": ("ops.cli.box", "attach, remove, carry, count a drop box; the count report"),
        "shift": ("ops.cli.shift", "the inventory slip of a shift, on paper"),
        "feed": ("ops.cli.feed", "read commands as JSON lines, answer each with one"),
    },
    "The house": {
        "staff": ("ops.cli.staff", "enrol, sign-on, sign-off, change-pin, retire"),
        "patron": (
            "ops.cli.patron",
            "identify, bar, unbar, name, erase; file, document, risk, show, import",
        ),
        "property": (_FLOOR, "set, level"),
        "rules": ("ops.cli.rules", "list, show, new, check, diff, approve, sheet"),
        "regime": ("ops.cli.regime", "list, show, ask, choose: what is due for which cash"),
        "alert": (_FLOOR, "acknowledge"),
        "incident": (
            "ops.cli.incident",
            "open, note, close, reopen, show: what is no dispute about a payment",
        ),
        "aml": (
            "ops.cli.aml",
            "open, note, decide, filed, close, show: cases of money laundering",
        ),
        "filing": ("ops.cli.austrac", "ctr, sar, ttr, smr, record: reports to a regulator"),
        "inquiry": (
            "ops.cli.inquiry",
            "open, note, attach, close, reopen, show: surveillance's own",
        ),
    },
    "Reading": {
        "board": ("ops.cli.board", "every open table now, and what needs a person"),
        "find": ("ops.cli.find", "a patron, coup, case, slip, event and so on by its name"),
        "report": ("ops.cli.report", "commission, coup, wagers, exceptions, table-win, and more"),
        "replay": ("ops.cli.replay", "a coup step by step, each with its rule"),
        "road": ("ops.cli.road", "bead plate, big road and the three derived roads"),
        "rule": ("ops.cli.rule", "a rule by its number, as in R-IRR-4, or all of them"),
        "odds": ("ops.cli.odds", "exact counts and house edges of a rule set"),
        "adjudicate": ("ops.cli.adjudicate", "cards in, outcome out; touches no ledger"),
        "readjudicate": (_FLOOR, "judge coups again from the record"),
    },
    "The record": {
        "audit": (
            "ops.cli.audit",
            "verify, checkpoint, prove, key, program, shoe, adjudicate, export",
        ),
        "master": (_FLOOR, "audit: somebody agreed the figures of a gaming day"),
        "projections": ("ops.cli.projections", "run, status, rebuild, check"),
        "export": ("ops.cli.export", "a report's rows, or events, as CSV or Parquet"),
        "db": ("ops.cli.db", "up, down, status, upgrade, backup, restore, archive, views"),
        "group": ("ops.cli.group", "add, list, pull, accept: other houses' records, verified"),
        "serve": ("ops.cli.serve", "the house server, for terminals without a login"),
    },
    "To begin with": {
        "manual": ("ops.cli.manual", "the manual, a page for each kind of reader"),
        "play": ("ops.cli.play", "an electronic table in a browser, with play money"),
        "demo": ("ops.cli.demo", "a recorded shoe dealt from end to end"),
        "simulate": ("ops.cli.simulate", "made-up evenings, by one process or many"),
    },
}
_WHERE = {name: entry for section in ENTRIES.values() for name, entry in section.items()}


class Sabot(click.Group):
    """Imports a command when it is used, and turns errors into words."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists the commands in the order of a gaming day."""
        return list(_WHERE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns the command, or None for an unknown word."""
        if cmd_name not in _WHERE:
            return None
        module = importlib.import_module(_WHERE[cmd_name][0])
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command; with a house it is one that sends its words to the house server."""
        ctx.meta[_LINE] = args
        house = ctx.params["house"]
        if house and args[0] in _WHERE:
            from ops.door.through import command

            repeats = partial(_again, ctx)
            if there := command(args, house, ctx.params["language"], repeats):
                return args[0], there, args[1:]
            _speak(ctx, ctx.params["language"])  # it runs here
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands by section, without importing them."""
        for section, entries in ENTRIES.items():
            with formatter.section(section):
                formatter.write_dl([(name, help_text) for name, (_, help_text) in entries.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parses the line; a usage error is JSON too if `--json` was given."""
        ctx.meta[_JSON] = "--json" in args[: args.index("--") if "--" in args else None]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            _tell_json(ctx, error)
            raise

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command; exit status 1 if it is refused, 3 if the ledger cannot be reached."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort):
            raise  # click handles its own
        except click.ClickException as error:
            explained = _explained(error)
            _tell_json(ctx, explained)
            raise explained from None
        except Exception as error:
            from ops.words.failure import exit_status, in_words, plain_words

            status = exit_status(error)
            if status is None:
                raise
            name, rule = getattr(error, "error", type(error).__name__), getattr(error, "rule", None)
            sent_as = getattr(error, "sent_as", "")
            if ctx.meta[_JSON]:
                _tell(_names(ctx), name, plain_words(error), rule, sent_as)
            click.echo(in_words(error), err=True)
            if repeats := _again(ctx, sent_as):
                click.echo(repeats, err=True)
            ctx.exit(status)


def _explained(error: click.ClickException) -> click.ClickException:
    """The same; of a number below 0, which looks like an option, with how it is typed."""
    if isinstance(error, click.NoSuchOption) and error.option_name[1:2].isdigit():
        words = f"{error.message} An amount is typed without a sign, as in 12.50."
        return click.NoSuchOption(error.option_name, words, ctx=error.ctx)
    return error


def _tell_json(ctx: click.Context, error: click.ClickException) -> None:
    """Prints an error as JSON and exits, if `--json` was given."""
    if ctx.meta[_JSON]:
        name = "UsageError" if isinstance(error, click.UsageError) else "Failed"
        called = (getattr(error, "ctx", None) or ctx).command_path.split()[1:]
        _tell(called, name, error.format_message())
        ctx.exit(error.exit_code)


def _names(ctx: click.Context) -> list[str]:
    """The names of the command that was called, without its arguments."""
    return called(ctx.meta.get(_LINE, ()))[0]


def called(words: Sequence[str]) -> tuple[list[str], click.Command]:
    """The names with which the words begin, and the command that they name."""
    names: list[str] = []
    command: click.Command = cli
    context = click.Context(cli)
    for word in words:
        named = command.get_command(context, word) if isinstance(command, click.Group) else None
        if named is None:
            break
        names.append(word)
        command = named
    return names, command


def again(words: Sequence[str], sent_as: str, root: Sequence[str] = ()) -> str:
    """A sentence with the line that repeats a command which was sent with this id, or ''.

    `words`: as it was typed, from its name on; `root`: the options before its name.
    """
    sentence: str = importlib.import_module("ops.cli.repeated").repeated(words, sent_as, root)
    return sentence


def _again(ctx: click.Context, sent_as: str) -> str:
    """A sentence with the line that repeats the command which was sent with this id, or ''."""
    root = [
        word
        for name in ("database", "house", "language")
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        for word in (f"--{name}", ctx.params[name])
    ]
    return again(ctx.meta[_LINE], sent_as, root) if sent_as else ""


def _tell(
    called: Sequence[str], error: str, message: str, rule: str | None = None, sent_as: str = ""
) -> None:
    """Prints as JSON why a command was refused; `called`: its names, `sent_as`: its id."""
    import json

    command = ".".join(called) or None
    answer = {"ok": False, "command": command, "error": error, "message": message, "rule": rule}
    answer |= {"id": sent_as} if sent_as else {}
    click.echo(json.dumps(answer, ensure_ascii=False))


def _speak(ctx: click.Context, language: str | None) -> None:
    """Speaks a language until the command has ended. Raises BadParameter for one it does not."""
    if not language:
        return
    from ops.words.language import UnknownLanguage, speaking

    try:
        ctx.with_resource(speaking(language))
    except UnknownLanguage as error:
        raise click.BadParameter(str(error), param_hint="--language") from None


@click.group(
    cls=Sabot, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--database",
    metavar="URL",
    help="A PostgreSQL server; default SABOT_DATABASE_URL, else the embedded one.",
)
@click.option(
    "--house",
    metavar="URL",
    envvar="SABOT_HOUSE",
    help="A house server, as in https://sabot.example, or several with blanks between them; then "
    "nothing here needs a database.",
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    envvar="SABOT_LANGUAGE",
    help="As in pt or zh-Hant: for what people read; JSON and CSV stay English.",
)
@click.version_option(VERSION, message=VERSION_TEXT)
@click.pass_context
def cli(ctx: click.Context, database: str | None, house: str | None, language: str | None) -> None:
    """The record of a baccarat pit: each card and bet is an event that nothing changes."""
    ctx.obj = database  # every command's context has it
    if not house:
        _speak(ctx, language)


def main() -> None:
    """The command `sabot`; prints UTF-8 to programs, and never fails because of a terminal.

    Other accounts cannot change the files that it writes, whatever the umask.
    """
    os.umask(os.umask(0o077) | 0o022)
    if sys.stdout is None:  # so Python shows a closed stream
        click.echo("Standard output is closed: nothing was done. Send it to /dev/null.", err=True)
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="replace")
    cli(prog_name="sabot")
