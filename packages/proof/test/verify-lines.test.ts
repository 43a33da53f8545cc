/**
 * Approval lines from a file alone. All of these records are sealed with the key of the log, so that every hash fits: only the places
 * of their approvals differ.
 */
import { describe, expect, it } from 'vitest'
import type { Admitted } from '../control.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { type LineCase, type LinePolicy, type Placed, sealedLine, textOf, withoutPaths } from './lines.ts'
import { anchored, passkeyPolicyText } from './log.ts'

const trusted = parsePolicy(passkeyPolicyText)
const judged = (made: Parameters<typeof anchored>[0], policy: typeof trusted | null = trusted) => {
  const { standing, problems, facts } = verifyProof(anchored(made), policy)
  return { standing, codes: problems.map(({ code }) => code), line: facts.decision?.line ?? null }
}
const fits = { status: 'fits', why: null, claims: false, alone: false }
const unknown = (why: string) => ({ ...fits, status: 'unknown', why })

const place = (step: number, by: Admitted['by'] = 'role', policyId = 'pol_line', version = 2): Admitted => ({
  ...{ policyId, version, step, by, since: 4 },
})
const policyOf = (id: string, approval: object, guards: object = { humanReview: true }): LinePolicy => ({
  ...{ id, version: 2, body: { name: id, scope: 'center', match: {}, guards, approval } },
})
const line = policyOf('pol_line', {
  steps: [
    { title: '담당', roles: ['INSTRUCTOR'], count: 2 },
    { title: '부장', actorIds: ['act_kim'], escalateTo: { roles: ['ADMIN'], afterSeconds: 600 } },
    { title: '원장', groupIds: ['grp_heads'] },
  ],
})
const beside = policyOf('pol_beside', { actorIds: ['act_choi', 'act_kim'] })
const by = (id: string, ...places: Admitted[]): Placed => ({ id, level: 'session', places })
const given = [
  by('act_ahn', place(0)),
  by('act_bae', place(0)),
  by('act_kim', place(1, 'person'), place(0, 'person', 'pol_beside')),
  by('act_lee', place(2, 'group')),
]
const genuine: LineCase = { policies: [line, beside], given }
const put = (at: number, change: Partial<Placed>): LineCase => ({
  ...genuine,
  given: given.with(at, { ...(given[at] as Placed), ...change }),
})

describe('what a file shows', () => {
  it('fits: number, order and difference of people', () => {
    expect(judged(sealedLine(genuine))).toEqual({ standing: 'holds', codes: [], line: fits })
  })

  it('is nothing where the texts are left out, or one of them', () => {
    expect(judged(sealedLine(genuine, []))).toEqual({ standing: 'holds', codes: [], line: unknown('texts') })
    expect(judged(sealedLine(genuine, [textOf(line)])).line).toEqual(unknown('texts'))
  })

  it('is nothing where nobody of the policy vouches', () => {
    expect(judged(sealedLine(genuine), null)).toEqual({ standing: 'unvouched', codes: [], line: unknown('unvouched') })
  })

  it.each(['prior0', 'approval.approver.id', 'approval.identity.by', 'control'])('is nothing without %s', (path) => {
    const { codes, line: said } = judged(withoutPaths(sealedLine(genuine), path))
    expect([codes, said]).toEqual([[], unknown('redacted')])
  })

  it('depends on a risk score where a policy does', () => {
    const risky = policyOf('pol_line', { actorIds: ['act_ahn'] }, { riskThreshold: 0.2 })
    const made = (riskScore: number | null) =>
      sealedLine({ policies: [risky], given: [by('act_ahn', place(0, 'person'))], riskScore })
    expect(judged(made(0.3)).line).toEqual(fits)
    expect(judged(made(null)).line).toEqual(fits)
    expect(judged(made(0.1)).codes).toEqual(['line-no-place'])
    const hidden = judged(withoutPaths(made(0.3), 'event.riskScore', 'actionSalt'))
    expect([hidden.standing, hidden.line]).toEqual(['holds', unknown('redacted')])
  })

  it('is nothing to speak of where no policy asks, or nobody approved', () => {
    const idle = policyOf('pol_line', {}, { riskThreshold: 0.9 })
    expect(judged(sealedLine({ policies: [idle], given: [by('act_ahn')] })).line).toBeNull()
    expect(judged(sealedLine({ policies: [], given: [by('act_ahn')] })).line).toBeNull()
    expect(judged(sealedLine({ ...genuine, given: [{ ...by('act_ahn'), result: 'rejected' }] })).line).toBeNull()
  })

  it('claims are said to be claims', () => {
    const policy = policyOf('pol_line', { identity: 'claim' })
    const claim = { id: 'u1', level: 'claim' as const, places: [place(0)] }
    expect(judged(sealedLine({ policies: [policy], given: [claim] })).line).toEqual({ ...fits, claims: true })
    // Two claims by one API key are two people.
    const two = policyOf('pol_line', { identity: 'claim' }, { dualApproval: true })
    const both = [claim, { ...claim, id: 'u2' }]
    expect(judged(sealedLine({ policies: [two], given: both })).line).toEqual({ ...fits, claims: true })
  })

  it('one person in all places, of a change of rules that nobody else could approve', () => {
    const alone = { ...by('act_ahn', place(0), place(0), place(1), place(2)), alone: true }
    const change = { policies: [line], given: [alone], actorId: 'act_ahn', actionType: 'countersign.policy' }
    expect(judged(sealedLine(change)).line).toEqual({ ...fits, alone: true })
    expect(judged(sealedLine({ ...change, actionType: 'loan.approve' })).codes).toContain('line-alone')
    expect(judged(sealedLine({ ...change, actorId: 'act_bae' })).codes).toContain('line-alone')
    expect(judged(sealedLine({ ...change, given: [{ ...alone, alone: false }] })).codes).toContain('line-double')
  })

  it('an escalation after its time', () => {
    const late = put(2, { id: 'act_noh', places: [place(1, 'escalation')], before: 5 })
    const made = (before: number) => ({
      policies: [line],
      given: late.given.with(1, { ...(given[1] as Placed), before }),
    })
    expect(judged(sealedLine(made(605)))).toEqual({ standing: 'holds', codes: [], line: fits })
    expect(judged(sealedLine(made(604))).codes).toEqual(['line-early'])
  })
})

describe('records from before approval lines', () => {
  const short = policyOf('pol_line', { roles: ['ADMIN'] })
  it.each([
    ['the right alone', [{ since: 3 }]],
    ['nothing', undefined],
  ])('%s: they hold, and state no line', (_, places) => {
    const made = sealedLine({ policies: [short], given: [{ ...by('act_ahn'), places: places as never }] })
    expect(judged(made)).toEqual({ standing: 'holds', codes: [], line: unknown('unstated') })
  })

  it('one approval of before beside one with a place', () => {
    const dual = policyOf('pol_line', {}, { dualApproval: true })
    const made = sealedLine({
      policies: [dual],
      given: [{ ...by('act_ahn'), places: [{ since: 3 }] }, by('act_bae', place(0))],
    })
    expect(judged(made).line).toEqual(unknown('unstated'))
  })

  it('never where the seal needs lines', () => {
    const made = sealedLine({ ...genuine, given: [{ ...by('act_ahn'), places: [{ since: 3 }] }] })
    expect(judged(made)).toMatchObject({ standing: 'altered', codes: expect.arrayContaining(['line-nowhere']) })
  })
})

describe('altered', () => {
  it.each<[string, LineCase, string]>([
    ['a place before its time', put(0, { places: [place(1)] }), 'line-order'],
    ['a place that is not there', put(3, { places: [place(3, 'group')] }), 'line-no-place'],
    ['a place too many', put(3, { places: [place(2, 'group'), place(0, 'person', 'pol_beside')] }), 'line-taken'],
    ['one person twice', put(1, { id: 'ACT_AHN' }), 'line-person'],
    ['a deputy of somebody who has a place', put(1, { onBehalfOf: 'act_ahn' }), 'line-person'],
    ['a line that is not full', { ...genuine, given: given.slice(0, 3) }, 'line-open'],
    ['nobody whom the step names', put(2, { id: 'act_eve' }), 'line-by'],
    ['by role, where the step names a person', put(2, { places: [place(1)] }), 'line-by'],
    ['by group, where the step names a role', put(0, { places: [place(0, 'group')] }), 'line-by'],
    ['the actor of the decision', put(0, { id: 'agent-1' }), 'line-actor'],
    ['a program', put(0, { type: 'ai_agent' }), 'line-nobody'],
    ['a void approval with a place', put(0, { void: 'order' }), 'line-void'],
    ['a counted approval with none', put(0, { places: [] }), 'line-nowhere'],
    ['a place of a policy that is not sealed', put(0, { places: [place(0, 'role', 'pol_x')] }), 'line-policy'],
    ['a place of another version', put(0, { places: [place(0, 'role', 'pol_line', 1)] }), 'line-policy'],
    ['two places at once', put(0, { places: [place(0), place(0)] }), 'line-double'],
    ['a claim beside members', put(0, { level: 'claim' }), 'line-mixed'],
    ['steps that the seal does not need', { ...genuine, needs: undefined }, 'line-needs'],
  ])('%s', (_, forged, code) => {
    const { standing, codes } = judged(sealedLine(forged))
    expect([standing, codes]).toEqual(['altered', expect.arrayContaining([code])])
  })

  it('a level below that of the step, or of another policy that asks', () => {
    const passkeys = policyOf('pol_line', { steps: [{ identity: 'passkey' }] })
    const strict = policyOf('pol_beside', { identity: 'passkey', actorIds: ['act_ahn'] })
    const easy = policyOf('pol_line', { steps: [{}] })
    const one = by('act_ahn', place(0))
    const two = by('act_ahn', place(0), place(0, 'person', 'pol_beside'))
    expect(judged(sealedLine({ policies: [passkeys], given: [one] })).codes).toEqual(['line-level'])
    expect(judged(sealedLine({ policies: [easy, strict], given: [two] })).codes).toContain('line-level')
  })

  it.each<[string, unknown]>([
    ['no list', 7],
    ['both forms', [{ since: 3 }, place(0)]],
    ['no step', [{ ...place(0), step: -1 }]],
    ['an unknown way', [{ ...place(0), by: 'luck' }]],
    ['no version', [{ ...place(0), version: 'x' }]],
    ['no index', [{ ...place(0), since: 1.5 }]],
  ])('a form of neither version: %s', (_, admitted) => {
    const { standing, codes } = judged(sealedLine(put(3, { places: admitted as never })))
    expect([standing, codes]).toEqual(['altered', expect.arrayContaining(['not-admitted'])])
  })

  it.each<[string, unknown]>([
    ['of a policy that the seal does not name', [textOf(line), textOf({ ...beside, body: { guards: {} } })]],
    ['twice', [textOf(line), textOf(line)]],
    ['spelled in another way', [`${textOf(line)} `]],
    ['no text', [7]],
    ['no list', {}],
    ['none', []],
  ])('a text %s', (_, policyTexts) => {
    const made = { ...sealedLine(genuine), policyTexts } as Parameters<typeof anchored>[0]
    expect(judged(made)).toMatchObject({ standing: 'altered' })
  })

  it.each([{}, { guards: { humanReview: 'yes' } }, { guards: { humanReview: true }, approval: { steps: [] } }])(
    'a text that is no policy, although its digest is sealed: %j',
    (body) => {
      const made = sealedLine({ policies: [{ ...line, body }], given: [by('act_ahn', place(0))], needs: ['lines'] })
      expect(judged(made).codes).toContain('not-a-policy')
    },
  )

  it('texts beside a record that names no policy', () => {
    const made = sealedLine({ policies: [], given: [by('act_ahn')] }, [textOf(line)])
    expect(judged(made).codes).toEqual(['text-unnamed'])
  })
})
