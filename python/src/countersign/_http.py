"""The transports: httpx2, or httpx where a program has only that."""

from __future__ import annotations

import contextlib
import importlib
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

from ._steps import Lost, NoStream, Request, Response, Streamed


def _library() -> Any:
    for name in ("httpx2", "httpx"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise ImportError("No HTTP client is installed. Install httpx2, or pass a transport.")


def _no_cookies() -> CookieJar:
    """Only the credential of this client counts."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


def _response(status: int, headers: Any, parts: list[bytes]) -> Response:
    return Response(status, {name.lower(): value for name, value in headers.items()}, b"".join(parts))


def _require_stream(answer: Any) -> None:
    """404 of a server that is older than the stream, 405 of a proxy, 429 where too many are open."""
    if answer.status_code != 200 or "text/event-stream" not in answer.headers.get("content-type", ""):
        raise NoStream(f"The server returned {answer.status_code}.")


def _require_whole(rest: bytes) -> None:
    if rest:
        raise Lost("it stopped in the middle of a line.")


def _cut(answer: Any) -> None:
    """Closing isn't enough: it doesn't wake a thread that reads."""
    stream = answer.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if connection is not None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


class _Shared:
    def __init__(self, client: Any, library: Any) -> None:
        self._client = client
        self._library = library

    def _lost(self, error: Exception) -> Lost:
        return Lost(str(error) or type(error).__name__, timed_out=isinstance(error, self._library.TimeoutException))

    def _built(self, request: Request) -> Any:
        return self._client.build_request(
            request.method, request.url, headers=dict(request.headers), content=request.body, timeout=request.timeout
        )


class HttpTransport(_Shared):
    """`client`: an `httpx2.Client` or `httpx.Client` of the program, such as one with a proxy."""

    def __init__(self, client: Any = None) -> None:
        library = importlib.import_module(type(client).__module__.split(".")[0]) if client else _library()
        super().__init__(client or library.Client(cookies=_no_cookies()), library)

    def send(self, request: Request) -> Response:
        end = time.monotonic() + request.timeout
        try:
            answer = self._client.send(self._built(request), stream=True, follow_redirects=False)
            try:
                parts: list[bytes] = []
                for part in answer.iter_bytes():
                    parts.append(part)
                    if time.monotonic() > end:
                        raise Lost("time-out", timed_out=True)
                return _response(answer.status_code, answer.headers, parts)
            finally:
                answer.close()
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error

    def open(self, request: Request) -> Response:
        """A body of lines that are given out while they come; a refusal is read as a whole."""
        try:
            answer = self._client.send(self._built(request), stream=True, follow_redirects=False)
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error
        if not 200 <= answer.status_code < 300:
            try:
                return _response(answer.status_code, answer.headers, [answer.read()])
            except (self._library.HTTPError, self._library.StreamError, OSError) as error:
                raise self._lost(error) from error
            finally:
                answer.close()
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Streamed(answer.status_code, headers, b"", self._body_lines(answer), answer.close)

    def _body_lines(self, answer: Any) -> Iterator[str]:
        rest = b""
        try:
            for part in answer.iter_bytes():
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    yield line.decode("utf-8", "replace")
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error
        _require_whole(rest)

    def lines(self, request: Request, opened: Callable[[Callable[[], None]], Any]) -> Iterator[str]:
        """The lines of an event stream, as they come. `timeout` is for each of them; `opened` gets what another thread ends it with."""
        answer = self._client.send(self._built(request), stream=True, follow_redirects=False)
        try:
            _require_stream(answer)
            opened(lambda: _cut(answer))
            yield from answer.iter_lines()
        finally:
            answer.close()

    def close(self) -> None:
        self._client.close()


class AsyncHttpTransport(_Shared):
    """`client`: an `httpx2.AsyncClient` or `httpx.AsyncClient` of the program."""

    def __init__(self, client: Any = None) -> None:
        library = importlib.import_module(type(client).__module__.split(".")[0]) if client else _library()
        super().__init__(client or library.AsyncClient(cookies=_no_cookies()), library)

    async def send(self, request: Request) -> Response:
        end = time.monotonic() + request.timeout
        try:
            answer = await self._client.send(self._built(request), stream=True, follow_redirects=False)
            try:
                parts: list[bytes] = []
                async for part in answer.aiter_bytes():
                    parts.append(part)
                    if time.monotonic() > end:
                        raise Lost("time-out", timed_out=True)
                return _response(answer.status_code, answer.headers, parts)
            finally:
                await answer.aclose()
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error

    async def open(self, request: Request) -> Response:
        """As in `HttpTransport`."""
        try:
            answer = await self._client.send(self._built(request), stream=True, follow_redirects=False)
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error
        if not 200 <= answer.status_code < 300:
            try:
                return _response(answer.status_code, answer.headers, [await answer.aread()])
            except (self._library.HTTPError, self._library.StreamError, OSError) as error:
                raise self._lost(error) from error
            finally:
                await answer.aclose()
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Streamed(answer.status_code, headers, b"", self._body_lines(answer), answer.aclose)

    async def _body_lines(self, answer: Any) -> AsyncIterator[str]:
        rest = b""
        try:
            async for part in answer.aiter_bytes():
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    yield line.decode("utf-8", "replace")
        except (self._library.HTTPError, self._library.StreamError, OSError) as error:
            raise self._lost(error) from error
        _require_whole(rest)

    async def lines(self, request: Request) -> AsyncIterator[str]:
        """As in `HttpTransport`."""
        answer = await self._client.send(self._built(request), stream=True, follow_redirects=False)
        try:
            _require_stream(answer)
            async for line in answer.aiter_lines():
                yield line
        finally:
            await answer.aclose()

    async def close(self) -> None:
        await self._client.aclose()
