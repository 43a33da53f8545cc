/** The centers of a person: leaving one, and declining an invitation. */
import type { CurrentActor, Membership } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { queries } from '../../app/queries.ts'
import { endSession, renewSession, sessionState, switchCenter } from '../../app/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { useMeWords } from './words.ts'

type Move = 'leave' | 'decline'

const moveOf = (status: Membership['status']): Move | null => {
  if (status === 'ACTIVE') return 'leave'
  return status === 'INVITED' || status === 'PENDING' ? 'decline' : null
}
const isShown = ({ status }: Membership) => status !== 'ENDED' && status !== 'REJECTED'

/**
 * A session ends with the membership in its center, so it moves to another one before. True where there is none: the person signs in
 * again.
 */
async function leaving(
  { id, centerId, centerDomain }: Membership,
  all: readonly Membership[],
  leave: () => Promise<unknown>,
): Promise<boolean> {
  const isHere = sessionState().session?.center?.domain === centerDomain
  const other = all.find((each) => each.status === 'ACTIVE' && each.id !== id)
  if (isHere && other) await switchCenter(other.centerId)
  try {
    await leave()
  } catch (error) {
    if (isHere && other) await switchCenter(centerId)
    throw error
  }
  if (!isHere || other) return false
  await endSession()
  queries.clear()
  location.assign('/login')
  return true
}

export function Centers({ me }: { readonly me: CurrentActor }) {
  const say = useMeWords()
  const [asked, setAsked] = useState<Membership | null>(null)
  const memberships = me.memberships.filter(isShown)
  const move = useChange<Membership>(
    ['me'],
    async (membership) => {
      const { id, status } = membership
      if (status !== 'ACTIVE') await api.memberships.decline(id)
      else if (await leaving(membership, memberships, () => api.memberships.leave(id))) return
      await renewSession(sessionState().session?.accessToken ?? null)
    },
    { told: (_, { status, centerName: center }) => say(status === 'ACTIVE' ? 'left' : 'declined', { center }) },
  )
  const isLeaving = asked?.status === 'ACTIVE'
  return (
    <div id="myCenters" className="me-part">
      <Part title={say('myCenters')}>
        <p className="soft">{say(memberships.length > 0 ? 'centersLede' : 'centersNone')}</p>
        <ul className="me-rows">
          {memberships.map((membership) => {
            const offered = moveOf(membership.status)
            return (
              <li key={membership.id}>
                <div>
                  <b>{membership.centerName}</b>
                  <span className="small soft">{say(`member${membership.status}`)}</span>
                  {membership.status === 'INVITED' && <a href="/waiting">{say('answerInvitation')}</a>}
                </div>
                {offered && (
                  <button type="button" className="btn low plain" onClick={() => setAsked(membership)}>
                    {say(offered === 'leave' ? 'leaveCenter' : 'decline')}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
        {asked && (
          <Confirm
            title={say(isLeaving ? 'leaveTitle' : 'declineTitle', { center: asked.centerName })}
            action={say(isLeaving ? 'leaveCenter' : 'decline')}
            onConfirm={() => move.mutateAsync(asked)}
            onClose={() => setAsked(null)}
          >
            <p>{say(isLeaving ? 'leaveText' : 'declineText')}</p>
            {isLeaving && <p>{say('leaveKeeps')}</p>}
            {isLeaving && asked.roles.includes('ADMIN') && <p className="soft">{say('leaveLast')}</p>}
          </Confirm>
        )}
      </Part>
    </div>
  )
}
