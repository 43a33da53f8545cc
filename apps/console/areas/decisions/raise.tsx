/** Raising the evidence level: signed by a passkey where a policy asks for one. */
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import { ApiError, type EvidenceLevel } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { assertWith, PasskeyCanceled } from '../../app/passkeys.ts'
import { queries } from '../../app/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { useUiWords } from '../../ui/words.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly dpuId: string
  readonly level: EvidenceLevel
  readonly isAdmin: boolean
  onClose(): void
}

class OtherStatement extends Error {}

/** First without a signature; where a policy refuses that, a passkey signs this record, this level and this host. */
async function raise(dpuId: string, evidenceLevel: EvidenceLevel): Promise<void> {
  try {
    await api.dpus.update(dpuId, { evidenceLevel })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'POLICY_VIOLATION') throw error
    const { statement, publicKey } = await api.dpus.challengeRaise(dpuId, { evidenceLevel })
    const same = statement.dpuId === dpuId && statement.evidenceLevel === evidenceLevel
    if (!same || !isChallengeOf(statement, publicKey, location.hostname)) throw new OtherStatement()
    await api.dpus.update(dpuId, { evidenceLevel, assertion: await assertWith(publicKey) })
  }
}

export function RaiseDialog({ dpuId, level, isAdmin, onClose }: Properties) {
  const say = useDecisionsWords()
  const ui = useUiWords()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const to: EvidenceLevel = level === 'DRAFT' && !isAdmin ? 'DOCUMENTED' : 'AUDIT_READY'
  const go = async () => {
    setBusy(true)
    setError(null)
    try {
      await raise(dpuId, to)
      await queries.invalidateQueries({ queryKey: ['decisions'] })
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  const told = error instanceof PasskeyCanceled ? 'raiseKey' : error instanceof OtherStatement ? 'raiseOther' : null
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {ui('cancel')}
      </button>
      <button type="button" className="btn first" disabled={busy} onClick={go}>
        {say('raiseDo', { level: say(`level${to}`) })}
      </button>
    </>
  )
  return (
    <Dialog title={say('raiseTitle')} onClose={onClose} actions={actions}>
      <p>{say('raiseText')}</p>
      <dl className="facts">
        <dt>{say('raiseFrom')}</dt>
        <dd>
          {say(`level${level}`)} <small className="mono">{level}</small>
        </dd>
        <dt>{say('raiseTo')}</dt>
        <dd>
          {say(`level${to}`)} <small className="mono">{to}</small>
        </dd>
      </dl>
      {told ? (
        <p role="alert" className="fault">
          <span aria-hidden="true">✕ </span>
          {say(told)}
        </p>
      ) : (
        <ErrorLine error={error} />
      )}
    </Dialog>
  )
}
