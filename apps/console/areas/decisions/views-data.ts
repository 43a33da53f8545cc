/** The views of a center that the person sees, and those that an earlier version kept in this browser. */
import { ApiError } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { keep, kept } from '../../app/kept.ts'
import { type Filters, filtersOf, searchOf, sentFilters } from './search.ts'

export interface View {
  readonly id: string
  readonly name: string
  readonly filters: Filters
  /** With the center's staff. */
  readonly isShared: boolean
}

const keyOf = (center: string) => `countersign-views:${center}`

interface KeptView {
  readonly name: string
  readonly filters: Filters
}

/** What another version kept, or a person changed, is read as an address would be. */
function keptViews(center: string): readonly KeptView[] {
  try {
    const stored: unknown = JSON.parse(kept(keyOf(center)) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.map(({ name, filters }) => ({ name: String(name), filters: filtersOf(searchOf(filters)) }))
  } catch {
    return []
  }
}

/** A view on the server keeps its filters. What the server refuses would find nothing; what it couldn't take stays for the next visit. */
async function moveKept(center: string, taken: ReadonlySet<string>): Promise<boolean> {
  if (kept(keyOf(center)) === null) return false
  const left: KeptView[] = []
  for (const view of keptViews(center)) {
    if (taken.has(view.name)) continue
    try {
      await api.views.put({ name: view.name, filters: sentFilters(view.filters) })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 400)) left.push(view)
    }
  }
  keep(keyOf(center), left.length === 0 ? null : JSON.stringify(left))
  return true
}

/** Two readers at once move once. */
const moving = new Map<string, Promise<boolean>>()
function moveOnce(center: string, taken: ReadonlySet<string>): Promise<boolean> {
  const move = moving.get(center) ?? moveKept(center, taken).finally(() => moving.delete(center))
  moving.set(center, move)
  return move
}

async function readViews(center: string, signal: AbortSignal): Promise<readonly View[]> {
  const read = async () =>
    (await api.views.list({ signal })).map(({ id, name, filters: { agentId, ...filters }, shared }) => ({
      ...{ id, name, isShared: shared },
      filters: filtersOf(searchOf({ ...filters, actorId: agentId })),
    }))
  const views = await read()
  const own = new Set(views.filter(({ isShared }) => !isShared).map(({ name }) => name))
  return (await moveOnce(center, own)) ? read() : views
}

export const viewsQuery = (center: string) =>
  queryOptions({
    queryKey: ['views', center],
    staleTime: 60_000,
    queryFn: ({ signal }) => readViews(center, signal),
  })
