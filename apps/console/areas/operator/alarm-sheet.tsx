/** One alarm: two entries that share an edge, the joint seal parted on it, and the hashes that do not agree. */
import type { AlarmedEntry, CellAlarm, ChainAlarmPlace } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useChainReason } from '../../ui/chain-reason.ts'
import { numberText } from '../../ui/clock.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Hash } from '../../ui/hash.tsx'
import { Joint } from '../../ui/picture.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useOperatorWords } from './words.ts'

const bare = (hash: string): string => hash.replace(/^sha256:/, '')

export function AlarmSheet({ alarm }: { readonly alarm: CellAlarm }) {
  const say = useOperatorWords()
  const reasonOf = useChainReason()
  const language = useLanguage()
  const { centerId, centerName, centerDomain, domain, brokenAt } = alarm
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', 'operator', 'alarm', centerId, domain],
    queryFn: ({ signal }) => api.admin.getAlarm(centerId, domain, { signal }),
  })
  const index = numberText(brokenAt + 1, language)
  return (
    <Sheet label={centerName}>
      <h2 className="operator-title">
        {say('brokenAt', { center: centerName, domain: say(`domain${domain}`), index })}
      </h2>
      <p>
        <StatusWord tone="broken">{say('sealingStopped')}</StatusWord>
      </p>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={6} />}
      {data && (
        <>
          <Slips place={data} />
          <Differing place={data} />
          <Part title={say('verifierSaid')}>
            {data.checks.map(({ mode, brokenAt: found, reason, verifiedAt }) => (
              <div key={mode} className="operator-said">
                <StatusWord tone={found === null ? 'verified' : 'broken'}>
                  {found === null ? say('foundNothing') : say('index', { index: numberText(found + 1, language) })}
                </StatusWord>{' '}
                <span className="soft small">
                  {say(`mode${mode}`)} · <Time at={verifiedAt} />
                </span>
                {reason && <p>{reasonOf(reason)}</p>}
              </div>
            ))}
          </Part>
          <Part title={say('where')}>
            <dl className="facts">
              <dt>{say('center')}</dt>
              <dd>
                <Link to="/operator/centers" search={{ q: centerDomain }}>
                  {centerName}
                </Link>{' '}
                <span className="mono soft">{centerId}</span>
              </dd>
              <dt>{say('cell')}</dt>
              <dd className="mono">{data.cell}</dd>
              <dt>{say('log')}</dt>
              <dd className="mono">{data.log}</dd>
              <dt>{say('length')}</dt>
              <dd>{numberText(data.length, language)}</dd>
            </dl>
          </Part>
        </>
      )}
    </Sheet>
  )
}

function Slips({ place: { before, entry, brokenAt } }: { readonly place: ChainAlarmPlace }) {
  const say = useOperatorWords()
  const language = useLanguage()
  return (
    <div className="operator-slips">
      <Slip index={brokenAt - 1} entry={before} />
      <Joint
        hashA={before?.hash ?? 'none'}
        hashB={entry?.previousHash ?? ''}
        broken
        size={76}
        label={say('parted', { index: numberText(brokenAt + 1, language) })}
      />
      <Slip index={brokenAt} entry={entry} broken />
    </div>
  )
}

interface SlipProperties {
  readonly index: number
  readonly entry: AlarmedEntry | null
  readonly broken?: boolean
}

function Slip({ index, entry, broken = false }: SlipProperties) {
  const say = useOperatorWords()
  const language = useLanguage()
  return (
    <div className={`operator-slip${broken ? ' is-broken' : ''}${entry ? '' : ' is-gone'}`}>
      <b className={broken ? 'broken' : undefined}>
        {broken && <span aria-hidden="true">✕ </span>}
        {index < 0 ? say('genesis') : numberText(index + 1, language)}
      </b>
      {entry && (
        <>
          <Time at={entry.sealedAt} />
          <span className="h">{bare(entry.hash).slice(0, 16)}</span>
        </>
      )}
      {!entry && index >= 0 && <span className="soft">{say('noEntry')}</span>}
    </div>
  )
}

/** The pair that differs is named first; where all hashes agree, the verifier found something else. */
function Differing({ place: { before, entry } }: { readonly place: ChainAlarmPlace }) {
  const say = useOperatorWords()
  if (!entry) return null
  const isAltered = entry.hash !== entry.computedHash
  const isUnlinked = before !== null && before.hash !== entry.previousHash
  const pairs = [
    { key: 'altered', differs: isAltered, values: [say('stored'), entry.hash, say('computed'), entry.computedHash] },
    ...(before
      ? [
          {
            key: 'unlinked',
            differs: isUnlinked,
            values: [say('ofBefore'), before.hash, say('named'), entry.previousHash ?? ''],
          },
        ]
      : []),
  ] as const
  return (
    <Part title={say('hashes')} aside={isAltered || isUnlinked ? undefined : say('hashesAgree')}>
      {pairs.map(({ key, differs, values: [nameA, a = '', nameB, b = ''] }) => (
        <dl key={key} className="operator-pair">
          <div>
            <dt>{nameA}</dt>
            <dd>
              <Hash value={bare(a)} whole />
            </dd>
          </div>
          <div>
            <dt>{nameB}</dt>
            <dd>
              <Hash value={bare(b)} whole />
            </dd>
          </div>
          <div>
            <dt>{say('verdict')}</dt>
            <dd>
              <StatusWord tone={differs ? 'broken' : 'verified'}>{say(differs ? 'differ' : 'agree')}</StatusWord>
            </dd>
          </div>
        </dl>
      ))}
    </Part>
  )
}
