"""A patron's file: that it was changed, and a digest of it. What it says is in no event."""

from typing import Annotated, ClassVar

from msgspec import Meta

from domain.events import base


class Event(base.Event):
    """About one patron's file."""

    NAMED_BY = ("patron",)
    patron: str = ""


class Begun(Event, topic="patron-file.begun", first=True):
    """The house begins a file about a patron; a release before this does not read this stream."""


class State(base.State):
    """Whether there is a file, and its digest."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(begun)
        self.patron = begun.patron
        self.digest = ""  # of what is stored beside the record; '': nothing is


class FileChanged(Event, topic="patron-file.file-changed"):
    """Somebody changed parts of the file; what they wrote is stored beside the record."""

    LEFT_OUT: ClassVar[frozenset[str]] = frozenset({"approved_by", "reason"})

    parts: list[str]  # as in `address`
    digest: str  # of the whole file, made with a key and a random number that are in no event
    approved_by: str = ""  # who agreed that the risk is lower
    reason: Annotated[str, Meta(description="why a document was taken out of the file")] = ""

    def apply(self, state: State) -> None:
        state.digest = self.digest


class FileErased(Event, topic="patron-file.file-erased"):
    """The file was erased, and the patron's name with it; the record keeps only the number."""

    parts: list[str]  # what was erased, as in `name`, `address`
    reason: str

    def apply(self, state: State) -> None:
        state.digest = ""
