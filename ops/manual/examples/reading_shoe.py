"""Sends every card that a reading shoe reads to Sabot, once, whatever fails in between.

    python3 reading_shoe.py B01 --key /etc/sabot/shoe-7.key </dev/ttyUSB0

Cards come one a line, as in `9C`. Whatever stands after the table goes on to `sabot feed`.
"""

import json
import subprocess
import sys
import time
import uuid


def start() -> "subprocess.Popen[str]":
    """A feed that waits for lines."""
    command = ["sabot", "feed", *sys.argv[2:]]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(feed: "subprocess.Popen[str]", line: str) -> str:
    """The answer to a line; "" if the feed ended first, and nobody knows what was recorded."""
    assert feed.stdin
    assert feed.stdout
    try:
        feed.stdin.write(line + "\n")
        feed.stdin.flush()
        return feed.stdout.readline()
    except BrokenPipeError:
        return ""


def main() -> None:
    """Reads cards until there are no more."""
    feed = start()
    for card in map(str.strip, sys.stdin):
        command = {
            "command": "draw",
            "table": sys.argv[1],
            "card": card,
            "id": f"{time.time_ns():x}-{uuid.uuid4()}",
        }
        while not (answer := ask(feed, json.dumps(command))):  # the same id again counts once
            feed.wait()
            time.sleep(1)
            feed = start()
        answered = json.loads(answer)
        print(card, "is recorded" if answered["ok"] else answered["message"], flush=True)


if __name__ == "__main__":
    main()
