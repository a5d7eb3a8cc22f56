"""A terminal whose process was killed, and the one after it."""

import os
from contextlib import closing, contextmanager

from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session


def cut_off(session):
    """The process is gone: nobody closed anything, and the system lets its files go."""
    os.close(session._journal._file)
    session._journal._file = os.open(os.devnull, os.O_RDWR)


@contextmanager
def sits_down_again(killed, database):
    """A terminal after that one, and what it was told of the last line."""
    cut_off(killed)
    again, resolved = Session(HouseHere(database), "B01", by="D-204"), []
    again.on_resolved = resolved.append
    with closing(again):
        again.open()
        yield again, resolved
