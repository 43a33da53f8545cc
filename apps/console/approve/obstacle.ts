/** Why nothing was sealed, in words. */
import type { Obstacle, Outcome } from '../decision/decide.ts'
import { durationText } from '../ui/clock.ts'
import { type Child, make } from './dom.ts'
import { say, spoken } from './page.ts'

const sentences = {
  changed: 'changed',
  notAllowed: 'notAllowed',
  newRole: 'newRole',
  noPasskeys: 'passkeysUnable',
  canceled: 'passkeyCanceled',
  otherChallenge: 'challengeOther',
  otherDigest: 'digestOther',
  later: 'challengeLater',
  ended: 'sessionEnded',
  notSent: 'notSent',
  failed: 'wentWrong',
} as const satisfies Partial<Record<Obstacle, string>>

export function obstacleText({ obstacle, seconds = 0 }: Extract<Outcome, { kind: 'obstacle' }>): Child {
  if (obstacle === 'busy') return say('tooMany', { time: durationText(seconds * 1000, spoken()) })
  if (obstacle !== 'needsPasskey') return say(sentences[obstacle])
  return [
    make('p', {}, say('needPasskey')),
    make('p', {}, say('needPasskeyHow')),
    make('p', {}, make('a', { class: 'link tap', href: '/me#passkeys' }, say('addPasskeyHere'))),
  ]
}
