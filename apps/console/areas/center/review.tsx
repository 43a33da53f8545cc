/** The review of a draft: a person raises its level, and that is recorded with their name. */
import type { EvidenceLevel, JsonObject } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly dpuId: string
  readonly level: EvidenceLevel
  readonly metadata: JsonObject
}

async function assertion(dpuId: string, evidenceLevel: EvidenceLevel) {
  const { publicKey } = await api.dpus.challengeRaise(dpuId, { evidenceLevel })
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as PublicKeyCredentialRequestOptionsJSON)
  const credential = (await navigator.credentials.get({ publicKey: options })) as PublicKeyCredential
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON
  const { authenticatorData, clientDataJSON, signature, userHandle = null } = response
  return { id, authenticatorData, clientDataJSON, signature, userHandle }
}

export function Review({ dpuId, level, metadata }: Properties) {
  const say = useCenterWords()
  const id = useId()
  const [reason, setReason] = useState('')
  const next: EvidenceLevel = level === 'DRAFT' ? 'DOCUMENTED' : 'AUDIT_READY'
  const raise = useChange<'session' | 'passkey'>(['workflows', 'decisions'], async (by) =>
    api.dpus.update(dpuId, {
      evidenceLevel: next,
      metadata: { ...metadata, reason },
      ...(by === 'passkey' && { assertion: await assertion(dpuId, next) }),
    }),
  )
  const asksPasskey = raise.error !== null && /PASSKEY|POLICY/.test(failureOf(raise.error).code)
  return (
    <section className="center-review">
      <h3>{say('review')}</h3>
      <p>{say(`review${next}`)}</p>
      <label className="label" htmlFor={id}>
        {say('reviewReason')}
      </label>
      <textarea
        id={id}
        className="field"
        rows={3}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className="center-moves">
        <button
          type="button"
          className="btn first"
          disabled={reason.trim() === '' || raise.isPending}
          onClick={() => raise.mutate('session')}
        >
          {say(`raise${next}`)}
        </button>
        {asksPasskey && (
          <button type="button" className="btn" disabled={raise.isPending} onClick={() => raise.mutate('passkey')}>
            {say('raiseByPasskey')}
          </button>
        )}
      </div>
      <ErrorLine error={raise.error} />
    </section>
  )
}
