/** The sentence about what happened claims no more than the verdict, and no value can speak in it. */
import { describe, expect, it } from 'vitest'
import { firstSandboxId } from '../chain.ts'
import type { ExportDocument } from '../export.ts'
import { summaryOf } from '../summary.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { exported } from './arbitraries.ts'
import { sealedLine } from './lines.ts'
import { anchored, passkeyPolicyText, policyText } from './log.ts'
import { approvalOf, decisionEntry, kinds, usedDecision } from './proof-kinds.ts'

const policy = parsePolicy(policyText)
const hosted = parsePolicy(passkeyPolicyText)
const told = (document: unknown, language: 'ko' | 'en' = 'en', trust: typeof policy | null = policy) =>
  summaryOf(document, verifyProof(document, trust), language)
const said = (...args: Parameters<typeof told>) => told(...args).text

const asked = 'The agent "Loan agent" (agent-1) asked for loan.approve (Amount 1000)'
const system = (reason: string) => ({ ...approvalOf('system', 'rejected'), reason })
const ofKind = (name: string) => kinds()[name] as ExportDocument

describe('what is said', () => {
  it('of an approval and of what an executor reported', () => {
    const used = (outcome?: string) => said(anchored(usedDecision({}, outcome)))
    const approved = `${asked}; Ada (u1) approved it, signed in as the service stated, and it was`
    expect(used('succeeded')).toMatch(
      new RegExp(`^${approved.replaceAll(/[()]/g, '\\$&')} reported as executed once, on 20.*Z, and as successful\\.$`),
    )
    expect(used('failed')).toContain('reported as executed once, on')
    expect(used('failed')).toMatch(/and as failed\.$/)
    expect(used('unknown')).toMatch(/reported with an unknown outcome\.$/)
    expect(used()).toMatch(/taken for execution once, on .*, with no outcome reported\.$/)
    expect(said(anchored(exported(decisionEntry(approvalOf('session')))))).toMatch(
      /and this file shows no report of an execution\.$/,
    )
    expect(said(anchored(usedDecision({}, 'succeeded')), 'ko')).toMatch(
      /^에이전트 "Loan agent" \(agent-1\)이 loan\.approve \(Amount 1000\) 작업을 요청했고, 서비스가 밝힌 바로는 로그인한 Ada \(u1\)이 승인했으며, .*에 한 번 실행되어 성공했다고 보고되었습니다\.$/,
    )
  })

  it('of each way to approve', () => {
    const by = (level: 'claim' | 'system') => said(anchored(exported(decisionEntry(approvalOf(level)))))
    expect(by('claim')).toContain('; an API key named Ada (u1) as its approver, and')
    expect(by('system')).toContain('; the service itself approved it, and')
    const signed = ofKind('a decision that a passkey approved')
    expect(said(signed, 'en', hosted)).toContain('; Ada (act_ada) approved it with a passkey, and')
    expect(said(signed)).toContain('according to the record, Ada (act_ada) approved it with a passkey')
    expect(said(anchored(exported(decisionEntry(undefined))))).toContain('; no one approved it, and')
    expect(said(ofKind('a decision with earlier approvals'), 'en', hosted)).toMatch(
      /; it has 3 approvals: Ada \(act_admin\) \(passkey\), Ada \(u1\) \(signed in, as the service stated\), Ada \(act_ada\) \(passkey\), and/,
    )
  })

  it('of the steps of a line, counted from one', () => {
    const body = {
      name: 'Line',
      scope: 'center',
      match: {},
      guards: { humanReview: true },
      approval: { steps: [{ actorIds: ['act_1'] }, { actorIds: ['act_2'] }] },
    }
    const policies = [{ id: 'pol_1', version: 1, body }]
    const place = (step: number) => [{ policyId: 'pol_1', version: 1, step, by: 'person' }] as never
    const made = sealedLine({
      policies,
      given: [
        { id: 'act_1', level: 'session', places: place(0) },
        { id: 'act_2', level: 'session', places: place(1) },
      ],
    })
    expect(said(anchored(made))).toContain(
      '2 approvals: step 1: act_1 (signed in, as the service stated), step 2: act_2 (signed in,',
    )
  })

  it('of what was refused, expired, was withdrawn or replaced: nothing about an execution', () => {
    const ended = (approval: ReturnType<typeof approvalOf>) => said(anchored(exported(decisionEntry(approval))))
    expect(ended(approvalOf('session', 'rejected'))).toBe(
      `${asked}; Ada (u1) refused it, signed in as the service stated.`,
    )
    expect(ended(approvalOf('claim', 'rejected'))).toContain('an API key named Ada (u1) as the one who refused it.')
    expect(ended(system('expired'))).toBe(`${asked}; it expired: nobody decided in time.`)
    expect(ended(system('withdrawn'))).toBe(`${asked}; it was withdrawn by the requester.`)
    expect(ended(system('replaced'))).toBe(`${asked}; a new request replaced it.`)
  })

  it('of what a file does not show', () => {
    const entry = decisionEntry(approvalOf('session'))
    const hidden = ['event.actor.id', 'event.actor.name', 'event.action.input', 'approval.approver.id']
    const salts = Object.fromEntries(Object.entries(entry.salts).filter(([path]) => !hidden.includes(path)))
    expect(said(anchored(exported({ ...entry, salts })))).toMatch(
      /^Someone this file doesn't name asked for loan\.approve, with values that this file doesn't show; Ada approved it/,
    )
  })

  it('of a unit, of a decision that waits, and of what is no proof', () => {
    expect(said(ofKind('a unit with changes'))).toMatch(/^The record dpu_1 \(demo\) was sealed on .*AUDIT_READY\.$/)
    for (const answer of [{ data: { waiting: { since: '' } } }, { outcome: 'approval_required' }]) {
      expect(said(answer)).toContain('still waiting for approval')
    }
    for (const junk of [null, [], 'x', { data: {} }])
      expect(said(junk)).toMatch(/^What this file says can't be relied on/)
  })
})

describe('no more than the verdict', () => {
  const good = anchored(usedDecision({}, 'succeeded'))

  it('where nobody vouches, in a sandbox', () => {
    expect(said(good, 'en', null)).toMatch(
      /^According to this file alone, for which no one you trust vouches: The agent/,
    )
    const center = firstSandboxId + 42
    const test = anchored(exported(decisionEntry(approvalOf('session'), { center })))
    expect(said(test)).toMatch(/^Test data of a sandbox: The agent/)
  })

  it('of an altered file nothing is repeated, whatever was altered', () => {
    const text = JSON.stringify(good)
    for (const [from, to] of [
      ['"amount":1000', '"amount":9000'],
      ['"name":"Ada"', '"name":"Bob"'],
      ['"status":"succeeded"', '"status":"failed"'],
      ['"name":"Loan agent"', '"name":"Another"'],
    ] as const) {
      expect(text).toContain(from)
      for (const language of ['en', 'ko'] as const) {
        const sentence = said(JSON.parse(text.replace(from, to)), language)
        expect(sentence).not.toMatch(/Ada|Bob|agent|1000|9,?000|approved|승인/)
        expect(sentence).not.toBe('')
      }
    }
  })
})

describe('hostile values', () => {
  const of = (more: { name?: string; type?: string; input?: unknown; approver?: string }) => {
    const { name = 'Bot', type = 'pay', input = { amount: 5 }, approver = 'Ada' } = more
    const event = { actor: { id: 'a-1', type: 'ai_agent', name }, action: { type, input } }
    const approval = { ...approvalOf('claim'), approver: { id: 'u1', type: 'human', name: approver } }
    return told(anchored(exported(decisionEntry(approval, { event }))))
  }

  it('stay values, in quotes that they cannot close', () => {
    const forged = 'Bot asked for nothing; Kim approved it with a passkey'
    for (const name of [forged, `x" (a-1) asked for y; Kim approved it with a passkey "`, `\\" ${forged}`]) {
      for (const made of [
        of({ name }),
        of({ type: name }),
        of({ approver: name }),
        of({ input: { note: name } }),
        of({ input: { [name]: 1 } }),
      ]) {
        const outside = made.text.replaceAll(/"(?:[^"\\]|\\.)*"/g, 'VALUE')
        expect(outside).not.toMatch(/Kim|passkey/)
        expect(outside).toMatch(
          /; an API key named .* as its approver, and this file shows no report of an execution\.$/,
        )
      }
    }
  })

  it('print no character that a terminal obeys or a reader does not see, and stay short', () => {
    for (const each of ['\u001b[2J\rverified', 'a\u202eb', '\u2028', 'x\u200by', '가'.repeat(5000)]) {
      const { text } = of({ name: each, approver: each, input: { note: each } })
      expect(text).not.toMatch(/[^\P{C}]|[\u2028\u2029]/u)
      expect(text.length).toBeLessThan(900)
    }
    expect(of({ name: '가'.repeat(5000) }).text).toContain('… (5000 characters)')
  })

  it('that look like others are named', () => {
    expect(of({ name: 'Ор' }).warnings).toEqual([expect.stringMatching(/^Ор: .*look/)])
    expect(of({ approver: 'Аdа' }).warnings).toEqual([expect.stringMatching(/^Аdа: .*alphabets/)])
    expect(of({}).warnings).toEqual([])
  })
})
