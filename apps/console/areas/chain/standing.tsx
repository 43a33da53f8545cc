/** What vouches for the chain: verdicts side by side, checkpoint, witnesses, generations, alarms. */
import type { ChainAlarm, ChainOverview } from '@countersign/sdk'
import { memo } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useChainReason } from '../../ui/chain-reason.ts'
import { numberText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { Hash } from '../../ui/hash.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import type { BrowserVerdict } from './verify-messages.ts'
import { useChainWords } from './words.ts'

interface Properties {
  readonly chain: ChainOverview
  readonly alarms: readonly ChainAlarm[]
  /** Of this browser; null before it has verified. */
  readonly own: BrowserVerdict | null
}

/** Drawn again only when something in it changed, and not with the progress of a verification. */
export const Standing = memo(function Standing({ chain, alarms, own }: Properties) {
  const say = useChainWords()
  const reasonOf = useChainReason()
  const language = useLanguage()
  const number = (value: number) => numberText(value, language)
  const nameOf = (domain: string) =>
    domain === 'proof' || domain === 'dpu' || domain === 'history' ? say(`domain${domain}`) : domain
  const verdict = (brokenAt: number | null, count: number) =>
    brokenAt === null ? (
      <StatusWord tone="verified">{say('checkOk', { count: number(count) })}</StatusWord>
    ) : (
      <StatusWord tone="broken">{say('checkBroken', { index: number(brokenAt + 1) })}</StatusWord>
    )
  const { checkpoint, witnesses, generations, checks } = chain
  return (
    <div className="chain-standing">
      <Part title={say('browser')}>
        {own ? verdict(own.brokenAt, own.chainLength) : <StatusWord tone="plain">{say('unchecked')}</StatusWord>}
        {own?.reason && <p className="soft small">{reasonOf(own.reason)}</p>}
      </Part>
      <Part title={say('server')}>
        {checks.length === 0 &&
          (chain.brokenAt === null ? (
            <StatusWord tone="plain">{say('unchecked')}</StatusWord>
          ) : (
            verdict(chain.brokenAt, 0)
          ))}
        {checks.map(({ mode, brokenAt, scannedTo, verifiedAt, reason }) => (
          <div key={mode}>
            {verdict(brokenAt, scannedTo)}{' '}
            <span className="soft small">
              {say(`mode${mode}`)} · <Time at={verifiedAt} />
            </span>
            {reason && <p className="soft small">{reasonOf(reason)}</p>}
          </div>
        ))}
      </Part>
      <Part title={say('checkpoint')}>
        {checkpoint ? (
          <>
            <p>{say('checkpointSize', { size: number(checkpoint.size) })}</p>
            <p className="small soft">
              {say('root')} <Hash value={checkpoint.root} copy />
            </p>
            <details>
              <summary className="small soft">{say('note')}</summary>
              <pre className="code">{checkpoint.note}</pre>
            </details>
          </>
        ) : (
          <p className="soft small">{say('noCheckpoint')}</p>
        )}
      </Part>
      <Part title={say('witnesses')}>
        {witnesses.length === 0 && <p className="soft small">{say('noWitnesses')}</p>}
        <ul>
          {witnesses.map(({ name, lag }) => (
            <li key={name}>
              <span className="mono">{name}</span>{' '}
              <StatusWord tone={lag === 0 ? 'verified' : 'waiting'}>
                {lag === 0 ? say('noLag') : say('lag', { count: number(lag) })}
              </StatusWord>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={say('generations')}>
        {generations.length === 0 && <p className="soft small">{say('oneGeneration')}</p>}
        <ul>
          {generations.map(({ generation, log, predecessor }) => (
            <li key={log}>
              <b>{say('generation', { generation })}</b> <span className="mono soft">{log}</span>
              <p className="small">{say('restoredTo', { size: number(predecessor.size) })}</p>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={say('alarms')}>
        {alarms.length === 0 && <p className="soft small">{say('noAlarms')}</p>}
        <ul className="chain-alarms">
          {alarms.map(({ at, action, domain, brokenAt, reason }) => (
            <li key={`${at} ${action}`}>
              <StatusWord tone={action === 'found' ? 'broken' : 'verified'}>
                {say(`alarm${action}`, {
                  domain: nameOf(domain),
                  index: brokenAt === null ? '' : number(brokenAt + 1),
                })}
              </StatusWord>{' '}
              <span className="soft small">
                <Time at={at} /> {reason && reasonOf(reason)}
              </span>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  )
})
