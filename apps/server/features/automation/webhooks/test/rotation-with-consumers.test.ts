/** A rotation with four kinds of consumers; none of them loses an event. */
import { createHmac } from 'node:crypto'
import { nowMs } from '@countersign/server/lib/clock.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Consumer, Received } from '../../../../../../tests/support/consumer.ts'
import {
  type Delivery,
  startWebhookFixture,
  type WebhookFixture,
} from '../../../../../../tests/support/webhook-fixture.ts'

let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture()
  fixture.turn(0)
})
afterEach(() => fixture.clear())
afterAll(() => fixture.close())

const hour = 3600
const hex = (secret: string, { body }: Received) => createHmac('sha256', secret).update(body).digest('hex')

type Check = (received: Received, known: string) => boolean

const strict: Check = (received, known) => received.headers['x-service-signature'] === hex(known, received)
const lenient: Check = (received, known) =>
  strict(received, known) || received.headers['x-service-signature-previous'] === hex(known, received)
/** The library reads the time from Date, which differs from the clock of this fixture. */
const library: Check = ({ body, headers }, known) => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(nowMs())
  try {
    new Webhook(known).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  } finally {
    clock.mockRestore()
  }
}

interface Verifier {
  readonly id: string
  readonly consumer: Consumer
  /** All its secrets, the current one last. */
  readonly secrets: string[]
  /** The secret that this consumer is configured with. */
  known: string
  /** By event: on which attempt it was accepted. */
  readonly accepted: Map<string, number>
}

/** A consumer that knows one secret at a time and refuses requests that it did not sign with 401. */
async function verifier(check: Check): Promise<Verifier> {
  const consumer = await fixture.newConsumer()
  const { id, signingSecret } = await fixture.register({ url: consumer.url })
  const made: Verifier = { id, consumer, secrets: [signingSecret], known: signingSecret, accepted: new Map() }
  consumer.answer((received) => {
    if (!check(received, made.known)) return 401
    expect(made.accepted.has(received.envelope.id)).toBe(false)
    made.accepted.set(received.envelope.id, received.envelope.deliveryAttempt)
    return 200
  })
  return made
}

async function rotate(each: Verifier): Promise<void> {
  each.secrets.push(await fixture.rotate(each.id))
}

const deploy = (each: Verifier): void => {
  each.known = each.secrets.at(-1) as string
}

const publishOne = async (): Promise<string> => (await fixture.publish()).body.data.id

/** Once there was an attempt. The clock does not move, so events have no order in the list. */
const tried = ({ id }: Verifier, eventId: string) =>
  fixture.settled(id, (all) => all.some((each) => each.eventId === eventId))
const isAllReceived = (all: Delivery[]) => all.every(({ status }) => status === 'success')

/** Publishes three events one by one, so that each uses the secret that the one before found; returns their ids. */
async function publishThree(verifiers: readonly Verifier[]): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < 3; index++) {
    const before = verifiers.map(({ consumer }) => consumer.received.length)
    ids.push(await publishOne())
    await Promise.all(verifiers.map(({ consumer }, place) => consumer.until((before[place] as number) + 1)))
    await Promise.all(verifiers.map((each) => tried(each, ids.at(-1) as string)))
  }
  return ids
}

/** The attempt at which each was accepted, 0 for those that were not. */
const attempts = ({ accepted }: Verifier, ids: readonly string[]) => ids.map((id) => accepted.get(id) ?? 0)

const allHeaders = ({ headers }: Received) =>
  ['x-service-signature', 'x-service-signature-previous', 'webhook-signature']
    .map((name) => headers[name] ?? '')
    .join(' ')

/** Whether any header holds a signature by this secret, in either scheme. */
function isSignedBy(secret: string, received: Received): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at } = received.headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const standard = createHmac('sha256', key).update(`${id}.${at}.`).update(received.body).digest('base64')
  return allHeaders(received).includes(standard) || allHeaders(received).includes(hex(secret, received))
}

describe('through a rotation', () => {
  it('old, new, lenient and library consumers receive every event, with no attempt beyond what they refused', async () => {
    const [old, fresh, both, standard] = [
      await verifier(strict),
      await verifier(strict),
      await verifier(lenient),
      await verifier(library),
    ]
    const all = [old, fresh, both, standard]
    const before = await publishThree(all)
    for (const each of all) expect(attempts(each, before)).toEqual([1, 1, 1])

    for (const each of all) await rotate(each)
    deploy(fresh)
    const waiting = await publishOne()
    await tried(old, waiting)
    for (const each of [fresh, both, standard]) {
      await tried(each, waiting)
      expect(attempts(each, [waiting])).toEqual([1])
    }
    expect(attempts(old, [waiting])).toEqual([0])
    fixture.turn(29)
    await fixture.quiet()
    expect(attempts(old, [waiting])).toEqual([0])
    fixture.turn(1)
    await fixture.settled(old.id, isAllReceived)
    expect(attempts(old, [waiting])).toEqual([2])

    const taught = await publishThree(all)
    fixture.turn(12 * hour)
    const later = await publishThree(all)
    for (const each of all) expect(attempts(each, [...taught, ...later])).toEqual([1, 1, 1, 1, 1, 1])

    // The consumer with the old secret deploys the new one: one more refusal, then the new secret is used.
    for (const each of all) deploy(each)
    const switching = await publishOne()
    await tried(old, switching)
    expect(attempts(old, [switching])).toEqual([0])
    fixture.turn(30)
    await fixture.settled(old.id, isAllReceived)
    expect(attempts(old, [switching])).toEqual([2])
    const deployed = await publishThree(all)

    fixture.turn(12 * hour + 1)
    const mark = all.map(({ consumer }) => consumer.received.length)
    const closed = await publishThree(all)
    for (const each of all) expect(attempts(each, [...deployed, ...closed])).toEqual([1, 1, 1, 1, 1, 1])
    for (const [index, { consumer, secrets }] of all.entries()) {
      const sent = consumer.received.slice(mark[index])
      expect(sent.every((each) => isSignedBy(secrets[1] as string, each))).toBe(true)
      expect(sent.some((each) => isSignedBy(secrets[0] as string, each))).toBe(false)
      expect(sent.some(({ headers }) => 'x-service-signature-previous' in headers)).toBe(false)
    }

    const events = [...before, waiting, ...taught, ...later, switching, ...deployed, ...closed]
    for (const each of all) {
      expect([...each.accepted.keys()].toSorted()).toEqual(events.toSorted())
      expect(each.consumer.received).toHaveLength(events.length + (each === old ? 2 : 0))
      for (const { headers } of each.consumer.received) {
        expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/)
        expect(headers['x-service-signature-previous'] ?? '').toMatch(/^([0-9a-f]{64})?$/)
      }
    }
  })

  it('a consumer that never deploys gets no signature by the old secret after it has expired', async () => {
    const old = await verifier(strict)
    await rotate(old)
    const first = await publishOne()
    await tried(old, first)
    fixture.turn(30)
    await fixture.settled(old.id, isAllReceived)
    // The last millisecond of the 24 hours, and the moment after.
    fixture.turn(24 * hour - 30 - 0.001)
    const [last] = await publishThree([old])
    expect(attempts(old, [last as string])).toEqual([1])
    fixture.turn(0.001)
    const mark = old.consumer.received.length
    await publishThree([old])
    const sent = old.consumer.received.slice(mark)
    expect(sent).toHaveLength(3)
    expect(sent.some((each) => isSignedBy(old.secrets[0] as string, each))).toBe(false)
  })

  it('after two rotations within a day all three secrets are valid, each until it expires', async () => {
    const all = [await verifier(strict), await verifier(strict), await verifier(strict)] as const
    const [first, second, third] = all
    fixture.turn(1)
    for (const each of all) await rotate(each)
    deploy(second)
    fixture.turn(12 * hour)
    for (const each of all) await rotate(each)
    deploy(third)

    const event = await publishOne()
    await fixture.settled(first.id, ([newest]) => newest?.attempts === 1)
    fixture.turn(30)
    await fixture.settled(first.id, ([newest]) => newest?.attempts === 2)
    fixture.turn(120)
    await fixture.settled(first.id, isAllReceived)
    expect(all.map((each) => attempts(each, [event]))).toEqual([[3], [2], [1]])
    const following = await publishThree(all)
    for (const each of all) expect(attempts(each, following)).toEqual([1, 1, 1])

    fixture.turn(12 * hour)
    const [mark, half] = [first.consumer.received.length, await publishThree(all)]
    for (const each of [second, third]) expect(attempts(each, half)).toEqual([1, 1, 1])
    expect(attempts(first, half)).toEqual([0, 0, 0])
    const sent = first.consumer.received.slice(mark)
    expect(sent.some((each) => isSignedBy(first.secrets[0] as string, each))).toBe(false)
    expect(sent.every((each) => isSignedBy(first.secrets[1] as string, each))).toBe(true)
    expect(sent.every((each) => isSignedBy(first.secrets[2] as string, each))).toBe(true)
  })

  it('a sixth valid secret is refused until one has expired', async () => {
    const { id } = await fixture.register()
    for (let rotation = 0; rotation < 4; rotation++) await fixture.rotate(id)
    expect((await fixture.v1('POST', `/api/v1/webhooks/${id}/rotate-secret`)).status).toBe(409)
    fixture.turn(24 * hour)
    expect(await fixture.rotate(id)).toMatch(/^whsec_/)
  })
})

describe('a rotation while deliveries are in flight', () => {
  it('costs a consumer with the new secret one refusal of a delivery in flight, and one with the old secret none', async () => {
    const [old, fresh] = [await verifier(strict), await verifier(strict)]
    const gates: (() => void)[] = []
    for (const each of [old, fresh]) {
      each.consumer.answer((received, response) => {
        const decide = () => {
          const accepted = strict(received, each.known)
          if (accepted) each.accepted.set(received.envelope.id, received.envelope.deliveryAttempt)
          response.writeHead(accepted ? 200 : 401).end()
        }
        if (received.envelope.deliveryAttempt > 1) decide()
        else gates.push(decide)
        return undefined
      })
    }
    const ids: string[] = []
    for (let index = 0; index < 10; index++) ids.push(await publishOne())
    await Promise.all([old, fresh].map(({ consumer }) => consumer.until(10)))
    for (const each of [old, fresh]) await rotate(each)
    deploy(fresh)
    for (const open of gates) open()
    await fixture.settled(old.id, (all) => all.length === 10 && all.every(({ status }) => status === 'success'))
    await fixture.settled(fresh.id, (all) => all.length === 10)
    fixture.turn(30)
    await fixture.settled(fresh.id, (all) => all.every(({ status }) => status === 'success'))
    expect(attempts(old, ids)).toEqual(Array(10).fill(1))
    expect(attempts(fresh, ids)).toEqual(Array(10).fill(2))
    expect(old.consumer.received).toHaveLength(10)
    expect(fresh.consumer.received).toHaveLength(20)
  })
})
