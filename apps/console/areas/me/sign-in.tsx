/** What a person signs in with: an email address, a phone number, a password. An address counts once its code is entered. */
import type { CurrentActor } from '@countersign/sdk'
import { type FormEvent, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { e164 } from '../../app/phone.ts'
import { renewSession, sessionState } from '../../app/session.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useMeWords } from './words.ts'

const renewed = () => renewSession(sessionState().session?.accessToken ?? null)

/** The same for both kinds, with their own operations and words. */
const kinds = {
  email: {
    ask: (email: string) => api.auth.changeEmail({ email }),
    confirm: (code: string) => api.auth.confirmEmail({ code }),
    input: { type: 'email', autoComplete: 'email' },
  },
  phone: {
    ask: (phone: string) => api.auth.changePhone({ phone: e164(phone) }),
    confirm: (code: string) => api.auth.confirmPhone({ code }),
    input: { type: 'tel', autoComplete: 'tel' },
  },
} as const

function Address({ kind, value }: { readonly kind: keyof typeof kinds; readonly value: string | null }) {
  const say = useMeWords()
  const done = useDoneWords()
  const [step, setStep] = useState<'shown' | 'asking' | 'code' | 'done'>('shown')
  const [address, setAddress] = useState('')
  const [code, setCode] = useState('')
  const { ask, confirm, input } = kinds[kind]
  const asked = useChange([], () => ask(address.trim()), { told: 'asked', onDone: () => setStep('code') })
  const confirmed = useChange(
    ['me'],
    async () => {
      await confirm(code.trim())
      await renewed()
    },
    {
      told: 'shown',
      onDone() {
        setStep('done')
        setCode('')
        setAddress('')
      },
    },
  )
  const remove = useChange(['me'], () => api.auth.removePhone(), {
    told: () => done('phoneRemoved'),
    onDone: () => setStep('shown'),
  })
  const sent = (run: () => void) => (event: FormEvent) => {
    event.preventDefault()
    run()
  }
  const idle = step === 'shown' || step === 'done'
  return (
    <div className="me-form">
      <p>
        <span className="label">{say(kind)}</span>
        {value || say(`none.${kind}`)}
      </p>
      {step === 'done' && <p role="status">{say(`done.${kind}`)}</p>}
      {idle && (
        <p className="button-line">
          <button type="button" className="btn" onClick={() => setStep('asking')}>
            {say(value ? `change.${kind}` : `add.${kind}`)}
          </button>
          {kind === 'phone' && value && (
            <button type="button" className="btn plain" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {say('phoneRemove')}
            </button>
          )}
        </p>
      )}
      {step === 'asking' && (
        <form className="me-form" onSubmit={sent(() => asked.mutate())}>
          <Field
            {...input}
            data-field={kind}
            label={say(`new.${kind}`)}
            hint={say(`hint.${kind}`)}
            required
            maxLength={254}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
          <p className="button-line">
            <button type="submit" className="btn" disabled={asked.isPending || address.trim() === ''}>
              {say('sendCode')}
            </button>
            <button type="button" className="btn plain" onClick={() => setStep('code')}>
              {say('haveCode')}
            </button>
            <button type="button" className="btn plain" onClick={() => setStep('shown')}>
              {say('cancel')}
            </button>
          </p>
          <ErrorLine error={asked.error} />
        </form>
      )}
      {step === 'code' && (
        <form className="me-form" onSubmit={sent(() => confirmed.mutate())}>
          <Field
            label={say('code')}
            data-field="code"
            hint={say(`codeHint.${kind}`)}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            required
            maxLength={6}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
          <p className="button-line">
            <button type="submit" className="btn" disabled={confirmed.isPending || code.length !== 6}>
              {say('confirmCode')}
            </button>
            <button type="button" className="btn plain" onClick={() => setStep('asking')}>
              {say('newCode')}
            </button>
          </p>
          <ErrorLine error={confirmed.error} />
        </form>
      )}
      <ErrorLine error={remove.error} />
    </div>
  )
}

function Password() {
  const say = useMeWords()
  const [open, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const change = useChange(['sessions'], () => api.auth.changePassword({ password }), {
    told: 'shown',
    onDone() {
      setOpen(false)
      setDone(true)
      setPassword('')
    },
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <div className="me-form">
      <p className="label">{say('password')}</p>
      {done && <p role="status">{say('passwordDone')}</p>}
      {open ? (
        <form className="me-form" onSubmit={save}>
          <Field
            label={say('passwordNew')}
            hint={say('passwordHint')}
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={1024}
            data-field="password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
          <p className="button-line">
            <button type="submit" className="btn" disabled={change.isPending || password === ''}>
              {say('passwordSave')}
            </button>
            <button type="button" className="btn plain" onClick={() => setOpen(false)}>
              {say('cancel')}
            </button>
          </p>
          <ErrorLine error={change.error} />
        </form>
      ) : (
        <button type="button" className="btn" onClick={() => setOpen(true)}>
          {say('passwordChange')}
        </button>
      )}
    </div>
  )
}

export function SignIn({ me }: { readonly me: CurrentActor }) {
  const say = useMeWords()
  return (
    <div id="signIn" className="me-part">
      <Part title={say('signIn')}>
        <Address kind="email" value={me.email} />
        <Address kind="phone" value={me.phone} />
        <Password />
      </Part>
    </div>
  )
}
