/** The policies of a center, in sentences. */
import type { Policy } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { policiesQuery } from '../../app/policies.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Hash } from '../../ui/hash.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Body, bodyOf, emptyBody } from './body.ts'
import { scopeText, shortText } from './facts.ts'
import './policies.css'
import { InheritedSheet, PolicySheet } from './policy-sheet.tsx'
import { usePolicyWords } from './words.ts'

const route = getRouteApi('/c/$center/policies')

function Row({
  policy,
  current,
  editing,
}: {
  readonly policy: Policy
  readonly current: boolean
  readonly editing: boolean
}) {
  const say = usePolicyWords()
  const language = useLanguage()
  const own = policy.scope === 'center'
  return (
    <Link className="item" to="." search={{ policy: policy.id }} aria-current={current ? 'true' : undefined}>
      <b>{policy.name}</b>
      <span className={`when ${editing ? 'waiting' : 'soft'}`}>
        {editing ? say('editing') : policy.active ? say('version', { version: policy.version }) : say('off')}
      </span>
      <span className="sub">
        {shortText(bodyOf(policy), say, language)}
        {!own && ` · ${say('fixed')}`}
      </span>
    </Link>
  )
}

export function PoliciesPage() {
  const say = usePolicyWords()
  const { policy: id } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(policiesQuery)
  const [draft, setDraft] = useState<Body | null>(null)
  useTitle(say('title'))
  const own = data?.filter(({ scope }) => scope === 'center') ?? []
  const inherited = data?.filter(({ scope }) => scope !== 'center') ?? []
  const all = [...own, ...inherited]
  // A wide screen shows the first one at once; a phone shows the list first.
  const wide = !useNarrow()
  const isNew = id === 'new' || (wide && data !== undefined && all.length === 0)
  const chosen = isNew ? null : (all.find((each) => each.id === id) ?? (wide ? all[0] : undefined))
  const open = (to: string | undefined) => {
    setDraft(null)
    if (to) void navigate({ search: { policy: to } })
  }
  const step = (by: number) => {
    const at = all.findIndex((each) => each.id === chosen?.id)
    open(all[Math.max(0, Math.min(all.length - 1, at + by))]?.id)
  }
  useShortcuts([
    { keys: 'j', label: null, run: () => step(1) },
    { keys: 'k', label: null, run: () => step(-1) },
    { keys: 'n', label: say('add'), run: () => open('new') },
  ])
  const Heading = chosen || isNew ? 'p' : 'h1'
  const list = (
    <>
      <div className="tray-head">
        <Heading className="policy-title">{say('title')}</Heading>
        <Link className="btn low" to="." search={{ policy: 'new' }}>
          {say('add')}
        </Link>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {data && own.length === 0 && (
        <Empty title={say('none')}>
          <p className="soft">{say('noneNext')}</p>
        </Empty>
      )}
      {own.length > 0 && <p className="group">{say('own')}</p>}
      {own.map((each) => (
        <Row
          key={each.id}
          policy={each}
          current={each.id === chosen?.id}
          editing={each.id === chosen?.id && draft !== null}
        />
      ))}
      {inherited.map((each, at) => (
        <div key={each.id}>
          {each.scope !== inherited[at - 1]?.scope && (
            <p className="group">
              {say('inherited')} · {scopeText(each, say)}
            </p>
          )}
          <Row policy={each} current={each.id === chosen?.id} editing={false} />
        </div>
      ))}
    </>
  )
  const body = draft ?? (chosen ? bodyOf(chosen) : emptyBody)
  const margin = (
    <>
      <section>
        <h3>{say('strict')}</h3>
        <p>{say('strictNote')}</p>
      </section>
      {chosen?.scope === 'center' && (
        <section>
          <h3>{say('looser')}</h3>
          <p>{say('looserNote', { version: chosen.version })}</p>
        </section>
      )}
      {chosen && (
        <section>
          <h3>{say('digest')}</h3>
          <p>
            <Hash value={chosen.digest.replace('sha256:', '')} copy />
          </p>
          <p>{say('digestNote')}</p>
        </section>
      )}
      <section>
        <h3>{say('machine')}</h3>
        <JsonView value={body} label={say('machine')} />
      </section>
    </>
  )
  const key = isNew ? 'new' : `${chosen?.id} ${chosen?.version}`
  const sheet = isNew ? (
    <PolicySheet key={key} policy={null} onBody={setDraft} />
  ) : chosen?.scope === 'center' ? (
    <PolicySheet key={key} policy={chosen} onBody={setDraft} />
  ) : (
    chosen && <InheritedSheet key={key} policy={chosen} />
  )
  return <Desk list={list} listLabel={say('title')} sheet={sheet} margin={sheet && margin} />
}
