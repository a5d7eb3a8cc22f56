"""What AUSTRAC asks of a threshold transaction or a suspicious matter, on a sheet to type from.

It is not AUSTRAC's file for bulk upload: of its specification (threshold transaction report,
revision 1.0, draft of May 2026) only the names of the elements were readable, so none is written.
Its spreadsheet is handed out inside AUSTRAC Online alone. The parts are those that AUSTRAC lists
for a threshold transaction report ("Threshold transaction reports (TTRs)", austrac.gov.au; chapter
19 of the AML/CTF Rules, which sections 9-6 to 9-8 of the Rules 2025 replace; the list was read, the
sections were not) and that specification has: who reports, the customer, the individual who
conducts the transaction if that is another, how it is conducted, the recipient, and the transaction
with the cash on one side and what is given for it on the other. Those of a suspicious matter are
the same, with its grounds (AML/CTF Act 2006 s. 41, reported).
"""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType

from msgspec import Struct

from domain.rules.patron_files import valid_document
from domain.rules.wording import N_, Words
from ops.filings.draft import Block
from ops.filings.lacks import ON_FILE, Lack, Lacks
from ops.filings.patron import Person
from ops.filings.sar import Cash
from ops.words.csv_cells import guarded

TTR, SMR = "TTR", "SMR"
TITLES: Mapping[str, str] = {
    TTR: "Threshold transaction report (AUSTRAC)",
    SMR: "Suspicious matter report (AUSTRAC)",
}
NOTE = "A sheet to type from, into AUSTRAC Online. It is not the file for bulk upload."
# Of `austrac.toml`: each field with its pattern, and the pattern in words.
ENTITY: Mapping[str, tuple[str, str]] = {
    "name": (r".{1,140}", N_("the name under which the house is enrolled with AUSTRAC")),
    "number": (r"[0-9A-Za-z -]{1,20}", N_("the number that AUSTRAC gave to the house")),
    "address": (r".{1,200}", N_("where the house is")),
    "contact": (r".{1,140}", N_("the office to ask")),
    "phone": (r"[0-9 +()-]{5,20}", N_("the number to call")),
}
NOT_KNOWN = "leave it blank: the house could not find it out"
FIELDS = ("name", "birth_date", "address", "document")  # which may be stated as not known
_KINDS: Mapping[str, str] = {
    "in": "the customer gave cash for chips",
    "out": "the customer was paid cash for chips",
}
_OTHER_SIDE: Mapping[str, str] = {"in": "chips that were given", "out": "chips that were taken"}
_CENTS = 100


class Asked(Struct, frozen=True, kw_only=True):
    """What a sheet is made of; `amends`: the receipt of the report that it corrects, '' for none.

    `due`: the last moment for it, as the regime has it, '' for none known; `late`: it is over.
    `unknown`: what the house could not find out of the first person; of others with their number.
    """

    kind: str
    aml_case: str = ""
    people: Sequence[Person]  # whose cash it is, or whom the case is about
    moved: Sequence[Cash]
    day: date
    due: str
    late: bool
    amends: str = ""
    grounds: str = ""
    unknown: Sequence[str] = ()
    principals: Mapping[str, str] = MappingProxyType({})  # for whom somebody plays, by their number

    def field_of(self, person: Person, field: str) -> str:
        """A field of a person, by the name that is typed."""
        return field if person.patron == self.people[0].patron else f"{person.patron}.{field}"

    @property
    def fields(self) -> list[str]:
        """Every field that may be stated as not known."""
        return [self.field_of(each, name) for each in self.people for name in FIELDS]

    def conducts(self, patron: str) -> str:
        """Who moves a customer's cash: they, or whoever plays for them."""
        agents = [who for who, whom in self.principals.items() if whom == patron]
        moves = not agents or any(each.patron == patron for each in self.moved)
        return ", ".join([*(["the customer"] if moves else []), *agents])


class Sheet(Struct, frozen=True):
    """A report, part by part."""

    title: str
    blocks: Sequence[Block]

    def as_bytes(self) -> bytes:
        """The sheet as CSV; the first row says what it is not."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow([NOTE, "", ""])
        writer.writerow(["part", "detail", "value"])
        for block in self.blocks:
            writer.writerows([block.title, name, guarded(text)] for name, text in block.rows)
        return out.getvalue().encode("utf-8-sig")


def sheet(asked: Asked, entity: Mapping[str, str], lacks: Sequence[Lack] = ()) -> Sheet:
    """The sheet; `entity`: the fields of ENTITY. Raises Lacks, with all that is missing.

    `lacks`: what is known to be.
    """
    missing, blocks = list(lacks), [_report(asked), Block("reporting entity", [*entity.items()])]
    for person in asked.people:
        block, more = _person(asked, person)
        blocks.append(block)
        missing += more
    if asked.kind == SMR and not asked.grounds:
        words = Words("No note goes into the report: write what happened.")
        missing.append(Lack("grounds", words, f"sabot aml note {asked.aml_case} '…' --narrative"))
    if missing:
        raise Lacks(missing)
    blocks += [_transaction(each) for each in asked.moved] or [
        Block("transaction", [("what happened", "no cash moved: see the grounds")])
    ]
    if asked.grounds:
        blocks.append(Block("grounds for the suspicion", [("grounds", asked.grounds)]))
    return Sheet(TITLES[asked.kind], blocks)


def _report(asked: Asked) -> Block:
    late = "late: it was due before" if asked.late else ""
    rows = [
        ("kind", "amends an earlier report" if asked.amends else "first report"),
        ("receipt of the report that it amends", asked.amends),
        ("due", asked.due),
        ("late", late),
    ]
    return Block("report", [(name, text) for name, text in rows if text])


def _person(asked: Asked, person: Person) -> tuple[Block, list[Lack]]:
    """A customer, as the file has them, and what it lacks."""
    contents, document = person.contents, valid_document(person.contents, asked.day)
    seen = document if document and document.seen_on else None
    stated = {
        "name": (person.name or "", f"sabot patron name {person.patron} 'Last, First'"),
        "birth_date": (
            contents.birth_date,
            f"sabot patron file {person.patron} --birth-date 1961-04-17",
        ),
        "address": (
            contents.address,
            f"sabot patron file {person.patron} --address '1 Kent St, Sydney NSW 2000, Australia'",
        ),
        "document": (
            f"{seen.kind}, {seen.number}, {seen.issuer}" if seen else "",
            f"sabot patron document {person.patron} passport U1234567 AU --expires 2031-02-01",
        ),
    }
    lacks, rows = [], [("customer number", person.patron)]
    for name, (text, how) in stated.items():
        field = asked.field_of(person, name)
        if not text and field not in asked.unknown:
            lacks.append(Lack(field, Words("It is not on file."), how))
        if text and field in asked.unknown:
            lacks.append(Lack(field, ON_FILE, f"without --unknown {field}"))
        rows.append((name.replace("_", " "), text or NOT_KNOWN))
    if contents.occupation:
        rows.append(("occupation", contents.occupation))
    rows.append(("conducts the transaction", asked.conducts(person.patron)))
    if principal := asked.principals.get(person.patron):
        rows.append(("plays on behalf of", principal))
    return Block(f"customer {person.patron}", rows), lacks


def _transaction(moved: Cash) -> Block:
    dollars = f"{moved.amount // _CENTS}.{moved.amount % _CENTS:02}"
    rows = [
        ("customer number", moved.patron),
        ("date and time", moved.at),
        ("what happened", _KINDS[moved.direction]),
        ("how it was conducted", "in person, at a gaming table"),
        ("cash, Australian dollars", dollars),
        (_OTHER_SIDE[moved.direction], dollars),
        ("recipient", moved.patron),
        ("at table", moved.table),
        ("position in the house's record", f"#{moved.position}"),
    ]
    return Block(f"transaction #{moved.position}", rows)
