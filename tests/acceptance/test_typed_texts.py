"""Whatever somebody types as a reason or a name, all that shows it can be read afterwards.

An evening of every command, whose texts and patrons are of the kind that a program may take for
something else; then every report, on a screen and on paper, and every page, in each language.
"""

from datetime import UTC, datetime

import pytest
from msgspec import inspect

from ops.commands.vocabulary import COMMANDS
from ops.reports.ask import ask
from ops.reports.paper import paper
from ops.reports.table import print_table
from ops.words.language import LANGUAGES, speaking
from projections import REPORTS
from tests.acceptance.channels import recorded
from tests.worlds.every_command import both_forms
from tests.worlds.gaming_table import mouth_on
from tests.worlds.pages_here import every_page, pages_of, ran

TEXTS = (
    *("2026-02-31", "2026-02-31T20:14:07+01:00", "2026-11-21T20:14 a guest fell", "2026-11-21"),
    *("{reason} {0} {", "%s %(x)d %", "KH", "1/0", "null", "=1+1", "seat 99", "²", "٣٤", "1e999"),
    *("1: the payment stands; 2: nothing", "`sabot`", "<b>&amp;</b>", "#12", "C-2026-0001", "\\"),
    *("B01/2026-11-21/1/1", "banker", "D-204 (PIN typed)", "🂡 🂡", "x" * 500, "wort " * 90),
)
NAMES = ("2026-02-31", "2026-11-21", "²", "KH", "banker", "{seat}", "null", "王小明", "שלום 77")
PATRONS = ("grey-jacket", "blue-hat", "Mr. O’Hara", "P-66", "P-10417")
MOMENT = datetime(2026, 11, 22, 4, tzinfo=UTC)
LONGEST = 500  # letters: so much may be typed where somebody writes what they like


def is_free(kind):
    """Whether a person writes there what they like, in one line."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return any(getattr(each, "max_length", None) == LONGEST for each in kinds)


def texts_of(name):
    """The fields of a command in which a person writes what they like."""
    fields = inspect.type_info(COMMANDS[name]).fields
    return {each.encode_name for each in fields if is_free(each.type)}


def retyped(begin):
    """The lines of the evening with texts from the list, from that one on, and other names."""
    texts = iter([*TEXTS[begin:], *TEXTS] * 20)
    names = dict(zip(PATRONS, [*NAMES[begin % len(NAMES) :], *NAMES], strict=False))
    for _, line in both_forms():
        free = texts_of(line["command"])
        yield {
            name: next(texts) if name in free else names.get(value, value)
            if isinstance(value, str) else value
            for name, value in line.items()
        }  # fmt: skip


@pytest.fixture(scope="module")
def evening(server):
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            answers = [dispatcher.dispatch(line) for line in retyped(begin=0)]
        assert sum(answer.ok for answer in answers) > len(answers) / 2
        yield database


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_can_be_read(evening, name, capsys):
    answer = ask(evening, REPORTS[name])
    for language in LANGUAGES:
        with speaking(language):
            print_table(answer)
    with speaking("pt"):
        assert paper(answer, {}, MOMENT, "A-1").startswith(b"%PDF")


def test_every_page_can_be_read(evening):
    async def read():
        async with pages_of(evening, language="pt") as page:
            pages = await every_page(page, "/", "/reports", of_a_kind=1)
            of_each_kind = {topic: position for position, _, _, topic, *_ in recorded(evening)}
            for position in of_each_kind.values():
                status, pages[position] = await page(f"/ledger/{position}")
                assert status == 200
            return pages

    assert len(ran(read())) > len(REPORTS)
