/** Fills the chain `proof` of a center with hashes, links, a tree and one signed checkpoint, far faster than sealing does. */
import { randomBytes } from 'node:crypto'
import { entryContent, entryHash, logName } from '@countersign/proof/chain.ts'
import { proofStatic } from '@countersign/proof/proof-entry.ts'
import { splitEntry } from '@countersign/server/data/stored-entry.ts'
import { newSalt, newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { type LogKeys, readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import pg from 'pg'
import { coverUp } from '../crash/rewritten-log.ts'
import { say } from './place.ts'

export interface SigningLog {
  readonly host: string
  readonly keys: LogKeys
}

const [host, key] = ['bench.example', randomBytes(32).toString('base64')]
export const benchLog = { host, keys: readLogKeys(key, host), settings: { TLOG_HOST: host, TLOG_KEY: key } }

const step = 5000

export async function fillChain(
  url: string,
  centerId: number,
  { host, keys }: SigningLog,
  entries: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Disables the trigger that compares each link with the previous row; the check constraint on every hash stays active.
  await client.query('set session_replication_role = replica')
  const log = logName(host, centerId, 'proof')
  const began = Date.now() - entries
  let previousHash: string | null = null
  for (let from = 0; from < entries; from += step) {
    const columns: unknown[][] = [[], [], [], [], [], [], []]
    for (let index = from; index < Math.min(from + step, entries); index++) {
      const id = newUuid(began + index)
      const sealedAt = new Date(began + index).toISOString()
      const content = entryContent(preparedEntry(id), { log, index, sealedAt })
      const hash = entryHash(content, previousHash, sealedAt)
      const { template, digits } = splitEntry(content)
      for (const [at, value] of [id, previousHash, sealedAt, template, digits, hash, index].entries()) {
        columns[at]?.push(value)
      }
      previousHash = hash
    }
    await client.query(
      `insert into cell.entries (center_id, domain, id, previous_hash, sealed_at, template, hashes, hash, idx)
       select $1, 'proof', id, decode(substr(previous_hash, 8), 'hex'), sealed_at, template, decode(digits, 'hex'),
         decode(substr(hash, 8), 'hex'), idx
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
         e (id, previous_hash, sealed_at, template, digits, hash, idx)`,
      [centerId, ...columns],
    )
    if ((from / step) % 20 === 0) say(`center ${centerId}: ${from} of ${entries} entries`)
  }
  await client.query(
    // A server that runs may have made the head of the empty chain.
    `insert into cell.chain_heads as h (center_id, domain, next_index, last_hash, last_sealed_at)
     (select center_id, domain, idx + 1, hash, sealed_at from cell.chain_entries
      where center_id = $1 and domain = 'proof' order by idx desc limit 1)
     on conflict (center_id, domain) do update
     set next_index = excluded.next_index, last_hash = excluded.last_hash, last_sealed_at = excluded.last_sealed_at
     where h.next_index = 0`,
    [centerId],
  )
  // coverUp computes the tree and replaces the root and the signature of every checkpoint.
  await client.query(
    `insert into cell.checkpoints (center_id, domain, size, root, created_at) values ($1, 'proof', $2, sha256(''), now())`,
    [centerId, entries],
  )
  await coverUp(client, { url, centerId, log }, keys)
  await client.end()
}

const placeholder = 'evd_00000000000000000000000000'
const decided = {
  type: 'ai_recommendation',
  occurredAt: '2026-11-15T09:30:00.000Z',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
  action: {
    type: 'plan.adjust',
    description: 'Two sessions a week',
    input: { client: 'c-102' },
    output: { sessions: 2 },
  },
  aiContext: {
    model: 'planner-3',
    provider: 'in-house',
    confidence: 0.92,
    reasoning: 'Progress slowed in week six.',
  },
  tags: ['care-plan'],
} as const
const approver = { id: 'therapist-4', type: 'human', name: 'Kim Minji' } as const
const [actionDigest, actionSalt] = [`sha256:${'ab'.repeat(32)}`, 'A'.repeat(43)]
/** Computed once: commitments have the same form for every value, and chain verification does not open them. */
const template = proofStatic(
  {
    id: placeholder,
    decisionId: 'plan-102-2026-11-15',
    evidenceLevel: 'AUDIT_READY',
    event: decided,
    approval: {
      approver,
      result: 'approved',
      reason: 'Agreed.',
      submittedBy: 'key',
      identity: { level: 'claim', by: 'key' },
      channel: 'api',
    },
    actionDigest,
    actionSalt,
    country: 'KR',
    vertical: 'education',
  },
  newSalt,
)

/** The records that the entries of `fillChain` commit to. Their decision ids are unique, where the entries name one. */
export async function fillRecords(url: string, centerId: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set session_replication_role = replica')
  const from = `from cell.chain_entries e where e.center_id = $1 and e.domain = 'proof'`
  await client.query(
    `insert into cell.recorded_decisions (center_id, id, decision_id, type, actor, action, ai_context, tags,
       occurred_at, created_at, action_digest, action_salt)
     select e.center_id, e.id, 'plan-' || e.idx, $2, $3, $4, $5, $6, $7, e.sealed_at::timestamptz, $8, $9 ${from}`,
    [
      ...[centerId, decided.type, JSON.stringify(decided.actor), JSON.stringify(decided.action)],
      ...[JSON.stringify(decided.aiContext), [...decided.tags], decided.occurredAt, actionDigest, actionSalt],
    ],
  )
  await client.query(
    `insert into cell.approvals (center_id, id, event_id, position, approver, result, reason, submitted_by,
       identity_level, identity_by, channel, created_at)
     select e.center_id, gen_random_uuid(), e.id, 0, $2, 'approved', 'Agreed.', 'key', 'claim', 'key', 'api',
       e.sealed_at::timestamptz ${from}`,
    [centerId, JSON.stringify(approver)],
  )
  await client.query(
    `insert into cell.dpus (center_id, id, domain, chain_index, vertical, country, evidence_level, salts, sealed_at, updated_at,
       event_seq, event_status, closed_at)
     select e.center_id, e.id, 'proof', e.idx, 'education', 'KR', 'AUDIT_READY', $2, e.sealed_at::timestamptz,
       e.sealed_at::timestamptz, d.seq, 'sealed', e.sealed_at::timestamptz
     from cell.chain_entries e join cell.recorded_decisions d using (center_id, id) where e.center_id = $1 and e.domain = 'proof'`,
    [centerId, JSON.stringify(template.salts)],
  )
  await client.end()
}

const preparedEntry = (uuid: string) => ({
  ...template,
  before: template.before.replace(placeholder, typedId('evidence', uuid)),
})

/** The text of an entry, as long as the entries that sealing makes. */
export const sampleContent = entryContent(preparedEntry(newUuid()), {
  log: logName(host, 1, 'proof'),
  index: 10_000,
  sealedAt: '2026-11-15T09:30:00.000Z',
})
