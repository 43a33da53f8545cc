/** Approval lines as the API answers with them, for tests. */
import type { Decision, DecisionLine, GivenApproval } from '@countersign/sdk'
import examples from '../../../../packages/contract/examples.json' with { type: 'json' }

type Step = DecisionLine['steps'][number]

export const given = (name: string, more: Partial<GivenApproval> = {}): GivenApproval => ({
  approvalId: `apr_${name}`,
  approver: { id: name, type: 'human', name },
  result: 'approved',
  identity: { level: 'session', by: name } as GivenApproval['identity'],
  createdAt: '2026-11-16T01:12:00.000Z',
  ...more,
})

export const byPasskey = { level: 'passkey', by: 'x' } as unknown as GivenApproval['identity']

/** `approvals` fill the first places; the rest of `count` is empty. */
export const step = (
  title: string | null,
  approvals: readonly number[],
  more: Partial<Step> & { count?: number } = {},
) => {
  const { count = 1, ...rest } = more
  return {
    ...{ title, delegated: false, identity: 'session', current: false, people: [], peopleCount: 0, struck: [] },
    places: Array.from({ length: count }, (_, at) => ({
      approval: approvals[at] ?? null,
      confirmation: null,
      by: approvals[at] === undefined ? null : 'role',
    })),
    ...rest,
  } as Step
}

export const people = (...names: readonly string[]): Pick<Step, 'people' | 'peopleCount' | 'current'> => ({
  current: true,
  people: names.map((name) => ({ actorId: name, name })),
  peopleCount: names.length,
})

export const line = (name: string, ...steps: readonly Step[]): DecisionLine => ({
  ...{ policyId: `pol_${name}`, version: 3, name, emergency: null, steps: [...steps] },
  full: steps.every(({ places }) => places.every(({ approval }) => approval !== null)),
})

export const decisionWith = (
  lines: readonly DecisionLine[],
  approvals: readonly GivenApproval[],
  more: Partial<Decision> = {},
): Decision =>
  ({ ...(examples.Decision as unknown as Decision), status: 'recorded', lines, approvals, ...more }) as Decision
