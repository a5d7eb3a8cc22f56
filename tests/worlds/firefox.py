"""Debian's Firefox for Playwright, which drives it by WebDriver BiDi.

Playwright chooses a colour scheme by a command that this Firefox does not have yet. So what
Playwright starts is this program: it starts Firefox and passes every message between the two on,
but answers that command itself. `python -m tests.worlds.firefox`, with the options of Firefox.
"""

import asyncio
import json
import re
import shutil
import sys
from asyncio.subprocess import PIPE

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(rb"WebDriver BiDi listening on ws://([0-9.]+:\d+)")
NOT_THERE = "emulation.setMediaFeaturesOverride"


async def _passed_on(there: str, here: ServerConnection) -> None:
    """Every message between Playwright and Firefox, until one of them ends."""
    path = here.request.path if here.request else "/session"
    async with connect(f"ws://{there}{path}", max_size=None) as firefox:

        async def asked() -> None:
            async for message in here:
                line = json.loads(message)
                if line["method"] == NOT_THERE:
                    answer = {"type": "success", "id": line["id"], "result": {}}
                    await here.send(json.dumps(answer))
                else:
                    await firefox.send(message)

        async def answered() -> None:
            async for message in firefox:
                await here.send(message)

        await asyncio.wait(
            [asyncio.create_task(asked()), asyncio.create_task(answered())],
            return_when=asyncio.FIRST_COMPLETED,
        )


async def _beside(there: str) -> str:
    """Where Playwright reaches Firefox, which listens there."""
    server = await serve(lambda here: _passed_on(there, here), "127.0.0.1", max_size=None)
    return f"127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def main(options: list[str]) -> int:
    """Firefox, until it ends."""
    assert FIREFOX
    firefox = await asyncio.create_subprocess_exec(FIREFOX, *options, stderr=PIPE)
    assert firefox.stderr
    async for line in firefox.stderr:
        found = LISTENS.search(line)
        here = await _beside(found[1].decode()) if found else ""
        sys.stderr.buffer.write(line.replace(found[1], here.encode()) if found else line)
        sys.stderr.flush()
    return await firefox.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
