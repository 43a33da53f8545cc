import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)

async function open({ disabled = false } = {}) {
  const run = vi.fn()
  const onClose = vi.fn()
  const Part = () => {
    const [name, setName] = useState('')
    const [note, setNote] = useState('')
    return (
      <Dialog title="Add" onClose={onClose} action={{ text: 'Add', disabled, run }}>
        <Field label="Name" value={name} onChange={({ target }) => setName(target.value)} />
        <Field label="Search" type="search" />
        <textarea aria-label="Note" value={note} onChange={({ target }) => setNote(target.value)} />
      </Dialog>
    )
  }
  const { screen } = await show(() => <Part />)
  const type = async (role: 'textbox' | 'searchbox', name: string, text: string) => {
    const field = screen.getByRole(role, { name })
    await field.click()
    await userEvent.keyboard(text)
  }
  return { screen, run, onClose, type }
}

describe('a dialog', () => {
  it('does what its button says at Enter, and in a text of several lines at Ctrl+Enter', async () => {
    const { run, type } = await open()
    await type('textbox', 'Name', 'Ara{Enter}')
    expect(run).toHaveBeenCalledTimes(1)
    await type('textbox', 'Note', 'One{Enter}two')
    expect(run).toHaveBeenCalledTimes(1)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('does nothing at Enter while its button is off', async () => {
    const { run, type } = await open({ disabled: true })
    await type('textbox', 'Name', 'Ara{Enter}')
    expect(run).not.toHaveBeenCalled()
  })

  it('closes at Escape without a question where nothing was typed, also after a search', async () => {
    const { onClose, type } = await open()
    await type('searchbox', 'Search', 'x')
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('asks before it loses what was typed; a second Escape goes back to it', async () => {
    const { screen, onClose, type } = await open()
    await type('textbox', 'Name', 'Ara')
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByText(say('unsavedText'))).toBeVisible()
    await userEvent.keyboard('{Escape}')
    expect(screen.getByText(say('unsavedText')).elements()).toEqual([])
    await screen.getByRole('button', { name: say('cancel') }).click()
    await screen.getByRole('button', { name: say('unsavedDiscard') }).click()
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  it('asks nothing where the text is as it was', async () => {
    const { onClose, type } = await open()
    await type('textbox', 'Name', 'A{Backspace}')
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(1)
  })
})
