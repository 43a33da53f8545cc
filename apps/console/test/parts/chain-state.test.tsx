import { expect, it } from 'vitest'
import { ChainState } from '../../ui/chain-state.tsx'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)
const lost = { domain: 'dpu', log: 'north.dpu.2' }
const header = (chain: object | null) =>
  show(() => <ChainState center="north" />, [[/notices$/, { chain, webhooks: [], passkeys: null }]])

it.each([
  [{ broken: null, lost: [] }, 'chainStateIntact', '/c/north/chain'],
  [{ broken: null, lost: [lost] }, 'chainStateLost', '/c/north/chain?domain=dpu'],
  [{ broken: 'proof', lost: [lost] }, 'chainStateBroken', '/c/north/chain?domain=proof'],
] as const)('of %j: %s, which leads to the chain', async (chain, word, href) => {
  const { screen, history } = await header(chain)
  const link = screen.getByRole('link', { name: say(word) })
  await link.click()
  expect(history.location.href).toBe(href)
})

it('says nothing to people who see no chain', async () => {
  const { asked, screen } = await header(null)
  await expect.poll(() => asked.length).toBe(1)
  expect(screen.getByRole('link').elements()).toEqual([])
})
