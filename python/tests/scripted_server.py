"""A real HTTP server that answers as a script says, and a clock that is turned instead of waited for."""

from __future__ import annotations

import json
import socket
import threading
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class TurnedClock:
    def __init__(self) -> None:
        self.time = datetime(2026, 11, 16, 9, tzinfo=timezone.utc).timestamp()
        self.waits: list[int] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds * 1000))
        self.time += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


class ScriptedServer:
    """The last answer is repeated."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self.seen: list[dict[str, Any]] = []
        self._answers = list(answers)
        self._over = threading.Event()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                script.seen.append({"method": self.command, "url": self.path, "headers": headers, "body": body.decode()})
                step = script._answers.pop(0) if len(script._answers) > 1 else script._answers[0]
                self.follow(step)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def follow(self, step: dict[str, Any]) -> None:
                instead = step.get("instead")
                if instead == "hang":
                    script._over.wait(5)
                if instead in ("hang", "cut"):
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                body = step.get("body", {"data": {}})
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(step.get("status", 200))
                headers = {"content-type": "application/json", "x-request-id": "req_header", **step.get("headers", {})}
                for name, value in headers.items():
                    self.send_header(name, value)
                if step.get("status") != 204:
                    self.send_header("content-length", str(len(data) + (10 if instead == "part" else 0)))
                self.end_headers()
                if step.get("status") != 204:
                    self.wfile.write(data)
                if instead == "part":
                    self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
