/** Six Ws in sentences, the level with its raise, the policies in force, the execution, and the numbers. */
import type { Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { actorName, dpuIdOf, nameOf, visible, whatOf } from '../../decision/read.ts'
import { timeText } from '../../ui/clock.ts'
import { Said } from '../../ui/decision/parts.tsx'
import { Part } from '../../ui/desk.tsx'
import { Hash } from '../../ui/hash.tsx'
import { later } from '../../ui/later.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { policyNamesQuery, responsibilityQuery } from './data.ts'
import { eventTypes } from './search.ts'
import { useDecisionsWords } from './words.ts'

const RaiseDialog = later(async () => (await import('./raise.tsx')).RaiseDialog)

interface Properties {
  readonly decision: Decision
}

const Line = ({ name, children }: { readonly name: string; readonly children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function useResponsibility(decision: Decision) {
  const sealed = decision.evidence.chainHash !== null
  return useQuery({ ...responsibilityQuery(dpuIdOf(decision)), enabled: sealed }).data
}

export function StoryPart({ decision, center }: Properties & { readonly center: string }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const told = useResponsibility(decision)
  const [raising, setRaising] = useState(false)
  const by = decision.approvals.at(-1)
  const actor = actorName(decision)
  const name = by ? nameOf(by) : ''
  const own = me?.memberships.find(({ centerDomain }) => centerDomain === center)
  const level = told?.how.evidenceLevel
  const type = eventTypes.find((each) => each === told?.how.method)
  const method = [type ? say(`type${type}`) : told?.how.method, told?.how.model ?? decision.aiContext?.model]
    .filter(Boolean)
    .join(' · ')
  const sealedAt = told?.when.sealedAt
  return (
    <Part title={say('story')}>
      <dl className="facts decisions-story">
        <Line name={say('who')}>
          {!by || by.identity.level === 'system'
            ? say('whoAsked', { actor })
            : say(by.result === 'approved' ? 'whoApproved' : 'whoRefused', { actor, name })}
        </Line>
        <Line name={say('what')}>
          <Said>{whatOf(decision)}</Said> <small className="mono">{decision.action.type}</small>
        </Line>
        <Line name={say('when')}>
          {say('whenAsked', { time: timeText(decision.createdAt, language, 'short') })}
          {sealedAt && `, ${say('whenSealed', { time: timeText(sealedAt, language, 'short') })}`}
        </Line>
        <Line name={say('where')}>{told?.where.centerName ?? own?.centerName ?? center}</Line>
        <Line name={say('why')}>
          <Said>{decision.reason ?? told?.why.reason ?? say('unsaid')}</Said>
        </Line>
        <Line name={say('how')}>{method || say('unsaid')}</Line>
        {level && (
          <Line name={say('level')}>
            {say(`level${level}`)} <small className="mono">{level}</small>{' '}
            {level !== 'AUDIT_READY' && (
              <button type="button" className="quiet link" onClick={() => setRaising(true)}>
                {say('raise')}
              </button>
            )}
          </Line>
        )}
      </dl>
      {raising && level && (
        <RaiseDialog
          dpuId={dpuIdOf(decision)}
          level={level}
          isAdmin={own?.role === 'ADMIN'}
          onClose={() => setRaising(false)}
        />
      )}
    </Part>
  )
}

export function PoliciesPart({ decision, center }: Properties & { readonly center: string }) {
  const say = useDecisionsWords()
  const told = useResponsibility(decision)
  const { data: names } = useQuery(policyNamesQuery(center))
  if (!told) return null
  const { policies } = told.why
  return (
    <Part title={say('policies')}>
      {policies.length === 0 && <p className="soft">{say('noPolicies')}</p>}
      <ul>
        {policies.map(({ id, version, digest }) => (
          <li key={id} className="decisions-policy">
            <span>
              {names?.get(id) ?? <span className="mono">{id}</span>}{' '}
              <small className="soft small">{say('policyVersion', { version })}</small>
            </span>
            <Hash value={digest.replace(/^sha256:/, '')} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

const tones = { succeeded: 'verified', failed: 'broken', unknown: 'waiting' } as const

export function ExecutionPart({ decision: { execution, usableUntil } }: Properties) {
  const say = useDecisionsWords()
  const isOver = usableUntil !== null && execution === null && Date.parse(usableUntil) < Date.now()
  return (
    <Part title={say('execution')}>
      {usableUntil !== null && (
        <dl className="facts">
          <Line name={say('usableUntil')}>
            <Time at={usableUntil} /> {isOver && <StatusWord tone="waiting">{say('usableOver')}</StatusWord>}
          </Line>
        </dl>
      )}
      {execution === null ? (
        <p className="soft">{say('notRun')}</p>
      ) : (
        <dl className="facts">
          <Line name={say('taken')}>
            <Time at={execution.consumedAt} /> <small className="mono">{execution.executor}</small>
          </Line>
          <Line name={say('outcome')}>
            {execution.outcome === null ? (
              <StatusWord tone="waiting">{say('outcomeNone')}</StatusWord>
            ) : (
              <StatusWord tone={tones[execution.outcome.status]}>
                {say(`outcome${execution.outcome.status}`)}
              </StatusWord>
            )}
          </Line>
          {execution.outcome?.output && (
            <Line name={say('output')}>
              <pre className="mono small said">{visible(JSON.stringify(execution.outcome.output, null, 2))}</pre>
            </Line>
          )}
        </dl>
      )}
    </Part>
  )
}

export function NumbersPart({ decision }: Properties) {
  const say = useDecisionsWords()
  const { chainHash } = decision.evidence
  return (
    <details className="part decisions-numbers">
      <summary className="quiet">{say('allDetails')}</summary>
      <dl className="facts">
        <Line name={say('eventId')}>
          <span className="mono">{decision.id}</span>
        </Line>
        <Line name={say('decisionId')}>
          <span className="mono">{decision.decisionId}</span>
        </Line>
        {decision.recordedBy && (
          <Line name={say('recordedBy')}>
            <span className="mono">{decision.recordedBy}</span>
          </Line>
        )}
        <Line name={say('occurred')}>
          <Time at={decision.occurredAt} form="long" />
        </Line>
        {decision.tags.length > 0 && <Line name={say('tags')}>{visible(decision.tags.join(', '))}</Line>}
        <Line name={say('digest')}>
          <Hash value={decision.actionDigest.replace(/^sha256:/, '')} whole copy />
        </Line>
        {chainHash && (
          <Line name={say('hash')}>
            <Hash value={chainHash.replace(/^sha256:/, '')} whole copy />
          </Line>
        )}
      </dl>
    </details>
  )
}
