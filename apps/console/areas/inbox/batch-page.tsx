/** Several approvals at once: only what this person has opened, as rows with their values. Each is sent and sealed alone. */
import { decisionView } from '@countersign/proof/decision-view.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { queries, useMe } from '../../app/queries.ts'
import { stopText } from '../../decision/decide.ts'
import { nameOf } from '../../decision/read.ts'
import { decide } from '../../ui/decision/decide.ts'
import { useReading } from '../../ui/decision/reading.ts'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { Desk, Sheet, useTitle } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDraft } from '../../ui/use-unsaved.ts'
import { Act } from './act.tsx'
import { apartOf, groupsOf, mostTogether, type Taken } from './batch.ts'
import { BatchGroup, type RowState } from './batch-table.tsx'
import { press } from './pressed.ts'
import { useInboxWords } from './words.ts'
import './inbox.css'

const route = getRouteApi('/c/$center/inbox/batch')

/** Read once: what is approved is what was shown, and not what it became. */
const takenQuery = (center: string) =>
  queryOptions({
    queryKey: ['batch', center],
    queryFn: async ({ signal }) => {
      const { data: items } = await api.console.listInbox({ view: 'turn', sort: 'expiry', limit: 100 }, { signal })
      const decisions = []
      for (const { eventId } of items.filter(({ opened }) => opened).slice(0, mostTogether)) {
        decisions.push(await api.decisions.get(eventId, { signal }))
      }
      return { items, decisions }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export function BatchPage() {
  const say = useInboxWords()
  const ofDecision = useDecisionWords()
  const language = useLanguage()
  useTitle(say('batchTitle'))
  const { center } = route.useParams()
  const { data: me } = useMe()
  const { data, error, refetch } = useQuery(takenQuery(center))
  const [sheet, bar, field] = [
    useRef<HTMLElement>(null),
    useRef<HTMLDivElement>(null),
    useRef<HTMLTextAreaElement>(null),
  ]
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [states, setStates] = useState<ReadonlyMap<string, RowState>>(new Map())
  const [reason, setReason] = useState('')
  const draft = useDraft()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<'needReason' | null>(null)
  const actorId = me?.actorId ?? ''
  const taken = (data?.items ?? []).map((item) => {
    const decision = data?.decisions.find(({ id }) => id === item.eventId)
    const own: Taken | null = decision ? { item, decision, view: decisionView(decision, language) } : null
    return { item, own, apart: apartOf(item, own, actorId) }
  })
  const rows = taken.flatMap(({ own, apart }) => (own && apart === null ? [own] : []))
  const reading = useReading([language, ...rows.map(({ decision }) => decision.actionDigest)].join(), sheet, bar)
  const ids = rows.map(({ item }) => item.eventId).filter((id) => chosen.has(id) && !states.has(id))

  const tell = (id: string, word: string, tone: RowState['tone']) =>
    setStates((before) => new Map(before).set(id, { word, tone }))

  async function one({ decision, view }: Taken, result: 'approved' | 'rejected'): Promise<void> {
    const id = decision.id
    tell(id, say('batchNow'), 'waiting')
    const given = { result, ...(reason.trim() && { reason: reason.trim() }) }
    const outcome = await decide(decision, view, actorId, given).catch(() => null)
    if (!outcome || outcome.kind === 'obstacle') {
      return tell(id, stopText(outcome ?? { obstacle: 'failed' }, ofDecision), 'broken')
    }
    if (outcome.kind === 'faster') return tell(id, say('batchFaster'), 'plain')
    tell(id, say(result === 'approved' ? 'batchSealed' : 'batchRefused'), 'verified')
    const last = outcome.decision.approvals.at(-1)
    const hash = outcome.decision.evidence.chainHash ?? decision.actionDigest
    if (last) press({ id, hash, name: nameOf(last), level: last.identity.level, result })
  }

  async function send(result: 'approved' | 'rejected'): Promise<void> {
    if (result === 'approved' && reading.progress.done < reading.progress.total) return reading.ahead()
    if (busy || ids.length === 0 || (result === 'approved' && !reading.isRead())) return
    if (result === 'rejected' && reason.trim() === '') {
      setFault('needReason')
      requestAnimationFrame(() => field.current?.focus({ preventScroll: true }))
      return
    }
    setFault(null)
    setBusy(true)
    draft.current = false
    for (const each of rows) if (ids.includes(each.item.eventId)) await one(each, result)
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['inbox'] })
  }

  const apart = taken.flatMap(({ item, apart: why }) => (why === null ? [] : [{ item, why }]))
  const list = (
    <div className="inbox-tray">
      <div className="batch-lede">
        <p className="small">
          <Link to="/c/$center/inbox" params={{ center }} className="link tap">
            {say('toInbox')}
          </Link>
        </p>
        <h1>{say('batchTitle')}</h1>
        <p className="soft">{say('batchText')}</p>
      </div>
      {apart.length > 0 && <p className="group">{say('batchApart', { count: apart.length })}</p>}
      <ul>
        {apart.map(({ item, why }) => (
          <li key={item.eventId} className="inbox-row">
            <Link className="item" to="/c/$center/inbox" params={{ center }} search={{ id: item.eventId }}>
              <b className="read">{item.headline[language]}</b>
              <span className="when link">{say('keyOpen')}</span>
              <span className="sub">{say(`apart${why}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
  const act = (
    <Act
      {...{ ref: bar, field, reason, busy, fault, onSend: send }}
      onReason={(next) => {
        draft.current = next.trim() !== ''
        setReason(next)
      }}
      progress={reading.progress}
      armed={null}
      passkey={false}
      blocked={null}
      approve={ids.length === 0 ? say('batchNone') : say('batchStart', { count: ids.length })}
    />
  )
  return (
    <Desk
      own
      keepList
      list={list}
      listLabel={say('batchTitle')}
      sheet={
        <Sheet ref={sheet} label={say('batchTitle')} bar={rows.length > 0 ? act : undefined}>
          {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton rows={8} />}
          {data && rows.length === 0 && <p className="soft batch-empty">{say('batchEmpty')}</p>}
          {groupsOf(rows).map((group, at) => (
            <BatchGroup
              key={group.type}
              name={`group${at}`}
              {...{ group, chosen, states, busy }}
              onChoose={(wanted, isChosen) =>
                setChosen((before) => {
                  const next = new Set(before)
                  for (const id of wanted) isChosen ? next.add(id) : next.delete(id)
                  return next
                })
              }
            />
          ))}
        </Sheet>
      }
    />
  )
}
