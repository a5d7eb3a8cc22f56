"""Runs a program and writes what it took as JSON to a file descriptor: `weigh.py FD COMMAND…`.

A small process of its own, and plain: a program's peak memory counts that of whoever started it,
up to the moment when it takes over.
"""

import os
import sys


def main() -> None:
    """Ends as the program ends."""
    told, command = int(sys.argv[1]), sys.argv[2:]
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    scale = 1 if sys.platform == "darwin" else 1024
    os.write(told, f"[{used.ru_utime + used.ru_stime}, {used.ru_maxrss * scale}]".encode())
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
