/** What a partner does for a center without another administrator: each is begun, names what is missing, and is sent as it was typed. */
import type { Member, PartnerCenter } from '@countersign/sdk'
import { expect, it } from 'vitest'
import examples from '../../../../packages/contract/examples.json' with { type: 'json' }
import { CloseEmergency, ConfirmRole, canBeConfirmed, eventIn } from '../../areas/partner/outside.tsx'
import { usePartnerWords } from '../../areas/partner/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(usePartnerWords)
const center = examples.PartnerCenter as unknown as PartnerCenter
const member = { ...(examples.Member as unknown as Member), role: 'ADMIN', status: 'ACTIVE', name: 'Kim' } as Member
const event = 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c'

it('an emergency approval is closed by the address of its decision and a reason', async () => {
  const { screen, asked } = await show(
    () => <CloseEmergency center={center} />,
    [[/confirmations\/close$/, examples.ClosedEmergency]],
  )
  await screen.getByRole('button', { name: say('closeEmergency') }).click()
  const dialog = screen.getByRole('dialog')
  const send = dialog.getByRole('button', { name: say('closeEmergency'), exact: true })
  await expect.element(dialog.getByText(say('needDecision'))).toBeVisible()
  await expect.element(send).toBeDisabled()
  await dialog.getByLabelText(say('decision')).fill(`https://app.example/c/north/decisions?id=${event}`)
  await expect.element(dialog.getByText(say('needReason'))).toBeVisible()
  await dialog.getByLabelText(say('closeReason')).fill(' We spoke about it. ')
  await send.click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([
    {
      method: 'POST',
      path: `/api/partner/centers/${center.id}/decisions/${event}/confirmations/close`,
      body: { reason: 'We spoke about it.' },
    },
  ])
})

it('a refusal stays in the dialog, with what was typed', async () => {
  const { screen } = await show(
    () => <CloseEmergency center={center} />,
    [
      [
        /confirmations\/close$/,
        { status: 403, error: { code: 'FORBIDDEN', message: 'Another administrator of the center closes it.' } },
      ],
    ],
  )
  await screen.getByRole('button', { name: say('closeEmergency') }).click()
  const dialog = screen.getByRole('dialog')
  await dialog.getByLabelText(say('decision')).fill(event)
  await dialog.getByLabelText(say('closeReason')).fill('Resolved.')
  await dialog.getByRole('button', { name: say('closeEmergency'), exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await expect.element(dialog.getByLabelText(say('decision'))).toHaveValue(event)
})

it('a role is confirmed after the question', async () => {
  const { screen, asked } = await show(() => <ConfirmRole member={member} />, [[/confirm$/, examples.Eligibility]])
  await screen.getByRole('button', { name: say('confirmRoleOf', { name: 'Kim' }) }).click()
  expect(asked).toEqual([])
  await screen
    .getByRole('dialog')
    .getByRole('button', { name: say('confirmRole'), exact: true })
    .click()
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument()
  expect(asked[0]?.path).toBe(`/api/partner/centers/${member.centerId}/memberships/${member.id}/confirm`)
})

it.each([
  ['ACTIVE', 'ADMIN', true],
  ['ACTIVE', 'INSTRUCTOR', true],
  ['ACTIVE', 'PARENT', false],
  ['PENDING', 'ADMIN', false],
  ['ENDED', 'INSTRUCTOR', false],
] as const)('of a member who is %s as %s: %s', (status, role, may) => {
  expect(canBeConfirmed({ status, role })).toBe(may)
})

it.each([
  [event, event],
  [` ${event.toUpperCase()} `, event],
  [`https://x.example/c/a/decisions?id=${event}&view=1`, event],
  ['dpu_01kz9x4q8hfx5r3v7t2b6n0m1c', undefined],
  ['', undefined],
])('the decision in %j is %s', (typed, found) => {
  expect(eventIn(typed)).toBe(found)
})
