/** Why nothing was sealed, in the words of the inbox. */
import type { Obstacle } from '../decision/decide.ts'
import { type Child, make } from './dom.ts'
import { say } from './page.ts'

export function obstacleText(obstacle: Obstacle): Child {
  if (obstacle !== 'needsPasskey') return say(`stop${obstacle}`)
  return [
    make('p', {}, say('stopneedsPasskey')),
    make('p', {}, say('needPasskeyHow')),
    make('p', {}, make('a', { class: 'link tap', href: '/me#passkeys' }, say('addPasskey'))),
  ]
}
