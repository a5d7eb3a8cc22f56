"""A coup's story and its pack, as tests read them."""

import msgspec

from domain.rules.wording import Words
from ops.pack.content import PackContent
from ops.replay.coup_story import story_of


def as_dict(found):
    """The story of a coup that was found, as `--json` prints it."""
    return story_of(found).as_dict()


def read_back(pack):
    """What stands in a pack's file."""
    return msgspec.json.decode(pack.json, type=PackContent, dec_hook=_read)


def _read(kind, text):
    """A value as the file has it; of a sentence that is the text."""
    return Words("{text}", text=text) if kind is Words else text
