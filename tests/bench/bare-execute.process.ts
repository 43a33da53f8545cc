/**
 * The reference for executions: the same three steps in one loop, with the same rows written. One transaction covers
 * the start, one covers each step, and one covers the record, its chain entry and the end.
 */
import { entryContent, entryHash, logName } from '@countersign/proof/chain.ts'
import { dpuStatic } from '@countersign/proof/dpu-entry.ts'
import { splitEntry } from '@countersign/server/data/stored-entry.ts'
import { newSalt, newUuid, typedId } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import { draftOf, sample, weigh } from './execute-sample.ts'

/** The number of connections that the runner uses for the same work. */
const atOnce = 10
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL as string, max: atOnce })

type Ask = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

async function inOne<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const ask: Ask = (text, values = []) => client.query({ name: text.slice(0, 60), text, values })
    await client.query('begin')
    const result = await work(ask)
    await client.query('commit')
    return result
  } finally {
    client.release()
  }
}

const audit = (ask: Ask, centerId: number, type: string, target: string, action: string) =>
  ask(
    `insert into cell.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
     values ($1, $2, $3, now(), 'bench', 'bench', 'execution', $4, $5)`,
    [centerId, newUuid(), type, target, JSON.stringify({ action })],
  )

const record = (centerId: number, id: string, position: number, name: string, output: unknown) =>
  inOne((ask) =>
    ask(
      `insert into cell.execution_steps (center_id, execution_id, position, name, status, attempts, output, started_at, completed_at)
       values ($1, $2, $3, $4, 'COMPLETED', 1, $5, now(), now())`,
      [centerId, id, position, name, JSON.stringify(output)],
    ),
  )

async function execute(centerId: number): Promise<void> {
  const [id, dpu] = [newUuid(), newUuid()]
  const shown = typedId('execution', id)
  await inOne(async (ask) => {
    await ask(
      `insert into cell.executions (center_id, id, workflow_key, trigger, alone, parameters, started_by, unit_id, started_at, next_at)
       values ($1, $2, $3, 'manual', false, '{}', 'bench', $4, now(), 'infinity')`,
      [centerId, id, sample.key, dpu],
    )
    await audit(ask, centerId, 'workflow.executed', shown, 'started')
  })
  const { rows } = await inOne((ask) =>
    ask('select count(*)::int as n from cell.bookings where center_id = $1', [centerId]),
  )
  const collected = { bookings: Number(rows[0]?.n) }
  await record(centerId, id, 0, 'collect', collected)
  const weighed = weigh(collected.bookings)
  await record(centerId, id, 1, 'weigh', weighed)
  const draft = draftOf(weighed)
  await record(centerId, id, 2, 'write', draft)
  await inOne((ask) => seal(ask, centerId, { id, dpu, shown, draft }))
}

interface Sealing {
  readonly id: string
  readonly dpu: string
  readonly shown: string
  readonly draft: ReturnType<typeof draftOf>
}

async function seal(ask: Ask, centerId: number, { id, dpu, shown, draft }: Sealing): Promise<void> {
  const createdBy = { id: 'wfl', name: sample.name, role: 'SYSTEM', type: 'system' }
  const origin = { method: 'workflow', workflowId: 'wfl', model: null, confidence: null, evidenceLevel: 'DRAFT' }
  await ask(`insert into cell.chain_heads (center_id, domain) values ($1, 'dpu') on conflict do nothing`, [centerId])
  const { rows } = await ask(
    `select next_index, last_hash from cell.chain_heads where center_id = $1 and domain = 'dpu' for update`,
    [centerId],
  )
  const { next_index, last_hash } = rows[0] as { next_index: string; last_hash: string | null }
  const index = Number(next_index)
  const sealedAt = new Date().toISOString()
  const { content, tags, metadata } = draft
  const values = {
    content,
    createdBy,
    tags,
    referenceId: shown,
    responsibility: origin,
    evidenceLevel: 'DRAFT',
    metadata,
  }
  const prepared = dpuStatic(
    { id: typedId('dpu', dpu), referenceType: 'workflow_execution', vertical: 'education', values },
    newSalt,
  )
  const text = entryContent(prepared, { log: logName('bench', centerId, 'dpu'), index, sealedAt })
  const hash = entryHash(text, last_hash, sealedAt)
  const { template, digits } = splitEntry(text)
  await ask(
    `insert into cell.entries (center_id, domain, idx, id, template, hashes, previous_hash, sealed_at, hash)
     values ($1, 'dpu', $2, $3, $4, decode($5, 'hex'), decode(substr($6, 8), 'hex'), $7, decode(substr($8, 8), 'hex'))`,
    [centerId, index, dpu, template, digits, last_hash, sealedAt, hash],
  )
  await ask(
    `update cell.chain_heads set next_index = $2, last_hash = $3, last_sealed_at = $4 where center_id = $1 and domain = 'dpu'`,
    [centerId, index + 1, hash, sealedAt],
  )
  await ask(
    `insert into cell.dpus (center_id, id, domain, chain_index, vertical, content, reference_type, reference_id, tags,
       created_by, origin, evidence_level, metadata, salts, updated_at)
     values ($1, $2, 'dpu', $3, 'education', $4, 'workflow_execution', $5, $6, $7, $8, 'DRAFT', $9, $10, $11)`,
    [
      ...[centerId, dpu, index, content, shown, tags, JSON.stringify(createdBy), JSON.stringify(origin)],
      ...[JSON.stringify(metadata), JSON.stringify(prepared.salts), sealedAt],
    ],
  )
  await ask(
    `insert into cell.dpu_counts as k (center_id, vertical, evidence_level, dpus) values ($1, 'education', 'DRAFT', 1)
     on conflict (center_id, vertical, evidence_level) do update set dpus = k.dpus + 1`,
    [centerId],
  )
  await audit(ask, centerId, 'dpu.changed', shown, 'created')
  await audit(ask, centerId, 'workflow.executed', shown, 'completed')
  await ask(
    `update cell.executions set status = 'COMPLETED', completed_at = now(), next_at = null where center_id = $1 and id = $2`,
    [centerId, id],
  )
}

async function window(centerIds: readonly number[], seconds: number): Promise<number> {
  let done = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  const loop = async (n: number) => {
    for (let i = n; performance.now() < end; i += atOnce) {
      await execute(centerIds[i % centerIds.length] as number)
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, n) => loop(n)))
  return (1000 * done) / (performance.now() - begun)
}

process.on('message', async ({ centerIds, seconds }: { centerIds: number[]; seconds: number }) => {
  process.send?.(await window(centerIds, seconds))
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
