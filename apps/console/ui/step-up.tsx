/** Asks for the password or a passkey, in the middle of what the person was doing. */
import { type FormEvent, useId, useState } from 'react'
import { hasPasskeys } from '../app/passkeys.ts'
import { stepUpByPasskey, stepUpByPassword, stepUpStore } from '../app/step-up.ts'
import { useStore } from '../app/use-store.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { OwnStanding } from './own-standing.tsx'
import { useUiWords } from './words.ts'

export function StepUp() {
  const asked = useStore(stepUpStore)
  return asked && <StepUpDialog {...asked} />
}

type Fault = 'stepUpWrong' | 'stepUpNoPasskey' | 'stepUpCanceled' | 'stepUpLater'

const faultOf = (status: number): Fault | null => {
  if (status === 200) return null
  if (status === 409) return 'stepUpNoPasskey'
  return status === 400 || status === 401 ? 'stepUpWrong' : 'stepUpLater'
}

interface Properties {
  readonly byPasskey: boolean
  readonly done: (isShown: boolean) => void
}

function StepUpDialog({ byPasskey, done }: Properties) {
  const say = useUiWords()
  const form = useId()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const show = async (by: () => Promise<number>) => {
    setBusy(true)
    setFault(null)
    const found = await by().then(faultOf, () => 'stepUpCanceled' as const)
    if (found === null) return done(true)
    setFault(found)
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password !== '' && !busy) void show(() => stepUpByPassword(password))
  }
  return (
    <Dialog
      title={say('stepUpTitle')}
      onClose={() => done(false)}
      actions={
        <>
          <button type="button" className="btn plain" onClick={() => done(false)}>
            {say('cancel')}
          </button>
          {hasPasskeys() && (
            <button
              type="button"
              className={byPasskey ? 'btn first' : 'btn'}
              disabled={busy}
              onClick={() => void show(stepUpByPasskey)}
            >
              {say('stepUpPasskey')}
            </button>
          )}
          {!byPasskey && (
            <button type="submit" form={form} className="btn first" disabled={busy || password === ''}>
              {say('stepUpDo')}
            </button>
          )}
        </>
      }
    >
      <p>{say(byPasskey ? 'stepUpAdmin' : 'stepUpBody')}</p>
      {byPasskey && (
        <>
          <OwnStanding />
          {fault && (
            <p role="alert" className="fault">
              {say(fault === 'stepUpLater' ? fault : 'stepUpUnused')}
            </p>
          )}
          <p className="soft small">
            {say('stepUpNone')} <a href="/me#passkeys">{say('stepUpRegister')}</a>
          </p>
        </>
      )}
      {!byPasskey && (
        <form id={form} onSubmit={submit}>
          <Field
            label={say('stepUpPassword')}
            type="password"
            autoComplete="current-password"
            value={password}
            fault={fault ? say(fault) : undefined}
            onChange={(event) => setPassword(event.target.value)}
          />
        </form>
      )}
      {!byPasskey && <p className="soft small">{say('stepUpElse')}</p>}
    </Dialog>
  )
}
