/**
 * Approvals by members whose passkeys sign them, next to approvals by members who are only signed in, in alternating
 * windows. The challenges are asked for and signed before a window begins: the window measures the request that seals.
 */
import autocannon from 'autocannon'
import { type Client, openClient } from '../support/client.ts'
import { type Device, registerPasskey, type testDevice } from '../support/passkeys.ts'
import { openWorld, type World } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'
import { supply, type Tenant } from './seal-load.ts'
import { sized } from './sized.ts'

const tenants = 16
const perWindow = sized(2000, 64)
const callers = 64
const origin = 'http://localhost:3000'
/** What `testDevice` takes of a test server. */
const atHost = (client: Client) =>
  ({ ...client, services: { passkeyHost: { rpId: 'localhost', origin } } }) as unknown as Parameters<
    typeof testDevice
  >[0]

export interface Signer extends Tenant {
  readonly device: Device
}

export async function makeSigner(world: World, client: Client): Promise<Signer> {
  const center = await world.center()
  const [person, admin] = [await world.person(), await world.person()]
  for (const each of [person, admin]) await world.member(each, center, 'ADMIN')
  const { accessToken: key } = await client.signIn(person, center.domain)
  const { id, device } = await registerPasskey(atHost(client), key)
  const { accessToken: token } = await client.signIn(admin, center.domain)
  const confirm = `/api/centers/${center.id}/members/${person.actorId}/passkeys/${id}/confirm`
  // Until the worker has sealed the binding, the center does not know the passkey.
  for (let tries = 0; (await client.call('POST', confirm, { token, body: {} })).status !== 200; tries++) {
    if (tries === 100) throw new Error('the binding of the passkey was not sealed within 20 seconds')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { centerId: center.id, key, device }
}

export interface Given {
  readonly path: string
  readonly key: string
  readonly body: object
}

/** Decisions that wait, and the approval that is sent for each. */
async function given(world: World, client: Client, signers: readonly Signer[], signs: boolean): Promise<Given[]> {
  const targets = (await supply(world, signers, perWindow, true)).map(({ path, key }) => ({
    path: path.replace('/api/v1/decision-events/', '/api/decisions/'),
    key,
    body: { result: 'approved' },
  }))
  return signs ? signedApprovals(client, signers, targets) : targets
}

/** The same approvals with the assertions of the passkeys. */
export async function signedApprovals(
  client: Client,
  signers: readonly Signer[],
  targets: readonly Given[],
): Promise<Given[]> {
  const deviceOf = new Map(signers.map(({ key, device }) => [key, device]))
  const signed: Given[] = []
  const waiting = targets.toReversed()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { path, key, body } = next
        const ask = () => client.call('POST', `${path}/challenge`, { token: key, body })
        let asked = await ask()
        for (let tries = 0; asked.status === 503 && tries < 20; tries++) asked = await ask()
        if (asked.status !== 200) throw new Error(`no challenge: ${asked.text}`)
        const assertion = deviceOf.get(next.key)?.answer(asked.body.data.publicKey.challenge)
        signed.push({ ...next, body: { ...next.body, assertion } })
      }
    }),
  )
  return signed
}

async function approve({ url, cpuSeconds }: Running, approvals: Given[]) {
  const before = cpuSeconds()
  const amount = approvals.length
  const result = await autocannon({
    url,
    method: 'POST',
    connections: callers,
    amount,
    requests: [
      {
        setupRequest: (request: object) => {
          const { path, key, body } = approvals.pop() as Given
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
          return { ...request, path, headers, body: JSON.stringify(body) }
        },
      },
    ],
  } as autocannon.Options)
  if (result['2xx'] !== amount)
    throw new Error(`${amount - result['2xx']} refused requests: the measurement is invalid`)
  return { perSecond: amount / result.duration, cpuMicros: (1e6 * (cpuSeconds() - before)) / amount }
}

/** The worker seals the bindings. It is stopped before the windows: it would verify chains beside what is measured. */
export async function withWorker<T>(env: Record<string, string>, use: () => Promise<T>): Promise<T> {
  const worker = await startProcess('../../apps/server/main.ts', { ...env, ROLE: 'worker' })
  try {
    return await use()
  } finally {
    await worker.stop()
  }
}

export async function benchPasskey({ windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const unlimited = { RATE_LIMIT_STANDARD: '100000000/60', RATE_LIMIT_PUBLIC: '100000000/60' }
  const env = { ...settings(place, 'api'), ...unlimited, AUTH_URL: origin, LOG_LEVEL: 'error' }
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const server = await startProcess('../../apps/server/main.ts', env, flags)
  const client = openClient(server.url)
  try {
    const signers = await withWorker(env, async () => {
      const made: Signer[] = []
      for (let count = 0; count < tenants; count++) made.push(await makeSigner(world, client))
      return made
    })
    const sides = {
      signed: [] as Awaited<ReturnType<typeof approve>>[],
      session: [] as Awaited<ReturnType<typeof approve>>[],
    }
    // The first window warms both up.
    for (let window = 0; window <= windows; window++) {
      const session = await approve(server, await given(world, client, signers, false))
      const signed = await approve(server, await given(world, client, signers, true))
      if (window === 0) continue
      sides.session.push(session)
      sides.signed.push(signed)
      say(`window ${window}: session ${Math.round(session.perSecond)}/s, passkey ${Math.round(signed.perSecond)}/s`)
    }
    const middle = (side: keyof typeof sides, figure: 'perSecond' | 'cpuMicros') =>
      Math.round(median(sides[side].map((each) => each[figure])))
    const ratios = sides.signed.map((each, at) => each.perSecond / (sides.session[at]?.perSecond ?? Number.NaN))
    return {
      unit: 'approvals/s',
      value: middle('signed', 'perSecond'),
      bare: middle('session', 'perSecond'),
      ratio: Number(median(ratios).toFixed(3)),
      cpuMicros: middle('signed', 'cpuMicros'),
      bareCpuMicros: middle('session', 'cpuMicros'),
    }
  } finally {
    await server.stop()
    await world.close()
    await place.close()
  }
}
