/** One agent: what it asked for last, what waits, its keys, the policies it meets, and the way to stop it. */
import { shown } from '@countersign/proof/shown.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { policiesFor, policiesQuery } from '../../app/policies.ts'
import { recentQuery } from '../../app/recent.ts'
import { timeText } from '../../ui/clock.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { Time } from '../../ui/time.tsx'
import type { Agent } from './data.ts'
import { useAgentWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly agent: Agent
  readonly onBack: () => void
}

/** What it lately asked for, of all that the center's newest decisions asked. */
function useTypes(center: string, id: string): readonly string[] {
  const { data } = useQuery(recentQuery(center))
  return [...new Set(data?.decisions.flatMap(({ actor, action }) => (actor.id === id ? [action.type] : [])))]
}

export function AgentSheet({ center, agent, onBack }: Properties) {
  const say = useAgentWords()
  const language = useLanguage()
  const { id, name, type, lastDecision, waiting, keys, freeze, stoppedKeys } = agent
  const types = useTypes(center, id)
  const { data: policies } = useQuery(policiesQuery)
  const met = (policies ?? []).filter(
    (policy) =>
      (policy.match.actorTypes === undefined || policy.match.actorTypes.includes(type)) &&
      types.some((each) => policiesFor(each, [policy]).length > 0),
  )
  const called = shown(name ?? id)
  return (
    <Sheet label={called}>
      <SheetHead name={called} back={say('title')} onBack={onBack}>
        <code className="mono soft agents-break">{shown(id)}</code>{' '}
        <span className="soft">· {say(`type_${type}`)}</span>
      </SheetHead>
      {freeze && (
        <p className="waiting">
          <StopSquare /> {say('stoppedSince', { time: timeText(freeze.madeAt, language) })}{' '}
          <Link to="/c/$center/stop" params={{ center }} search={{ freeze: freeze.id }} className="link">
            {say('lift')}
          </Link>
        </p>
      )}
      <Part title={say('decisions')}>
        {lastDecision ? (
          <p>
            {say('last')}{' '}
            <Link
              to="/c/$center/decisions"
              params={{ center }}
              search={{ actorId: id, id: lastDecision.eventId }}
              className="link agents-break"
            >
              {shown(lastDecision.actionType)}
            </Link>{' '}
            <span className="soft small">
              <Time at={lastDecision.createdAt} />
            </span>
          </p>
        ) : (
          <p className="soft">{say('noLastNote')}</p>
        )}
        <p className="agents-links">
          {waiting > 0 && (
            <Link
              to="/c/$center/decisions"
              params={{ center }}
              search={{ actorId: id, waiting: true }}
              className="link"
            >
              {say('showWaiting', { count: waiting })}
            </Link>
          )}
          <Link to="/c/$center/decisions" params={{ center }} search={{ actorId: id }} className="link">
            {say('showAll')}
          </Link>
          <Link to="/c/$center/oversight" params={{ center }} search={{ by: 'agent', id }} className="link">
            {say('showActivity')}
          </Link>
        </p>
      </Part>
      <Part title={say('keys')}>
        {keys.length === 0 ? (
          <p className="soft">{say('noKeys')}</p>
        ) : (
          <ul className="agents-keys">
            {keys.map((key) => (
              <li key={key.id}>
                {stoppedKeys.includes(key.id) && (
                  <span className="waiting">
                    <StopSquare /> {say('stopped')}{' '}
                  </span>
                )}
                <b>{key.name}</b> <code className="mono soft">{key.prefix}…</code>{' '}
                <span className="soft small">
                  {key.lastUsedAt ? (
                    <>
                      {say('used')} <Time at={key.lastUsedAt} />
                    </>
                  ) : (
                    say('unused')
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="agents-links">
          {keys.length > 0 && (
            <Link to="/c/$center/developers/keys" params={{ center }} search={{}} className="link">
              {say('showKeys')}
            </Link>
          )}
          <Link
            to="/c/$center/developers/keys"
            params={{ center }}
            search={{ name: called.slice(0, 100), scopes: 'decide', agent: id }}
            className="link"
          >
            {say('addKey')}
          </Link>
        </p>
      </Part>
      <Part title={say('policies')} aside={say('policiesNote')}>
        {met.length === 0 ? (
          <p className="soft">{policies && say(types.length === 0 ? 'noTypes' : 'noPolicies')}</p>
        ) : (
          <p className="agents-links">
            {met.map((policy) => (
              <Link
                key={policy.id}
                to="/c/$center/policies"
                params={{ center }}
                search={{ policy: policy.id }}
                className="link"
              >
                {policy.name}
              </Link>
            ))}
          </p>
        )}
      </Part>
      {!freeze && (
        <p className="agents-moves">
          <Link to="/c/$center/stop" params={{ center }} search={{ agent: id }} className="btn">
            <StopSquare />
            {say('stop')}
          </Link>
        </p>
      )}
    </Sheet>
  )
}
