/**
 * Test people of sandboxes: members without an address, as whom nobody can sign in. Their IDs follow from the sandbox and their
 * number, so that whoever is a test person needs no table.
 */
import { createHash } from 'node:crypto'
import { approverRoles } from '@countersign/contract/enums.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { Problem } from '../../../lib/problem.ts'

export type ApproverRole = (typeof approverRoles)[number]

/** A line has at most nine places, so nine people of a role fill any. */
export const mostOfRole = 9
/** Enough for two approvers and a third who approves nothing. */
const fewestOfRole = 3

export interface TestPerson {
  readonly actorId: string
  readonly role: ApproverRole
  readonly name: string
}

function idOf(centerId: number, role: ApproverRole, number: number): string {
  const hex = createHash('sha256').update(`countersign test person ${centerId} ${role} ${number}`).digest('hex')
  // Version 8: made by a rule of our own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const titles = {
  ko: { ADMIN: '테스트 관리자', INSTRUCTOR: '테스트 강사' },
  en: { ADMIN: 'Test administrator', INSTRUCTOR: 'Test instructor' },
} as const

export type CastSize = Readonly<Record<ApproverRole, number>>

/** Everybody whom a sandbox can have as a test person. */
export function testPeople(centerId: number, locale = 'en', size?: CastSize): readonly TestPerson[] {
  const words = locale.startsWith('ko') ? titles.ko : titles.en
  return approverRoles.flatMap((role) =>
    Array.from({ length: size?.[role] ?? mostOfRole }, (_, at) => ({
      actorId: idOf(centerId, role, at + 1),
      role,
      name: `${words[role]} ${at + 1}`,
    })),
  )
}

/** So many people of a role are needed where this many places and named people are the most. */
export const sizeFor = (most: number): number => Math.min(mostOfRole, Math.max(fewestOfRole, most))

export function requireSandbox(centerId: number): void {
  if (isSandboxCenter(centerId)) return
  throw new Problem(
    'FORBIDDEN',
    "Test people approve only in sandboxes, and this key is a center's. Use a key of a sandbox, which starts with csk_test_.",
    { details: { reason: 'sandboxOnly' } },
  )
}
