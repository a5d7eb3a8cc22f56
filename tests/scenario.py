"""given, when, then: what an aggregate was told, what it states or refuses.

Each `then` also replays the whole history and compares. An event is written with all its fields,
less those that every event of its stream carries, and those added later that have their default; or
as its name alone, where the fields are another test's business.
"""

from msgspec import NODEFAULT
from msgspec.structs import fields as struct_fields
from msgspec.structs import force_setattr

from domain.events.base import Event
from domain.rules.refusals import Refusal

_COMMON = len(Event.__struct_fields__)


class _Scenario:
    def __init__(self, aggregate, earlier):
        for act in earlier:
            act(aggregate)
        self.aggregate = aggregate
        self.before = len(aggregate.pending_events)
        self.refusal = None

    def when(self, act):
        try:
            act(self.aggregate)
        except Refusal as refusal:
            self.refusal = refusal
        return self

    def then(self, *events):
        if self.refusal:
            raise self.refusal
        self._compare(events)

    def then_refused(self, kind, *events):
        """A refusal that is worth knowing states an event as well, and only such a one does."""
        assert (type(self.refusal), self.refusal.recorded) == (kind, bool(events))
        self._compare(events)
        return self.refusal

    def _compare(self, events):
        own = self.aggregate.own_name
        stated = self.aggregate.pending_events[self.before :]
        actual = [
            type(event).__name__ if isinstance(expected, str) else _told(event, own)
            for event, expected in zip(stated, events, strict=False)
        ]

        assert list(events) == actual + [_told(event, own) for event in stated[len(events) :]]
        assert replayed(self.aggregate) == self.aggregate


def _told(event, own):
    fields = {name: getattr(event, name) for name in event.__struct_fields__[_COMMON:]}
    assert own.items() <= fields.items()
    unchanged = {name for name in event.added_later() if fields[name] == _default(event, name)}
    return type(event).__name__, {k: v for k, v in fields.items() if k not in {*own, *unchanged}}


def _default(event, name):
    field = next(each for each in struct_fields(type(event)) if each.name == name)
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def replayed(aggregate):
    """The aggregate that its history alone makes."""
    return type(aggregate).project(None, aggregate.pending_events)


def alter(event, **fields):
    """Somebody changes an event that was recorded."""
    for name, value in fields.items():
        force_setattr(event, name, value)


def given(aggregate, *earlier):
    """An aggregate, and what else it was told before."""
    return _Scenario(aggregate, earlier)
