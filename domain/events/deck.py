"""The serial number of a deck or a sealed batch, and the shoe that it was loaded into."""

from domain.events import base
from domain.rules import addresses


class Event(base.Event):
    """About one serial."""

    NAMED_BY = ("serial", "kind")
    serial: str = ""
    kind: str = ""  # `deck`, or `batch`


class Loaded(Event, topic="deck.loaded", first=True):
    """It was loaded into its shoe."""

    shoe: str


class State(base.State):
    """The shoe that it was loaded into, and the last one that it came to."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.serial = loaded.serial
        self.kind = loaded.kind
        self.loaded_in = loaded.shoe
        self.came_to = addresses.Shoe.parse(loaded.shoe)  # the last one, used or not


class ReuseRefused(Event, topic="deck.reuse-refused"):
    """It came to a table a second time and was refused."""

    shoe: str  # the one that it came for
    loaded_in: str

    def apply(self, state: State) -> None:
        state.came_to = addresses.Shoe.parse(self.shoe)
