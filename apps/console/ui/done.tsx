/** What was just done, at the edge of the page, and a button that takes it back. */
import { useEffect, useRef, useState } from 'react'
import { doneStore, forget, type DoneMessage as Message } from '../app/done.ts'
import { queries } from '../app/queries.ts'
import { useStore } from '../app/use-store.ts'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'

const shownMs = 8000
/** Longer where the person may think again. */
const undoMs = 20_000
const againMs = 1000

export function DoneMessage() {
  const message = useStore(doneStore)
  return <div className="done-lines">{message && <DoneLine key={message.key} message={message} />}</div>
}

function DoneLine({ message: { key, text, names, undo } }: { readonly message: Message }) {
  const say = useUiWords()
  const [state, setState] = useState<'done' | 'busy' | 'undone'>('done')
  const [error, setError] = useState<unknown>(null)
  const line = useRef<HTMLDivElement>(null)
  // Screen readers say what changes in a region, and not what the region begins with.
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(state === 'undone' ? say('undone') : text), [state, text, say])
  const stays = useRef(undo ? undoMs : shownMs)
  useEffect(() => {
    if (state === 'busy' || error !== null) return
    let timer: ReturnType<typeof setTimeout>
    const end = () => {
      // Nobody loses a message that they point at.
      if (line.current?.matches(':hover, :focus-within')) timer = setTimeout(end, againMs)
      else forget(key)
    }
    timer = setTimeout(end, state === 'undone' ? shownMs : stays.current)
    return () => clearTimeout(timer)
  }, [state, error, key])
  const takeBack = async () => {
    setState('busy')
    setError(null)
    try {
      await undo?.()
      await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
      setState('undone')
    } catch (failure) {
      setError(failure)
      setState('done')
    }
  }
  return (
    <div ref={line} className="done-line">
      <p role="status">
        <span aria-hidden="true" className="verified">
          ✓{' '}
        </span>
        {said}
      </p>
      {undo && state !== 'undone' && (
        <button type="button" className="btn plain low" disabled={state === 'busy'} onClick={() => void takeBack()}>
          {say('undo')}
        </button>
      )}
      <button type="button" className="quiet" aria-label={say('close')} onClick={() => forget(key)}>
        ✕
      </button>
      {error !== null && <ErrorLine error={error} />}
    </div>
  )
}
