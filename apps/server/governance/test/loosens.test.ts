import { PolicyBody } from '@countersign/contract/policy-body.ts'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { describedMembers, loosened } from '../loosens.ts'
import type { Applied } from '../policies.ts'
import { policyBody } from './examples.ts'
import { fault, histories, newCounts } from './loosening.ts'
import { generated, pointers, withValue } from './policy-changes.ts'

type Body = Applied['body']
const one = (id: string, body: Partial<Body>): Applied => ({ id, version: 1, digest: '', body: policyBody(body) })
const change = (before: Partial<Body>, after: Partial<Body>) => loosened([one('a', before)], [one('a', after)])
const review: Body['guards'] = { humanReview: true }

describe('what loosens nothing', () => {
  const allowed: Record<string, [Partial<Body>, Partial<Body>]> = {
    'nothing changed': [{}, {}],
    'a name and a description': [{ name: 'Refunds' }, { name: 'Money', description: 'All of it' }],
    'a guard added': [{ guards: review }, { guards: { ...review, policyRequired: true, riskThreshold: 1 } }],
    'a second person': [{ guards: review }, { guards: { ...review, dualApproval: true } }],
    'a level of evidence raised': [
      { guards: { minimumEvidenceLevel: 'DOCUMENTED' } },
      { guards: { minimumEvidenceLevel: 'AUDIT_READY' } },
    ],
    'a smaller threshold': [{ guards: { riskThreshold: 0.5 } }, { guards: { riskThreshold: 0.4 } }],
    'a level of identity raised': [{ approval: { identity: 'claim' } }, { approval: { identity: 'session' } }],
    'a level raised from the usual one': [{}, { approval: { identity: 'passkey' } }],
    'a level raised to the usual one': [{ approval: { identity: 'claim' } }, {}],
    'an end sooner': [{ approval: { expiresAfterSeconds: 60 } }, { approval: { expiresAfterSeconds: 30 } }],
    'an end where there was none': [{}, { approval: { expiresAfterSeconds: 30 } }],
    'a shorter time of use': [{ approval: { usableForSeconds: 60 } }, { approval: { usableForSeconds: 59 } }],
    'a time of use shorter than the usual one': [{}, { approval: { usableForSeconds: 604_800 } }],
    'the usual time of use instead of a longer one': [{ approval: { usableForSeconds: 604_801 } }, {}],
    'approvers taken away': [
      { approval: { roles: ['ADMIN', 'INSTRUCTOR'], actorIds: ['kim', 'lee'] } },
      { approval: { roles: ['ADMIN'], actorIds: ['lee'] } },
    ],
    'an escalation later, to fewer': [
      { approval: { roles: ['ADMIN'], escalateTo: { actorIds: ['kim', 'lee'], afterSeconds: 60 } } },
      { approval: { roles: ['ADMIN'], escalateTo: { actorIds: ['lee'], afterSeconds: 90 } } },
    ],
    'a step more': [
      { approval: { steps: [{ roles: ['ADMIN'] }] } },
      { approval: { steps: [{}, { roles: ['ADMIN'] }] } },
    ],
    'a step of more people, of fewer names': [
      { approval: { steps: [{ actorIds: ['kim', 'lee'] }] } },
      { approval: { steps: [{ actorIds: ['kim'] }, { count: 2 }] } },
    ],
    'other titles, and other people who are told': [
      { approval: { steps: [{ title: 'Teacher' }], inform: { roles: ['ADMIN'] } } },
      { approval: { steps: [{ title: 'Director', delegated: true }] } },
    ],
    'an escalation taken away': [
      { approval: { roles: ['ADMIN'], escalateTo: { actorIds: ['kim'], afterSeconds: 60 } } },
      { approval: { roles: ['ADMIN'] } },
    ],
  }
  it.each(Object.entries(allowed))('%s', (_, [before, after]) => {
    expect(change(before, after)).toEqual([])
  })

  it('a new policy, and one that is made active, while none must cover everything', () => {
    expect(loosened([one('a', {})], [one('a', {}), one('b', {})])).toEqual([])
    expect(change({ active: false }, { active: true })).toEqual([])
    expect(loosened([], [one('b', { guards: { policyRequired: true } })])).toEqual([])
  })
})

describe('what loosens', () => {
  const forbidden: Record<string, [Partial<Body>, Partial<Body>]> = {
    'made inactive': [{}, { active: false }],
    'a guard taken away': [{ guards: { humanReview: true, dualApproval: true } }, { guards: { dualApproval: true } }],
    'a guard switched off': [{ guards: review }, { guards: { humanReview: false } }],
    'a requirement to be covered taken away': [
      { guards: { ...review, policyRequired: true } },
      { guards: { ...review } },
    ],
    'a level of evidence lowered': [
      { guards: { minimumEvidenceLevel: 'DOCUMENTED' } },
      { guards: { minimumEvidenceLevel: 'DRAFT' } },
    ],
    'a larger threshold': [{ guards: { riskThreshold: 0.5 } }, { guards: { riskThreshold: 0.6 } }],
    'a threshold taken away': [{ guards: { ...review, riskThreshold: 0.5 } }, { guards: review }],
    'a level lowered': [{ approval: { identity: 'passkey' } }, { approval: { identity: 'session' } }],
    'a level lowered to the usual one': [{ approval: { identity: 'passkey' } }, {}],
    'a level lowered from the usual one': [{}, { approval: { identity: 'claim' } }],
    'an end later': [{ approval: { expiresAfterSeconds: 60 } }, { approval: { expiresAfterSeconds: 61 } }],
    'an end taken away': [{ approval: { expiresAfterSeconds: 60 } }, {}],
    'a longer time of use': [{ approval: { usableForSeconds: 60 } }, { approval: { usableForSeconds: 61 } }],
    'a time of use longer than the usual one': [{}, { approval: { usableForSeconds: 604_801 } }],
    'the usual time of use instead of a shorter one': [{ approval: { usableForSeconds: 60 } }, {}],
    'another approver': [{ approval: { actorIds: ['kim'] } }, { approval: { actorIds: ['lee'] } }],
    'one more approver': [{ approval: { actorIds: ['kim'] } }, { approval: { actorIds: ['kim', 'lee'] } }],
    'names where everybody could': [{}, { approval: { roles: ['ADMIN'] } }],
    'everybody instead of names': [{ approval: { roles: ['ADMIN'] } }, {}],
    'roles beside people': [{ approval: { actorIds: ['kim'] } }, { approval: { actorIds: ['kim'], roles: ['ADMIN'] } }],
    'an emptied list': [{ approval: { roles: ['ADMIN'] } }, { approval: { roles: [] } }],
    'an escalation added': [
      { approval: { roles: ['ADMIN'] } },
      { approval: { roles: ['ADMIN'], escalateTo: { roles: ['INSTRUCTOR'], afterSeconds: 60 } } },
    ],
    'an escalation sooner': [
      { approval: { roles: ['ADMIN'], escalateTo: { roles: ['INSTRUCTOR'], afterSeconds: 60 } } },
      { approval: { roles: ['ADMIN'], escalateTo: { roles: ['INSTRUCTOR'], afterSeconds: 59 } } },
    ],
    'a step taken away': [{ approval: { steps: [{}, { roles: ['ADMIN'] }] } }, { approval: { steps: [{}] } }],
    'steps in another order': [
      { approval: { steps: [{ roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'] }] } },
      { approval: { steps: [{ roles: ['ADMIN'] }, { roles: ['INSTRUCTOR'] }] } },
    ],
    'fewer people at a step': [{ approval: { steps: [{ count: 2 }] } }, { approval: { steps: [{}] } }],
    'another group at a step': [
      { approval: { steps: [{ groupIds: ['grp_1'] }] } },
      { approval: { steps: [{ groupIds: ['grp_2'] }] } },
    ],
    'a line instead of the short form': [
      { approval: { roles: ['ADMIN'] } },
      { approval: { steps: [{ roles: ['ADMIN'] }, {}] } },
    ],
    'another match': [{ match: { actionTypes: ['refund'] } }, { match: { actionTypes: ['loan'] } }],
    'a wider match': [{ match: { actionTypes: ['refund'] } }, { match: {} }],
    'another scope': [{ scope: 'center' }, { scope: 'global' }],
    'another country': [
      { scope: 'country', country: 'KR' },
      { scope: 'country', country: 'US' },
    ],
    'another region': [
      { scope: 'region', region: 'KR-11' },
      { scope: 'region', region: 'KR-26' },
    ],
  }
  it.each(Object.entries(forbidden))('%s', (_, [before, after]) => {
    expect(change(before, after)).toEqual(['a'])
  })

  it('a policy that is gone', () => {
    expect(loosened([one('a', {}), one('b', {})], [one('b', {})])).toEqual(['a'])
  })

  it('a policy that covers what another one refused for being covered by none', () => {
    const required = one('a', { guards: { policyRequired: true } })
    const covering = one('b', { match: { actionTypes: ['refund'] } })
    expect(loosened([required], [required, covering])).toEqual(['a'])
    expect(
      loosened([required, { ...covering, body: { ...covering.body, active: false } }], [required, covering]),
    ).toEqual(['a'])
    expect(loosened([required, covering], [required, one('b', { match: {} })])).toEqual(['a', 'b'])
    const silent = one('b', { ...covering.body, guards: { ...review, policyRequired: true } })
    expect(loosened([required, silent], [required, covering])).toEqual(['a', 'b'])
    expect(loosened([required, covering], [required, silent])).toEqual([])
    // It was covered before, so only what the policy itself asked for is less.
    expect(loosened([required, covering], [required, { ...covering, body: { ...covering.body, guards: {} } }])).toEqual(
      ['b'],
    )
  })

  it.each(Object.keys(describedMembers).map((place) => `${place}/later`))(
    'a change of a policy with a member that nobody described: %s',
    (pointer) => {
      const escalateTo = { roles: ['ADMIN' as const], afterSeconds: 60 }
      const plain = policyBody({
        approval: { roles: ['ADMIN'], escalateTo, steps: [{ escalateTo }], inform: { roles: ['ADMIN'] } },
      })
      const strange = withValue(plain, pointer, 1)
      expect(change(plain, strange)).toEqual(['a'])
      expect(change(strange, plain)).toEqual(['a'])
      expect(change(strange, { ...strange, name: 'Another' })).toEqual(['a'])
      expect(change(strange, strange)).toEqual([])
      expect(loosened([one('a', plain)], [one('a', plain), one('b', strange)])).toEqual(['a', 'b'])
      expect(loosened([], [one('b', strange)])).toEqual(['b'])
    },
  )
})

describe('the members of a policy', () => {
  /** The objects of the schema, by their place; a list of objects is entered through its items. */
  function objectsIn(schema: TSchema, place = ''): Record<string, string[]> {
    const { properties, items } = schema as unknown as { properties?: Record<string, TSchema>; items?: TSchema }
    if (items) return objectsIn(items, `${place}/*`)
    if (!properties) return {}
    const inner = Object.entries(properties).map(([member, each]) => objectsIn(each, `${place}/${member}`))
    return Object.assign({ [place]: Object.keys(properties).sort() }, ...inner)
  }
  const sorted = (members: readonly string[]) => [...members].sort()
  const { '/match/when/*': condition, ...objects } = objectsIn(PolicyBody)

  it('are all described: whoever adds one says here what loosens it', () => {
    expect(Object.fromEntries(Object.entries(describedMembers).map(([at, each]) => [at, sorted(each)]))).toEqual(
      objects,
    )
  })

  it('are all generated: whoever adds one lets it change here', () => {
    const made = Object.entries(generated).map(([at, members]) => [at, sorted(Object.keys(members))])
    expect(Object.fromEntries(made)).toEqual(objects)
    expect(condition).toEqual(['op', 'pointer', 'value'])
  })
})

describe('sequences of changes, with the real judging', () => {
  /** `npm run chaos -- loosens` has the full count, and other seeds. */
  const seed = 32

  it('let nothing pass that waited or was refused, unless its policies are said to be loosened', () => {
    const counts = newCounts()
    fc.assert(
      fc.property(histories(), (history) => {
        expect(fault(history, loosened, counts)).toBeNull()
      }),
      { numRuns: 2000, seed },
    )
    expect(counts.pairs).toBeGreaterThan(4000)
    expect(counts.held).toBeGreaterThan(700)
    expect(counts.sealed).toBeGreaterThan(800)
    expect(counts.sealedByTwo).toBeGreaterThan(20)
    expect(counts.filled).toBeGreaterThan(800)
  }, 60_000)

  const told = /^\/(name|description|approval\/inform(\/.*)?|approval\/steps\/\*\/(title|delegated))$/
  const judged = pointers.filter((pointer) => !told.test(pointer))
  it.each(judged)('are found to let something pass where %s is overlooked', (pointer) => {
    const without = (policies: readonly Applied[]) =>
      policies.map((each) => ({ ...each, body: blank(each.body, pointer) }))
    const blind = (before: readonly Applied[], after: readonly Applied[]) => loosened(without(before), without(after))
    let found: string | null = null
    const property = fc.property(histories([pointer]), (history) => {
      found = fault(history, blind, newCounts())
      return found === null
    })
    fc.check(property, { numRuns: 3000, seed, endOnFailure: true })
    expect(found).toEqual(expect.stringMatching(/stage \d/))
  })
})

const blank = (body: Body, pointer: string): Body =>
  ['/match', '/guards'].includes(pointer) ? withValue(body, pointer, {}) : withValue(body, pointer, undefined)
