/** A new password, chosen by somebody who has just shown that it is them. */
import type * as contract from '@countersign/contract/account.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { requireSound } from '../../../access/password-rules.ts'
import type { Passwords } from '../../../access/passwords.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { namesAround, storePassword, withdrawResets } from '../account-recovery/api.ts'
import { endAllSessions } from '../auth/api.ts'
import { lockAccount, sessionLives } from './queries.ts'

export interface PasswordNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'publicUrl'>
  readonly mail: Mail
  readonly passwords: Passwords
}

/** Of two sessions that change it at once, one ends the other: the second is refused. */
export async function changePassword(
  { authenticate, config, mail, passwords }: PasswordNeeds,
  { body, principal, identity }: Context<typeof contract.changePassword.spec>,
): Promise<void> {
  const { actorId, sessionId } = principal
  const passwordHash = await passwords.hash(body.password)
  const ended = await identity(async (tx) => {
    const { email } = await lockAccount(tx, actorId)
    if (!(await sessionLives(tx, sessionId)))
      throw new Problem('UNAUTHORIZED', 'This session has ended. Sign in again.')
    requireSound(body.password, await namesAround(tx, actorId))
    if (!(await storePassword(tx, actorId, passwordHash)))
      throw new Problem('CONFLICT', "You don't have a password yet. Request a password reset to set one.", {
        details: { reason: 'noPassword' },
      })
    await withdrawResets(tx, actorId)
    await audit(tx, {
      ...{ type: 'settings.updated', action: 'account.password', centerId: principal.entered?.centerId ?? 0 },
      ...{ target: { type: 'actor', id: actorId }, actorId },
    })
    if (email !== null && mail.canSend)
      await mail.queue(tx, {
        ...{ to: email, centerId: 0, mail: 'passwordChanged' },
        facts: { at: now().toISOString(), url: `${config.publicUrl}/password` },
      })
    return endAllSessions(tx, actorId, 'password', undefined, sessionId)
  })
  authenticate.forget(...ended.map((id) => `session:${id}`))
}
