/** What a person reads before they approve. */
import type { Decision } from '@countersign/sdk'
import { describe, expect, it } from 'vitest'
import examples from '../../../../packages/contract/examples.json' with { type: 'json' }
import { ApprovalsPart, CommentsPart, RulesPart } from '../../ui/decision/parts.tsx'
import { Headline, useView, Values } from '../../ui/decision/view.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useDecisionWords)
const sample = examples.Decision as unknown as Decision

function Sheet({ decision }: { readonly decision: Decision }) {
  const view = useView(decision)
  return (
    <>
      <Headline view={view} />
      <Values decision={decision} view={view} />
    </>
  )
}

const withInput = (input: Record<string, unknown>): Decision => ({
  ...sample,
  action: { ...sample.action, input } as Decision['action'],
})

describe('the values of a decision', () => {
  it('are all in the text of the page, under a heading', async () => {
    const input = {
      amount: 120_000,
      to: { account: '110-222-333444', name: 'Park Ji-won' },
      items: ['first', 'second'],
    }
    const { screen } = await show(() => <Sheet decision={withInput(input)} />)
    await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible()
    const text = screen.container.textContent ?? ''
    for (const value of ['120,000', '110-222-333444', 'Park Ji-won', 'first', 'second'])
      expect([value, text.includes(value) || text.includes(value.replaceAll(',', ''))]).toEqual([value, true])
  })

  it('are text: markup in them makes no element, and a character that hides its neighbors is written out', async () => {
    const input = { note: '<img src=x onerror="document.title=1"><b>bold</b>', name: 'safe\u202Egnp.exe' }
    const { screen } = await show(() => <Sheet decision={withInput(input)} />)
    await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible()
    expect(screen.container.querySelector('img, b b')).toBe(null)
    expect(screen.container.textContent).toContain('<img src=x')
    expect(screen.container.textContent).not.toContain('\u202E')
  })

  it('that are long do not make the page wider than the screen', async () => {
    const { screen } = await show(() => <Sheet decision={withInput({ reference: 'A'.repeat(5000) })} />)
    await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
  })

  it('each name the place in the record that they stand for', async () => {
    const { screen } = await show(() => <Sheet decision={withInput({ amount: 7 })} />)
    await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible()
    const places = [...screen.container.querySelectorAll<HTMLElement>('[data-v]')].map(({ dataset }) => dataset.v)
    expect(places.length).toBeGreaterThan(0)
    expect(places.some((place) => place?.includes('amount'))).toBe(true)
  })
})

describe('the parts around the values', () => {
  it('say that no rule asks for an approval', async () => {
    const { screen } = await show(() => <RulesPart decision={{ ...sample, waiting: null }} />)
    await expect.element(screen.getByText(say('noRule'))).toBeVisible()
  })

  it('show an approval with its name, its reason and that a claim proves no person', async () => {
    const given = {
      approvalId: 'apr_1',
      result: 'rejected',
      approver: { id: 'kim', type: 'human', name: 'Kim <b>Min</b>' },
      identity: { level: 'claim', by: 'key_1' },
      reason: 'Too much.\nAsk again.',
      createdAt: '2026-11-15T22:01:46.893Z',
      onBehalfOf: null,
    }
    const decision = { ...sample, approvals: [given] } as unknown as Decision
    const { screen } = await show(() => <ApprovalsPart decision={decision} />)
    await expect.element(screen.getByText('Too much.', { exact: false })).toBeVisible()
    await expect.element(screen.getByText(say('claimNote'))).toBeVisible()
    expect(screen.container.textContent).toContain('Kim <b>Min</b>')
    expect(screen.container.textContent).toContain(say('refusedBy'))
  })

  it('send a question once, empty it when it was taken, and keep it when it was refused', async () => {
    let refused = true
    const { screen, asked } = await show(
      () => <CommentsPart decision={{ ...sample, comments: [] }} open />,
      [
        [
          /comments$/,
          () => (refused ? { status: 409, error: { code: 'CONFLICT', message: '', requestId: 'r' } } : { id: 'c' }),
        ],
      ],
    )
    const field = screen.getByRole('textbox', { name: say('askLabel') })
    const send = screen.getByRole('button', { name: say('askSend') })
    await expect.element(send).toBeDisabled()
    await field.fill('   ')
    await expect.element(send).toBeDisabled()
    await field.fill('Why so much?')
    await send.click()
    await expect.poll(() => screen.getByRole('alert').element().textContent).not.toBe('')
    await expect.element(field).toHaveValue('Why so much?')
    refused = false
    await send.click()
    await expect.element(field).toHaveValue('')
    expect(asked.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { text: 'Why so much?' }],
      ['POST', { text: 'Why so much?' }],
    ])
  })
})
