"""Paginated lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Query = Mapping[str, Any]


def next_query(query: Query, pagination: Mapping[str, Any]) -> Query | None:
    """A cursor keeps its place while items are added; on a list without cursors items may then be seen twice."""
    if pagination.get("nextCursor"):
        return {**query, "cursor": pagination["nextCursor"], "offset": None, "page": None}
    if ("nextCursor" in pagination and pagination["nextCursor"] is None) or not pagination.get("hasMore"):
        return None
    if pagination.get("page") is None:
        return {**query, "offset": (pagination.get("offset") or 0) + pagination["limit"]}
    return {**query, "page": pagination["page"] + 1}


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page; iterating gives its items and those of all later pages."""

    data: list[T]
    pagination: Mapping[str, Any]
    counts: Any
    _query: Query
    _load: Callable[[Query], Page[T]]

    def next(self) -> Page[T] | None:
        """Loads the next page; None after the last one."""
        following = next_query(self._query, self.pagination)
        return None if following is None else self._load(following)

    def __iter__(self) -> Iterator[T]:
        page: Page[T] | None = self
        while page is not None:
            yield from page.data
            page = page.next()


@dataclass(frozen=True)
class AsyncPage(Generic[T]):
    """One page; iterating gives its items and those of all later pages."""

    data: list[T]
    pagination: Mapping[str, Any]
    counts: Any
    _query: Query
    _load: Callable[[Query], Awaitable[AsyncPage[T]]]

    async def next(self) -> AsyncPage[T] | None:
        """Loads the next page; None after the last one."""
        following = next_query(self._query, self.pagination)
        return None if following is None else await self._load(following)

    async def __aiter__(self) -> AsyncIterator[T]:
        page: AsyncPage[T] | None = self
        while page is not None:
            for each in page.data:
                yield each
            page = await page.next()
