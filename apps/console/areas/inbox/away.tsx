/** Who approves on the person's behalf, and on whose behalf the person approves. */
import type { Deputies } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { queries } from '../../app/queries.ts'
import { timeText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { DeputyDialog } from './deputy.tsx'
import { useInboxWords } from './words.ts'

type Right = Deputies['deputyFor'][number]

export function Away({ center }: { readonly center: string }) {
  const say = useInboxWords()
  const done = useDoneWords()
  const language = useLanguage()
  const [doing, setDoing] = useState<'name' | 'end' | null>(null)
  const { data } = useQuery({
    queryKey: ['deputy', center],
    queryFn: ({ signal }) => api.decisions.getDeputies({ signal }),
  })
  const deputy = data?.deputy
  const name = deputy?.name || say('deputyFormer')
  const close = () => {
    setDoing(null)
    void queries.invalidateQueries({ queryKey: ['deputy'] })
  }
  const dayText = (at: string) => timeText(at, language, 'day')
  const end = useChange<Right>(['deputy'], () => api.decisions.endDeputy(), {
    told: () => done('deputyEnded', { name }),
    undo:
      (_, { actorId, from, until }) =>
      () =>
        api.decisions.setDeputy({ actorId, from, until }),
  })
  const sentence = ({ name, from, until }: Right, key: 'deputyNow' | 'deputyFor') => {
    const values = { name: name || say('deputyFormer'), from: dayText(from), until: dayText(until) }
    if (Date.parse(from) <= Date.now()) return say(key, values)
    return say(key === 'deputyNow' ? 'deputyLater' : 'deputyForLater', values)
  }
  return (
    <section>
      <h3>{say('away')}</h3>
      <p>{deputy ? sentence(deputy, 'deputyNow') : say('awayText')}</p>
      {data?.deputyFor.map((right) => (
        <p key={right.actorId}>{sentence(right, 'deputyFor')}</p>
      ))}
      <p className="inbox-away">
        <button type="button" className="quiet link" onClick={() => setDoing('name')}>
          {say(deputy ? 'awayChange' : 'awayOpen')}
        </button>
        {deputy && (
          <button type="button" className="quiet link" onClick={() => setDoing('end')}>
            {say('deputyEnd')}
          </button>
        )}
      </p>
      {doing === 'name' && <DeputyDialog center={center} before={deputy ?? null} onClose={close} />}
      {doing === 'end' && deputy && (
        <Confirm
          title={say('deputyEndTitle', { name })}
          action={say('deputyEnd')}
          onConfirm={() => end.mutateAsync(deputy)}
          onClose={close}
        >
          <p>{say('deputyEndText', { name })}</p>
        </Confirm>
      )}
    </section>
  )
}
