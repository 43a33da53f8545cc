"""What the methods of both clients run on. Models are loaded with the first answer that needs one."""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._call import Answer, CallOptions, Row, call
from ._steps import Lost, Steps, Streamed
from .errors import ConnectionError, UnreadableAnswerError

if TYPE_CHECKING:
    from ._page import AsyncPage, Page
    from .client import AsyncCountersign, Countersign


@functools.cache
def _reader(model: str) -> Any:
    from pydantic import TypeAdapter

    from . import models

    kind: Any = getattr(models, model.removeprefix("list:"))
    whole: Any = list.__class_getitem__(kind) if model.startswith("list:") else kind
    return TypeAdapter[Any](whole)


def read(model: str, value: Any) -> Any:
    from pydantic import ValidationError

    try:
        return _reader(model).validate_python(value)
    except ValidationError as error:
        raise UnreadableAnswerError(f"The response isn't a {model}: {error}") from error


def _read_answer(row: Row, data: Any) -> Any:
    if row.model is None or row.reply in ("none", "text", "bytes"):
        return data
    return read(f"list:{row.model}" if row.reply == "lines" else row.model, data)


def _read_line(row: Row, line: str) -> Any:
    value = json.loads(line)
    return read(row.model, value) if row.model else value


def _ended_early(lost: Lost, attempts: int) -> ConnectionError:
    return ConnectionError(f"The stream ended early: {lost}", attempts)


def row_of(name: str) -> Row:
    from ._operations import TABLE

    return TABLE[name]


class Resource:
    def __init__(self, client: Countersign) -> None:
        self._client = client

    def _steps(self, row: Row, values: tuple[Any, ...], given: Any, options: CallOptions) -> Steps[Answer[Any]]:
        return call(self._client.settings, row, values, given, options)

    def _one(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> Any:
        row = row_of(name)
        answer = self._client.runner.run(self._steps(row, values, given, CallOptions(key, timeout, headers)))
        return _read_answer(row, answer.data)

    def _page(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> Any:
        from ._page import Page

        row = row_of(name)

        def load(query: Mapping[str, Any]) -> Page[Any]:
            answer = self._client.runner.run(self._steps(row, values, query, CallOptions(key, timeout, headers)))
            body = answer.data
            data = read(f"list:{row.model}", body["data"]) if row.model else body["data"]
            return Page(data, body["pagination"], body.get("counts"), query, load)

        return load(given)

    def _lines(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> Iterator[Any]:
        """Sends the request when the first item is asked for. Leaving the loop ends the stream."""
        row = row_of(name)
        answer = self._client.runner.run(self._steps(row, values, given, CallOptions(key, timeout, headers, stream=True)))
        if not isinstance(answer.data, Streamed):
            yield from _read_answer(row, answer.data)
            return
        try:
            for line in answer.data.lines:
                yield _read_line(row, line)
        except Lost as lost:
            raise _ended_early(lost, answer.attempts) from lost
        finally:
            answer.data.close()


class AsyncResource:
    def __init__(self, client: AsyncCountersign) -> None:
        self._client = client

    def _steps(self, row: Row, values: tuple[Any, ...], given: Any, options: CallOptions) -> Steps[Answer[Any]]:
        return call(self._client.settings, row, values, given, options)

    async def _one(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> Any:
        row = row_of(name)
        answer = await self._client.runner.run(self._steps(row, values, given, CallOptions(key, timeout, headers)))
        return _read_answer(row, answer.data)

    async def _page(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> Any:
        from ._page import AsyncPage

        row = row_of(name)

        async def load(query: Mapping[str, Any]) -> AsyncPage[Any]:
            answer = await self._client.runner.run(self._steps(row, values, query, CallOptions(key, timeout, headers)))
            body = answer.data
            data = read(f"list:{row.model}", body["data"]) if row.model else body["data"]
            return AsyncPage(data, body["pagination"], body.get("counts"), query, load)

        return await load(given)

    async def _lines(
        self,
        name: str,
        values: tuple[Any, ...],
        given: Any,
        key: str | None,
        timeout: float | None,
        headers: Mapping[str, str] | None,
    ) -> AsyncIterator[Any]:
        """As in `Resource`."""
        row = row_of(name)
        options = CallOptions(key, timeout, headers, stream=True)
        answer = await self._client.runner.run(self._steps(row, values, given, options))
        if not isinstance(answer.data, Streamed):
            for each in _read_answer(row, answer.data):
                yield each
            return
        try:
            async for line in answer.data.lines:
                yield _read_line(row, line)
        except Lost as lost:
            raise _ended_early(lost, answer.attempts) from lost
        finally:
            await answer.data.close()
