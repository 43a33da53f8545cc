/** Corrects a name: of a member, or of the center. */
import { type FormEvent, useState } from 'react'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly hint: string
  readonly name: string
  /** What is read again. */
  readonly changes: readonly string[]
  readonly onSave: (name: string) => Promise<unknown>
}

export function Rename({ title, hint, name, changes, onSave }: Properties) {
  const say = useCenterWords()
  const words = useDoneWords()
  const [next, setNext] = useState(name)
  const [done, setDone] = useState(false)
  const save = useChange(changes, () => onSave(next.trim()), {
    told: () => words('saved', { name: next.trim() }),
    undo: () => async () => {
      await onSave(name)
      setNext(name)
    },
    onDone: () => setDone(true),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    save.mutate()
  }
  const written = next.trim()
  return (
    <Part title={title}>
      <form className="field-line" onSubmit={submit}>
        <Field
          label={say('newName')}
          hint={hint}
          required
          maxLength={200}
          data-field="name"
          value={next}
          onChange={({ target }) => setNext(target.value)}
        />
        <button type="submit" className="btn" disabled={save.isPending || written === '' || written === name}>
          {say('saveName')}
        </button>
      </form>
      <p role="status">{done && written === name && say('nameSaved')}</p>
      <ErrorLine error={save.error} />
    </Part>
  )
}
