/** Two people compare a number, and one of them confirms that the passkey is the other's. */
import { ApiError } from '@countersign/sdk'
import { useState } from 'react'
import { useChange } from '../app/change.ts'
import { checkNumber, PasskeyCanceled, PasskeyForeign } from '../app/passkeys.ts'
import { Part } from './desk.tsx'
import { useDoneWords } from './done-words.ts'
import { ErrorLine } from './error-panel.tsx'
import { failureOf } from './failure.ts'
import { Time } from './time.tsx'
import { useUiWords } from './words.ts'

export interface Checked {
  readonly name: string
  readonly thumbprint: string
  readonly boundAt: string
  readonly backupEligible: boolean
}

interface Properties {
  readonly passkey: Checked
  readonly confirm: () => Promise<unknown>
}

export function CheckPasskey({ passkey, confirm }: Properties) {
  const say = useUiWords()
  const done = useDoneWords()
  const { name } = passkey
  const [differs, setDiffers] = useState(false)
  const change = useChange(['passkeys', 'members'], confirm, { told: () => done('passkeyConfirmed', { name }) })
  return (
    <Part title={say('checkTitle')}>
      <p className="check-how">{say('checkHow', { name })}</p>
      <p className="check-number mono">{checkNumber(passkey.thumbprint)}</p>
      <p className="small soft">{say('checkThere', { name })}</p>
      <p className="small soft">
        {say('checkMade')} <Time at={passkey.boundAt} /> · {say(passkey.backupEligible ? 'checkSynced' : 'checkLocal')}
      </p>
      <div className="check-acts">
        <button type="button" className="btn first" disabled={change.isPending} onClick={() => change.mutate()}>
          {say('checkSame')}
        </button>
        <button type="button" className="btn plain" aria-expanded={differs} onClick={() => setDiffers(!differs)}>
          {say('checkDiffers')}
        </button>
      </div>
      {differs && (
        <p role="status" className="waiting check-how">
          {say('checkDiffersText', { name })}
        </p>
      )}
      <Fault error={change.error} />
      <p className="small soft check-how">{say('checkAfter')}</p>
    </Part>
  )
}

function Fault({ error }: { readonly error: unknown }) {
  const say = useUiWords()
  const { status } = failureOf(error)
  const details = error instanceof ApiError ? (error.details as { readonly reason?: unknown } | null) : null
  const own =
    error instanceof PasskeyCanceled
      ? 'checkCanceled'
      : error instanceof PasskeyForeign
        ? 'checkForeign'
        : details?.reason === 'eligibility'
          ? 'checkNewRole'
          : status === 404
            ? 'checkGone'
            : null
  if (own === null) return <ErrorLine error={error} />
  return (
    <p role="alert" className="fault">
      {say(own)}
    </p>
  )
}
