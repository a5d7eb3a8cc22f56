"""Patrons' files: who somebody is, by which document, and how high the risk is.

Events have which parts were changed. What they say is read and written beside the record, in the
transaction of the event. No refusal repeats what was typed: it might be stored.
"""

import re
from collections.abc import Iterable
from datetime import date

from msgspec.structs import replace

from domain.aggregates.patron_file import PatronFile
from domain.rules.addresses import parse_day
from domain.rules.patron_files import (
    EMPTY,
    Contents,
    Document,
    is_lower,
    numbered,
    read_stored,
    stored,
)
from domain.rules.refusals import (
    BadValue,
    ConfirmationNeeded,
    MissingField,
    NotFound,
    SecondPersonNeeded,
)
from domain.rules.roles import one_of_roles
from domain.rules.wording import Words
from ops.commands import patron_files as commands
from ops.handlers.cash_together import name_agent
from ops.handlers.desk import Desk
from ops.handlers.documents import doubts_about, why_withdrawn
from ops.handlers.handlers import handles
from ops.handlers.likeness import patron_of, require_as_recorded
from ops.handlers.regimes import regime_of
from ops.handlers.regrouped import regrouped
from ops.ledger.patron_files import (
    ERASE_FILE,
    ERASE_NAME,
    agents_by_file,
    save_file,
    stored_file,
)
from ops.ledger.secrets import People
from ops.reports.names import aliases_of, names_like
from ops.words.event_values import separated
from ops.words.terms import barring_called

_FIRST_BORN = "1880"
_DIGITS = re.compile(r"\d+")
_ONE_WORD_WITH_DIGITS = re.compile(r"\S*\d\S*")


@handles(commands.PatronFile)
def write(desk: Desk, command: commands.PatronFile) -> None:
    """Writes into a patron's file. Refuses: MissingField, BadValue, ConfirmationNeeded.

    Nobody plays on behalf of themselves, under whichever name.
    """
    given = {name: value for name in commands.TEXTS if (value := getattr(command, name))}
    if command.exposed:
        given["exposed"] = True
    if not given and not command.clear:
        raise MissingField(
            message=Words("Write what belongs into the file, as in `birth_date` or `address`.")
        )
    if "birth_date" in given:
        _require_day("birth_date", given["birth_date"])
    patron, before = _file(desk, command.patron)
    if command.on_behalf_of and desk.names.same(command.on_behalf_of, patron):
        raise BadValue(
            message=Words(
                "{patron} cannot play on behalf of themselves. Leave `on_behalf_of` out.",
                patron=patron,
            )
        )
    emptied = {name: getattr(EMPTY, name) for name in command.clear}
    after = replace(before, **emptied, **given)
    from_day = _from_day(desk, command)
    names_whom = bool(command.on_behalf_of) or "on_behalf_of" in command.clear
    number = _number_behind(desk, command, patron, after.on_behalf_of)
    is_new = names_whom and _play_for(desk, patron, number, from_day)
    if after != before or not is_new:
        _save(desk, patron, before, after)
    if before == EMPTY:
        with desk.casino.ledger.connection() as connection:
            agents = agents_by_file(connection, patron)
        record = desk.names.record(patron)
        agents = [each for each in agents if not record or each not in record.agents]
        for agent in dict.fromkeys(desk.names.identity(each) for each in agents):
            if agent != patron:
                _play_for(desk, agent, patron, from_day)


def _from_day(desk: Desk, command: commands.PatronFile) -> date:
    """From which gaming day on somebody plays for another. Refuses: BadValue."""
    day = today(desk)
    if command.from_day is None:
        return day
    if not (command.on_behalf_of or "on_behalf_of" in command.clear):
        raise BadValue(
            message=Words("`from_day` is of `on_behalf_of`: from when they play for that person.")
        )
    from_day = parse_day(command.from_day)
    if from_day > day:
        words = Words("{day} is still to come. Write it into the file then.", day=command.from_day)
        raise BadValue(message=words)
    return from_day


def _number_behind(desk: Desk, command: commands.PatronFile, patron: str, whom: str) -> str:
    """The number of the person for whom somebody plays; '' for a name, which is in no event.

    Refuses: ConfirmationNeeded.
    """
    is_known = bool(whom) and _is_a_number(desk, whom, patron)
    if command.on_behalf_of and not is_known:
        is_known = _confirmed_number(command, patron)
    elif command.on_behalf_of:
        _require_may_play(desk, command, patron)
    return whom if is_known else ""


def _confirmed_number(command: commands.PatronFile, patron: str) -> bool:
    """Whether somebody confirms that it is a number, under which nobody is known here.

    What cannot be one is a name, and not asked about. Refuses: ConfirmationNeeded.
    """
    if not _ONE_WORD_WITH_DIGITS.fullmatch(command.on_behalf_of or ""):
        return False
    if not command.confirmed:
        raise ConfirmationNeeded(
            message=Words(
                "Nobody is known here under what {patron} plays on behalf of. If it is a number, "
                "add `confirmed`, and the cash of all who play for that person counts together; "
                "if it is a name, write it in two words, and nothing is added up.",
                patron=patron,
            )
        )
    return True


def _require_may_play(desk: Desk, command: commands.PatronFile, patron: str) -> None:
    """Refuses for whom somebody plays who may not play themselves: ConfirmationNeeded."""
    whom = desk.names.identity(command.on_behalf_of or "")
    known = desk.names.record(whom)
    if known and known.barring and not command.confirmed:
        raise ConfirmationNeeded(
            so=Words(
                "{patron} would play on behalf of {whom}, who may not play ({kind})",
                patron=patron,
                whom=whom,
                kind=barring_called(known.barring),
            )
        )


def _is_a_number(desk: Desk, whom: str, agent: str) -> bool:
    """Whether it is a patron's number: it is on record, has a file, or is one like the agent's."""
    with desk.casino.ledger.connection() as connection:
        if whom in names_like(connection, whom) or stored_file(connection, whom) is not None:
            return True
    form = _DIGITS.sub("0", whom)
    return bool(_DIGITS.search(whom)) and form == _DIGITS.sub("0", agent)


def _play_for(desk: Desk, agent: str, principal: str, from_day: date) -> bool:
    """Records for whom a patron plays, '' for themselves; False if it is on record already."""
    known = patron_of(desk, agent)
    if {known.principal_on(day) for day in (from_day, today(desk))} == {principal}:
        return False
    with regrouped(desk, agent, *filter(None, [principal])):
        known.play_for(principal, from_day)
        if principal:
            patron_of(desk, principal)
        name_agent(desk, agent, principal)
    return True


@handles(commands.PatronDocument)
def add_document(desk: Desk, command: commands.PatronDocument) -> None:
    """Records a document that somebody has seen.

    Refuses: BadValue, NotFound, MissingField, and ConfirmationNeeded where it has expired, or is
    on somebody else's file.
    """
    if command.expires:
        _require_day("expires", command.expires)
    why = why_withdrawn(command)
    patron, before = _file(desk, command.patron)
    typed = numbered(command.kind, command.number)
    others = [each for each in before.documents if each.numbered != typed]
    if why:
        if len(others) == len(before.documents):
            raise NotFound(
                message=Words("The file of {patron} has no such document.", patron=patron)
            )
        _save(desk, patron, before, replace(before, documents=tuple(others)), reason=why)
        return
    document = Document(
        kind=command.kind,
        number=command.number,
        issuer=command.issuer,
        expires=command.expires or "",
        seen_by="" if command.unseen else desk.casino.actor,
        seen_on="" if command.unseen else today(desk).isoformat(),
    )
    doubts = [*doubts_about(desk, patron, document, today(desk))]
    if doubts and not command.confirmed:
        raise ConfirmationNeeded(so=separated(doubts))
    _save(desk, patron, before, replace(before, documents=(*others, document)))


@handles(commands.PatronRisk)
def rate(desk: Desk, command: commands.PatronRisk) -> None:
    """Rates a patron's risk. Refuses: BadValue, SecondPersonNeeded."""
    _require_day("review", command.review)
    patron, before = _file(desk, command.patron)
    second = desk.second(command) if is_lower(command.risk, before.risk) else ""
    if is_lower(command.risk, before.risk) and not (desk.casino.actor and second):
        who = one_of_roles(command.permission.second)
        raise SecondPersonNeeded(act=Words("Lowering a patron's risk"), who=who)
    after = replace(before, risk=command.risk, risk_reason=command.reason, review_by=command.review)
    _save(desk, patron, before, after, second)


@handles(commands.PatronErase)
def erase(desk: Desk, command: commands.PatronErase) -> None:
    """Erases a patron's name and file, and those of their aliases.

    Refuses: NotFound, and BadValue while the law wants to know who they are.
    """
    people = People(desk.casino.ledger)
    patron, files = files_of(desk, command.patron)
    _require_may_go(desk, patron, files.values())
    names = {each for each in names_of(desk, patron) if people.patron_name(each) is not None}
    if not files and not names:
        raise NotFound(what=Words("name or file of {patron}", patron=patron))
    for each in dict.fromkeys((*files, *sorted(names))):
        parts = files.get(each, EMPTY).parts_unlike(EMPTY)
        if each in names:
            parts = ["name", *parts]
            desk.casino.beside.append((ERASE_NAME, (each,)))
        if each in files:
            desk.casino.beside.append((ERASE_FILE, (each,)))
        _record_of(desk, each).erase(parts, command.reason)


def _require_may_go(desk: Desk, patron: str, files: Iterable[Contents]) -> None:
    """Refuses to erase a name or a file that has to be stored, without what it says: BadValue.

    The same for everybody who was here, whatever was reported of them: nobody learns of that.
    """
    if any(each.hold for each in files):
        raise BadValue(
            message=Words(
                "The file of {patron} is not to be erased: `sabot patron show` has the reason. "
                "Once that is over, end it with `--clear hold`.",
                patron=patron,
            )
        )
    day = today(desk)
    regime = regime_of(desk, day)
    last = _last_here(desk, patron)
    if last is None:  # a file that was written or imported by mistake
        return
    first_day = regime.file_may_go_on(last)
    if regime.files_years and day < first_day:
        raise BadValue(
            message=Words(
                "The name and the file of {patron} may be erased from {day} on: by the regime "
                "{regime} they are stored for {years} years after the patron was here last.",
                patron=patron,
                day=first_day.isoformat(),
                regime=regime.name,
                years=regime.files_years,
            )
        )


def _last_here(desk: Desk, patron: str) -> date | None:
    """The last day on which a patron sat down under any name, or somebody wrote in the file.

    Today while they may not play; None: they never sat down.
    """
    record = desk.names.record(patron)
    if record and record.barred:
        return today(desk)
    clock, was_here = desk.house().clock, False
    days = []
    with desk.casino.ledger.connection() as connection:
        for name in names_of(desk, patron):
            if written := desk.casino.find(PatronFile, PatronFile.stream(name)):
                days.append(clock.day_of(written.modified_on))
            known = names_like(connection, name).get(name)
            if known and known.day:
                days.append(known.day)
                was_here = True
    return max(days) if was_here else None


def names_of(desk: Desk, patron: str) -> list[str]:
    """A patron's own name, and every alias that stands for it now."""
    with desk.casino.ledger.connection() as connection:
        aliases = aliases_of(connection, patron)
    return [patron, *(each for each in aliases if desk.names.identity(each) == patron)]


def files_of(desk: Desk, name: str) -> tuple[str, dict[str, Contents]]:
    """The patron whom a name stands for, and their files by name, their own first if there is one.

    A file that was made under an alias stays the alias's, in case that is somebody else after all.
    """
    patron = desk.names.identity(name)
    files = ((each, _contents(desk, each)) for each in names_of(desk, patron))
    return patron, {each: contents for each, contents in files if contents is not None}


def _file(desk: Desk, name: str) -> tuple[str, Contents]:
    """The patron whom a name stands for, and their file, which may be empty. Refuses: NotFound."""
    require_as_recorded(desk, name)
    patron_of(desk, name)
    patron = desk.names.identity(name)
    return patron, _contents(desk, patron) or EMPTY


def _contents(desk: Desk, patron: str) -> Contents | None:
    with desk.casino.ledger.connection() as connection:
        text = stored_file(connection, patron)
    return read_stored(text) if text is not None else None


def _save(
    desk: Desk,
    patron: str,
    before: Contents,
    after: Contents,
    approved_by: str = "",
    reason: str = "",
) -> None:
    """Stores a file and records which of its parts are others now. Refuses: BadValue."""
    People(desk.casino.ledger).require_pepper()
    statement, digest = save_file(patron, stored(after))
    _record_of(desk, patron).change(after.parts_unlike(before), digest, approved_by, reason)
    desk.casino.beside.append(statement)


def _record_of(desk: Desk, patron: str) -> PatronFile:
    desk.house()  # its clock gives the gaming day of the file's first event
    known = desk.casino.find(PatronFile, PatronFile.stream(patron))
    return known or desk.casino.make(PatronFile.open(patron, desk.casino.moment))


def today(desk: Desk) -> date:
    """The gaming day now."""
    return desk.house().clock.day_of(desk.casino.moment)


def _require_day(field: str, text: str) -> None:
    """Refuses what is no day, without repeating it: BadValue."""
    try:
        right = _FIRST_BORN < text < "2200" and bool(date.fromisoformat(text))
    except ValueError:
        right = False
    if not right:
        words = Words("`{field}` is no date. Write it as in 2026-11-21.", field=field)
        raise BadValue(message=words)
