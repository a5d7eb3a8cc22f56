"""An inquiry or an incident as people read it: a line for each event, and what shows more."""

from collections.abc import Iterable, Iterator, Set

from domain.review.replay import Line
from domain.rules.wording import N_, Moment, Words, by_the_clock
from ops.commands.house_events import House
from ops.ledger.mapper import fields_of
from ops.ledger.streams import name_of
from ops.replay.inquiry import InquiryFile
from ops.replay.people import people_of
from ops.words.event_values import run_on
from ops.words.language import shown
from ops.words.own_sentences import own_sentence

# What shows a piece of evidence at a shell.
_SHOWS = {
    "coup": "sabot replay {name}",
    "shoe": "sabot audit shoe {name}",
    "patron": "sabot report protection --patron {name}",
    "dealer": "sabot report dealers-compared",
}


_GONE = N_("The report `protection` no longer has this row.")


def words_of(line: Line, of: House, gone: Set[int] = frozenset()) -> str:
    """An event as a sentence; `gone`: the events whose row the report has lost."""
    event = {"type": name_of(line), **fields_of(line.event)}
    sentences = [own_sentence(event, of.currency)]
    if line.position in gone:
        sentences.append(Words(_GONE))
    return shown(by_the_clock(run_on(sentences), of.clock.local))


def event_lines(lines: Iterable[Line], of: House, gone: Set[int] = frozenset()) -> Iterator[str]:
    """A line for each event: when, what, by whom, and its position; `gone`: as in `words_of`."""
    for line in lines:
        yield shown(
            Words(
                "{moment}  {words} ({people}) #{position}",
                moment=Moment(of.clock.local(line.at)),
                words=words_of(line, of, gone),
                people=", ".join(people_of(line)),
                position=line.position,
            )
        )


def leads(file: InquiryFile) -> Iterator[str]:
    """The commands that show the evidence."""
    for each in file.evidence:
        name = f"'{each.name}'" if " " in each.name else each.name
        yield _SHOWS[each.about].format(name=name)
