/** An emergency approval after the seal: those of the line confirm it or object, and somebody else closes what went wrong. */
import type { Decision } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { EmergencyPart } from '../../ui/decision/emergency.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { decisionWith, given, line, people, step } from './lines.ts'
import { type Answers, show, wordsOf } from './stage.tsx'

const say = wordsOf(useDecisionWords)
type Emergency = NonNullable<Decision['emergency']>

const sealed = (more: Partial<Emergency>): Decision =>
  decisionWith(
    [{ ...line('Refunds', step('원장', [], people('kim'))), emergency: 0 }],
    [given('choi', { emergency: true, reason: 'The pharmacy closes in an hour.' })],
    {
      ...{ status: 'sealed', waiting: null },
      emergency: {
        ...{ approvals: [0], confirmBy: '2026-11-17T00:00:00.000Z', state: 'open', confirmations: [] },
        ...{ closedBy: null, closedAt: null, closeReason: null, mayConfirm: false, mayObject: false, mayClose: false },
        ...more,
      } as Emergency,
    },
  )

const asKim = (decision: Decision): Answers => [
  [/auth\/me$/, { actorId: 'kim', language: null, memberships: [] }],
  [/confirmations(\/close)?$/, {}],
  [/decisions\/[^/]+$/, decision],
]

it('says who used it, why, and until when it has to be confirmed', async () => {
  const { screen } = await show(() => <EmergencyPart decision={sealed({})} />)
  await expect.element(screen.getByText(say('emergencyBy', { name: 'choi' }), { exact: false })).toBeVisible()
  await expect.element(screen.getByText('The pharmacy closes in an hour.', { exact: false })).toBeVisible()
  expect(screen.container.querySelector('button')).toBe(null)
})

it('an objection needs a reason, which goes with it', async () => {
  const decision = sealed({ mayConfirm: true, mayObject: true })
  const { screen, asked } = await show(() => <EmergencyPart decision={decision} />, asKim(decision))
  const sent = () => asked.filter(({ method }) => method === 'POST')
  await screen.getByRole('button', { name: say('object') }).click()
  await expect.element(screen.getByText(say('needObjection'))).toBeVisible()
  expect(sent()).toEqual([])
  await screen.getByRole('textbox').fill('This could have waited.')
  await screen.getByRole('button', { name: say('object') }).click()
  await expect.poll(sent).toMatchObject([{ body: { result: 'objected', reason: 'This could have waited.' } }])
})

it('a confirmation needs no reason', async () => {
  const decision = sealed({ mayConfirm: true, mayObject: true })
  const { screen, asked } = await show(() => <EmergencyPart decision={decision} />, asKim(decision))
  await screen.getByRole('button', { name: say('confirm'), exact: true }).click()
  await expect
    .poll(() => asked.filter(({ method }) => method === 'POST'))
    .toMatchObject([{ path: expect.stringContaining('/confirmations'), body: { result: 'confirmed' } }])
})

it('what nobody confirmed is closed with a reason', async () => {
  const decision = sealed({ state: 'unconfirmed', mayClose: true })
  const { screen, asked } = await show(() => <EmergencyPart decision={decision} />, asKim(decision))
  await screen.getByRole('button', { name: say('closeEmergency'), exact: true }).click()
  await screen.getByRole('textbox', { name: say('closeEmergencyReason') }).fill('We spoke about it.')
  const dialog = screen.getByRole('dialog')
  await dialog.getByRole('button', { name: say('closeEmergency'), exact: true }).click()
  await expect
    .poll(() => asked.filter(({ method }) => method === 'POST'))
    .toMatchObject([{ path: expect.stringContaining('/confirmations/close'), body: { reason: 'We spoke about it.' } }])
})
