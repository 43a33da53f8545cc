/** How many invitations one address gets in a day, whoever sends them. */
import { hash } from 'node:crypto'
import type { DirectoryTx, IdentityTx, OperatorTx, PartnerTx } from '../data/directory.ts'
import { nowMs } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { countRecipient } from './queries.ts'

const mostInvitations = 5
const mostCodes = 5
const dayMs = 86_400_000

const nextDayMs = (): number => (Math.floor(nowMs() / dayMs) + 1) * dayMs

/** Counts a code to an address or a phone, from whichever account it is asked for. */
export async function requireCodeRecipient(tx: IdentityTx, address: string): Promise<void> {
  if ((await countRecipient(tx, hash('sha256', `code ${address}`, 'buffer'), new Date(nextDayMs()))) <= mostCodes)
    return
  throw new Problem(
    'RATE_LIMITED',
    `We send at most ${mostCodes} codes a day to one address. Wait until tomorrow (UTC).`,
    { details: { reason: 'codesToday' }, retryAfter: secondsOfDayLeft() },
  )
}

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
    { details: { reason: 'invitationsToAddress' }, retryAfter: secondsOfDayLeft() },
  )
}
