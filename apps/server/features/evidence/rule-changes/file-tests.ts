/** Tests beside policies: a decision, and what the policies of a file must say about it. Pure. */
import type { BodyOf, PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import type { checkPolicies } from '@countersign/contract/policy-check.ts'
import type { PolicyTest, TestResult } from '@countersign/contract/policy-files.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { checkDecision } from '../policies/api.ts'

type Check = PayloadOf<SpecOf<typeof checkPolicies>, 200>
type Decision = Omit<BodyOf<SpecOf<typeof checkPolicies>>, 'draft'>
type Expected = PolicyTest['expect']
type Difference = TestResult['differences'][number]

/** Lines say who has to approve, and not whether the center has such people. */
const nobody = { members: [], keys: 0 }
const unasked = { asker: new Set<string>(), ever: [] }

export function runTests(
  tests: readonly PolicyTest[],
  rows: readonly PolicyRow[],
  center: CenterProfile,
  at: string,
): TestResult[] {
  return tests.map(({ name, decision, expect }) => {
    const differences = compare(expect, checkDecision(decision as Decision, rows, center, nobody, unasked, at))
    return { name, passed: differences.length === 0, differences }
  })
}

const sorted = (names: readonly string[]): readonly string[] => [...names].sort()

function compare(expect: Expected, { outcome, policies, approval }: Check): Difference[] {
  const found: Difference[] = []
  const same = (path: string, expected: unknown, actual: unknown) => {
    if (expected !== undefined && JSON.stringify(expected) !== JSON.stringify(actual)) {
      found.push({ path, expected, actual })
    }
  }
  same('/outcome', expect.outcome, outcome)
  same('/policies', expect.policies && sorted(expect.policies), sorted(policies.map(({ name }) => name)))
  same('/approvals', expect.approvals, approval?.approvals ?? 0)
  same('/identity', expect.identity, approval?.identity ?? null)
  if (expect.lines) compareLines(expect.lines, approval?.lines ?? [], same)
  return found
}

/** In the order of their policies, where the test names them. */
function compareLines(
  expected: NonNullable<Expected['lines']>,
  lines: NonNullable<Check['approval']>['lines'],
  same: (path: string, expected: unknown, actual: unknown) => void,
): void {
  same('/lines/length', expected.length, lines.length)
  const rest = [...lines]
  const take = (policy: string | undefined) => {
    const at = rest.findIndex(({ name }) => policy === undefined || name === policy)
    return at === -1 ? undefined : rest.splice(at, 1)[0]
  }
  // Lines that name their policy take theirs first.
  const order = [...expected.entries()].sort(([, a], [, b]) => Number(!a.policy) - Number(!b.policy))
  for (const [at, { policy, steps }] of order) {
    const line = take(policy)
    if (!line) {
      same(
        `/lines/${at}/policy`,
        policy ?? 'a line',
        lines.map(({ name }) => name),
      )
      continue
    }
    same(`/lines/${at}/steps/length`, steps.length, line.steps.length)
    for (const [number, step] of steps.entries()) {
      const actual = line.steps[number]
      if (!actual) continue
      const path = `/lines/${at}/steps/${number}`
      same(`${path}/title`, step.title, actual.title)
      same(`${path}/count`, step.count, actual.count)
      same(`${path}/identity`, step.identity, actual.identity)
    }
  }
}
