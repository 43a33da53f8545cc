/** Paginated lists. */
import { type Answer, callOf, type Page, type PageCall, type Pagination } from './call.ts'

type Query = Readonly<Record<string, unknown>>

interface PageBody<T> {
  readonly data: readonly T[]
  readonly pagination: Pagination
  readonly counts?: unknown
}

/** A cursor keeps its place while items are added; on a list without cursors items may then be seen twice. */
function nextQuery(query: Query, { hasMore, nextCursor, offset, page, limit }: Pagination): Query | null {
  if (nextCursor) return { ...query, cursor: nextCursor, offset: undefined, page: undefined }
  if (nextCursor === null || !hasMore) return null
  return page === undefined ? { ...query, offset: (offset ?? 0) + limit } : { ...query, page: page + 1 }
}

export function pageCall<T>(query: Query, load: (query: Query) => Promise<Answer<unknown>>): PageCall<T, unknown> {
  const pageOf = ({ data, pagination, counts }: PageBody<T>): Page<T, unknown> => ({
    data,
    pagination,
    counts,
    next() {
      const following = nextQuery(query, pagination)
      return following && pageCall(following, load)
    },
  })
  const call = callOf(load(query).then((each) => ({ ...each, data: pageOf(each.data as PageBody<T>) })))
  return Object.assign(call, {
    async *[Symbol.asyncIterator]() {
      let page: Page<T, unknown> | null = await call
      while (page) {
        yield* page.data
        page = await page.next()
      }
    },
  })
}
