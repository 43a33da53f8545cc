import { describe, expect, it, vi } from 'vitest'
import { api } from '../../app/api.ts'
import { causes } from '../../decision/causes.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { useErrorWords } from '../../ui/error-words.ts'
import { Field } from '../../ui/field.tsx'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)
const tell = wordsOf(useErrorWords)

async function refusal(status: number, code: string, details?: object): Promise<unknown> {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { success: false, error: { code, message: 'A message for developers.', requestId: 'req_1', details } },
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

describe('a refused field', () => {
  const form = (error: unknown) => () => (
    <>
      <form>
        <Field label="Domain" data-field="domain" hint="Yours" />
        <Field label="Note" data-field="note" />
      </form>
      <ErrorLine error={error} />
    </>
  )
  const told = causes.en['VALIDATION_ERROR domainName'] ?? ''

  it('is marked and described by its cause, and has the focus', async () => {
    const error = await refusal(400, 'VALIDATION_ERROR', { reason: 'domainName', field: 'sender.domain' })
    const { screen } = await show(form(error))
    const input = screen.getByLabelText('Domain')
    await expect.element(input).toHaveAttribute('aria-invalid', 'true')
    await expect.element(input).toHaveAccessibleDescription(new RegExp(told))
    await expect.element(input).toHaveFocus()
    expect(screen.getByLabelText('Note').element().hasAttribute('aria-invalid')).toBe(false)
    expect(document.body.textContent?.split(told)).toHaveLength(2)
  })

  it('that the page does not have is named in the sentence', async () => {
    const error = await refusal(400, 'VALIDATION_ERROR', {
      issues: [{ path: 'hours.mon[0].from', message: 'no' }],
      reason: 'timezone',
    })
    const { screen } = await show(form(error))
    const sentence = `✕ ${causes.en['field from']}: ${causes.en['VALIDATION_ERROR timezone']} ${causes.en['VALIDATION_ERROR timezone.next']}`
    await expect.element(screen.getByRole('alert')).toHaveTextContent(sentence)
  })
})
