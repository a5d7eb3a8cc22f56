"""A line between a program and its server that breaks where a test wants it to."""

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

Cut = Literal["before", "after"] | None
Cutting = Callable[[bytes], Cut]


def before_database(directory: Path, server: Path, cut: Cutting) -> "Proxy":
    """Between an application and the socket of its database; `directory`: what it is told."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(directory / ".s.PGSQL.5432"))
    listener.listen()

    def connected() -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.connect(str(server))
        return line

    return Proxy(listener, connected, cut)


def before_house(address: str, cut: Cutting) -> "Proxy":
    """Between terminals and a house server."""
    split = urlsplit(address)
    place = split.hostname or "", split.port or 0
    listener = socket.create_server(("127.0.0.1", 0))
    return Proxy(listener, lambda: socket.create_connection(place), cut)


class Proxy:
    """Listens on a socket of its own and passes everything on, until `cut` says otherwise.

    `cut` is asked at each message of the client: `before`: the server never hears it;
    `after`: the server does it, and its answer is lost. Both ends are closed then.
    """

    def __init__(
        self, listener: socket.socket, server: Callable[[], socket.socket], cut: Cutting
    ) -> None:
        self.server = server
        self.cut = cut
        self.cuts = 0
        self.listener = listener
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, self.server() as server:
            answers = threading.Event()  # set while answers are passed on
            answers.set()
            back = threading.Thread(target=self._back, args=(server, client, answers), daemon=True)
            back.start()
            while heard := client.recv(1 << 20):
                cut = self.cut(heard)
                if cut:
                    self.cuts += 1
                if cut == "before":
                    break
                if cut == "after":
                    answers.clear()
                server.sendall(heard)
                if cut == "after":
                    back.join(0.5)  # until the server has answered
                    break
            for end in (client, server):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _back(self, server: socket.socket, client: socket.socket, answers: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while said := server.recv(1 << 20):
                if not answers.is_set():
                    return
                client.sendall(said)
        if answers.is_set():  # the server is gone, and whoever waits for it learns that
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.close()
