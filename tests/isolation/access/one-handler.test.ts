/** One definition, one handler: what exists for two kinds of credential is mounted twice, and not written twice. */
import { type Definition, mountsOf, type Operation } from '@countersign/contract/operation.ts'
import { definitions, operations } from '@countersign/contract/operations.ts'
import type { Route } from '@countersign/server/http/route.ts'
import { allRoutes, checkPromises } from '@countersign/server/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'

let server: TestServer
let routes: readonly Route[]

beforeAll(async () => {
  server = await startServer()
  routes = allRoutes(server.services, async () => ({ ready: true, checks: {} }) as never)
})
afterAll(() => server.close())

/** Groups of more than one, by a key. */
const together = <T>(list: readonly T[], key: (each: T) => string, name: (each: T) => string): string[] =>
  [...Map.groupBy(list, key).values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map(name).toSorted().join(' '))
    .toSorted()

describe('handlers', () => {
  it('are as many as definitions: one each', () => {
    const bound = routes.map(({ operations: mounts }) => [...new Set(mounts.map(({ definition }) => definition))])
    expect(bound.filter((ids) => ids.length !== 1)).toEqual([])
    expect(bound.flat().toSorted()).toEqual(definitions.map(({ id }) => id).toSorted())
  })

  it('serve every mount of their definition, and every operation has one', () => {
    const served = routes.flatMap(({ operations: mounts }) => mounts)
    expect(served.map(({ id }) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  })

  it('stop the server from starting where a definition has two of them, or none', () => {
    const [first] = routes as [Route]
    const id = first.operations[0]?.definition
    expect(() => checkPromises([...routes, first])).toThrow(`operations with more than one handler: ${id}`)
    expect(() => checkPromises(routes.slice(1))).toThrow(`operations without a route: ${id}`)
  })

  it('are written once: no two have the same text', () => {
    const nameOf = ({ operations: mounts }: Route) => mounts[0]?.definition ?? ''
    // Of one that only passes the context on, the text does not say what it does.
    const telling = routes.filter(({ handler }) => /\b(tx|identity|params|body)\b/.test(handler.toString()))
    expect(telling.length).toBeGreaterThan(50)
    // The moves of a membership are made by one function that knows them by name.
    const moves = ['accept', 'approve', 'decline', 'end', 'leave', 'reinstate', 'reject', 'suspend'].map(
      (move) => `memberships.${move}`,
    )
    expect(together(telling, ({ handler }) => handler.toString().replaceAll(/\s+/g, ' '), nameOf)).toEqual([
      moves.join(' '),
    ])
  })
})

/** A schema without what people read. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([name]) => !['title', 'description', 'examples'].includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, bare(value)]))
}

const isTelling = ({ body, replies }: Operation['spec']): boolean =>
  body !== undefined || Object.values(replies).some((payload) => payload !== null)

/** Same method, same input and same answer: what twins have in common. */
const likeness = (each: Operation | Definition): string => {
  const { method, body, query, replies } = (mountsOf(each)[0] as Operation).spec
  return JSON.stringify(bare({ method, body, query, replies }))
}

/** Definitions with the same input and answer that do different things, or to different objects. */
const alike = [
  // The operator confirms for every center, a partner for its own.
  'admin.confirmPasskey partner.confirmPasskey',
  'admin.listPasskeys partner.listPasskeys',
  // Each confirms another kind of address.
  'auth.confirmEmail auth.confirmPhone',
  'auth.confirmOidcLink auth.redeemHandoff',
  'bookings.markAttended bookings.markNoShow',
  'calendarFeed.read partner.exportCentersCsv',
  'centerExports.download centerExports.getFile',
  // The partner closes where a center has no other ADMIN.
  'decisions.closeEmergency partner.closeEmergency',
  'evidence.getContext partner.getSettings system.getOpenApi',
  // A partner stops in one of its centers, and that stop is of a higher rank than the center's own.
  'freezes.create partner.createFreeze',
  'freezes.lift partner.liftFreeze',
  'guardianships.accept guardianships.end',
  'memberships.accept memberships.approve memberships.decline memberships.end memberships.leave memberships.reinstate memberships.reinvite memberships.reject memberships.suspend',
  'partner.listCenterPolicies policies.list policies.listVersions',
  'provisioning.listCenterPlans provisioning.listLmsPlans',
  'sandboxes.create sandboxes.reset',
  'system.checkLive system.checkReady',
]

describe('definitions', () => {
  it('differ in what they take or answer; those that do not are different things', () => {
    const telling = definitions.filter((each) => isTelling((mountsOf(each)[0] as Operation).spec))
    expect(together(telling, likeness, ({ id }) => id)).toEqual(alike)
  })

  it('have a mount of their own for each kind of caller', () => {
    const callerOf = ({ spec: { access, byCookie } }: Operation) => JSON.stringify([access, byCookie])
    expect(definitions.filter((each) => together(mountsOf(each), callerOf, ({ id }) => id).length > 0)).toEqual([])
  })
})

describe('a surface', () => {
  it('accepts one kind of credential: keys under /api/v1, sessions elsewhere', () => {
    const wrong = operations.filter(
      ({ spec }) => (spec.access.kind === 'key') !== (spec.surface === 'proof' && spec.path.startsWith('/v1/')),
    )
    expect(wrong.map(({ id }) => id)).toEqual([])
  })
})
