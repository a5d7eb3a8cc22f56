"""Waiting for what another process does."""

import time

PATIENCE = 60.0  # seconds after which a test fails rather than hangs


def until(happened):
    """What a function gives once it gives something; it is asked again and again for a minute."""
    ends = time.monotonic() + PATIENCE
    while not (value := happened()):
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.01)
    return value
