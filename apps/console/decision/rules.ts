/** A policy as an approver has to know it, in sentences. Pure. */
import type { WaitingRule } from '@countersign/sdk'
import type { Language, Say } from '../app/i18n.ts'
import { durationText } from '../ui/clock.ts'

type Guard = WaitingRule['guards'][number]
type Role = NonNullable<WaitingRule['roles']>[number]
export type RuleWord = `guard${Guard}` | `role${Role}` | 'byRoles' | 'byPasskey' | 'within' | 'usableFor'

export function ruleSentences(
  { roles, guards, identity, expiresAfterSeconds, usableForSeconds }: WaitingRule,
  say: Say<RuleWord>,
  language: Language,
): string {
  const named = roles && new Intl.ListFormat(language).format(roles.map((role) => say(`role${role}`)))
  return [
    ...guards.map((guard) => say(`guard${guard}`)),
    ...(named ? [say('byRoles', { roles: named })] : []),
    ...(identity === 'passkey' ? [say('byPasskey')] : []),
    ...(expiresAfterSeconds === null
      ? []
      : [say('within', { time: durationText(expiresAfterSeconds * 1000, language) })]),
    say('usableFor', { time: durationText(usableForSeconds * 1000, language) }),
  ].join(' ')
}
