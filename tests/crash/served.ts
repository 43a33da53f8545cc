/** Every checkpoint that anybody was shown, and every seal that was acknowledged. */
import { randomUUID } from 'node:crypto'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import type { Client } from '../support/client.ts'
import { sampleDecision } from '../support/proof-fixture.ts'
import type { World } from '../support/world.ts'
import type { Fixture } from './ledger.ts'

export interface Served {
  /** Of a receipt, an answer or a message; `by` says who showed it. */
  add(note: string, by: string): void
  /** One line for each size that was shown with two roots. */
  readonly faults: readonly string[]
  /** Of one log, root in hex by size. */
  rootsOf(log: string): ReadonlyMap<number, string>
  readonly count: number
}

export function collectServed(): Served {
  const logs = new Map<string, Map<number, string>>()
  const faults: string[] = []
  let count = 0
  return {
    add(note, by) {
      const { origin, size, root } = parseCheckpoint(parseNote(note).text)
      const roots = logs.get(origin) ?? new Map<number, string>()
      logs.set(origin, roots)
      const hex = Buffer.from(root).toString('hex')
      const known = roots.get(size)
      if (known === undefined) count++
      else if (known !== hex) faults.push(`${origin} has two roots for ${size} entries; the second was shown by ${by}`)
      roots.set(size, known ?? hex)
    },
    faults,
    rootsOf: (log) => logs.get(log) ?? new Map(),
    get count() {
      return count
    },
  }
}

/** What a caller was answered about one decision. */
export interface Decided {
  readonly fixture: Fixture
  readonly idempotencyKey: string
  /** `none`: the connection ended without an answer. */
  readonly status: number | 'none'
  readonly code: string | null
  /** Of a refusal, or of the connection that ended. */
  readonly message: string | null
  /** Null unless the answer says that the decision is sealed. */
  readonly seal: { readonly index: number; readonly hash: string } | null
  readonly by: string
  /** When the answer arrived, in milliseconds. */
  readonly at: number
}

export async function decide(
  client: Client,
  fixture: Fixture,
  served: Served,
  idempotencyKey: string = randomUUID(),
): Promise<Decided> {
  const asked = { fixture, idempotencyKey, by: client.url }
  try {
    const { status, body } = await client.call('POST', '/api/v1/agents/decide', {
      token: fixture.key,
      headers: { 'idempotency-key': idempotencyKey },
      body: sampleDecision({ reason: idempotencyKey }),
      impatient: true,
    })
    const { receipt = null, dpu } = body.data ?? {}
    if (receipt) served.add(receipt.checkpoint, client.url)
    const seal = receipt && { index: receipt.index as number, hash: dpu.chainHash as string }
    const { code = null, message = null } = body.error ?? {}
    return { ...asked, status, code, message, seal, at: performance.now() }
  } catch (error) {
    if (/outside the contract/.test((error as Error).message)) throw error
    return { ...asked, status: 'none', code: null, message: String(error), seal: null, at: performance.now() }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export interface Sealing {
  readonly decided: readonly Decided[]
  readonly acknowledged: number
  stop(): Promise<void>
}

/** Decides from several callers, over these clients by turns, until stopped; each caller pauses so long after a seal. */
export function keepSealing(
  clients: () => readonly Client[],
  fixtures: readonly Fixture[],
  callers: number,
  served: Served,
  pauseMs = 0,
): Sealing {
  let running = true
  let acknowledged = 0
  const decided: Decided[] = []
  const done = Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      for (let turn = n; running; turn++) {
        const among = clients()
        const client = among[turn % among.length] as Client
        const each = await decide(client, fixtures[turn % fixtures.length] as Fixture, served)
        decided.push(each)
        if (each.seal) acknowledged++
        await pause(each.seal ? pauseMs : 30)
      }
    }),
  )
  return {
    decided,
    get acknowledged() {
      return acknowledged
    },
    async stop() {
      running = false
      await done
    },
  }
}

/** Acknowledged seals that a database does not have. */
export async function missingSeals(world: World, decided: readonly Decided[]): Promise<readonly Decided[]> {
  const sealed = decided.filter(({ seal }) => seal !== null)
  const rows = await world.query<{ name: string }>(
    `select center_id || '/' || idx || '/' || hash as name from cell.chain_entries
     where domain = 'proof' and center_id = any ($1)`,
    [[...new Set(sealed.map(({ fixture }) => fixture.center.id))]],
  )
  const present = new Set(rows.map(({ name }) => name))
  return sealed.filter(({ fixture, seal }) => !present.has(`${fixture.center.id}/${seal?.index}/${seal?.hash}`))
}
