/** Asks for the password or a passkey, in the middle of what the person was doing. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/api.ts'
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
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const { data: own } = useQuery({
    queryKey: ['passkeys'],
    queryFn: ({ signal }) => api.passkeys.list({ signal }),
    // Where only a passkey counts, the list is refused too.
    enabled: hasPasskeys() && !byPasskey,
  })
  const mayShowPasskey = byPasskey ? hasPasskeys() : own !== undefined && own.length > 0
  const show = async (by: () => Promise<number>) => {
    setBusy(true)
    setFault(null)
    const found = await by().then(faultOf, () => 'stepUpCanceled' as const)
    if (found === null) return done(true)
    setFault(found)
    setBusy(false)
  }
  return (
    <Dialog
      title={say('stepUpTitle')}
      onClose={() => done(false)}
      closing={say('cancel')}
      {...(!byPasskey && {
        action: {
          text: say('stepUpDo'),
          disabled: busy || password === '',
          run: () => void show(() => stepUpByPassword(password)),
        },
      })}
      beside={
        mayShowPasskey && (
          <button
            type="button"
            className={byPasskey ? 'btn first' : 'btn'}
            disabled={busy}
            onClick={() => void show(stepUpByPasskey)}
          >
            {say('stepUpPasskey')}
          </button>
        )
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
        <Field
          label={say('stepUpPassword')}
          type="password"
          autoComplete="current-password"
          value={password}
          fault={fault ? say(fault) : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      {!byPasskey && <p className="soft small">{say('stepUpElse')}</p>}
    </Dialog>
  )
}
