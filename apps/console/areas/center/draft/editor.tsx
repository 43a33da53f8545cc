/** A person's text in place of the workflow's. What is typed is never lost: neither to another editor nor to a way out. */
import { useBlocker } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api } from '../../../app/api.ts'
import { queries } from '../../../app/queries.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { failureOf } from '../../../ui/failure.ts'
import { changedWithDraft, type Draft, draftKey } from './data.ts'
import { ComparedText } from './draft-text.tsx'
import { withLabels, withNames } from './names.ts'
import { useDraftWords } from './words.ts'

interface Properties {
  readonly draft: Draft
  onDone(saved: boolean): void
}

const textOf = ({ content, draft }: Draft): string => draft.text ?? content

export function DraftEditor({ draft: opened, onDone }: Properties) {
  const say = useDraftWords()
  const id = useId()
  /** The state that the person knows; another one takes its place once they have seen it. */
  const [base, setBase] = useState(opened)
  const [theirs, setTheirs] = useState<Draft | null>(null)
  const shown = withNames(textOf(base), opened.people)
  const [text, setText] = useState(shown)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [asking, setAsking] = useState(false)
  const isDirty = text !== shown
  // After a save the page leaves at once; the state of then still says that something is unsaved.
  const [isLeft, setLeft] = useState(false)
  const leaving = useBlocker({
    shouldBlockFn: () => isDirty && !isLeft,
    enableBeforeUnload: () => isDirty && !isLeft,
    withResolver: true,
  })

  const save = async (over: Draft) => {
    setBusy(true)
    setError(null)
    try {
      const sealed = withLabels(text, opened.people, textOf(base))
      await api.drafts.edit(opened.id, { text: sealed, previous: over.draft.previous })
      setLeft(true)
      for (const name of changedWithDraft) await queries.invalidateQueries({ queryKey: [name] })
      onDone(true)
    } catch (failure) {
      const isContested = failureOf(failure).cause === 'changed'
      const now = isContested ? await api.dpus.get(opened.id).catch(() => null) : null
      if (now?.draft) {
        setTheirs(now as Draft)
        queries.setQueryData(draftKey(opened.id), now)
      } else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const take = (next: Draft) => {
    setBase(next)
    setText(withNames(textOf(next), opened.people))
    setTheirs(null)
  }
  const refused = theirs?.draft.refused
  const isOther = theirs !== null && textOf(theirs) !== textOf(base)
  const name = refused?.by.name ?? theirs?.draft.editedBy?.name ?? say('machineText')
  return (
    <section className="draft-editor" aria-label={say('editorTitle')}>
      <label className="label" htmlFor={id}>
        {say('editorLabel')}
      </label>
      <textarea
        id={id}
        className="field"
        rows={18}
        maxLength={50_000}
        aria-describedby={`${id}-hint`}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p id={`${id}-hint`} className="soft small">
        {say('editorHint')}
      </p>
      {theirs && (
        <div className="draft-contest" role="alert">
          <h3>{say('contestTitle')}</h3>
          <p>
            {refused
              ? say('contestRefused', { name, reason: refused.reason })
              : say(isOther ? 'contestText' : 'contestChanged', { name })}
          </p>
          {isOther && (
            <ComparedText
              machine={withNames(textOf(theirs), opened.people)}
              ours={text}
              machineLabel={say('contestTheirs', { name })}
              ourLabel={say('editorLabel')}
            />
          )}
          <div className="center-moves">
            <button type="button" className="btn first" disabled={busy} onClick={() => void save(theirs)}>
              {say('contestMine')}
            </button>
            <button type="button" className="btn plain" disabled={busy} onClick={() => take(theirs)}>
              {say('contestTake')}
            </button>
          </div>
        </div>
      )}
      <div className="center-moves">
        {!theirs && (
          <button
            type="button"
            className="btn first"
            disabled={busy || !isDirty || text.trim() === ''}
            onClick={() => void save(base)}
          >
            {say('save')}
          </button>
        )}
        <button type="button" className="btn plain" onClick={() => (isDirty ? setAsking(true) : onDone(false))}>
          {say('discard')}
        </button>
        {base.draft.text !== null && !theirs && (
          <button type="button" className="btn plain" onClick={() => setText(withNames(opened.content, opened.people))}>
            {say('back')}
          </button>
        )}
      </div>
      <ErrorLine error={error} />
      {(asking || leaving.status === 'blocked') && (
        <Confirm
          title={say('discardAsk')}
          action={say('discard')}
          onClose={() => {
            setAsking(false)
            leaving.reset?.()
          }}
          onConfirm={async () => {
            setLeft(true)
            if (leaving.proceed) leaving.proceed()
            else onDone(false)
          }}
        >
          <p>{say('discardText')}</p>
        </Confirm>
      )}
    </section>
  )
}
