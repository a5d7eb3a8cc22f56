"""`sabot replay COUP`: the story of a coup, each line with its rule and its position."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn
from zoneinfo import ZoneInfo

import click
from msgspec import to_builtins

from domain.rules.addresses import Coup
from domain.rules.gaming_day import GamingClock
from domain.rules.refusals import NotFound
from domain.rules.wording import plain
from ops.cli.pack import Pair, export, export_option
from ops.cli.reading import permit, read_safely
from ops.cli.session import json_option, say, with_database
from ops.commands.house_events import house
from ops.kit.hang_up import end_with_terminal
from ops.ledger import clock as machine_clock
from ops.ledger.database import Database
from ops.ledger.growth import position_at
from ops.replay.copies import SOMEBODY
from ops.replay.coup_story import CoupStory, story_of
from ops.replay.find_coup import Coups, coup_meant, coups_around
from ops.replay.story import CoupRecord, find
from ops.reports.aliases import names_of
from ops.reports.moments import MOMENT, Typed, in_the_past
from ops.typed.shell import require_utf8
from ops.words import show

if TYPE_CHECKING:
    import psycopg

    from domain.review.what_if.question import WhatIf
    from ops.commands.reader import How
    from ops.replay.what_if_answer import WhatIfAnswer


@click.command()
@click.argument("coup")
@click.option("--at", metavar=MOMENT, help="Of a table: the coup that was in play, as at 20:14.")
@click.option("--until", type=click.IntRange(1), help="Stop before card N, 1 to 6, or event N.")
@click.option("--as-of", metavar=MOMENT, help="The coup as it was on record at that moment.")
@click.option(
    "--for",
    "patron",
    metavar="PATRON",
    help="Theirs alone, with the cards and the rules: a page to show them.",
)
@click.option("--step", is_flag=True, help="Walk through it on the keyboard.")
@click.option(
    "--what-if",
    "changes",
    multiple=True,
    metavar="CHANGE",
    help="What if this had been different; repeat it for several at once.",
)
@export_option
@json_option
@with_database
def replay(
    database: Database,
    coup: str,
    at: str | None,
    until: int | None,
    as_of: str | None,
    patron: str | None,
    step: bool,
    changes: tuple[str, ...],
    pair: Pair | None,
    as_json: bool,
) -> None:
    """Replay COUP, as in B01/2026-11-21/1/17, from the ledger alone, and adjudicate it again.

    A table, as in B01 or B01/2026-11-20, is its last coup, or with --at the one that was in
    play then.

    \b
    A CHANGE is one of these; it is shown beside the record, and records nothing:
      'card 5 = KH'              another card at that place
      'draw player'              a third card given, or with no-draw missed,
      'no-draw banker'           against the tableau
      'bet 3 banker 200'         another wager of seat 3; also 'no-bet 3 banker',
      'move 3 banker to player'  'move 3 banker to 5 banker'
      'rules classic@1'          another rule set
      'rounding up 1 min 0.25'   another rounding of the commission: exact,
                                 nearest or up; per-win or on-collection
      'void'                     every stake returned
      'then burn'                of cards left over: carry, burn or dummy
      'misdraw burn'             of a card that came before it, when none was due

    Cards that nobody turned yet are not shown, and --export ends the coup before them
    (R-DEAL-3, R-DEAL-5).

    Exit status 1 when the record does not agree with the rules, or its chain is broken.
    """
    _require_together(
        step=step, printed=as_json, until=until is not None, changes=changes, pair=pair
    )
    _require_what_if(changes, patron)
    with database.session("sabot_auditor") as connection:
        clock = house(connection).clock
        zone = ZoneInfo(clock.zone)
        how: How | None = "export" if pair else None
        with _only_to_readers(database, coup, how, as_json=as_json):
            address = coup_meant(connection, coup, at, zone)
        about = {"coup": str(address), "patron": patron, "as_of": as_of}
        permit(database, "replay", about, how, as_json=as_json)
        reading = _Reading(connection, patron, as_of, clock)
        record = reading.of_theirs(address)
        if step:
            _step(record, coups_around(connection, address, reading.until), reading.of, zone)
            return
        record = record.until(until) if until else record
        story = story_of(record)
        asked = _ask(connection, record, changes) if changes and story.rules else None
        answer = _answer(asked) if asked else None
        if pair:
            _export(database, reading, record, pair, answer)
    if as_json:
        _print_json(story, answer, asked_what_if=bool(changes))
    else:
        _print(record, story, asked, zone)
    _exit(record, story)


def _exit(record: CoupRecord, story: CoupStory) -> NoReturn:
    if not story.agrees:
        say(f"It does not agree: `sabot readjudicate {record.address}` makes that an exception.")
    sys.exit(0 if story.agrees and record.chain_good else 1)


@contextmanager
def _only_to_readers(
    database: Database, coup: str, how: "How | None", *, as_json: bool
) -> Iterator[None]:
    """Only somebody who may read coups learns that there is no such coup."""
    try:
        yield
    except NotFound:
        permit(database, "replay", {"coup": coup}, how, as_json=as_json)
        raise


def _export(
    database: Database,
    reading: "_Reading",
    record: CoupRecord,
    pair: Pair,
    answer: "WhatIfAnswer | None",
) -> None:
    """Writes the coup's pack, with the answer to what was asked."""
    what_if = [answer] if answer else []
    turned, names = _before_face_down(record, reading), reading.names_in(record)
    export(database, reading.connection, turned, pair, what_if=what_if, names=names)


class _Reading:
    """Coups as they were on record at a moment, and as one patron is shown them."""

    def __init__(
        self,
        connection: "psycopg.Connection[Any]",
        patron: str | None,
        as_of: str | None,
        clock: GamingClock,
    ) -> None:
        """`as_of`: the moment as it was typed, None: now. Refuses: BadValue."""
        self.connection, self._patron = connection, patron
        typed = None if as_of is None else Typed.required(as_of, "--as-of")
        now = machine_clock.record_clock(connection)
        self._moment = in_the_past(typed, clock, now) if typed else None
        self.until = position_at(connection, self._moment) if self._moment else None

    def of_theirs(self, coup: Coup) -> CoupRecord:
        """A coup in which the patron has a wager. Refuses: NotFound."""
        record = self.of(coup)
        if self._patron is not None and not record.patrons - {SOMEBODY}:
            raise NotFound(what=f"wager of {self._patron} in {coup}")
        return record

    def names_in(self, record: CoupRecord) -> set[str]:
        """The patron's names in a coup; none where everybody is shown."""
        return set() if self._patron is None else record.patrons - {SOMEBODY}

    def of(self, coup: Coup, until: int | None = None) -> CoupRecord:
        """A coup, up to a position or else up to the moment."""
        record = find(self.connection, coup, until or self.until, self._moment)
        read_safely(self.connection)
        if self._patron is None:
            return record
        return record.shown_to(names_of(self.connection, self._patron, record.patrons))


def _before_face_down(record: CoupRecord, reading: _Reading) -> CoupRecord:
    """The coup up to the first card that is still face down, because no paper shows that card."""
    if not record.face_down:
        return record
    last = record.open_lines[-1].position
    say(f"Cards are face down: the pack ends before them, at #{last} (R-DEAL-3).")
    return reading.of(record.address, last)


def _require_together(
    *, step: bool, printed: bool, until: bool, changes: Sequence[str], pair: Pair | None
) -> None:
    """Refuses options that do not go together."""
    whole = bool(changes or pair)
    if step and (until or printed or whole):
        raise click.UsageError("Use --step without them: it stops wherever you are.")
    if until and whole:
        raise click.UsageError("--what-if and --export need the whole coup: leave --until out.")
    if step:
        end_with_terminal()


def _require_what_if(changes: tuple[str, ...], patron: str | None) -> None:
    """Refuses changes that are no text, or are asked for a patron's copy. Refuses: BadValue."""
    if patron is not None and changes:
        raise click.UsageError("A what-if names everybody in the coup: leave --for out.")
    require_utf8("what-if", changes)


def _ask(
    connection: "psycopg.Connection[Any]", record: CoupRecord, changes: tuple[str, ...]
) -> "WhatIf":
    from ops.replay.what_if import ask

    return ask(connection, record, changes)


def _answer(asked: "WhatIf") -> "WhatIfAnswer":
    from ops.replay.what_if_answer import answer_of

    return answer_of(asked)


def _step(
    record: CoupRecord, coups: Coups, read: Callable[[Coup], CoupRecord], zone: ZoneInfo
) -> None:
    from ops.cli.step import Walk, step_here

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a keyboard and a screen: use --until N instead.")
    step_here(Walk(record, coups, read), zone)


def _print_json(story: CoupStory, answer: "WhatIfAnswer | None", *, asked_what_if: bool) -> None:
    what_if = {"what_if": to_builtins(answer, enc_hook=plain)} if asked_what_if else {}
    click.echo(json.dumps(story.as_dict() | what_if, ensure_ascii=False))


def _print(record: CoupRecord, story: CoupStory, asked: "WhatIf | None", zone: ZoneInfo) -> None:
    from ops.replay import page, what_if_page

    if not story.rules:
        click.echo(f"The record of {record.address} cannot be read: see `sabot audit verify`.")
        return
    assert record.replay is not None
    coup_page = page.Page(record, record.replay, show.console(), zone)
    if asked:
        coup_page.print_in_short()
        what_if_page.WhatIfPage(asked, show.console()).print()
    else:
        coup_page.print()
