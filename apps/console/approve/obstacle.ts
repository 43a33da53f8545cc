/** Why nothing was sealed, in the words of the inbox. */
import type { PasskeyStanding } from '@countersign/sdk'
import { checkNumber } from '../app/passkeys.ts'
import { type Stopped, stopText } from '../decision/decide.ts'
import { waitsText } from '../decision/passkey-standing.ts'
import { causeText } from './causes.ts'
import { type Child, make } from './dom.ts'
import { say } from './page.ts'

/** `standing`: how the person's passkeys stand, where it could be read. */
export function obstacleText(stopped: Stopped, standing: PasskeyStanding | null): Child {
  if (stopped.obstacle === 'elsewhere' && stopped.host !== undefined) {
    const href = `https://${stopped.host}${location.pathname}`
    return [
      make('p', {}, stopText(stopped, say)),
      make('p', {}, make('a', { class: 'link tap', href }, say('openElsewhere'))),
    ]
  }
  const caused = stopped.named && causeText(stopped.named)
  if (caused) return caused
  if (stopped.obstacle !== 'needsPasskey') return stopText(stopped, say)
  const waits = standing && waitsText(standing, say)
  if (standing && waits) {
    const numbers = standing.waiting.map(({ thumbprint }) => make('p', { class: 'mono' }, checkNumber(thumbprint)))
    return [make('p', {}, say('stopneedsPasskey')), make('p', {}, waits), ...numbers]
  }
  return [
    make('p', {}, say('stopneedsPasskey')),
    make('p', {}, say('needPasskeyHow')),
    make('p', {}, make('a', { class: 'link tap', href: '/me#passkeys' }, say('addPasskey'))),
  ]
}
