"""A serial of a deck or a sealed batch: the shoe that it was loaded into."""

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """Of one serial."""

    NAMED_BY = ("serial", "kind")
    serial: str = ""
    kind: str = ""  # `deck`, or `batch`


class Loaded(Event, topic="deck.loaded", first=True):
    """It came to a table the first time."""

    shoe: str


class State(base.State):
    """Where it was loaded, and came to last."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.serial = loaded.serial
        self.kind = loaded.kind
        self.loaded_in = loaded.shoe
        self.came_to = addresses.Shoe.parse(loaded.shoe)  # last, used or not


class ReuseRefused(Event, topic="deck.reuse-refused"):
    """It came to a table a second time."""

    shoe: str  # for which it came again
    loaded_in: str

    def apply(self, state: State) -> None:
        state.came_to = addresses.Shoe.parse(self.shoe)
