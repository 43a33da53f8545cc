/**
 * A dialog of the browser itself: it holds the focus, closes with Escape, and gives the focus back. It is a form: Enter does what its
 * button says, and in a text of several lines Ctrl+Enter. It asks before it loses what was typed.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useUnsaved } from './use-unsaved.ts'
import { useUiWords } from './words.ts'

const writtenFields = 'textarea, input:not([type=date], [type=time], [type=checkbox], [type=radio])'

interface Properties {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** The verb of the dialog; a button that closes is before it. */
  readonly action?: { readonly text: string; readonly disabled?: boolean; readonly run: () => void }
  /** What the button that closes says. */
  readonly closing?: string
  /** Further buttons. */
  readonly beside?: ReactNode
  /** Whether only its action ends it. */
  readonly mustAct?: boolean
  readonly className?: string
}

export function Dialog({
  title,
  onClose,
  children,
  action,
  closing,
  beside,
  mustAct = false,
  className = '',
}: Properties) {
  const say = useUiWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Without an action nothing waits to be sent, and a choice or a day is quickly made again.
  const isTyped = useUnsaved(dialog, (field) => action !== undefined && field.matches(writtenFields))
  const [asks, setAsks] = useState(false)
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
  }, [])
  const close = () => {
    if (mustAct) return
    if (isTyped() && !asks) return setAsks(true)
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // The browser closes at the second Escape, whatever the page says to the first.
      event.preventDefault()
      event.stopPropagation()
      if (asks) setAsks(false)
      else close()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      dialog.current?.querySelector('form')?.requestSubmit()
  }
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        event.stopPropagation()
        close()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A dialog may be a part of a page's own form.
          event.stopPropagation()
          if (action && !action.disabled && !asks) action.run()
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        {asks && (
          <p role="alert" className="waiting dialog-asks">
            {say('unsavedText')}
          </p>
        )}
        <div className="dialog-actions">
          {asks ? (
            <>
              <button type="button" className="btn" onClick={() => setAsks(false)} ref={(stay) => stay?.focus()}>
                {say('unsavedStay')}
              </button>
              <button type="button" className="btn plain" onClick={onClose}>
                {say('unsavedDiscard')}
              </button>
            </>
          ) : (
            <>
              {!mustAct && (
                <button type="button" className="btn plain" onClick={close}>
                  {closing ?? say(action ? 'cancel' : 'close')}
                </button>
              )}
              {beside}
              {action && (
                <button type="submit" className="btn first" disabled={action.disabled}>
                  {action.text}
                </button>
              )}
            </>
          )}
        </div>
      </form>
    </dialog>
  )
}
