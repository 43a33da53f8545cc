/** How many invitations one address gets in a day, whoever sends them. */
import { hash } from 'node:crypto'
import type { DirectoryTx, OperatorTx, PartnerTx } from '../data/directory.ts'
import { nowMs } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { countRecipient } from './queries.ts'

const mostInvitations = 5
const dayMs = 86_400_000

const nextDayMs = (): number => (Math.floor(nowMs() / dayMs) + 1) * dayMs

/** Until the next day (UTC). */
export const secondsOfDayLeft = (): number => Math.ceil((nextDayMs() - nowMs()) / 1000)

/** Counts an invitation to the address, in the transaction that sends it. A tag after `+` reaches the same person. */
export async function requireRecipient(tx: DirectoryTx | PartnerTx | OperatorTx, address: string): Promise<void> {
  const [, local = '', host = ''] = /^([^+@]*)[^@]*@(.*)$/.exec(address.trim().toLowerCase()) ?? []
  const recipient = hash('sha256', `${local}@${host}`, 'buffer')
  if ((await countRecipient(tx, recipient, new Date(nextDayMs()))) <= mostInvitations) return
  throw new Problem(
    'RATE_LIMITED',
    `An email address can get at most ${mostInvitations} invitations a day. Wait until tomorrow (UTC).`,
    { retryAfter: secondsOfDayLeft() },
  )
}
