/** Asks a named person for the review of a draft. */
import { useId, useState } from 'react'
import { api } from '../../../app/api.ts'
import { useChange } from '../../../app/change.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useDoneWords } from '../../../ui/done-words.ts'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { changedWithDraft, type Draft } from './data.ts'
import { useDraftWords } from './words.ts'

export function SendDialog({ draft, onClose }: { readonly draft: Draft; onClose(): void }) {
  const say = useDraftWords()
  const done = useDoneWords()
  const id = useId()
  const { reviewers } = draft
  const [reviewerId, setReviewer] = useState(draft.draft.sentTo?.id ?? reviewers[0]?.id ?? '')
  const send = useChange(
    changedWithDraft,
    () => api.drafts.send(draft.id, { reviewerId, previous: draft.draft.previous }),
    { told: ({ sentTo }) => (sentTo ? done('draftSent', { name: sentTo.name }) : null), onDone: onClose },
  )
  if (reviewers.length === 0) {
    return (
      <Dialog title={say('sendTitle')} onClose={onClose}>
        <p>{say('sendNobody')}</p>
      </Dialog>
    )
  }
  return (
    <Dialog
      title={say('sendTitle')}
      onClose={onClose}
      action={{ text: say('sendDo'), disabled: send.isPending || reviewerId === '', run: () => send.mutate() }}
    >
      <p className="soft">{say('sendLede')}</p>
      <label className="label" htmlFor={id}>
        {say('sendTo')}
      </label>
      <select id={id} className="field" value={reviewerId} onChange={({ target }) => setReviewer(target.value)}>
        {reviewers.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </select>
      <ErrorLine error={send.error} />
    </Dialog>
  )
}
