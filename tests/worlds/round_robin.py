"""A proxy in front of several servers: each connection goes to the next of them."""

import contextlib
import itertools
import socket
import threading
from collections import Counter
from urllib.parse import urlsplit


class RoundRobin:
    """Passes bytes on; where a server does not listen, the connection goes to the next one.

    `address` is where terminals reach it, `passed` how many connections each server got.
    """

    def __init__(self, *addresses: str) -> None:
        self._servers = [(split.hostname, split.port) for split in map(urlsplit, addresses)]
        self._next = itertools.cycle(range(len(addresses)))
        self.passed: Counter[int] = Counter()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # it was closed
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            for _ in self._servers:
                which = next(self._next)
                with contextlib.suppress(ConnectionRefusedError):
                    with socket.create_connection(self._servers[which]) as server:
                        self.passed[which] += 1
                        there = threading.Thread(
                            target=_pass_on, args=(client, server), daemon=True
                        )
                        there.start()
                        _pass_on(server, client)
                        there.join()
                    return

    def close(self) -> None:
        """Takes no further connection."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    """Until one of them closes; then both are closed in this direction."""
    with contextlib.suppress(OSError):
        while piece := source.recv(1 << 16):
            sink.sendall(piece)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
