/** The parts of the inbox: what waits for the person, what will, what they are told of, and what they asked for. */
import type { InboxCounts, InboxItem } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { Tray } from '../../areas/inbox/tray.tsx'
import { useInboxWords } from '../../areas/inbox/words.ts'
import '../../areas/inbox/inbox.css'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useInboxWords)
const counts: InboxCounts = {
  ...{ waiting: 12, expiringWithinHour: 1, unopened: 2, withoutRisk: 0 },
  ...{ turn: 7, soon: 2, confirm: 0, informed: 4, asked: 1 },
}
const item = (more: Partial<InboxItem> = {}): InboxItem =>
  ({
    ...{
      eventId: 'evt_1',
      headline: { ko: '환불', en: 'Refund' },
      riskScore: 0.8,
      expiresAt: null,
      status: 'recorded',
    },
    ...{ approvals: 1, opened: false, openedByOthers: 0, comments: 0 },
    ...more,
  }) as InboxItem

const tray = async (view: 'turn' | 'informed', items: readonly InboxItem[], confirm = 0) =>
  (
    await show(() => (
      <Tray items={items} counts={{ ...counts, confirm }} view={view} sort="risk" shown={undefined} center="north">
        {null}
      </Tray>
    ))
  ).screen

it('each view has its number, and the one that is open is named as current', async () => {
  const screen = await tray('turn', [item()])
  const views = screen.getByRole('navigation', { name: say('views') })
  await expect.element(views).toBeVisible()
  expect([...views.element().querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual([
    `${say('viewturn')} 7`,
    `${say('viewsoon')} 2`,
    `${say('viewinformed')} 4`,
    `${say('viewasked')} 1`,
    `${say('viewall')} 12`,
  ])
  expect(views.element().querySelector('[aria-current="page"]')?.textContent).toContain(say('viewturn'))
  await expect.element(screen.getByText(say('given', { count: 1 }), { exact: false })).toBeVisible()
  await expect.element(screen.getByText(say('groupHigh'))).toBeVisible()
})

it('emergency approvals have a view of their own while one waits for the person', async () => {
  const screen = await tray('turn', [item()], 1)
  await expect.element(screen.getByRole('link', { name: `${say('viewconfirm')} 1` })).toBeVisible()
})

it('closed decisions say how they ended, and are not sorted by risk', async () => {
  const screen = await tray('informed', [item({ status: 'sealed' }), item({ eventId: 'evt_2', status: 'rejected' })])
  await expect.element(screen.getByText(say('endedsealed'))).toBeVisible()
  await expect.element(screen.getByText(say('endedrejected'))).toBeVisible()
  expect(screen.container.textContent).not.toContain(say('groupHigh'))
  expect(screen.container.textContent).not.toContain(say('byExpiry'))
})
