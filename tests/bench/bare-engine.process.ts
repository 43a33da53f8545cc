/**
 * The engine run bare, the reference for sealing and recording: Fastify with the same schemas, and group commit of one
 * multi-row insert into a table with one index. An approval appends an entry of the same size to a hash chain. No
 * authentication, no tree, no signature, no row-level security.
 */
import { createHash } from 'node:crypto'
import { DecisionEvent, NewDecisionEvent } from '@countersign/contract/decision-events.ts'
import { addApproval } from '@countersign/contract/evidence.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import Fastify from 'fastify'
import pg from 'pg'
import { Type } from 'typebox'
import { approvalAnswer, eventAnswer } from './bare-answers.ts'
import { sampleContent } from './chains.ts'

const mostInBatch = 256

/** Items that arrive while a batch commits form the next one; each caller is answered after its commit. */
function groupCommit<T>(commit: (items: readonly T[]) => Promise<unknown>, inFlight: number) {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = []
  let running = 0
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostInBatch)
      waiting = waiting.slice(mostInBatch)
      try {
        await commit(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running--
  }
  return (item: T) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (running >= inFlight) return
      running++
      setImmediate(() => void drain())
    })
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 })
await pool.query(`
  create table if not exists public.bench_chain (chain integer, idx bigint, content text not null, previous_hash text,
    sealed_at text not null, hash text not null, primary key (chain, idx));
  create table if not exists public.bench_events (id uuid primary key, chain integer not null, content text not null,
    created_at timestamptz not null)`)

interface Head {
  readonly chain: number
  next: number
  hash: string | null
}
const heads = new Map<string, Head>()
/** The credential names the chain. */
const headOf = (credential = ''): Head => {
  const head = heads.get(credential) ?? { chain: heads.size, next: 0, hash: null }
  heads.set(credential, head)
  return head
}

interface Seal {
  readonly head: Head
  hash: string
}

const sealing = groupCommit(async (seals: readonly Seal[]) => {
  const columns: unknown[][] = [[], [], [], [], [], []]
  const sealedAt = new Date().toISOString()
  for (const seal of seals) {
    const { head } = seal
    const content = `${sampleContent}${head.next}`
    const previous = head.hash
    seal.hash = `sha256:${createHash('sha256')
      .update(`${content}${previous ?? ''}${sealedAt}`)
      .digest('hex')}`
    for (const [at, value] of [head.chain, head.next, content, previous, sealedAt, seal.hash].entries())
      columns[at]?.push(value)
    head.next++
    head.hash = seal.hash
  }
  await pool.query({
    name: 'seal',
    text: `insert into public.bench_chain (chain, idx, content, previous_hash, sealed_at, hash)
      select * from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])`,
    values: columns,
  })
}, 1)

const recording = groupCommit(
  (events: readonly { id: string; chain: number; content: string }[]) =>
    pool.query({
      name: 'record',
      text: `insert into public.bench_events (id, chain, content, created_at)
        select *, now() from unnest($1::uuid[], $2::integer[], $3::text[])`,
      values: [events.map(({ id }) => id), events.map(({ chain }) => chain), events.map(({ content }) => content)],
    }),
  2,
)

const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } })
const { params, body } = addApproval.spec
app.post(
  '/api/v1/decision-events/:id/approvals',
  { schema: { params, body, response: { 200: addApproval.bodies[200] } } },
  async (request) => {
    const seal: Seal = { head: headOf(request.headers.authorization), hash: '' }
    await sealing(seal)
    return { data: { ...approvalAnswer.data, sealedHash: seal.hash } }
  },
)
app.post(
  '/api/v1/decision-events',
  { schema: { body: NewDecisionEvent, response: { 201: Type.Object({ data: DecisionEvent }) } } },
  async (request, reply) => {
    const { chain } = headOf(request.headers.authorization)
    await recording({ id: newUuid(), chain, content: JSON.stringify(request.body) })
    return reply.code(201).send(eventAnswer)
  },
)
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('SIGTERM', () => process.exit(0))
