import { describe, expect, it, vi } from 'vitest'
import { api } from '../../app/api.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useErrorWords } from '../../ui/error-words.ts'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)
const tell = wordsOf(useErrorWords)

async function refusal(status: number, code: string): Promise<unknown> {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { success: false, error: { code, message: 'A message for developers.', requestId: 'req_1' } },
      { status, headers: { 'x-request-id': 'req_1' } },
    ),
  )
  return api.auth.getMe().then(
    () => null,
    (error: unknown) => error,
  )
}

describe('a refused call', () => {
  it('is told in the words of its code, with what to do and what to quote, and without the text for developers', async () => {
    const error = await refusal(409, 'CONFLICT')
    const retry = vi.fn()
    const { screen } = await show(() => <ErrorPanel error={error} onRetry={retry} />)
    const { what, next } = tell('CONFLICT')
    const panel = screen.getByRole('alert')
    for (const text of [what, next, 'CONFLICT', 'req_1'])
      await expect.element(panel.filter({ hasText: text })).toBeVisible()
    expect(panel.filter({ hasText: 'developers' }).elements()).toEqual([])
    await screen.getByRole('button', { name: say('tryAgain') }).click()
    expect(retry).toHaveBeenCalledTimes(1)
  })

  it('with a code that nobody knows still says something, and offers no retry that does not exist', async () => {
    const error = await refusal(422, 'SOMETHING_NEW')
    const { screen } = await show(() => <ErrorPanel error={error} />)
    await expect.element(screen.getByRole('alert').filter({ hasText: 'SOMETHING_NEW' })).toBeVisible()
    expect(screen.getByRole('button', { name: say('tryAgain') }).elements()).toEqual([])
  })

  it('without an answer says so', async () => {
    const { screen } = await show(() => <ErrorPanel error={new TypeError('Failed to fetch')} />)
    await expect.element(screen.getByRole('alert')).toBeVisible()
    expect(screen.getByRole('alert').element().textContent).not.toMatch(/undefined|null|Failed to fetch/)
  })
})
