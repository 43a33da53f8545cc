/** What a sandbox begins with: the rules of its center, with test people in the place of those whom they name. Pure. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { lineOf, placesIn } from '@countersign/proof/line.ts'
import { appliedOf } from '../../../governance/policies.ts'
import { Problem } from '../../../lib/problem.ts'
import { bodyText, type CopiedGroup, type RuleCopy } from '../../evidence/policies/api.ts'
import {
  type ApproverRole,
  type CastSize,
  sizeFor,
  type TestPerson,
  testPeople,
} from '../../identity/test-people/api.ts'

/** The rules of a center as its cell has them. */
export interface SourceRules extends RuleCopy {
  /** The policies that its partner gave it. */
  readonly given: readonly string[]
  readonly isFixed: boolean
}

/** The center's ACTIVE members who may approve. */
export type Approvers = ReadonlyMap<string, ApproverRole>

export interface Copied extends RuleCopy {
  readonly people: readonly TestPerson[]
}

/** They are kept with the sandbox until its cell has them, and written in one commit. */
const mostBytes = 1024 * 1024
const mostNamed = 50

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, each]) =>
    member === 'actorIds' ? (each as readonly string[]) : namesIn(each),
  )
}

/** The same value with other people in every list of people. */
function withPeople<T>(value: T, change: (actorIds: readonly string[]) => readonly string[]): T {
  if (Array.isArray(value)) return value.map((each) => withPeople(each, change)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([member, each]) => [
    member,
    member === 'actorIds' ? change(each as string[]) : withPeople(each, change),
  ])
  return Object.fromEntries(entries) as T
}

const bodyOf = ({ policy }: { readonly policy: string }) => JSON.parse(policy) as PolicyBody

/** By role, in a fixed order, so that a person has the same stand-in in every sandbox and after every refresh. */
function namedPeople({ policies, groups }: RuleCopy, approvers: Approvers): Record<ApproverRole, string[]> {
  const named = new Set([
    ...policies.flatMap((each) => namesIn(bodyOf(each))),
    ...groups.flatMap((each) => each.actorIds),
  ])
  const of = (role: ApproverRole) => [...named].filter((id) => approvers.get(id) === role).sort()
  return { ADMIN: of('ADMIN'), INSTRUCTOR: of('INSTRUCTOR') }
}

function sizeOf({ policies }: RuleCopy, named: Record<ApproverRole, string[]>): CastSize {
  const lines = policies.map(({ id, policy }) =>
    placesIn(lineOf(appliedOf({ center_id: null, id, version: 1, policy, digest: '' }))),
  )
  const longest = Math.max(0, ...lines)
  return {
    ADMIN: sizeFor(Math.max(longest, named.ADMIN.length)),
    INSTRUCTOR: sizeFor(Math.max(longest, named.INSTRUCTOR.length)),
  }
}

/**
 * `by`: the ADMIN who makes it, who keeps their own places beside their stand-in. Where more people of a role are named than a
 * sandbox has of it, some of them share a stand-in.
 */
export function copyFor(
  source: SourceRules,
  approvers: Approvers,
  sandbox: { readonly id: number; readonly by: string; readonly locale: string },
): Copied {
  const named = namedPeople(source, approvers)
  const size = sizeOf(source, named)
  const people = testPeople(sandbox.id, sandbox.locale, size)
  const standIns = new Map<string, string>()
  for (const role of ['ADMIN', 'INSTRUCTOR'] as const) {
    const cast = people.filter((each) => each.role === role)
    for (const [at, id] of named[role].entries()) standIns.set(id, (cast[at % cast.length] as TestPerson).actorId)
  }
  const change = (actorIds: readonly string[]): readonly string[] => {
    const next = actorIds.flatMap((id) => [...(id === sandbox.by ? [id] : []), standIns.get(id) ?? id])
    return [...new Set(next)].slice(0, mostNamed)
  }
  const copied = {
    policies: source.policies.map(({ id, policy }) => ({
      id,
      policy: bodyText(withPeople(bodyOf({ policy }), change)),
    })),
    groups: source.groups.map(
      ({ id, name, actorIds }): CopiedGroup => ({
        ...{ id, name },
        // Whoever is no member of the sandbox cannot be in a group of it.
        actorIds: [...change(actorIds.filter((each) => standIns.has(each)))].sort(),
      }),
    ),
    types: source.types,
  }
  if (Buffer.byteLength(JSON.stringify(copied)) > mostBytes) {
    throw new Problem(
      'CONFLICT',
      "This center's policies, groups and action types are larger than 1 MiB, so a sandbox can't have a copy of them. Delete some that you no longer need.",
      { details: { reason: 'sandboxSize' } },
    )
  }
  return { ...copied, people }
}
