/** A new password, with the token of a mailed address. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { EntryFrame } from './frame.tsx'
import { BadLink } from './outcome.tsx'
import { useEntryWords } from './words.ts'

const shortest = 10

interface Properties {
  readonly title: string
  readonly lede: string
  readonly action: string
  /** Where the person writes their name too: what is known of it. */
  readonly name?: string
  /** Above the form. */
  readonly children?: ReactNode
  /** What to show afterwards. */
  readonly onSend: (password: string, name: string) => Promise<ReactNode>
  /** What a refusal means here: a sentence, or a page. */
  readonly refused?: (status: number) => ReactNode
}

export function NewPassword({ title, lede, action, name: known, children, onSend, refused }: Properties) {
  const say = useEntryWords()
  const [short, setShort] = useState(false)
  const [nameless, setNameless] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<ReactNode>(null)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [password, name] = [String(form.get('password')), String(form.get('name') ?? '').trim()]
    const isNameless = known !== undefined && name === ''
    setNameless(isNameless)
    const isShort = password.replaceAll(/\s/g, '').length < shortest
    setShort(isShort)
    setError(null)
    if (isShort || isNameless) return
    setBusy(true)
    await onSend(password, name).then(setDone, setError)
    setBusy(false)
  }

  if (done) return done
  const { status } = failureOf(error)
  if (error !== null && status === 401) return <BadLink />
  const instead = error === null ? null : refused?.(status)
  if (instead) return instead
  return (
    <EntryFrame title={title} lede={lede}>
      {children}
      <form onSubmit={send} noValidate>
        {known !== undefined && (
          <Field
            label={say('yourName')}
            name="name"
            autoComplete="name"
            maxLength={200}
            defaultValue={known}
            hint={say('nameNote')}
            fault={nameless ? say('needName') : undefined}
          />
        )}
        <Field
          label={say('password')}
          name="password"
          type="password"
          autoComplete="new-password"
          maxLength={1024}
          hint={say('passwordNote')}
          fault={short ? say('passwordShort') : undefined}
        />
        <ErrorLine error={error} />
        <button type="submit" className="btn first" disabled={busy}>
          {busy ? say('working') : action}
        </button>
      </form>
    </EntryFrame>
  )
}
