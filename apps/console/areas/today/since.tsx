import type { Today } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { useTodayWords } from './words.ts'

/** The server counts no further. */
const mostCounted = 1000

export function Since(counts: Pick<Today, 'sealed' | 'rejected' | 'joined'>) {
  const say = useTodayWords()
  const language = useLanguage()
  const written = (count: number) => `${numberText(count, language)}${count < mostCounted ? '' : '+'}`
  const changed = (['sealed', 'rejected', 'joined'] as const).filter((name) => counts[name] > 0)
  return (
    <section>
      <h2 className="today-steps-head">{say('since')}</h2>
      {changed.length === 0 && <p>{say('quiet')}</p>}
      {changed.map((name) => (
        <p key={name}>{say(name, { count: written(counts[name]) })}</p>
      ))}
    </section>
  )
}
