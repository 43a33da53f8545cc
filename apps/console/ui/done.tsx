/** What was just done, in words, and a button that takes it back. */
import { type ReactNode, useState } from 'react'
import { useChange } from '../app/change.ts'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly children: ReactNode
  /** What is read again after the change was taken back. */
  readonly names: readonly string[]
  /** Absent where it cannot be taken back any more. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

/** Another message has another `key`. */
export function Done({ children, names, undo }: Properties) {
  const say = useUiWords()
  const [undone, setUndone] = useState(false)
  const change = useChange(
    names,
    async () => undo?.(),
    () => setUndone(true),
  )
  return (
    <div className="done-line">
      <p role="status" className="verified">
        <span aria-hidden="true">✓ </span>
        {undone ? say('undone') : children}
      </p>
      {undo && !undone && (
        <button type="button" className="btn plain low" disabled={change.isPending} onClick={() => change.mutate()}>
          {say('undo')}
        </button>
      )}
      {change.error && <ErrorLine error={change.error} />}
    </div>
  )
}
