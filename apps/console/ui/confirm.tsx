/** Asks before something that cannot be taken back. With `word`, the person types it first. */
import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly children: ReactNode
  /** A verb. */
  readonly action: string
  readonly word?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

export function Confirm({ title, children, action, word, onConfirm, onClose }: Properties) {
  const say = useUiWords()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      action={{ text: action, disabled: busy || (word !== undefined && typed !== word), run: () => void confirm() }}
    >
      {children}
      {word !== undefined && (
        <label className="labeled">
          <span className="label">{say('typeToConfirm', { word })}</span>
          <input className="field" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      <ErrorLine error={error} />
    </Dialog>
  )
}
