/** Forgotten passwords. No answer reveals whether an account exists. */
import type * as contract from '@countersign/contract/entry.ts'
import type { Logger } from 'pino'
import type { Authenticator } from '../../../access/authenticate.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { requireSound } from '../../../access/password-rules.ts'
import type { Passwords } from '../../../access/passwords.ts'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { endAllSessions, loginIdentifier } from '../auth/api.ts'
import * as queries from './queries.ts'

export interface RecoveryNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'publicUrl'>
  readonly log: Logger
  readonly mail: Mail
  readonly passwords: Passwords
}

const resetSeconds = 3600

export async function forgotPassword(
  { mail, config, log }: RecoveryNeeds,
  { body, identity, language }: Context<typeof contract.forgotPassword.spec>,
): Promise<void> {
  const identifier = loginIdentifier(body)
  if (!mail.canSend) {
    log.warn('a new password was asked for and no mail was sent: this server has no SMTP_URL')
    return
  }
  await identity(async (tx) => {
    const account = await queries.findForReset(tx, identifier)
    if (!account?.email) return
    const token = newToken('csp')
    await queries.insertReset(tx, {
      hash: hashToken(token),
      actor_id: account.actor_id,
      expires_at: secondsFromNow(resetSeconds),
    })
    await mail.queue(tx, {
      to: account.email,
      mail: 'newPassword',
      facts: { url: `${config.publicUrl}/password/${token}` },
      ...(language && { language }),
    })
  })
}

export const badToken = () =>
  new Problem('UNAUTHORIZED', "This link isn't valid, was already used or has expired. Request a new one.")

export async function resetPassword(
  { passwords, authenticate }: RecoveryNeeds,
  { body, identity }: Context<typeof contract.resetPassword.spec>,
): Promise<void> {
  const passwordHash = await passwords.hash(body.password)
  const ended = await identity(async (tx) => {
    const actorId = await queries.takeReset(tx, hashToken(body.token))
    if (!actorId) throw badToken()
    requireSound(body.password, await queries.namesAround(tx, actorId))
    await queries.storePassword(tx, actorId, passwordHash)
    return endAllSessions(tx, actorId, 'password')
  })
  authenticate.forget(...ended.map((id) => `session:${id}`))
}
