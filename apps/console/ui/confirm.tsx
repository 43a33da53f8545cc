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
  /** What the person has to fill in first. */
  readonly missing?: string | undefined
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

export function Confirm({ title, children, action, word, missing, onConfirm, onClose }: Properties) {
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
  const disabled = busy || missing !== undefined || (word !== undefined && typed !== word)
  return (
    <Dialog title={title} onClose={onClose} action={{ text: action, disabled, run: () => void confirm() }}>
      {children}
      {word !== undefined && (
        <label className="labeled">
          <span className="label">{say('typeToConfirm', { word })}</span>
          <input className="field" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      {missing !== undefined && <p className="soft">{missing}</p>}
      <ErrorLine error={error} />
    </Dialog>
  )
}
