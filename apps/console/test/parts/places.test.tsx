/** The first page says what a policy reads, its limit, and whose turn it is. */
import { expect, it } from 'vitest'
import { Glance } from '../../ui/decision/glance.tsx'
import { placesOf } from '../../ui/decision/places.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { byPasskey, decisionWith, given, line, people, step } from './lines.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useDecisionWords)
const waiting = decisionWith(
  [line('Refunds', step('담당', [0]), step('원장', [], people('me')), step('이사장', []))],
  [given('김민준', { identity: byPasskey })],
)

it('a place is filled, open to whoever’s turn it is, or later', () => {
  expect(placesOf(waiting)).toEqual([['passkey', 'turn', 'later']])
})

it('an approval that no longer counts fills no place of a decision without lines', () => {
  const two = [given('김민준'), given('최은희', { void: 'member' })]
  expect(placesOf({ ...decisionWith([], two), waiting: null })).toEqual([['session']])
  expect(placesOf(decisionWith([], two))).toEqual([['session', 'turn']])
})

it.each([
  ['me', 'turnMine', {}],
  ['other', 'turnOf', { name: 'me' }],
] as const)('for %s it names the value with its limit and says %s', async (viewer, word, values) => {
  const rules = [
    {
      ...waiting.waiting?.rules[0],
      riskThreshold: null,
      conditions: [{ pointer: '/action/input/amount', op: 'gt', value: 500 }],
    },
  ]
  const decision = {
    ...waiting,
    action: { ...waiting.action, input: { amount: 820 } },
    waiting: { ...waiting.waiting, rules },
  }
  const { screen } = await show(
    () => <Glance eventId="evt_1" />,
    [
      [/auth\/me$/, { actorId: viewer, language: null, memberships: [] }],
      [/decisions\/evt_1$/, decision],
    ],
  )
  const text = () => screen.container.textContent ?? ''
  await expect.poll(text).toContain(`${say('approvedSoFar', { count: 1 })} · ${say(word, values)}`)
  expect(text()).toContain('820')
  expect(text()).toContain('500')
  expect(screen.container.querySelectorAll('.places rect')).toHaveLength(3)
})
