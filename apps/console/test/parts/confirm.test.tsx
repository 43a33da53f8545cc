import { describe, expect, it, vi } from 'vitest'
import { Confirm } from '../../ui/confirm.tsx'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)

function ask(onConfirm: () => Promise<unknown>, word?: string) {
  const onClose = vi.fn()
  const shown = show(() => (
    <Confirm title="End the center" action="End" onConfirm={onConfirm} onClose={onClose} {...(word && { word })}>
      <p>Nothing can be recorded afterwards.</p>
    </Confirm>
  ))
  return shown.then(({ screen }) => ({ screen, onClose }))
}

describe('a question before something that cannot be taken back', () => {
  it('is a dialog with its title, holds the focus, and Escape leaves everything as it is', async () => {
    const onConfirm = vi.fn(async () => {})
    const { screen, onClose } = await ask(onConfirm)
    const dialog = screen.getByRole('dialog', { name: 'End the center' })
    await expect.element(dialog).toBeVisible()
    expect(dialog.element().contains(document.activeElement)).toBe(true)
    await screen.getByRole('button', { name: say('cancel') }).click()
    expect(onClose).toHaveBeenCalledTimes(1)
    dialog.element().dispatchEvent(new Event('cancel', { cancelable: true }))
    expect([onClose.mock.calls.length, onConfirm.mock.calls.length]).toEqual([2, 0])
  })

  it('runs once, however often it is pressed, and closes when it has succeeded', async () => {
    let done = () => {}
    const onConfirm = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
    const { screen, onClose } = await ask(onConfirm)
    const button = screen.getByRole('button', { name: 'End', exact: true })
    await button.click()
    await expect.element(button).toBeDisabled()
    ;(button.element() as HTMLButtonElement).click()
    expect([onConfirm.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0])
    done()
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
  })

  it('stays open with the reason when it failed, and can be tried again', async () => {
    const onConfirm = vi.fn(async () => {
      throw Object.assign(new Error('no'), { code: 'CONFLICT' })
    })
    const { screen, onClose } = await ask(onConfirm)
    const button = screen.getByRole('button', { name: 'End', exact: true })
    await button.click()
    await expect.poll(() => screen.getByRole('alert').element().textContent).not.toBe('')
    await expect.element(button).toBeEnabled()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('waits for the word to be typed, exactly', async () => {
    const onConfirm = vi.fn(async () => {})
    const { screen } = await ask(onConfirm, 'north')
    const button = screen.getByRole('button', { name: 'End', exact: true })
    const field = screen.getByRole('textbox', { name: say('typeToConfirm', { word: 'north' }) })
    for (const wrong of ['', 'nort', 'North', 'north ']) {
      await field.fill(wrong)
      await expect.element(button).toBeDisabled()
    }
    await field.fill('north')
    await button.click()
    expect(onConfirm).toHaveBeenCalledTimes(1)
  })
})
