/** Why nothing was sealed, in the words of the inbox. */
import { type Stopped, stopText } from '../decision/decide.ts'
import { type Child, make } from './dom.ts'
import { say } from './page.ts'

export function obstacleText(stopped: Stopped): Child {
  if (stopped.obstacle !== 'needsPasskey') return stopText(stopped, say)
  return [
    make('p', {}, say('stopneedsPasskey')),
    make('p', {}, say('needPasskeyHow')),
    make('p', {}, make('a', { class: 'link tap', href: '/me#passkeys' }, say('addPasskey'))),
  ]
}
