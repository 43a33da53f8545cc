/** The children, a guardianship that waits for an answer, and a child to add. */
import type { Family } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useOffers } from '../../app/offers.ts'
import { AddChild } from '../../ui/add-child.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { useFamilyWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly family: Family
  readonly chosen: string | undefined
  readonly onChoose: (child: string | undefined) => void
}

export function Children({ center, family, chosen, onChoose }: Properties) {
  const say = useFamilyWords()
  const done = useDoneWords()
  const [adding, setAdding] = useState(false)
  const offers = useOffers(center)
  const answer = useChange<{ id: string; yes: boolean }>(
    ['family', 'bookings', 'me'],
    ({ id, yes }) => (yes ? api.guardianships.accept(id) : api.guardianships.end(id)),
    { told: (_, { yes }) => done(yes ? 'invitationAccepted' : 'invitationDeclined') },
  )
  const waiting = family.children.flatMap(({ actorId, name, centers }) =>
    centers
      .filter(({ membership }) => membership.status === 'PENDING')
      .map(({ centerName }) => ({ actorId, name, centerName })),
  )
  return (
    <section aria-label={say('children')}>
      {family.invitations.map(({ id, centerName }) => (
        <div key={id} className="family-invitation">
          <p>{say('invitation', { center: centerName })}</p>
          <div className="family-moves">
            <button
              type="button"
              className="btn first"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ id, yes: true })}
            >
              {say('accept')}
            </button>
            <button
              type="button"
              className="btn plain"
              disabled={answer.isPending}
              onClick={() => answer.mutate({ id, yes: false })}
            >
              {say('decline')}
            </button>
          </div>
        </div>
      ))}
      <ErrorLine error={answer.error} />
      <div className="family-children">
        {family.children.length > 1 && (
          <button
            type="button"
            className="family-child"
            aria-pressed={chosen === undefined}
            onClick={() => onChoose(undefined)}
          >
            {say('all')}
          </button>
        )}
        {family.children.map(({ actorId, name }) => (
          <button
            key={actorId}
            type="button"
            className="family-child"
            aria-pressed={chosen === actorId || family.children.length === 1}
            onClick={() => onChoose(actorId)}
          >
            {name}
          </button>
        ))}
        {offers.families && (
          <button type="button" className="quiet" onClick={() => setAdding(true)}>
            {say('addChild')}
          </button>
        )}
      </div>
      {waiting.map(({ actorId, name, centerName }) => (
        <p key={`${actorId} ${centerName}`} className="small">
          <StatusWord tone="waiting">{say('pending', { name, center: centerName })}</StatusWord>
        </p>
      ))}
      {adding && (
        <AddChild
          center={center}
          title={say('addChild')}
          hint={say('addHint')}
          names={['family']}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}
