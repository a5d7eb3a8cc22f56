"""A witness that we did not write, behind HTTP: `witness-log`, in Rust."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from witness_log import WitnessService


class Witness:
    """The service, its address, and what it answers; `answers` may stand in for it."""

    def __init__(self, address: str, service: WitnessService) -> None:
        self.address, self.service = address, service
        self.heard: list[int] = []
        self.answers: list[tuple[int, str, str]] = []

    @property
    def place(self) -> str:
        """As a house names it, with the key that checks its cosignatures."""
        return f"{self.address}#{self.service.vkey()}"


@contextmanager
def witness(seed: int = 9) -> Iterator[Witness]:
    service = WitnessService.new("witness.example/w1", bytes([seed]) * 32)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path != "/w1/add-checkpoint":
                status, kind, text = 404, "text/plain", "no such place\n"
            elif known.answers:
                status, kind, text = known.answers.pop(0)
            else:
                status, kind, text = service.handle_add_checkpoint_http(body.decode())
            known.heard.append(status)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode() if isinstance(text, str) else text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known = Witness(f"http://127.0.0.1:{server.server_port}/w1", service)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()
