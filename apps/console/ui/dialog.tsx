/** A dialog of the browser itself: it holds the focus, closes with Escape, and gives the focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useUiWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The verb of the dialog; a button that closes stands before it. */
  readonly action?: { readonly text: string; readonly disabled: boolean; readonly run: () => void }
  /** Other buttons at the bottom. Without both, one button closes. */
  readonly actions?: ReactNode
  readonly className?: string
}

export function Dialog({ title, onClose, children, action, actions, className = '' }: Properties) {
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
          <>
            <button type="button" className="btn plain" onClick={onClose}>
              {say(action ? 'cancel' : 'close')}
            </button>
            {action && (
              <button type="button" className="btn first" disabled={action.disabled} onClick={action.run}>
                {action.text}
              </button>
            )}
          </>
        )}
      </div>
    </dialog>
  )
}
