/** The agents of a center: who asks, how many of their requests wait, and the sheet of one. */
import { shown } from '@countersign/proof/shown.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { agentsQuery } from '../../app/agents.ts'
import { keysQuery } from '../../app/api-keys.ts'
import { freezesQuery, inForce } from '../../app/freezes.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { Time } from '../../ui/time.tsx'
import { AgentSheet } from './agent-sheet.tsx'
import './agents.css'
import { type Agent, agentsOf } from './data.ts'
import { useAgentWords } from './words.ts'

const route = getRouteApi('/c/$center/agents')

function Row({ agent, current }: { readonly agent: Agent; readonly current: boolean }) {
  const say = useAgentWords()
  const { id, name, lastDecision, waiting, freeze } = agent
  return (
    <Link from="/c/$center/agents" search={{ agent: id }} className="item" aria-current={current ? 'true' : undefined}>
      <b className="agents-break">
        {freeze && <StopSquare />} {shown(name ?? id)}
      </b>
      <span className="when soft">{lastDecision && <Time at={lastDecision.createdAt} />}</span>
      <span className="sub agents-facts">
        {name && <span className="agents-break">{shown(id)}</span>}
        {freeze && <span>{say('stopped')}</span>}
        {waiting > 0 && <span className="waiting">◷ {say('waiting', { count: waiting })}</span>}
        {!lastDecision && <span>{say('noLast')}</span>}
      </span>
    </Link>
  )
}

export function AgentsPage() {
  const say = useAgentWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const { agent: id } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  useTitle(say('title'))
  const { data, error, refetch } = useQuery(agentsQuery(center))
  const keys = useQuery(keysQuery)
  const freezes = useQuery(freezesQuery(center))
  const all = data && keys.data && agentsOf(data.agents, keys.data, inForce(freezes.data))
  const fault = error ?? keys.error
  const chosen = all?.find((each) => each.id === id) ?? (narrow || id !== undefined ? undefined : all?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('title')}</h1>
          <p className="soft small">{say('lede')}</p>
        </div>
        <Link to="/c/$center/developers/keys" params={{ center }} search={{ scopes: 'decide' }} className="btn low">
          {say('add')}
        </Link>
      </div>
      {fault && (
        <ErrorPanel
          error={fault}
          onRetry={() => {
            void refetch()
            void keys.refetch()
          }}
        />
      )}
      {!all && !fault && <Skeleton rows={4} />}
      {all?.length === 0 && (
        <Empty title={say('none')}>
          <p className="soft">{say('noneNext')}</p>
          <p>
            <Link to="/c/$center/developers" params={{ center }} className="link">
              {say('connect')}
            </Link>
          </p>
        </Empty>
      )}
      {all?.map((each) => (
        <Row key={each.id} agent={each} current={each.id === chosen?.id} />
      ))}
      {data && data.leftOut > 0 && (
        <p className="soft small agents-more">{say('leftOut', { count: numberText(data.leftOut, language) })}</p>
      )}
    </>
  )
  return (
    <Desk
      list={list}
      listLabel={say('title')}
      sheet={
        chosen ? (
          <AgentSheet
            key={chosen.id}
            center={center}
            agent={chosen}
            onBack={() => void navigate({ search: {}, replace: true })}
          />
        ) : undefined
      }
    />
  )
}
