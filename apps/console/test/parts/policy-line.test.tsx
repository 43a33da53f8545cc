/** Building the approval line of a policy: templates, steps by hand and by key, and what the server says about them. */
import type { CheckedLine, NewPolicy, Policy, PolicyCheck, PolicyStep } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { PolicySheet } from '../../areas/policies/policy-sheet.tsx'
import { usePolicyWords } from '../../areas/policies/words.ts'
import '../../areas/policies/policies.css'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(usePolicyWords)

const policyWith = (more: Partial<Policy>): Policy =>
  ({
    ...{
      id: 'pol_1',
      version: 3,
      digest: 'sha256:0',
      name: 'Refunds',
      description: null,
      scope: 'center',
      active: true,
    },
    match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }] },
    guards: { humanReview: true },
    approval: { identity: 'session', roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
    createdAt: '2026-08-01T00:00:00.000Z',
    ...more,
  }) as unknown as Policy

const lined = (...steps: readonly PolicyStep[]) => policyWith({ approval: { steps: [...steps] } as Policy['approval'] })
const three = lined({ title: '담당' }, { title: '부원장', actorIds: ['a-choi'] }, { title: '원장', roles: ['ADMIN'] })

const dryRun = { decisions: 0, matched: 0, before: {}, after: {}, changed: [] }
const member = (actorId: string, name: string, role = 'INSTRUCTOR') => ({ actorId, name, role })
const members = [member('a-kim', '김민준'), member('a-choi', '최은희'), member('a-park', '박서연', 'ADMIN')]

const checkOf = (lines: readonly CheckedLine[], problem: string | null = null): PolicyCheck =>
  ({
    ...{ outcome: 'approval_required', refusal: null, policies: [] },
    approval: { identity: 'session', approvals: 3, roles: null, actorIds: [], lines, problem },
  }) as unknown as PolicyCheck

async function sheet(policy: Policy | null, check: PolicyCheck = checkOf([])) {
  const stage = await show(
    () => <PolicySheet policy={policy} onBody={() => {}} />,
    [
      [/members$/, members],
      [/groups$/, [{ id: 'grp_1', name: '재무' }]],
      [/dry-run$/, dryRun],
      [/policies\/check$/, check],
      [/versions$/, []],
      [/policies\/pol_1$/, { ...policy, pending: undefined }],
    ],
  )
  const { screen, asked } = stage
  await expect.element(screen.getByRole('group', { name: say('chooseLine') })).toBeVisible()
  return {
    ...stage,
    template: (name: 'one' | 'director' | 'two' | 'own') =>
      screen.getByRole('button', { name: say(`template${name}`), exact: true }),
    titles: () => [...screen.container.querySelectorAll<HTMLInputElement>('.line-title')].map(({ value }) => value),
    grip: (at: number) =>
      screen.getByRole('button', { name: say('moveStep', { step: say('stepNumber', { number: at }) }), exact: true }),
    /** What would be saved. */
    saved: async () => {
      const save = screen.getByRole('button', { name: say('save', { version: (policy?.version ?? 0) + 1 }) })
      await expect.element(save).toBeEnabled()
      await save.click()
      await expect.poll(() => asked.some(({ method }) => method === 'PATCH' || method === 'PUT')).toBe(true)
      return asked.find(({ method }) => method === 'PATCH' || method === 'PUT')?.body as NewPolicy
    },
  }
}

it('a short policy opens as it is, and its template is pressed', async () => {
  const { template, titles, screen } = await sheet(policyWith({}))
  await expect.element(template('one')).toHaveAttribute('aria-pressed', 'true')
  expect(titles()).toEqual([])
  await expect.element(screen.getByRole('combobox', { name: say('blankPeople') })).toBeVisible()
  expect(screen.container.querySelector('.policy-act')).toBe(null)
})

it('one, then the director: two steps, which the sentence says in words, and the short form is gone', async () => {
  const { template, titles, screen, saved } = await sheet(policyWith({ guards: { dualApproval: true } }))
  await expect.element(template('two')).toHaveAttribute('aria-pressed', 'true')
  await template('director').click()
  expect(titles()).toEqual([say('titleStaff'), say('titleDirector')])
  const sentence = screen.container.querySelector('.policy-line-text')?.textContent
  expect(sentence).toContain(`${say('titleStaff')} (`)
  expect(sentence).toContain(' → ')
  expect(await saved()).toMatchObject({
    guards: { humanReview: true },
    approval: {
      identity: 'session',
      expiresAfterSeconds: 86_400,
      steps: [{ title: say('titleStaff') }, { title: say('titleDirector'), roles: ['ADMIN'] }],
    },
  })
})

it('the parts of the short form that a line excludes are not sent with it', async () => {
  const { template, saved } = await sheet(policyWith({ guards: { dualApproval: true } }))
  await template('own').click()
  const { guards, approval } = await saved()
  expect(guards).toEqual({ humanReview: true })
  expect(approval).toEqual({
    identity: 'session',
    expiresAfterSeconds: 86_400,
    steps: [{ roles: ['ADMIN'], count: 2 }],
  })
})

it('steps move by key, the focus goes with them, and a screen reader is told', async () => {
  const { titles, grip, screen } = await sheet(three)
  expect(titles()).toEqual(['담당', '부원장', '원장'])
  ;(grip(1).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(titles()).toEqual(['부원장', '담당', '원장'])
  await expect.element(screen.getByText(say('movedStep', { title: '담당', number: 2, count: 3 }))).toBeInTheDocument()
  await expect.element(grip(2)).toHaveFocus()
  await userEvent.keyboard('{End}')
  expect(titles()).toEqual(['부원장', '원장', '담당'])
  await userEvent.keyboard('{ArrowRight}')
  expect(titles()).toEqual(['부원장', '원장', '담당'])
})

it('steps move by button and by drag', async () => {
  const { titles, grip, screen } = await sheet(three)
  await screen.getByRole('button', { name: say('moveEarlier', { step: say('stepNumber', { number: 3 }) }) }).click()
  expect(titles()).toEqual(['담당', '원장', '부원장'])
  const target = screen.container.querySelectorAll('.line-step')[2] as HTMLElement
  await userEvent.dragAndDrop(grip(1), target)
  expect(titles()).toEqual(['원장', '부원장', '담당'])
})

it('steps are added up to nine places, and removed', async () => {
  const { titles, screen } = await sheet(lined({ title: '이사', count: 8 }))
  const add = screen.getByRole('button', { name: say('addStep'), exact: false })
  await add.click()
  expect(titles()).toEqual(['이사', ''])
  await expect.element(add).toBeDisabled()
  await screen.getByRole('button', { name: say('removeStep', { step: say('stepNumber', { number: 1 }) }) }).click()
  expect(titles()).toEqual([''])
})

it('who, how many, how they are known, escalation and delegated authority are parts of a step', async () => {
  const { screen, saved } = await sheet(lined({ title: '담당' }, { title: '원장', roles: ['ADMIN'] }))
  const step = say('stepNumber', { number: 1 })
  const add = screen.getByRole('combobox', { name: say('addWho', { label: say('stepWhoLabel', { step }) }) })
  await expect.poll(() => add.element().textContent).toContain('김민준')
  await add.selectOptions('김민준')
  await add.selectOptions('최은희')
  await add.selectOptions('재무')
  await screen.getByRole('combobox', { name: say('stepCount', { step }) }).selectOptions('2')
  await screen.getByRole('combobox', { name: say('stepLevel', { step }) }).selectOptions('passkey')
  await screen.getByRole('combobox', { name: say('stepEscalation', { step }) }).selectOptions('7200')
  await screen
    .getByRole('checkbox', { name: say('delegatedStep') })
    .first()
    .click()
  await screen.getByRole('button', { name: say('dropWho', { name: say('whoADMIN') }) }).click()
  expect((await saved()).approval?.steps).toEqual([
    {
      ...{
        title: '담당',
        actorIds: ['a-kim', 'a-choi'],
        groupIds: ['grp_1'],
        count: 2,
        identity: 'passkey',
        delegated: true,
      },
      escalateTo: { roles: ['ADMIN'], afterSeconds: 7200 },
    },
    { title: '원장' },
  ])
})

it('people who are informed approve nothing', async () => {
  const { screen, saved } = await sheet(policyWith({}))
  await screen.getByRole('button', { name: say('informAdd') }).click()
  const add = screen.getByRole('combobox', { name: say('addWho', { label: say('inform') }) })
  await expect.poll(() => add.element().textContent).toContain('박서연')
  await add.selectOptions('박서연')
  expect((await saved()).approval).toMatchObject({ roles: ['ADMIN'], inform: { actorIds: ['a-park'] } })
})

it('who could give it today, and that a place could not be filled, before it is saved', async () => {
  const steps = [
    { title: '담당', count: 1, identity: 'session', people: [{ actorId: 'a-kim', name: '김민준' }], peopleCount: 6 },
    { title: '부원장', count: 1, identity: 'passkey', people: [], peopleCount: 0 },
    { title: '원장', count: 1, identity: 'passkey', people: [{ actorId: 'a-park', name: '박서연' }], peopleCount: 1 },
  ]
  const line = { policyId: 'pol_1', version: 4, name: 'draft', steps } as unknown as CheckedLine
  const beside = {
    policyId: 'pol_2',
    version: 1,
    name: 'Accounts',
    steps: [{ ...steps[0], title: '회계' }],
  } as unknown as CheckedLine
  const { screen, asked, grip } = await sheet(three, checkOf([line, beside], 'Nobody'))
  await expect.element(screen.getByText(say('able', { count: 6 }), { exact: false })).toBeVisible()
  await expect
    .element(screen.getByText(say('ableNobody', { title: '부원장', count: 0, needed: 1 }), { exact: false }))
    .toBeVisible()
  ;(grip(1).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(screen.getByText(say('saveNoPasskey', { title: '부원장' }), { exact: false })).toBeVisible()
  // The amount is judged with the draft and the other policies.
  const amount = screen.getByRole('textbox', { name: say('amount') })
  await expect.element(amount).toHaveValue('1,000,000')
  await amount.fill('1,200,000')
  await expect.element(screen.getByText('담당 → 부원장 → 원장', { exact: false })).toBeVisible()
  await expect.element(screen.getByText('회계', { exact: false })).toBeVisible()
  await expect.element(screen.getByText(say('lineStuck'), { exact: false })).toBeVisible()
  await expect
    .poll(() => asked.filter(({ path }) => path.endsWith('policies/check')).at(-1)?.body)
    .toMatchObject({ action: { type: 'refund.any', input: { amount: 1_200_000 } }, draft: { policyId: 'pol_1' } })
})
