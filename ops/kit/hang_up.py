"""A program that lives at a terminal ends when that is gone, whatever it is doing just then.

The kernel tells only the leader of the terminal's session, by SIGHUP; behind `sudo`, a script or a
line that was cut nobody is told. So the terminal is asked as well. What does not end in good order
soon after is cut off: a journal and a ledger that outlive a kill outlive that too.
"""

import os
import select
import signal
import stat
import time
from threading import Thread

GRACE = 1.0  # seconds in which a program may end in good order
HUNG_UP = 128 + signal.SIGHUP  # the exit status, as a shell tells it


def end_with_terminal() -> None:
    """From now on; does nothing where there is no terminal."""
    for file in (0, 1):  # what is typed, or else what is shown
        if os.isatty(file) or _was_terminal(file):
            Thread(target=_watch, args=(file,), name="hang-up", daemon=True).start()
            return


def _was_terminal(file: int) -> bool:
    """Whether it is one that has hung up already, and no longer answers as a terminal."""
    try:
        return stat.S_ISCHR(os.fstat(file).st_mode) and bool(_line(file).poll(0))
    except OSError:
        return False


def _line(terminal: int) -> select.poll:
    line = select.poll()
    line.register(terminal, 0)  # that it hung up is told unasked
    return line


def _watch(terminal: int) -> None:
    _line(terminal).poll()
    end_soon()
    os.kill(os.getpid(), signal.SIGHUP)


def end_soon() -> None:
    """The program ends by itself, or is cut off."""
    Thread(target=_cut_off, name="cut-off", daemon=True).start()


def _cut_off() -> None:
    time.sleep(GRACE)
    os._exit(HUNG_UP)
