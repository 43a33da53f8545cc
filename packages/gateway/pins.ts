/**
 * The tools of servers as they were accepted. Agents see a tool only as it was accepted: a server that changes the text of
 * a tool, or adds one, changes nothing for agents until a person has looked at it. What a server offers at the first contact
 * is accepted.
 */

import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonical, type Json } from '@countersign/proof'
import type { Tool } from '@modelcontextprotocol/client'

export interface Pin {
  readonly digest: string
  readonly tool: Tool
  /** How often it was accepted. A server that goes back and forth between two texts asks a new question each time. */
  readonly times?: number
}

export interface Change {
  readonly upstream: string
  readonly tool: string
  /** Null for a tool that is new. */
  readonly before: Tool | null
  readonly after: Tool
  readonly digest: string
  readonly times: number
}

/** By the names of tools. A map: a tool may have the name of any property of an object. */
export type Accepted = ReadonlyMap<string, Pin>

export interface Pins {
  /** Another value after every change, also by another program. */
  version(): string
  /** What agents may see of a server; empty before the first contact. */
  accepted(upstream: string): Accepted
  /** Takes what a server offers now: pins it at the first contact, and returns what differs from what was accepted. */
  compare(upstream: string, tools: readonly Tool[]): readonly Change[]
  accept(change: Change): void
}

export class PinsError extends Error {}

/** What agents are shown of a tool, and nothing else: `_meta` and icons of a server stay behind. */
export function shownOf({ name, title, description, inputSchema, outputSchema, annotations }: Tool): Tool {
  return JSON.parse(JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations })) as Tool
}

export const digestOf = (tool: Tool): string =>
  `sha256:${hash('sha256', canonical(shownOf(tool) as unknown as Json), 'hex')}`

export const pinned = (tools: readonly Tool[]): Accepted =>
  new Map(tools.map((tool) => [tool.name, { digest: digestOf(tool), tool: shownOf(tool) }]))

export const changesSince = (upstream: string, before: Accepted, now: Accepted): readonly Change[] =>
  [...now]
    .filter(([name, { digest }]) => before.get(name)?.digest !== digest)
    .map(([name, { digest, tool }]) => {
      const { tool: known = null, times = 0 } = before.get(name) ?? {}
      return { upstream, tool: name, before: known, after: tool, digest, times }
    })

type Stored = ReadonlyMap<string, Accepted>

export function openPins(folder: string): Pins {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'pins.json')
  let known: { readonly version: string; readonly pins: Stored } | null = null

  function version(): string {
    const found = statSync(file, { throwIfNoEntry: false })
    return found ? `${found.mtimeMs} ${found.ino} ${found.size}` : 'none'
  }

  /** Another program, `pins accept`, writes it too. */
  function read(): Stored {
    const now = version()
    if (known?.version !== now) known = { version: now, pins: now === 'none' ? new Map() : stored(file) }
    return known.pins
  }
  function write(pins: Stored): void {
    const fresh = `${file}.${process.pid}`
    const plain = Object.fromEntries([...pins].map(([upstream, each]) => [upstream, Object.fromEntries(each)]))
    writeFileSync(fresh, `${JSON.stringify(plain, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(fresh, file)
    known = null
  }
  // A file that can't be read is found before anybody is served.
  read()

  return {
    version,
    accepted: (upstream) => read().get(upstream) ?? new Map(),
    compare(upstream, tools) {
      const pins = read()
      const before = pins.get(upstream)
      const now = pinned(tools)
      if (before) return changesSince(upstream, before, now)
      write(new Map([...pins, [upstream, now]]))
      return []
    },
    accept({ upstream, tool, after, digest, times }) {
      const pins = read()
      const pin = { digest, tool: after, times: times + 1 }
      write(new Map([...pins, [upstream, new Map([...(pins.get(upstream) ?? []), [tool, pin]])]]))
    },
  }
}

function stored(file: string): Stored {
  try {
    const plain = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Pin>>
    return new Map(Object.entries(plain).map(([upstream, each]) => [upstream, new Map(Object.entries(each))]))
  } catch (error) {
    throw new PinsError(
      `${file} can't be read (${(error as Error).message}). Restore it from a backup; without it, whatever the servers offer is accepted again.`,
    )
  }
}
