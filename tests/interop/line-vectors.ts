/** The source of docs/formats/lines.json. Keys and salts follow from patterns, so the file is deterministic. */
import type { Admitted } from '@countersign/proof/control.ts'
import {
  type Confirmed,
  type LineCase,
  type LinePolicy,
  type Placed,
  sealedLine,
  textOf,
  withoutPaths,
} from '@countersign/proof/test/lines.ts'
import { anchored, passkeyPolicyText } from '@countersign/proof/test/log.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'

const place = (step: number, by: Admitted['by'], policyId = 'pol_line'): Admitted => ({
  ...{ policyId, version: 2, step, by, since: 4 },
})
const policyOf = (id: string, approval: object, guards: object = { humanReview: true }): LinePolicy => ({
  ...{ id, version: 2, body: { name: id, scope: 'center', match: {}, guards, approval } },
})
const line = policyOf('pol_line', {
  steps: [
    { title: 'Teacher', roles: ['INSTRUCTOR'], count: 2 },
    { title: 'Head', actorIds: ['act_kim'], escalateTo: { roles: ['ADMIN'], afterSeconds: 600 } },
    { title: 'Director', groupIds: ['grp_heads'] },
  ],
})
const beside = policyOf('pol_beside', { actorIds: ['act_choi', 'act_kim'] })
const idle = policyOf('pol_idle', { roles: ['ADMIN'] }, { riskThreshold: 0.9 })
const short = policyOf('pol_line', { roles: ['ADMIN'] })
const dual = policyOf('pol_line', { identity: 'claim' }, { dualApproval: true })
const by = (id: string, ...places: Admitted[]): Placed => ({ id, level: 'session', places })
const claim = (id: string): Placed => {
  const { since: _, ...own } = place(0, 'role')
  return { id, level: 'claim', places: [own] }
}
const given = [
  by('act_ahn', place(0, 'role')),
  { ...by('act_oh'), void: 'order' },
  by('act_bae', place(0, 'role')),
  by('act_kim', place(1, 'person'), place(0, 'person', 'pol_beside')),
  by('act_lee', place(2, 'group')),
]
const genuine: LineCase = { policies: [line, beside, idle], given }
const put = (at: number, change: Partial<Placed>): LineCase => ({
  ...genuine,
  given: given.with(at, { ...(given[at] as Placed), ...change }),
})
const escalated = (before: number): LineCase => ({
  policies: [line],
  given: [
    by('act_ahn', place(0, 'role')),
    { ...by('act_bae', place(0, 'role')), before },
    { ...by('act_noh', place(1, 'escalation')), before: 5 },
    by('act_lee', place(2, 'group')),
  ],
})
const alone: LineCase = {
  policies: [line],
  given: [{ ...by('act_ahn', ...[0, 0, 1, 2].map((step) => place(step, 'role'))), alone: true }],
  actorId: 'act_ahn',
  actionType: 'countersign.policy',
}

const urgentLine = policyOf('pol_line', {
  steps: [
    { title: 'Teacher', roles: ['INSTRUCTOR'] },
    { title: 'Head', actorIds: ['act_kim'] },
    { title: 'Director', groupIds: ['grp_heads'] },
  ],
  emergency: { actorIds: ['act_noh'], confirmWithinSeconds: 30 },
})
const confirmed = (after: number, id: string, place: Admitted, complete = false): Confirmed => ({
  ...{ after, action: 'confirmed', id, places: [place], complete },
})
const urgent: LineCase = {
  policies: [urgentLine],
  given: [
    by('act_ahn', place(0, 'role')),
    { ...by('act_noh', place(1, 'emergency'), place(2, 'emergency')), emergency: true },
  ],
  confirmWithin: 30,
}
const first = confirmed(3, 'act_kim', place(1, 'person'))
const inTime: LineCase = { ...urgent, confirmations: [first, confirmed(9, 'act_lee', place(2, 'group'), true)] }
const saying = (...confirmations: readonly Confirmed[]): LineCase => ({ ...urgent, confirmations })
const ordinary: LineCase = {
  ...{ policies: urgent.policies, confirmations: inTime.confirmations as readonly Confirmed[] },
  given: [urgent.given[0] as Placed, by('act_noh', place(1, 'role'), place(2, 'role'))],
}
const refused: LineCase = {
  policies: [urgentLine, beside],
  given: [...urgent.given, { id: 'act_choi', level: 'session', result: 'rejected' }],
  needs: undefined,
}

/** As whoever passes the file on may leave it. */
function withoutSaid(made: ReturnType<typeof sealedLine>, at: number, name: string) {
  const entry = (made.evidence as unknown as { history: Record<string, Record<string, unknown>>[] }).history[at]
  delete entry?.[name]
  delete entry?.disclosures?.[name]
  return made
}

const files: Readonly<Record<string, ReturnType<typeof sealedLine>>> = {
  'two lines side by side, an approval that did not count, and a policy that asks nobody': sealedLine(genuine),
  'the same without the texts': sealedLine(genuine, []),
  'the same without one of the texts': sealedLine(genuine, [textOf(line), textOf(idle)]),
  'the same, an earlier approval redacted': withoutPaths(sealedLine(genuine), 'prior0'),
  'the same, the last approver redacted': withoutPaths(sealedLine(genuine), 'approval.approver.id'),
  'an escalation after its time': sealedLine(escalated(605)),
  'two claims': sealedLine({ policies: [dual], given: [claim('u1'), claim('u2')] }),
  'a change of rules, approved alone': sealedLine(alone),
  'from before approval lines': sealedLine({
    policies: [short],
    given: [{ ...by('act_ahn'), places: [{ since: 3 }] }],
  }),
  'an emergency approval that its line has confirmed': sealedLine(inTime),
  'the same before it was complete': sealedLine(saying(first)),
  'the same, and no text': sealedLine(inTime, []),
  'the same, where the file leaves out what was said': withoutSaid(sealedLine(inTime), 0, 'action'),
  'an emergency approval that somebody objected to, closed since': sealedLine(
    saying(first, { after: 9, action: 'objected', id: 'act_lee' }, { after: 15, action: 'closed', id: 'act_admin' }),
  ),
  'an emergency approval that nobody confirmed in time': sealedLine(
    saying({ after: 31, action: 'unconfirmed', id: 'countersign' }),
  ),
  'a refusal after an emergency approval': sealedLine(refused),
  'a refusal': sealedLine({ ...genuine, given: [{ ...by('act_ahn'), result: 'rejected' }] }),
  'a place before its time': sealedLine(put(0, { places: [place(1, 'role')] })),
  'a place that is not there': sealedLine(put(4, { places: [place(3, 'group')] })),
  'one person in two places': sealedLine(put(2, { id: 'ACT_ａｈｎ' })),
  'an earlier approval left out': sealedLine({ ...genuine, given: given.filter((_, at) => at !== 2) }),
  'a place of an older version': sealedLine(put(0, { places: [{ ...place(0, 'role'), version: 1 }] })),
  "another policy's place": sealedLine(put(0, { places: [place(0, 'person', 'pol_beside')] })),
  'an approval that did not count fills a place': sealedLine(put(1, { places: [place(0, 'role')] })),
  'an approval without a place': sealedLine(put(0, { places: [] })),
  'somebody whom the step does not name': sealedLine(put(3, { id: 'act_eve' })),
  'an escalation before its time': sealedLine(escalated(604)),
  'a claim beside members': sealedLine(put(0, { level: 'claim' })),
  'alone, and no change of rules': sealedLine({ ...alone, actionType: 'loan.approve' }),
  'an emergency approval shown as an ordinary one': sealedLine(ordinary),
  'an ordinary approval shown as one in an emergency': sealedLine({
    ...{ policies: [short], given: [{ ...by('act_noh', place(0, 'emergency')), emergency: true }], confirmWithin: 30 },
  }),
  'an emergency approval that the seal does not state': sealedLine({ ...urgent, needs: ['lines'] }),
  'an emergency approval with a longer time': sealedLine({ ...urgent, confirmWithin: 31 }),
  'an emergency approval confirmed by the one who gave it': sealedLine(
    saying(confirmed(3, 'ACT_ＮＯＨ', place(1, 'person'))),
  ),
  "an emergency approval confirmed by the decision's own actor": sealedLine(
    saying(first, confirmed(9, 'Agent-1', place(2, 'group'), true)),
  ),
  'an emergency approval confirmed after its time': sealedLine(saying({ ...first, after: 31 })),
  'an emergency approval confirmed in another order': sealedLine(saying(confirmed(3, 'act_lee', place(2, 'group')))),
  'an emergency approval, complete too early': sealedLine(saying({ ...first, complete: true })),
  'steps, and no need of lines': sealedLine({ ...genuine, needs: undefined }),
  'the text of another policy': sealedLine(genuine, [textOf(short)]),
}

const about =
  'Exports with approval lines, and what a verifier says of each under the trust policy: dpu-chain-v1.md says what it means. Nothing is said about the line of an altered file. `emergency` is what it says of an emergency approval, if there is one.'

/** One file on a line. */
export function lineVectors(): string {
  const policy = parsePolicy(passkeyPolicyText)
  const rows = Object.entries(files).map(([about, made]) => {
    const document = anchored(made)
    const { standing, facts } = verifyProof(document, policy)
    const said = standing === 'altered' ? null : facts.decision
    const [line, emergency] = [said?.line ?? null, said?.emergency ?? null]
    return `    ${JSON.stringify({ about, standing, line, ...(emergency && { emergency }), document })}`
  })
  const head = `  "about": ${JSON.stringify(about)},\n  "policy": ${JSON.stringify(passkeyPolicyText)},\n`
  return `{\n${head}  "files": [\n${rows.join(',\n')}\n  ]\n}\n`
}
