"""One inquiry as people read it: a line for each event, and what shows its evidence."""

from collections.abc import Iterator

from domain.review.replay import Line
from domain.rules.wording import Moment, Words, by_the_clock
from ops.commands.house_events import House
from ops.ledger.mapper import fields_of
from ops.ledger.streams import name_of
from ops.replay.inquiry import InquiryFile
from ops.words.coups import proved
from ops.words.language import shown
from ops.words.own_sentences import own_sentence

# What shows a piece of evidence at a shell.
_SHOWS = {
    "coup": "sabot replay {name}",
    "shoe": "sabot audit shoe {name}",
    "patron": "sabot report protection --patron {name}",
    "dealer": "sabot report dealers-compared",
}


def words_of(line: Line, of: House) -> str:
    """An event of an inquiry as a sentence."""
    event = {"type": name_of(line), **fields_of(line.event)}
    return shown(by_the_clock(own_sentence(event, of.currency), of.clock.local))


def people_of(line: Line) -> str:
    """Who did it, with the second person and how they proved it."""
    event = line.event
    first = next(
        (
            str(each)
            for name in ("opened_by", "closed_by", "by")
            if (each := getattr(event, name, ""))
        ),
        "",
    )
    second = proved(getattr(event, "approved_by", ""), line.proved)
    return ", ".join(each for each in (first, second) if each)


def event_lines(file: InquiryFile, of: House) -> Iterator[str]:
    """A line for each event: when, what, by whom, and its position."""
    for line in file.lines:
        yield shown(
            Words(
                "{moment}  {words} ({people}) #{position}",
                moment=Moment(of.clock.local(line.at)),
                words=words_of(line, of),
                people=people_of(line),
                position=line.position,
            )
        )


def leads(file: InquiryFile) -> Iterator[str]:
    """The commands that show the evidence."""
    for each in file.evidence:
        name = f"'{each.name}'" if " " in each.name else each.name
        yield _SHOWS[each.about].format(name=name)
