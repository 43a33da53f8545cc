/** What a developer has to look at: webhooks that don't reach their endpoint, and keys that end soon or have ended. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keysQuery } from '../../app/api-keys.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { webhooksQuery } from './data.ts'
import { usePlaceOf } from './dev-desk.tsx'
import { Health, targetText } from './webhooks-page.tsx'
import { useDeveloperWords } from './words.ts'

const soonMs = 14 * 86_400_000

export function Attention() {
  const say = useDeveloperWords()
  const language = useLanguage()
  const placeOf = usePlaceOf()
  const webhooks = useQuery(webhooksQuery)
  const keys = useQuery(keysQuery)
  const failing = webhooks.data?.filter(({ active, recent }) => !active || recent.failed > 0 || recent.held > 0) ?? []
  const ending =
    keys.data?.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) - Date.now() < soonMs) ?? []
  // Before the first key there is nothing to look after.
  if (webhooks.data?.length === 0 && keys.data?.length === 0) return null
  const isLoaded = webhooks.data !== undefined && keys.data !== undefined
  return (
    <Part title={say('attention')}>
      <ErrorLine error={webhooks.error ?? keys.error} />
      {isLoaded && failing.length + ending.length === 0 && (
        <p>
          <span className="verified">
            <span aria-hidden="true">✓ </span>
            {say('attentionNone')}
          </span>{' '}
          <span className="soft">
            {say('attentionCounts', {
              keys: numberText(keys.data.length, language),
              webhooks: numberText(webhooks.data.length, language),
            })}
          </span>
        </p>
      )}
      <ul className="dev-attention">
        {failing.map((webhook) => (
          <li key={webhook.id}>
            <Link to={`${placeOf('webhooks')}/${webhook.id}` as '/'} className="link">
              {targetText(webhook)}
            </Link>
            <Health webhook={webhook} />
          </li>
        ))}
        {ending.map(({ id, name, expiresAt }) => {
          const isOver = Date.parse(expiresAt ?? '') <= Date.now()
          return (
            <li key={id}>
              <Link to={placeOf('keys') as '/'} className="link">
                {name}
              </Link>
              <StatusWord tone={isOver ? 'broken' : 'waiting'}>
                {say(isOver ? 'keyOver' : 'keyEnds', { day: timeText(expiresAt ?? '', language, 'day') })}
              </StatusWord>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}
