/** The bottom of a draft: a comment, and the two verbs of a reviewer. With a passkey that counts, the passkey signs. */
import type { EvidenceLevel, RaiseChallenge } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../../app/api.ts'
import { assertWith, hasPasskeys, PasskeyCanceled, PasskeyForeign, requireChallengeOf } from '../../../app/passkeys.ts'
import { queries, useMe } from '../../../app/queries.ts'
import { useStanding } from '../../../app/waiting-passkeys.ts'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { failureOf } from '../../../ui/failure.ts'
import { useCenterWords } from '../words.ts'
import { changedWithDraft, type Draft, draftKey } from './data.ts'
import { StatementDialog } from './statement-dialog.tsx'
import { useDraftWords } from './words.ts'

interface Properties {
  readonly draft: Draft
  readonly isAdmin: boolean
}

/** The record, or a policy, is another one than the person has read. */
class Changed extends Error {}

const readAgain = async () => {
  for (const name of changedWithDraft) await queries.invalidateQueries({ queryKey: [name] })
}

export function Review({ draft, isAdmin }: Properties) {
  const say = useDraftWords()
  const ofCenter = useCenterWords()
  const field = useId()
  const { data: me } = useMe()
  const standing = useStanding(hasPasskeys())
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [needsReason, setNeedsReason] = useState(false)
  const [needsTwo, setNeedsTwo] = useState(false)
  const [signing, setSigning] = useState<{ readonly draft: Draft; readonly challenge: RaiseChallenge } | null>(null)
  const isDraft = draft.evidenceLevel === 'DRAFT'
  const to: EvidenceLevel = isAdmin && !(isDraft && needsTwo) ? 'AUDIT_READY' : 'DOCUMENTED'
  const usesPasskey = standing.data?.counts === true
  const metadata = { ...draft.metadata, ...(comment.trim() && { reason: comment.trim() }) }
  const { previous } = draft.draft

  const trying = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    setNeedsReason(false)
    try {
      await work()
    } catch (failure) {
      const { guard } = ((failure as { details?: { guard?: unknown } }).details ?? {}) as { guard?: unknown }
      // Two people in a row: this one gives the first of two reviews.
      if (guard === 'dualApproval' && isDraft && isAdmin) setNeedsTwo(true)
      setSigning(null)
      setError(failure)
      if (failure instanceof Changed || failureOf(failure).status === 409) await readAgain()
    } finally {
      setBusy(false)
    }
  }

  const refuse = () => {
    if (comment.trim() === '') {
      setNeedsReason(true)
      document.getElementById(field)?.focus()
      return
    }
    void trying(async () => {
      await api.drafts.refuse(draft.id, { reason: comment.trim(), previous })
      await readAgain()
    })
  }

  const raise = () =>
    trying(async () => {
      if (!usesPasskey) {
        await api.dpus.update(draft.id, { evidenceLevel: to, previous, ...(comment.trim() && { metadata }) })
        return readAgain()
      }
      let seen = draft
      // The comment becomes an entry of its own, which the signature covers.
      if (comment.trim() && draft.metadata.reason !== comment.trim()) {
        await api.dpus.update(draft.id, { metadata, previous })
        seen = (await api.dpus.get(draft.id)) as Draft
        if (seen.draft.text !== draft.draft.text) throw new Changed()
        queries.setQueryData(draftKey(draft.id), seen)
      }
      const challenge = await api.dpus.challengeRaise(draft.id, { evidenceLevel: to })
      const { statement, publicKey } = challenge
      if (statement.previous !== seen.draft.previous) throw new Changed()
      if (statement.dpuId !== draft.id || statement.evidenceLevel !== to) throw new PasskeyForeign()
      requireChallengeOf(statement, publicKey)
      setSigning({ draft: seen, challenge })
    })

  const sign = () =>
    trying(async () => {
      if (!signing) return
      const assertion = await assertWith(signing.challenge.publicKey)
      await api.dpus.update(draft.id, { evidenceLevel: to, assertion })
      setSigning(null)
      await readAgain()
    })

  const told =
    error instanceof PasskeyCanceled
      ? say('signCanceled')
      : error instanceof PasskeyForeign
        ? say('signOther')
        : error instanceof Changed
          ? say('signChanged')
          : failureOf(error).cause === 'changed'
            ? say('contestChanged')
            : needsReason
              ? say('needReason')
              : null
  const verb = to === 'DOCUMENTED' ? ofCenter('raiseDOCUMENTED') : say(usesPasskey ? 'sealPasskey' : 'seal')
  return (
    <div className="act draft-act">
      <div>
        {told ? (
          <p role="alert" className="fault">
            <span aria-hidden="true">✕ </span>
            {told}
          </p>
        ) : (
          <ErrorLine error={error} />
        )}
        <textarea
          id={field}
          className="field"
          rows={1}
          maxLength={1000}
          aria-label={say('comment')}
          placeholder={say(isDraft ? 'commentHint' : 'comment')}
          aria-invalid={needsReason || undefined}
          data-field="reason"
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
      </div>
      {isDraft && (
        <button type="button" className="btn" disabled={busy} onClick={refuse}>
          {say('refuse')}
        </button>
      )}
      <button type="button" className="btn first" disabled={busy} onClick={() => void raise()}>
        {busy ? say('sealing') : verb}
      </button>
      {signing && (
        <StatementDialog
          draft={signing.draft}
          challenge={signing.challenge}
          signer={me?.name ?? ''}
          busy={busy}
          onSign={() => void sign()}
          onClose={() => setSigning(null)}
        />
      )}
    </div>
  )
}
