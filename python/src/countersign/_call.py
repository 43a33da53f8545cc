"""One call of the API: the row that describes it, its attempts, and its answer."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ._retry import retry_after, wait_after_loss, wait_after_status
from ._steps import Clock, Lost, Request, Response, Sleep, Steps, Streamed
from .errors import ApiError, ConnectionError, TimeoutError, UnreadableAnswerError, api_error_kind

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One operation, as the generated table lists it."""

    method: str
    path: str
    reply: str
    """`data`, `page`, `bare`, `lines`, `text`, `bytes` or `none`."""
    input: str | None = None
    """Where the argument after the path parameters goes: `body` or `query`."""
    repeat: str | None = None
    """What makes a write safe to retry: `header`, `field` or `same`. A write without it isn't retried when its outcome is unknown."""
    open: bool = False
    """No credential is needed, and none is sent."""
    model: str | None = None
    """The model of the payload, or of one item."""
    query: tuple[tuple[str, str], ...] = ()
    """The names of the query's parameters, in Python and on the wire."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A payload with its status, headers, request ID and raw text."""

    data: T
    status: int
    headers: Mapping[str, str]
    request_id: str | None
    """Quote it in a support request."""
    attempts: int
    text: str


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: str
    timeout: float
    max_retry_after: float
    clock: Clock


@dataclass(frozen=True)
class CallOptions:
    idempotency_key: str | None = None
    timeout: float | None = None
    headers: Mapping[str, str] | None = None
    stream: bool = False


def address_of(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r"/api/*\Z", parts.path):
        raise TypeError(
            f"base_url is {json.dumps(base_url)}. Use the server's address without /api, such as https://proof.example."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/")


def address_for(row: Row, base: str, path_values: tuple[Any, ...]) -> str:
    values = iter(path_values)

    def part(found: re.Match[str]) -> str:
        text = str(next(values, ""))
        # An empty part, or one of dots only, would address another operation.
        if not re.search(r"[^.]", text):
            raise TypeError(f"{row.method} {row.path} needs a value for {found[1]}.")
        return quote(text, safe="!'()*")

    return base + re.sub(r"\{(\w+)\}", part, row.path)


def _plain(value: Any) -> Any:
    """A body as JSON values: models are written with the API's names."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return value


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def call(settings: Settings, row: Row, path_values: tuple[Any, ...], given: Any, options: CallOptions) -> Steps[Answer[Any]]:
    """Chooses the idempotency key, once for all attempts."""
    url = address_for(row, settings.base_url, path_values)
    key = options.idempotency_key or str(uuid.uuid4())
    headers: dict[str, str] = {}
    body = None
    if row.input == "body":
        fields = _plain(given if given is not None else {})
        if row.repeat == "field":
            fields = {"idempotencyKey": key, **{name: each for name, each in fields.items() if each is not None}}
        body = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "strict")
        headers["content-type"] = "application/json"
    elif row.input == "query":
        query: Mapping[str, Any] = given or {}
        pairs = [(name, _text(each)) for name, each in query.items() if each is not None]
        url += f"?{urlencode(pairs)}" if pairs else ""
    if row.repeat == "header":
        headers["idempotency-key"] = key
    headers.update(options.headers or {})
    if not row.open:
        headers["authorization"] = f"Bearer {settings.api_key}"
    timeout = settings.timeout if options.timeout is None else options.timeout
    return _attempts(settings, row, Request(row.method, url, headers, body, timeout, options.stream))


def _attempts(settings: Settings, row: Row, request: Request) -> Steps[Answer[Any]]:
    # Without a response, only requests that the server executes once, even if they arrive twice, are sent again.
    harmless = row.method == "GET" or row.repeat is not None
    attempts = 0
    while True:
        attempts += 1
        failure: Exception
        try:
            response = cast(Response, (yield request))
            if 300 <= response.status < 400:
                # Following it would turn a POST into a GET.
                raise Lost("it is a redirect")
        except Lost as lost:
            where = f"{row.method} {request.url}"
            failure = (
                TimeoutError(f"{where} timed out before the response was complete.", attempts)
                if lost.timed_out
                else ConnectionError(f"{where} got no complete response: {lost}", attempts)
            )
            failure.__cause__ = lost
            wait = wait_after_loss(attempts, harmless)
        else:
            if 200 <= response.status < 300:
                return _answer_of(response, row, attempts)
            failure = _refusal_of(response, request.url, attempts, settings.clock.now())
            wait = wait_after_status(failure.status, attempts, failure.retry_after, settings.max_retry_after)
        if wait is None:
            raise failure
        yield Sleep(wait)


def _parsed(text: str) -> Any:
    """Undefined where it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _UNDEFINED


_UNDEFINED = object()


def _answer_of(response: Response, row: Row, attempts: int) -> Answer[Any]:
    if isinstance(response, Streamed):
        data: Any = response
        text = ""
    elif row.reply == "bytes":
        data = response.body
        text = ""
    else:
        text = response.body.decode("utf-8", "replace")
        data = None if row.reply == "none" else text if row.reply == "text" else _payload(text, row, response.status)
    return Answer(data, response.status, response.headers, response.headers.get("x-request-id"), attempts, text)


def _payload(text: str, row: Row, status: int) -> Any:
    if row.reply == "lines":
        return [json.loads(line) for line in text.split("\n") if line]
    body = _parsed(text)
    if body is _UNDEFINED or (row.reply != "bare" and not isinstance(body, dict)):
        raise UnreadableAnswerError(
            f"{row.method} {row.path} returned {status} without JSON. Check that base_url is your Countersign server's address."
        )
    return _members(body).get("data") if row.reply == "data" else cast(Any, body)


def _members(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _refusal_of(response: Response, url: str, attempts: int, now: float) -> ApiError:
    status, headers = response.status, response.headers
    error = _members(_members(_parsed(response.body.decode("utf-8", "replace"))).get("error"))
    code = _string(error.get("code")) or f"HTTP_{status}"
    found = re.search(r'<([^>]*)>; rel="help"', headers.get("link", ""))
    return api_error_kind(status, code)(
        _string(error.get("message")) or f"The server returned {status}.",
        status=status,
        code=code,
        request_id=_string(error.get("requestId")) or headers.get("x-request-id"),
        details=_members(error.get("details")),
        retry_after=retry_after(headers.get("retry-after"), now),
        docs_url=urljoin(url, found[1]) if found else None,
        attempts=attempts,
    )
