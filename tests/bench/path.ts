/**
 * `npm run path -- NAME [--functions]`: the files that one warm request passes, by V8's coverage in one process. What also runs
 * while nothing is asked is left out. The story is features, governance, sealing, integrity, audit, delivery and jobs. `npm run
 * path -- --write` writes all of them into docs/ARCHITECTURE.md.
 */
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeApp } from '@countersign/server/app.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openServices } from '@countersign/server/services.ts'
import { freePort } from '../../tools/postgres.ts'
import { type AsMember, open } from '../support/approving.ts'
import { openClient } from '../support/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { registerPasskey, type testDevice } from '../support/passkeys.ts'
import { openWorld } from '../support/world.ts'
import { approval, recordedEvent } from './bodies.ts'
import { requestNames, writePaths } from './paths.ts'
import { makePlace, settings } from './place.ts'

const root = new URL('../../', import.meta.url).href
const storyOf = /^apps\/server\/(features|governance|sealing|integrity|audit|delivery|jobs)\//
const warm = 5
const idleMs = 1500

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { functions: { type: 'boolean' }, write: { type: 'boolean' } },
})
const name = requestNames.find((each) => each === positionals[0])
if (values.write) {
  writePaths(requestNames)
  process.exit(0)
}
if (name === undefined) {
  process.stderr.write(`Name a request: npm run path -- ${requestNames.join(' | ')}\n`)
  process.exit(1)
}

const place = await makePlace()
const port = await freePort()
const config = readConfig({
  ...settings(place, 'api'),
  PORT: String(port),
  LOG_LEVEL: 'silent',
  POOL_SIZE: '4',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
})
const services = openServices(config, makeLog(config))
const app = await makeApp(services)
await app.http.listen({ port, host: '127.0.0.1' })
services.passkeyOutbox.start()
services.eligibility.start()
const world = await openWorld(place.url)
const client = openClient(`http://127.0.0.1:${port}`)

const center = await world.center()
const [admin, other] = [await world.person(), await world.person()]
for (const each of [admin, other]) await world.member(each, center, 'ADMIN')
const key = await world.key(center)
const { accessToken: token } = await client.signIn(admin, center.domain)
const as =
  (credential: string): AsMember =>
  async (method, path, body) => {
    const answer = await client.call(method, path, { token: credential, ...(body && { body }) })
    // A path that ends in a refusal would be taken for a shorter one. A member may be confirmed a moment later.
    if (answer.status >= 400 && !path.endsWith('/confirm')) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
const [asKey, asAdmin] = [as(key), as(token)]
const recordWhole = (type = 'plan.adjust') =>
  asKey('POST', '/api/v1/decision-events', { ...recordedEvent, action: { ...recordedEvent.action, type } })
const record = async (type?: string): Promise<string> => (await recordWhole(type)).id
const approve = (id: string) => asKey('POST', `/api/v1/decision-events/${id}/approvals`, approval)

async function device() {
  const server = { ...client, services } as unknown as Parameters<typeof testDevice>[0]
  const registered = await registerPasskey(server, token)
  const by = as((await client.signIn(other, center.domain)).accessToken)
  const confirm = `/api/centers/${center.id}/members/${admin.actorId}/passkeys/${registered.id}/confirm`
  while (!(await by('POST', confirm, {}))) await sleep(200)
  const guarded = { match: { actionTypes: ['signed'] }, guards: { humanReview: true } }
  await asAdmin('POST', '/api/policies', { name: 'p', ...guarded, approval: { identity: 'passkey' } })
  return registered.device
}

type Prepared = () => Promise<() => Promise<unknown>>
const shownTo = async (id: string) => ({ result: 'approved', ...(await open(asAdmin, id)) })
const requests: Record<(typeof requestNames)[number], () => Promise<Prepared>> = {
  event: async () => async () => () => record(),
  seal: async () => async () => {
    const id = await record()
    return () => approve(id)
  },
  decide: async () => async () => () =>
    asKey('POST', '/api/v1/agents/decide', { agent: { id: 'a' }, action: { type: 'x' } }),
  challenge: async () => {
    await device()
    return async () => {
      const id = await record('signed')
      const body = await shownTo(id)
      return () => asAdmin('POST', `/api/decisions/${id}/approvals/challenge`, body)
    }
  },
  approval: async () => {
    const signer = await device()
    return async () => {
      const id = await record('signed')
      const body = await shownTo(id)
      const { publicKey } = await asAdmin('POST', `/api/decisions/${id}/approvals/challenge`, body)
      const assertion = signer.answer(publicKey.challenge)
      return () => asAdmin('POST', `/api/decisions/${id}/approvals`, { ...body, assertion })
    }
  },
  consume: async () => async () => {
    const { id, actionDigest } = await recordWhole()
    await approve(id)
    return () => asKey('POST', `/api/v1/decision-events/${id}/consume`, { actionDigest, executor: id })
  },
  delivery: async () => {
    const consumer = await startConsumer()
    const { status } = await client.call('POST', '/api/v1/webhooks', {
      token: key,
      body: { url: consumer.url, events: ['*'] },
    })
    if (status !== 201) throw new Error(`the webhook was answered ${status}`)
    services.deliveryWorkers.start()
    return async () => {
      const id = await record()
      return async () => {
        const before = consumer.received.length
        await approve(id)
        await consumer.until(before + 1)
        // The outcome is written after the answer.
        await sleep(500)
      }
    }
  },
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Functions that ran since the last look, by file. */
async function ran(): Promise<Map<string, Set<string>>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = new Map<string, Set<string>>()
  for (const { url, functions } of result) {
    const file = url.slice(root.length)
    if (!url.startsWith(root) || /(^|\/)node_modules\/|^tests\//.test(file)) continue
    const called = functions
      .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName)
    if (called.length > 0) files.set(file, new Set(called))
  }
  return files
}

// Before the first request: what a request leaves to do later would else count as idle.
await ran()
await sleep(idleMs)
const idle = await ran()
const prepare = await requests[name]()
for (let at = 0; at < warm; at++) await (await prepare())()
const next = await prepare()
await sleep(idleMs)
await ran()
await next()
const passed = new Map(
  [...(await ran())].flatMap(([file, functions]) => {
    const own = [...functions].filter((each) => !idle.get(file)?.has(each))
    return own.length > 0 ? [[file, own] as const] : []
  }),
)
const files = [...passed.keys()].sort()
const story = files.filter((file) => storyOf.test(file))
const proof = files.filter((file) => file.startsWith('packages/proof/'))
for (const file of story) {
  process.stdout.write(`${file}${values.functions ? `: ${passed.get(file)?.join(', ')}` : ''}\n`)
}
process.stdout.write(
  `${JSON.stringify({ path: name, files: files.length, story: story.length, proof: proof.length })}\n`,
)
await app.http.close()
await services.close()
await world.close()
await place.close()
process.exit(0)
