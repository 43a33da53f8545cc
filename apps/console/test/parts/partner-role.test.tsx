/** Only a partner's administrator changes a center; an operator of the partner reads the same facts without a form. */
import type { PartnerCenter } from '@countersign/sdk'
import { expect, it } from 'vitest'
import examples from '../../../../packages/contract/examples.json' with { type: 'json' }
import { CenterSheet } from '../../areas/partner/center-sheet.tsx'
import { usePartnerWords } from '../../areas/partner/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(usePartnerWords)
const center = examples.PartnerCenter as unknown as PartnerCenter
const sheet = (partnerRole: string) =>
  show(
    () => <CenterSheet center={{ ...center, status: 'ACTIVE' }} onBack={() => {}} />,
    [
      [/auth\/me$/, { actorId: 'kim', language: null, memberships: [], partnerRole }],
      [/policies$/, [{ id: 'pol_1', name: 'Refunds', version: 1, active: true }]],
    ],
  )

it('an administrator has the forms', async () => {
  const { screen } = await sheet('PARTNER_ADMIN')
  for (const name of [say('suspend'), say('turnOff')]) {
    await expect.element(screen.getByRole('button', { name, exact: false })).toBeVisible()
  }
  expect(screen.container.querySelectorAll('form').length).toBeGreaterThan(0)
})

it('an operator has none, and reads who may change it', async () => {
  const { screen } = await sheet('PARTNER_OPERATOR')
  await expect.element(screen.getByText(say('readOnly'))).toBeVisible()
  await expect.element(screen.getByText('Refunds', { exact: false })).toBeVisible()
  expect(screen.container.querySelectorAll('form, input')).toHaveLength(0)
  for (const name of [say('suspend'), say('turnOff')]) {
    expect(screen.getByRole('button', { name, exact: false }).elements()).toEqual([])
  }
})
