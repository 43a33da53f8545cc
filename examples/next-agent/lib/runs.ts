/** Conversations on disk, and what happens in them now. In your application: a database and its notifications. */
import { EventEmitter } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { ModelMessage } from 'ai'

export interface Happening {
  text?: string
  approvalUrl?: string | null
  ended?: true
}

// Next bundles each route by itself. What they share is on the global object.
const shared = globalThis as { happenings?: EventEmitter; working?: Map<string, Promise<void>> }
shared.happenings ??= new EventEmitter()
shared.working ??= new Map()
export const { happenings, working } = shared

const file = (run: string) => `.runs/${encodeURIComponent(run)}.json`

export const load = (run: string): Promise<ModelMessage[]> => readFile(file(run), 'utf8').then(JSON.parse, () => [])

export async function save(run: string, messages: ModelMessage[]): Promise<void> {
  await mkdir('.runs', { recursive: true })
  await writeFile(file(run), JSON.stringify(messages))
}
