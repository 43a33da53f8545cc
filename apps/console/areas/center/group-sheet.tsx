/** One group: its people, from when they count, and its end. */
import type { ListedGroup, Policy } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { policiesQuery } from '../../app/policies.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { Time } from '../../ui/time.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly group: ListedGroup
  readonly onBack: () => void
}

const names = ({ approval }: Policy, id: string): boolean =>
  [...(approval?.steps ?? []), approval?.inform ?? {}].some(({ groupIds }) => groupIds?.includes(id))

export function GroupSheet({ center, group, onBack }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const { id, name, people, mayConfirm } = group
  const [open, setOpen] = useState<'edit' | 'end' | null>(null)
  const { data: policies } = useQuery(policiesQuery)
  const policy = policies?.find((each) => names(each, id))
  const waiting = people.filter(({ countsFrom }) => Date.parse(countsFrom) > Date.now())
  const confirm = useChange(
    ['groups'],
    () => api.groups.confirm(center, id, { actorIds: waiting.map(({ actorId }) => actorId) }),
    { told: () => done('roleConfirmed') },
  )
  const end = useChange(['groups'], () => api.groups.end(center, id), {
    told: () => done('groupEnded', { name }),
    onDone: onBack,
  })
  return (
    <Sheet label={name}>
      <SheetHead name={name} back={say('backToList')} onBack={onBack} />
      <Part title={say('groupPeople')}>
        <ul className="center-people">
          {people.map((person) => (
            <li key={person.actorId}>
              <b>{person.name || say('personGone')}</b>
              {!person.mayApprove && <span className="small soft">{say('mayNotApprove')}</span>}
              {waiting.includes(person) && (
                <span className="waiting small">
                  <span aria-hidden="true">◷ </span>
                  {say('countsFrom')} <Time at={person.countsFrom} />
                </span>
              )}
            </li>
          ))}
        </ul>
        {waiting.length > 0 && (
          <>
            <p className="soft small">{say('groupWaits')}</p>
            <p className="soft small">{say(mayConfirm ? 'mayConfirmPeople' : 'mayNotConfirmPeople')}</p>
          </>
        )}
        <div className="center-moves">
          {mayConfirm && (
            <button type="button" className="btn" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
              {say('confirmPeople')}
            </button>
          )}
          <button type="button" className="btn" onClick={() => setOpen('edit')}>
            {say('editGroup')}
          </button>
          <button
            type="button"
            className="btn plain"
            disabled={!policies || policy !== undefined}
            onClick={() => setOpen('end')}
          >
            {say('endGroup')}
          </button>
        </div>
        {policy && <p className="soft small">{say('groupNamed', { policy: policy.name })}</p>}
        <ErrorLine error={confirm.error} />
      </Part>
      {open === 'edit' && <GroupDialog center={center} group={group} onClose={() => setOpen(null)} />}
      {open === 'end' && (
        <Confirm
          title={say('askEndGroup', { name })}
          action={say('endGroup')}
          onConfirm={() => end.mutateAsync()}
          onClose={() => setOpen(null)}
        >
          <p>{say('effectEndGroup')}</p>
        </Confirm>
      )}
    </Sheet>
  )
}
