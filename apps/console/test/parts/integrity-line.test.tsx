import { describe, expect, it } from 'vitest'
import examples from '../../../../packages/contract/examples.json' with { type: 'json' }
import { IntegrityLine } from '../../ui/integrity-line.tsx'
import { useUiWords } from '../../ui/words.ts'
import { type Answers, show, wordsOf } from './stage.tsx'

const [sound] = examples.Integrity.chains
const lost = { ...sound, generations: [{ generation: 2 }] }
const say = wordsOf(useUiWords)

const answers = (chains: readonly unknown[], role = 'ADMIN'): Answers => [
  [/\/me$/, { language: null, memberships: [{ centerDomain: 'north', role, roles: [role] }] }],
  [/integrity$/, { chains, alarms: [] }],
]
const line = (chains: readonly unknown[], role?: string) =>
  show(() => <IntegrityLine center="north" />, answers(chains, role))

describe('the line about the records of a center', () => {
  it('is absent while every record matches what was sealed', async () => {
    const { asked, screen } = await line([sound])
    await expect.poll(() => asked.map(({ path }) => path).join()).toMatch(/integrity/)
    expect(screen.getByRole('status').elements()).toEqual([])
  })

  it('says that records were lost, links to the chain, and stays away once it was read', async () => {
    const { screen, history } = await line([sound, lost])
    await expect.element(screen.getByRole('status').filter({ hasText: say('chainLost') })).toBeVisible()
    await screen.getByRole('button', { name: say('chainLostRead') }).click()
    expect(screen.getByRole('status').elements()).toEqual([])
    await screen.unmount()
    const again = await line([sound, lost])
    await expect.poll(() => again.asked.map(({ path }) => path).join()).toMatch(/integrity/)
    expect(again.screen.getByRole('status').elements()).toEqual([])
    expect(history.location.pathname).toBe('/c/north')
  })

  it('shows a later loss in another log, although an earlier one was read', async () => {
    const first = await line([lost])
    await first.screen.getByRole('button', { name: say('chainLostRead') }).click()
    await first.screen.unmount()
    const { screen } = await line([lost, { ...lost, log: 'another.log', domain: 'dpu' }])
    await expect.element(screen.getByRole('status').filter({ hasText: say('chainLost') })).toBeVisible()
    await screen.getByRole('link', { name: say('chainOpen') }).click()
  })

  it('of broken records comes first and cannot be closed', async () => {
    const { screen, history } = await line([lost, { ...sound, domain: 'dpu', brokenAt: 7 }])
    await expect.element(screen.getByRole('status').filter({ hasText: say('chainBroken') })).toBeVisible()
    expect(screen.getByRole('button').elements()).toEqual([])
    await screen.getByRole('link', { name: say('chainOpen') }).click()
    expect(history.location.href).toBe('/c/north/chain?domain=dpu')
  })

  it('is not asked for by a member who may not read it', async () => {
    const { asked } = await line([lost], 'PARENT')
    await expect.poll(() => asked.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked.filter(({ path }) => path.includes('integrity'))).toEqual([])
  })
})
