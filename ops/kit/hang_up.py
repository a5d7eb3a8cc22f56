"""Ends a program when its terminal is gone, whatever it is doing.

The kernel sends SIGHUP to the leader of the terminal's session only; behind `sudo` or a script it
never arrives. So the terminal is watched as well. A program that does not end by itself soon after
is killed; its journal and the ledger survive that.
"""

import os
import select
import signal
import stat
import time
from threading import Thread

GRACE = 1.0  # seconds in which the program may end by itself
HUNG_UP = 128 + signal.SIGHUP  # the exit status that a shell gives for it


def end_with_terminal() -> None:
    """Watches the terminal from now on, if there is one."""
    for file in (0, 1):  # input, or else output
        if os.isatty(file) or _was_terminal(file):
            Thread(target=_watch, args=(file,), name="hang-up", daemon=True).start()
            return


def _was_terminal(file: int) -> bool:
    """Whether this file was a terminal, which has hung up already."""
    try:
        return stat.S_ISCHR(os.fstat(file).st_mode) and bool(_line(file).poll(0))
    except OSError:
        return False


def _line(terminal: int) -> select.poll:
    line = select.poll()
    line.register(terminal, 0)  # a hang-up is always reported
    return line


def _watch(terminal: int) -> None:
    _line(terminal).poll()
    end_soon()
    os.kill(os.getpid(), signal.SIGHUP)


def end_soon() -> None:
    """Gives the program a moment to end by itself, then kills it."""
    Thread(target=_cut_off, name="cut-off", daemon=True).start()


def _cut_off() -> None:
    time.sleep(GRACE)
    os._exit(HUNG_UP)
