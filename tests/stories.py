"""A coup's story as `--json` prints it."""

from ops.replay.coup_story import story_of


def as_dict(found):
    """The story of a coup that was found."""
    return story_of(found).as_dict()
