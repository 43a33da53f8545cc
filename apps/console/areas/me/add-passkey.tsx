/** Registering takes a new passkey, its signature, and where possible that of an older one. Each signature is a press. */
import type { PasskeyAttested } from '@countersign/sdk'
import { type FormEvent, useState } from 'react'
import { api } from '../../app/api.ts'
import {
  assertWith,
  checkNumber,
  createPasskey,
  PasskeyCanceled,
  PasskeyForeign,
  PasskeyTaken,
  requireChallengeOf,
} from '../../app/passkeys.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { useMeWords } from './words.ts'

type Assertion = Awaited<ReturnType<typeof assertWith>>

type Step =
  | { readonly kind: 'name' }
  | { readonly kind: 'sign'; readonly attested: PasskeyAttested }
  | { readonly kind: 'older'; readonly attested: PasskeyAttested; readonly assertion: Assertion }
  | { readonly kind: 'done'; readonly thumbprint: string; readonly byOlder: boolean }

interface Properties {
  readonly actorId: string
  readonly onDone: () => Promise<unknown>
}

export function AddPasskey({ actorId, onDone }: Properties) {
  const say = useMeWords()
  const [name, setName] = useState('')
  const [step, setStep] = useState<Step>({ kind: 'name' })
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  async function attempt(work: () => Promise<void>) {
    setError(null)
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  const begin = (event: FormEvent) => {
    event.preventDefault()
    return attempt(async () => {
      const { publicKey } = await api.passkeys.startRegistration()
      const attested = await api.passkeys.attest({ attestation: await createPasskey(publicKey) })
      const { statement } = attested
      if (!('actorId' in statement) || statement.actorId !== actorId) throw new PasskeyForeign()
      requireChallengeOf(statement, attested.publicKey)
      setStep({ kind: 'sign', attested })
    })
  }

  async function finish(assertion: Assertion, confirmation?: Assertion) {
    const signed = { assertion, ...(confirmation && { confirmation }), ...(name.trim() && { name: name.trim() }) }
    const { thumbprint } = await api.passkeys.register(signed)
    setName('')
    setStep({ kind: 'done', thumbprint, byOlder: confirmation !== undefined })
    await onDone()
  }

  const sign = (attested: PasskeyAttested) =>
    attempt(async () => {
      const assertion = await assertWith(attested.publicKey)
      if (attested.confirmWith) setStep({ kind: 'older', attested, assertion })
      else await finish(assertion)
    })

  const confirm = (attested: PasskeyAttested, assertion: Assertion, older: PasskeyAttested['confirmWith']) =>
    attempt(async () => {
      if (!older) return finish(assertion)
      requireChallengeOf(attested.statement, older)
      return finish(assertion, await assertWith(older))
    })

  return (
    <div className="me-add" aria-live="polite">
      {(step.kind === 'name' || step.kind === 'done') && (
        <>
          {step.kind === 'done' && (
            <div className="me-done">
              <p className="verified">
                <span aria-hidden="true">✓ </span>
                {say('passkeyDone')}
              </p>
              <p>{say(step.byOlder ? 'passkeyDoneOlder' : 'passkeyDoneNumber')}</p>
              <p className="mono me-number">{checkNumber(step.thumbprint)}</p>
            </div>
          )}
          <form onSubmit={begin}>
            <Field
              label={say('passkeyName')}
              hint={say('passkeyNameHint')}
              maxLength={64}
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <button type="submit" className="btn" disabled={busy}>
              {say('passkeyAdd')}
            </button>
          </form>
        </>
      )}
      {step.kind === 'sign' && (
        <>
          <p>{say('stepSign')}</p>
          <button type="button" className="btn first" disabled={busy} onClick={() => sign(step.attested)}>
            {say('stepSignDo')}
          </button>
        </>
      )}
      {step.kind === 'older' && (
        <>
          <p>{say('stepOlder')}</p>
          <button
            type="button"
            className="btn first"
            disabled={busy}
            onClick={() => confirm(step.attested, step.assertion, step.attested.confirmWith)}
          >
            {say('stepOlderDo')}
          </button>
          <button
            type="button"
            className="btn plain"
            disabled={busy}
            onClick={() => confirm(step.attested, step.assertion, null)}
          >
            {say('stepOlderSkip')}
          </button>
        </>
      )}
      <PasskeyFault error={error} />
    </div>
  )
}

function PasskeyFault({ error }: { readonly error: unknown }) {
  const say = useMeWords()
  const own =
    error instanceof PasskeyCanceled
      ? 'passkeyCanceled'
      : error instanceof PasskeyTaken
        ? 'passkeyTaken'
        : error instanceof PasskeyForeign
          ? 'passkeyForeign'
          : null
  if (own)
    return (
      <p role="alert" className="fault">
        {say(own)}
      </p>
    )
  if (failureOf(error).cause?.startsWith('stepUp'))
    return (
      <p role="alert" className="fault">
        {say('passkeyStale')} <a href="/login?next=%2Fme">{say('passkeyAgain')}</a>
      </p>
    )
  return <ErrorLine error={error} />
}
