import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useKept } from '../../ui/kept.ts'
import { LeaveGuard } from '../../ui/unsaved.tsx'
import { useDraft } from '../../ui/use-unsaved.ts'
import { useUiWords } from '../../ui/words.ts'
import { show, wordsOf } from './stage.tsx'

const say = wordsOf(useUiWords)

/** A list beside a sheet: a form, a draft that is no form, and a comment that is kept. */
function Page() {
  const page = useRef<HTMLDivElement>(null)
  const draft = useDraft()
  const [chosen, setChosen] = useState('first')
  const [comment, setComment] = useKept('me', chosen)
  const to = { to: '/c/$center', params: { center: 'north' } } as const
  return (
    <div ref={page}>
      <LeaveGuard page={page} />
      <Link {...to} search={{ policy: 'second' } as never}>
        choose
      </Link>
      <Link {...to} search={{ q: 'kim' } as never}>
        filter
      </Link>
      <form onSubmit={(event) => event.preventDefault()}>
        <input aria-label="typed" />
        <button type="submit">send</button>
      </form>
      <button
        type="button"
        onClick={() => {
          draft.current = true
        }}
      >
        draft
      </button>
      <button
        type="button"
        onClick={() => {
          draft.current = false
        }}
      >
        save
      </button>
      <textarea aria-label="comment" value={comment} onChange={({ target }) => setComment(target.value)} />
      <button type="button" onClick={() => setChosen(chosen === 'first' ? 'second' : 'first')}>
        other
      </button>
    </div>
  )
}

it('choosing another object asks before it loses what was typed, and a filter does not', async () => {
  const { screen, history } = await show(() => <Page />)
  await screen.getByLabelText('typed').fill('half a name')
  await screen.getByText('filter').click()
  await expect.poll(() => history.location.search).toBe('?q=kim')
  await screen.getByText('choose').click()
  await expect.element(screen.getByText(say('unsavedText'))).toBeVisible()
  await screen.getByRole('button', { name: say('unsavedStay') }).click()
  expect(history.location.search).toBe('?q=kim')
  await screen.getByText('choose').click()
  await screen.getByRole('button', { name: say('unsavedLeave') }).click()
  await expect.poll(() => history.location.search).toBe('?policy=second')
})

it('a draft that is no form is asked about until it is saved', async () => {
  const { screen, history } = await show(() => <Page />)
  await screen.getByRole('button', { name: 'draft' }).click()
  await screen.getByText('choose').click()
  await screen.getByRole('button', { name: say('unsavedStay') }).click()
  expect(history.location.search).toBe('')
  await screen.getByRole('button', { name: 'save' }).click()
  await screen.getByText('choose').click()
  await expect.poll(() => history.location.search).toBe('?policy=second')
})

it('a comment beside a decision is there again when the person comes back to it', async () => {
  const { screen } = await show(() => <Page />)
  const comment = screen.getByLabelText('comment')
  await comment.fill('I still want to ask')
  await screen.getByRole('button', { name: 'other' }).click()
  await expect.element(comment).toHaveValue('')
  await screen.getByRole('button', { name: 'other' }).click()
  await expect.element(comment).toHaveValue('I still want to ask')
  await userEvent.clear(comment)
})
