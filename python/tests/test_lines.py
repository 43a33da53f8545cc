"""Entries are given out while they come, in a thread and in an event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from countersign import AsyncCountersign, Countersign
from countersign.errors import ConnectionError, NotFoundError


def entry(index: int) -> bytes:
    hash = "sha256:" + "a" * 64
    content = {"id": f"evd_{index}"}
    return json.dumps(
        {
            **{"index": index, "id": f"evd_{index}", "hash": hash, "previousHash": None, "content": content},
            **{"sealedAt": "2026-01-01T00:00:00.000Z", "values": None},
        }
    ).encode()


class Server:
    """Sends the second entry only when the first was read."""

    def __init__(self, *, cut: bool = False, status: int = 200) -> None:
        self.read, outer = threading.Event(), self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("content-type", "application/x-ndjson")
                self.end_headers()
                if status != 200:
                    self.wfile.write(b'{"error":{"code":"NOT_FOUND","message":"none"}}')
                    return
                self.wfile.write(entry(1) + b"\n")
                self.wfile.flush()
                assert outer.read.wait(20)
                self.wfile.write(entry(2)[:20] if cut else entry(2) + b"\n")

            def log_message(self, format: str, *args: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"


@pytest.fixture(params=["thread", "loop"])
def indexes(request: pytest.FixtureRequest) -> Iterator[Any]:
    def in_thread(server: Server) -> list[int]:
        found: list[int] = []
        for each in Countersign(server.url, "csk_test_x").chains.list_entries("proof"):
            found.append(each.index)
            server.read.set()
        return found

    async def in_loop(server: Server) -> list[int]:
        found: list[int] = []
        async for each in AsyncCountersign(server.url, "csk_test_x").chains.list_entries("proof"):
            found.append(each.index)
            server.read.set()
        return found

    yield in_thread if request.param == "thread" else lambda server: asyncio.run(in_loop(server))


def test_entries_come_one_by_one(indexes: Any) -> None:
    assert indexes(Server()) == [1, 2]


def test_a_stream_that_ends_early(indexes: Any) -> None:
    with pytest.raises(ConnectionError, match="The stream ended early"):
        indexes(Server(cut=True))


def test_a_refusal(indexes: Any) -> None:
    with pytest.raises(NotFoundError):
        indexes(Server(status=404))
