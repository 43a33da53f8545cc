/** Adds a child who does not sign in to a center. */
import { useState } from 'react'
import { api } from '../app/api.ts'
import { useChange } from '../app/change.ts'
import { Dialog } from './dialog.tsx'
import { useDoneWords } from './done-words.ts'
import { ErrorLine } from './error-panel.tsx'
import { Field } from './field.tsx'
import { useUiWords } from './words.ts'

interface Properties {
  readonly center: string
  /** Staff add a client, a guardian adds a child. */
  readonly title: string
  /** What happens next. */
  readonly hint: string
  /** The readings that a new child changes. */
  readonly names: readonly string[]
  readonly onClose: () => void
}

export function AddChild({ center, title, hint, names, onClose }: Properties) {
  const say = useUiWords()
  const done = useDoneWords()
  const [name, setName] = useState('')
  const add = useChange(names, () => api.children.create(center, { name }), {
    told: () => done('added', { name }),
    onDone: onClose,
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      action={{ text: title, disabled: name.trim() === '' || add.isPending, run: () => add.mutate() }}
    >
      <Field
        label={say('childName')}
        hint={hint}
        data-field="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <ErrorLine error={add.error} />
    </Dialog>
  )
}
