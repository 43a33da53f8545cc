/** Asking for a mail: with a new account, or with a new password. */
import { type FormEvent, useState } from 'react'
import { entryApi } from '../../app/api.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { EntryFrame } from './frame.tsx'
import { Outcome } from './outcome.tsx'
import { useEntryWords } from './words.ts'

interface Properties {
  readonly title: string
  readonly lede: string
  readonly done: { readonly title: string; readonly text: string }
  readonly withName?: boolean
  readonly onSend: (email: string, name: string) => Promise<unknown>
}

function AskForMail({ title, lede, done, withName = false, onSend }: Properties) {
  const say = useEntryWords()
  const [empty, setEmpty] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>(null)
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking')

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [name, email] = ['name', 'email'].map((each) => String(form.get(each) ?? '').trim()) as [string, string]
    const missing = [...(withName && name === '' ? ['name'] : []), ...(email === '' ? ['email'] : [])]
    setEmpty(missing)
    setError(null)
    if (missing.length > 0) return
    setState('busy')
    const failure = await onSend(email, name).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    setError(failure)
    setState(failure === null ? 'sent' : 'asking')
  }

  if (state === 'sent') return <Outcome {...done} signIn={false} />
  return (
    <EntryFrame title={title} lede={lede}>
      <form onSubmit={send} noValidate>
        {withName && (
          <Field
            label={say('yourName')}
            name="name"
            autoComplete="name"
            maxLength={200}
            fault={empty.includes('name') ? say('needName') : undefined}
          />
        )}
        <Field
          label={say('email')}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          fault={empty.includes('email') ? say('needEmail') : undefined}
        />
        <ErrorLine error={error} />
        <button type="submit" className="btn first" disabled={state === 'busy'}>
          {state === 'busy' ? say('working') : say('sendLink')}
        </button>
      </form>
      <p className="entry-links">
        <a href="/login">{say('enter')}</a>
      </p>
    </EntryFrame>
  )
}

export function SignUpPage() {
  const say = useEntryWords()
  return (
    <AskForMail
      title={say('signUpTitle')}
      lede={say('signUpBody')}
      done={{ title: say('mailTitle'), text: say('signUpDoneBody') }}
      withName
      onSend={(email, name) => entryApi().auth.signUp({ email, name })}
    />
  )
}

export function ForgotPage() {
  const say = useEntryWords()
  return (
    <AskForMail
      title={say('forgotTitle')}
      lede={say('forgotBody')}
      done={{ title: say('mailTitle'), text: say('forgotDoneBody') }}
      onSend={(email) => entryApi().auth.requestPasswordReset({ email })}
    />
  )
}
