"""FinCEN's XML: elements in the schema's order, each container with a number of its own.

>>> party = Element("Party", [Field("ActivityPartyTypeCode", "35")])
>>> batch = Batch("CTRX", {"TotalAmount": 0}, Element("Activity", [party]))
>>> print(batch.as_bytes().decode().splitlines()[-3])
  <fc2:Party SeqNum="2"><fc2:ActivityPartyTypeCode>35</fc2:ActivityPartyTypeCode></fc2:Party>
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from xml.sax.saxutils import escape

from msgspec import Struct

_SPACE = "www.fincen.gov/base"
_SCHEMA = "https://www.fincen.gov/sites/default/files/schema/base/EFL_{form}BatchSchema.xsd"
_BEGIN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<fc2:EFilingBatchXML {counts} xsi:schemaLocation="{space} {schema}" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fc2="{space}">\n'
    "<fc2:FormTypeCode>{form}</fc2:FormTypeCode>\n"
)


class Field(Struct, frozen=True):
    """An element with a text."""

    name: str
    text: str


class Element(Struct, frozen=True):
    """An element with others, and with a number; its fields come before its elements."""

    name: str
    parts: Sequence["Field | Element"]


class Batch(Struct, frozen=True):
    """A file with one report."""

    form: str  # CTRX or SARX
    counts: Mapping[str, int]  # FinCEN's attributes: the amounts and how many parts there are
    activity: Element

    def as_bytes(self) -> bytes:
        """The file."""
        begin = _BEGIN.format(
            counts=" ".join(f'{name}="{value}"' for name, value in self.counts.items()),
            space=_SPACE,
            schema=_SCHEMA.format(form=self.form),
            form=self.form,
        )
        body = "".join(_written(self.activity, count(1), 0))
        return f"{begin}{body}</fc2:EFilingBatchXML>\n".encode()


def _written(part: Field | Element, numbers: "count[int]", depth: int) -> Iterator[str]:
    if isinstance(part, Field):
        yield f"<fc2:{part.name}>{escape(part.text)}</fc2:{part.name}>"
        return
    yield f'{"  " * depth}<fc2:{part.name} SeqNum="{next(numbers)}">'
    if any(isinstance(each, Element) for each in part.parts):
        yield "\n"
        for each in part.parts:
            if isinstance(each, Field):
                yield "  " * (depth + 1)
            yield from _written(each, numbers, depth + 1)
            if isinstance(each, Field):
                yield "\n"
        yield "  " * depth
    else:
        for each in part.parts:
            yield from _written(each, numbers, depth + 1)
    yield f"</fc2:{part.name}>\n"


def filled(name: str, fields: Mapping[str, str], *more: Element) -> Element:
    """An element with those of the fields that have a text, then with more elements."""
    return Element(name, [*(Field(each, text) for each, text in fields.items() if text), *more])


def on_paper(part: Field | Element, path: str = "") -> Iterator[tuple[str, str]]:
    """Every field with its path, as in `Party/Address/RawCityText`."""
    here = f"{path}/{part.name}".removeprefix("/")
    if isinstance(part, Field):
        yield here, part.text
        return
    for each in part.parts:
        yield from on_paper(each, here)
