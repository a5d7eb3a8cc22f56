"""New ids for lines that come without one."""

import os
import time


def fresh_id() -> str:
    """32 hexadecimal digits: 48 bits of the time in milliseconds, then 80 random bits.

    The index of all ids grows at its end then, where new ones are neighbours. Random ones are in
    pages all over it, and each page that changes is logged whole after a checkpoint.
    """
    return (time.time_ns() // 1_000_000).to_bytes(6).hex() + os.urandom(10).hex()
