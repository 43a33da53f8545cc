import { describe, expect, it } from 'vitest'
import { offenders } from '../../../tests/support/offenders.ts'
import { actorRoles, partnerRoles, scopes } from '../enums.ts'
import { errorCodes } from '../errors.ts'
import { errorsOf } from '../openapi.ts'
import { fullPath, type Operation, type OperationSpec, operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { tags } from '../tags.ts'
import { propertiesOf, type Schema } from './schemas.ts'

/** A repeated look at the DNS does the same as the first, and holds no transaction meanwhile. */
const looking = [
  ...['domains.check', 'domains.checkAsPartner'],
  // A provider's documents are read in the same way.
  ...['signInProviders.check', 'signInProviders.checkAsPartner'],
]
/** A partner in the cell of one of its centers, which the handler enters; a repeated change makes no version. */
const inCenters = ['partner.listCenterPolicies', 'partner.updateCenterPolicy']
/** Operations that write before a center is entered: to a membership of the caller, or to a center that they create. */
const beforeACenter = [
  ...[
    'memberships.accept',
    'memberships.leave',
    'memberships.decline',
    'provisioning.createCenter',
    'admin.onboardPartner',
  ],
  // An operator, who enters the center in the handler, or changes what belongs to no center.
  ...['admin.setCenterStatus', 'admin.updateSubscription', 'admin.addPlan', 'admin.addPlanVersion'],
]
/** The body is stored as a whole. */
const freeBodies = ['partner.updateSettings']
/** POST requests that write nothing: their input is too long for a query string. */
const asking = [
  // Repeating it changes nothing: the sandbox is the same as the center already.
  'sandboxes.refresh',
  'sandboxes.refreshAsMember',
  'policies.checkAsMember',
  ...looking,
  'console.dryRunPolicy',
  'policies.check',
  'centers.search',
  'provisioning.checkSubdomain',
  'memberPasskeys.challengeConfirmation',
]
/** The idempotency key identifies the resource, and a repeated call returns its current state. */
const namedByTheirKey = ['agents.decide']
/** In the cell of the center; a repetition finds it done. */
const foundDone = ['admin.confirmPasskey', 'admin.acknowledgeAlarm']
/** The executor, or the ID of the request, in the body identifies the attempt. */
const namedByTheirExecutor = ['decisionEvents.consume', 'decisionEvents.reportOutcome', 'agents.requestApproval']

const statusesOf = (spec: OperationSpec): number[] => Object.keys(spec.replies).map(Number)

/** What every operation keeps. */
const rules: Readonly<Record<string, (operation: Operation) => void>> = {
  'has a summary and a tag': ({ id, spec }) => {
    expect(id).toMatch(/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/)
    expect(spec.summary).toMatch(/^[A-Z].{5,118}[^.]$/)
    expect(Object.keys(tags)).toContain(spec.tag)
    if (spec.description) expect(spec.description).toMatch(/\.$/)
  },

  'declares an access kind of its surface': ({ spec }) => {
    const { access, surface } = spec
    if (surface === 'proof') expect(access.kind).toBe('key')
    else expect(access.kind).not.toBe('key')
    if (access.kind === 'key') expect(scopes).toContain(access.scope)
    if (access.kind === 'partner') {
      expect(access.roles.length).toBeGreaterThan(0)
      for (const role of access.roles) expect(partnerRoles).toContain(role)
    }
    expect(access.kind === 'partner').toBe(spec.path.startsWith('/partner/'))
    expect(access.kind === 'operator').toBe(spec.path.startsWith('/admin/'))
    if (access.kind === 'actor') {
      expect(['required', 'if-entered', 'optional', 'addressed']).toContain(access.center)
      expect(access.center === 'addressed').toBe(spec.path.includes('{center}'))
      if (access.roles) {
        expect(access.roles.length).toBeGreaterThan(0)
        for (const role of access.roles) expect(actorRoles).toContain(role)
        expect(['required', 'addressed']).toContain(access.center)
      }
    }
  },

  'stores only where its caller is identified': ({ id, spec }) => {
    if (spec.access.kind === 'public') expect(['none', 'identity']).toContain(spec.store)
    if (![...looking, ...inCenters].includes(id)) expect(spec.store === 'partner').toBe(spec.access.kind === 'partner')
    if (['directory', 'cell', 'batched', 'sequenced'].includes(spec.store)) {
      const known =
        spec.access.kind === 'key' ||
        (spec.access.kind === 'actor' && ['required', 'addressed'].includes(spec.access.center))
      expect(known).toBe(!beforeACenter.includes(id))
    }
  },

  'describes the parameters of its path': ({ spec }) => {
    expect(spec.path).toMatch(/^(\/|(\/[a-z0-9.-]+|\/\{[a-zA-Z]+\})+)$/)
    expect(spec.surface === 'proof').toBe(spec.path.startsWith('/v1/'))
    const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    expect(Object.keys(propertiesOf(spec.params))).toEqual(named)
  },

  'takes a body only with a method that has one, and refuses unknown fields in it': ({ id, spec }) => {
    if (spec.method === 'GET' || spec.method === 'DELETE') expect(spec.body).toBeUndefined()
    if (spec.body) expect((spec.body as Schema).additionalProperties).toBe(freeBodies.includes(id))
  },

  'declares a success status, and a body unless the status is 204': ({ spec }) => {
    expect(statusesOf(spec).length).toBeGreaterThan(0)
    for (const status of statusesOf(spec)) {
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(300)
      expect(spec.replies[status] === null).toBe(status === 204)
    }
  },

  'wraps its response as its surface does': ({ spec, bodies, envelope }) => {
    for (const [status, body] of Object.entries(bodies)) {
      if (body === null || envelope === 'bare') continue
      const fields = Object.keys(propertiesOf(body)).toSorted()
      const page = envelope === 'page'
      const expected =
        spec.surface === 'proof'
          ? ['data', ...(page ? ['pagination'] : [])]
          : [...(spec.counts ? ['counts'] : []), 'data', ...(page ? ['meta', 'pagination'] : []), 'success']
      expect([status, fields]).toEqual([status, expected])
      expect((body as Schema).required?.toSorted()).toEqual(expected)
    }
  },

  'declares only error codes of its surface': (operation) => {
    const { spec } = operation
    const table = spec.surface === 'proof' ? 'proof' : 'platform'
    for (const code of spec.errors ?? []) expect([code, errorCodes[code][table]]).not.toEqual([code, null])
    for (const [status, codes] of errorsOf(operation)) {
      for (const code of codes)
        if (status !== 413 && spec.also?.[status] !== code) expect(errorCodes[code][table]).toBe(status)
    }
  },

  'honors Idempotency-Key when it writes, except for sign-in': ({ id, spec, idempotent }) => {
    const writes = spec.method !== 'GET' && !spec.path.startsWith('/auth/') && !asking.includes(id)
    if (asking.includes(id)) expect(['POST identity', 'POST none']).toContain(`${spec.method} ${spec.store}`)
    expect(idempotent).toBe(
      writes && ![...namedByTheirKey, ...namedByTheirExecutor, ...inCenters, ...foundDone].includes(id),
    )
    expect(spec.idempotency === 'own').toBe(namedByTheirKey.includes(id))
    if (spec.showsSecret) expect(idempotent).toBe(true)
  },
}

const idOf = ({ id }: Operation): string => id

describe('every operation', () => {
  it.each(Object.entries(rules))('%s', async (_, rule) => {
    expect(await offenders(operations, idOf, rule)).toEqual([])
  })
})

/** Per rule, a change of a sound operation that breaks it. */
const sound = operations.find(({ id }) => id === 'approvals.create') as Operation
const planted: Readonly<Record<keyof typeof rules, Partial<OperationSpec>>> = {
  'has a summary and a tag': { summary: 'lower case.' },
  'declares an access kind of its surface': { access: { kind: 'public' } },
  'stores only where its caller is identified': { access: { kind: 'public' } },
  'describes the parameters of its path': { path: '/v1/decision-events/{other}/approvals' },
  'takes a body only with a method that has one, and refuses unknown fields in it': { method: 'DELETE' },
  'declares a success status, and a body unless the status is 204': { replies: { 200: null } },
  'wraps its response as its surface does': { surface: 'platform' },
  'declares only error codes of its surface': { errors: ['NO_MEMBERSHIP'] },
  'honors Idempotency-Key when it writes, except for sign-in': { idempotency: false },
}

it.each(Object.entries(rules))('an operation that breaks it is listed: %s', async (name, rule) => {
  const changed = operation({ ...sound.spec, ...planted[name] } as OperationSpec)
  const broken = name.startsWith('wraps') ? { ...changed, spec: sound.spec } : changed
  expect(await offenders([sound, broken], idOf, rule)).toEqual([expect.stringMatching(/^approvals\.create: /)])
})

describe('all operations', () => {
  it('have unique ids and unique paths', () => {
    const ids = operations.map((each) => each.id)
    const addresses = operations.map(({ spec }) => `${spec.method} ${fullPath(spec).replaceAll(/\{\w+\}/g, '{}')}`)
    expect(new Set(ids).size).toBe(operations.length)
    expect(new Set(addresses).size).toBe(operations.length)
  })

  it('have paths under /api, except for those of the root surface', () => {
    for (const { spec } of operations) {
      expect(fullPath(spec).startsWith('/api/')).toBe(spec.surface !== 'root')
    }
  })
})

it('refuses to define an operation without access', () => {
  const sample = operations[0]?.spec as OperationSpec
  for (const access of [undefined, null, {}, { kind: 'everybody' }]) {
    expect(() => operation({ ...sample, access: access as never })).toThrow(`operation ${sample.id} declares no access`)
  }
})
