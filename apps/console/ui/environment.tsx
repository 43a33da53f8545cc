/** Which installation this is. Production is silent, so that the word is seen where it is needed. */
import { useSession } from '../app/use-store.ts'
import { useUiWords } from './words.ts'

export function EnvironmentBadge() {
  const say = useUiWords()
  const environment = useSession().session?.environment ?? 'production'
  if (environment === 'production') return null
  return (
    <span className="badge" title={say('environmentNote')}>
      <span aria-hidden="true">◇ </span>
      <span className="badge-word">{say(`environment${environment}`)}</span>
    </span>
  )
}
