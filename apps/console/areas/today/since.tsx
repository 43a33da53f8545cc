import type { Today } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { useTodayWords } from './words.ts'

export function Since(counts: Pick<Today, 'sealed' | 'rejected' | 'joined'>) {
  const say = useTodayWords()
  const language = useLanguage()
  const changed = (['sealed', 'rejected', 'joined'] as const).filter((name) => counts[name] > 0)
  return (
    <section>
      <h2 className="today-steps-head">{say('since')}</h2>
      {changed.length === 0 && <p>{say('quiet')}</p>}
      {changed.map((name) => (
        <p key={name}>{say(name, { count: numberText(counts[name], language) })}</p>
      ))}
    </section>
  )
}
