/** Earlier versions, each with what it changed. */
import type { Policy } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { bodyOf } from './body.ts'
import { useVersions } from './data.ts'
import { type Difference, differences, factsOf } from './facts.ts'
import { useNaming } from './naming.ts'
import { usePolicyWords } from './words.ts'

export function Differences({ rows }: { readonly rows: readonly Difference[] }) {
  const say = usePolicyWords()
  return (
    <dl className="facts policy-facts">
      {rows.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <del className="soft">{before ?? say('absent')}</del>{' '}
            <ins className="waiting">→ {after ?? say('absent')}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Versions({ policy }: { readonly policy: Policy }) {
  const say = usePolicyWords()
  const language = useLanguage()
  const naming = useNaming()
  const { data, error, refetch } = useVersions(policy.id)
  return (
    <Part title={say('versions')} aside={data && say('version', { version: data[0]?.version ?? 1 })}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={2} />}
      <ol className="policy-versions">
        {data?.map((version, at) => {
          const earlier = data[at + 1]
          const rows = earlier
            ? differences(
                factsOf(bodyOf(earlier), say, language, naming),
                factsOf(bodyOf(version), say, language, naming),
              )
            : []
          return (
            <li key={version.version}>
              <p>
                <b>{say('version', { version: version.version })}</b>{' '}
                <span className="soft small">{version.createdAt && timeText(version.createdAt, language, 'long')}</span>
              </p>
              {rows.length > 0 ? (
                <Differences rows={rows} />
              ) : (
                <p className="soft small">{say(earlier ? 'sameWords' : 'firstVersion')}</p>
              )}
            </li>
          )
        })}
      </ol>
    </Part>
  )
}
