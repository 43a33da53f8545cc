import { describe, expect, it } from 'vitest'
import { Banners } from '../../ui/banners.tsx'
import { OperatorBanners } from '../../ui/operator-banners.tsx'
import { useUiWords } from '../../ui/words.ts'
import { type Answers, show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)
const well = {
  subscription: { status: 'ACTIVE', currentPeriodEnd: null, stopped: [], liftedBy: [], billingUrl: null },
  chain: { broken: null, lost: [] },
  webhooks: [],
  passkeys: { waiting: 0, confirmers: null, toConfirm: 0 },
}
const lost = { domain: 'dpu', log: 'north.dpu.2' }
const ofSubscription = (status: string, currentPeriodEnd: string | null = null) => ({
  subscription: { ...well.subscription, status, currentPeriodEnd, liftedBy: ['operator'] },
})
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const answers = (notices: object, role = 'ADMIN', freezes: readonly object[] = []): Answers => [
  [/\/me$/, { language: null, memberships: [{ centerDomain: 'north', role, roles: [role] }] }],
  [/notices$/, { ...well, ...notices }],
  [/freezes$/, freezes],
]
const banners = (notices: object, role?: string, freezes?: readonly object[]) =>
  show(() => <Banners center="north" />, answers(notices, role, freezes))
const all = ({ screen }: Awaited<ReturnType<typeof banners>>) => screen.getByRole('status')

describe('the banners of the operator', () => {
  const cell = { name: 'north', up: true, centers: 2, alarms: [], jobs: [], queues: null }
  const shown = (cells: readonly object[], passkeys: readonly object[] = []) =>
    show(
      () => <OperatorBanners />,
      [
        [/overview$/, { cells }],
        [/passkeys$/, passkeys],
      ],
    )

  it('are absent while all is well', async () => {
    const stage = await shown([cell])
    await expect.poll(() => stage.asked.length).toBe(2)
    expect(all(stage).elements()).toEqual([])
  })

  it('show a broken chain before a database that is away and passkeys that wait', async () => {
    const stage = await shown(
      [
        { ...cell, alarms: [{}, {}] },
        { ...cell, name: 'south', up: false },
      ],
      [{}],
    )
    await expect.element(all(stage).filter({ hasText: say('operatorAlarms', { count: 2 }) })).toBeVisible()
    await stage.screen.getByRole('button', { name: say('noticesMore', { count: 2 }) }).click()
    expect(all(stage).elements()[1]?.textContent).toContain(say('operatorAway', { names: 'south' }))
    expect(all(stage).elements()[2]?.textContent).toContain(say('passkeysWait', { count: 1 }))
  })
})

describe('the banners of a center', () => {
  it('are absent while all is well, after one request', async () => {
    const stage = await banners({})
    await expect.poll(() => stage.asked.filter(({ path }) => path.includes('notices')).length).toBe(1)
    expect(all(stage).elements()).toEqual([])
    expect(stage.asked.map(({ path }) => path).filter((path) => /integrity|subscription|standing/.test(path))).toEqual(
      [],
    )
  })

  it('show the most severe one, and the others on request', async () => {
    const freeze = { id: 'frz_1', center: true, madeAt: inDays(-1), liftedAt: null, reason: 'x' }
    const stage = await banners(
      {
        chain: { broken: 'proof', lost: [] },
        ...ofSubscription('SUSPENDED'),
        passkeys: { ...well.passkeys, toConfirm: 3 },
      },
      'ADMIN',
      [freeze],
    )
    await expect.poll(() => all(stage).elements().length).toBe(1)
    const texts = () =>
      all(stage)
        .elements()
        .map(({ textContent }) => textContent ?? '')
    expect(texts()[0]).toContain(say('chainBroken'))
    await stage.screen.getByRole('button', { name: say('noticesMore', { count: 3 }) }).click()
    expect(texts()[1]).toContain(say('subscriptionSUSPENDED'))
    expect(texts()[2]).toContain(say('stoppedCenter'))
    expect(texts()[3]).toContain(say('passkeysWait', { count: 3 }))
    await stage.screen.getByRole('button', { name: say('noticesLess') }).click()
    expect(texts()).toHaveLength(1)
  })

  it('link to the chain that is broken, and say a loss until it was read', async () => {
    const broken = await banners({ chain: { broken: 'dpu', lost: [] } })
    await broken.screen.getByRole('link', { name: say('chainOpen') }).click()
    expect(broken.history.location.href).toBe('/c/north/chain?domain=dpu')
    await broken.screen.unmount()
    const read = await banners({ chain: { broken: null, lost: [lost] } })
    await read.screen.getByRole('button', { name: say('chainLostRead') }).click()
    expect(all(read).elements()).toEqual([])
    await read.screen.unmount()
    const later = await banners({ chain: { broken: null, lost: [lost, { domain: 'proof', log: 'north.proof.2' }] } })
    await expect.element(all(later).filter({ hasText: say('chainLost') })).toBeVisible()
  })

  it.each([
    ['TRIAL', 3, 'ADMIN', 1],
    ['TRIAL', 30, 'ADMIN', 0],
    ['PAST_DUE', 3, 'ADMIN', 1],
    ['PAST_DUE', 3, 'INSTRUCTOR', 0],
    ['PAST_DUE', 3, 'PARENT', 0],
    ['SUSPENDED', 3, 'PARENT', 1],
  ] as const)('a subscription that is %s for %d days is told to a %s: %d', async (status, days, role, count) => {
    const stage = await banners(ofSubscription(status, inDays(days)), role)
    await expect.poll(() => stage.asked.filter(({ path }) => path.includes('notices')).length).toBe(1)
    await expect.poll(() => all(stage).elements().length).toBe(count)
    // Only an administrator can do something about it.
    expect(stage.screen.getByRole('link').elements()).toHaveLength(role === 'ADMIN' ? count : 0)
  })

  it('tell a member whose passkey waits who confirms it', async () => {
    const passkeys = { waiting: 1, confirmers: { by: 'admin', names: ['Kim Minji'] }, toConfirm: 0 }
    const stage = await banners({ passkeys }, 'INSTRUCTOR')
    const banner = all(stage).filter({ hasText: say('passkeyWaits') })
    await expect.element(banner).toBeVisible()
    expect(banner.element().textContent).toContain('Kim Minji')
    expect(stage.screen.getByRole('link').element().getAttribute('href')).toBe('/me#passkeys')
  })

  it.each([
    [[{ id: 'whk_1', state: 'failing', since: inDays(-1) }], 'webhookFailing'],
    [[{ id: 'whk_1', state: 'disabled', since: null }], 'webhookDisabled'],
  ] as const)('of a webhook lead to it: %j', async (webhooks, word) => {
    const stage = await banners({ webhooks })
    await expect.element(all(stage).filter({ hasText: say(word) })).toBeVisible()
    expect(stage.screen.getByRole('link').element().getAttribute('href')).toBe('/c/north/developers/webhooks/whk_1')
  })
})
