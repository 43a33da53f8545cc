/** What plans and switches promise is enforced by the operations that the table names, and by no others. */
import type { Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { centerFeatureNames, centerFeatures, featureOf, isInPlan, promisesOf } from '@countersign/contract/promises.ts'
import { verticalDefaults } from '@countersign/server/verticals/defaults.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Cast, gather, kindFor } from './cast.ts'
import { sampleEnv } from './sample.ts'
import { samples } from './samples.ts'
import { sendSample } from './send-sample.ts'

/** What migration 0080 made of the plans of the version before. */
const everyFeature = ['booking', 'attendance', 'families', 'customDomain', 'workflowSettings']
const seeded = {
  'center-starter': { name: 'Starter', seatLimit: 20, webhooks: 20, features: everyFeature.slice(0, 4) },
  'center-growth': { name: 'Growth', seatLimit: 100, webhooks: 50, features: everyFeature },
  'center-scale': { name: 'Scale', seatLimit: 1000, webhooks: 100, features: everyFeature },
} as const
type PlanId = keyof typeof seeded
const planIds = Object.keys(seeded) as readonly PlanId[]

let server: TestServer
let cast: Cast

beforeAll(async () => {
  server = await startServer({ env: sampleEnv })
  cast = await gather(server)
})
afterAll(() => server.close())

interface Standing {
  readonly plan?: PlanId
  readonly status?: string
  readonly off?: readonly string[]
}

async function setStanding({ plan = 'center-scale', status = 'ACTIVE', off = [] }: Standing): Promise<void> {
  const { id } = cast.center
  await server.world.query('update directory.subscriptions set plan_id = $2, status = $3 where center_id = $1', [
    id,
    plan,
    status,
  ])
  await server.world.query(
    `update directory.centers set settings = jsonb_set(settings, '{features}', $2::jsonb) where id = $1`,
    [id, JSON.stringify(Object.fromEntries(off.map((name) => [name, false])))],
  )
  server.services.authenticate.forget(`center:${id}`)
}

/** The answer to a valid call, which is prepared while everything is allowed. */
async function answerTo(operation: Operation, standing: Standing) {
  await setStanding({})
  const call = await samples[operation.id]?.call(server, cast)
  const token = call?.token ?? (await cast.credential('right', kindFor(operation.spec.access)))
  await setStanding(standing)
  const { status, body } = await sendSample(server, operation, call ?? {}, token)
  return { status, code: body?.error?.code, message: String(body?.error?.message ?? '') }
}

const promised = operations.flatMap((operation) => {
  const feature = featureOf(operation.id)
  return feature ? [[operation.id, operation, feature] as const] : []
})
const sampleStatus = (id: string) => samples[id]?.status

describe('the table', () => {
  it('names operations that exist, each once', () => {
    const named = Object.values(centerFeatures).flatMap((feature) => [...feature.operations])
    expect(named.filter((id) => !operations.some((operation) => operation.id === id))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
    expect(
      Object.values<{ operations: readonly string[] }>(centerFeatures).filter((each) => each.operations.length === 0),
    ).toEqual([])
  })

  it('is what verticals switch and plans offer', async () => {
    for (const { features } of Object.values(verticalDefaults)) {
      expect(Object.keys(features).sort()).toEqual([...centerFeatureNames].sort())
    }
    const { body } = await server.call('GET', '/api/provisioning/center-plans')
    expect(body.data).toMatchObject(
      planIds.map((id) => {
        const { name, ...plan } = seeded[id]
        return { id, name, version: 1, staffLimit: null, features: promisesOf({ ...plan, staffLimit: null }) }
      }),
    )
    const learning = await server.call('GET', '/api/provisioning/lms-plans')
    for (const { features } of learning.body.data) expect(features).toEqual([])
  })

  it('gives every plan 20 webhooks or more, whoever writes it', async () => {
    const fewer = server.world.query('update directory.plan_versions set webhooks = 19')
    await expect(fewer).rejects.toThrow()
    expect(await server.world.query('select from directory.plan_versions where webhooks < 20')).toEqual([])
  })
})

describe.each(promised)('%s', (id, operation, feature) => {
  const { label } = centerFeatures[feature]
  const including = planIds.filter((plan) => isInPlan(feature, seeded[plan]))

  it.each(planIds.filter((plan) => !including.includes(plan)))('is refused with the plan %s', async (plan) => {
    const answer = await answerTo(operation, { plan })
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(answer.message).toContain(`"${label}" isn't included in the ${seeded[plan].name} plan`)
  })

  it('is refused with its switch off, and works on its smallest plan with every other one off', async () => {
    const answer = await answerTo(operation, { off: [feature] })
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(answer.message).toContain(`features.${feature}`)
    const others = centerFeatureNames.filter((name) => name !== feature)
    expect((await answerTo(operation, { plan: including[0] as PlanId, off: others })).status).toBe(sampleStatus(id))
  })
})

it('an email domain is no custom domain, and no plan or switch refuses it', async () => {
  await setStanding({ plan: 'center-starter', status: 'CANCELED', off: centerFeatureNames })
  const answer = await server.call('POST', `/api/centers/${cast.center.id}/domains`, {
    token: (await cast.credential('right', 'actor')) as string,
    body: { purpose: 'email', domain: 'mail.promises.example' },
  })
  expect(answer.status).toBe(201)
})

it('a canceled subscription stops the operations of the table and the activation of members, and nothing else', {
  timeout: 120_000,
}, async () => {
  const refused: Record<string, number> = {}
  for (const operation of operations) {
    const standing = { plan: 'center-starter', status: 'CANCELED', off: centerFeatureNames } as const
    const { status } = await answerTo(operation, standing)
    if (status !== sampleStatus(operation.id)) refused[operation.id] = status
  }
  expect(refused).toEqual({
    ...Object.fromEntries(promised.map(([id]) => [id, 403])),
    'memberships.approve': 409,
    'memberships.reinstate': 409,
  })
})

it('the number of webhooks of a plan', async () => {
  await setStanding({ plan: 'center-starter' })
  const center = await server.world.center()
  await server.world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', 'TRIAL', 'MONTHLY', now() + interval '14 days', 20)`,
    [center.id],
  )
  const token = await server.world.key(center)
  const register = () =>
    server.call('POST', '/api/v1/webhooks', { token, body: { url: 'https://hooks.example/', events: ['*'] } })
  const { webhooks } = seeded['center-starter']
  for (let n = 0; n < webhooks; n++) expect((await register()).status).toBe(201)
  const { status, body } = await register()
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  expect(body.error.message).toBe(
    "The Starter plan includes 20 webhooks. Delete one you don't need, or switch to a plan with more; GET /api/provisioning/center-plans lists the plans.",
  )
})
