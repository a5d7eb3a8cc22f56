"""A rule set, which is recorded before anything is dealt by it."""

from domain.events import base


class Adopted(base.Event, topic="rule-set.adopted", first=True):
    """The rule set is on record, with all of its content."""

    rules: str
    digest: str
    content: str  # JSON of the whole rule set; the digest is its SHA-256


class State(base.State):
    """A rule set on record."""

    def __init__(self, adopted: Adopted) -> None:
        super().__init__(adopted)
        self.rules = adopted.rules
        self.digest = adopted.digest
        self.content = adopted.content
        self.approved_by: list[str] | None = None


class Approved(base.Event, topic="rule-set.approved"):
    """Tables may open by it: a property's own, from a file."""

    rules: str
    digest: str
    approved_by: list[str]  # the two people
    file_sha256: str
    edges: dict[str, str]  # of each spot, from a full shoe: the house's, as a fraction
    # By rule set: the terms that differ from it, each with its value there and now.
    compared: dict[str, list[list[str]]]

    def apply(self, state: State) -> None:
        state.approved_by = self.approved_by
