/** Raising the evidence level: signed by a passkey where a policy asks for one. */
import { isChallengeOf } from '@countersign/proof/deciding.ts'
import { ApiError, type EvidenceLevel } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { assertWith, PasskeyCanceled } from '../../app/passkeys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
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
  const done = useDoneWords()
  const _ui = useUiWords()
  const to: EvidenceLevel = level === 'DRAFT' && !isAdmin ? 'DOCUMENTED' : 'AUDIT_READY'
  const change = useChange(['decisions'], () => raise(dpuId, to), {
    told: () => done('raised', { level: say(`level${to}`) }),
    onDone: onClose,
  })
  const { error } = change
  const told = error instanceof PasskeyCanceled ? 'raiseKey' : error instanceof OtherStatement ? 'raiseOther' : null
  return (
    <Dialog
      title={say('raiseTitle')}
      onClose={onClose}
      action={{
        text: say('raiseDo', { level: say(`level${to}`) }),
        disabled: change.isPending,
        run: () => change.mutate(),
      }}
    >
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
