/** A dialog of the browser itself: it holds the focus, closes with Escape, and gives the focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useUiWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the bottom; the first one closes without them. */
  readonly actions?: ReactNode
  readonly className?: string
}

export function Dialog({ title, onClose, children, actions, className = '' }: Properties) {
  const say = useUiWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <div className="dialog-actions">
        {actions ?? (
          <button type="button" className="btn plain" onClick={onClose}>
            {say('close')}
          </button>
        )}
      </div>
    </dialog>
  )
}
