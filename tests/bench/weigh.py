"""Runs a program and writes what it used as JSON to a file descriptor: `weigh.py FD COMMAND…`.

It is a small process of its own, because a program's peak memory includes that of the process that
started it, until it takes over.
"""

import os
import sys


def main() -> None:
    """Runs the command, writes what it used, and exits with its status."""
    result, command = int(sys.argv[1]), sys.argv[2:]
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    scale = 1 if sys.platform == "darwin" else 1024
    os.write(result, f"[{used.ru_utime + used.ru_stime}, {used.ru_maxrss * scale}]".encode())
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
