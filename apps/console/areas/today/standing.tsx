/** The chains and the subscription in a word: what a person would otherwise open two pages for. */
import { Link } from '@tanstack/react-router'
import type { Notices } from '../../app/notices.ts'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { useTodayWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly notices: Notices
  readonly isAdmin: boolean
}

const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'verified',
  TRIAL: 'waiting',
  PAST_DUE: 'waiting',
  SUSPENDED: 'broken',
  CANCELED: 'broken',
}

export function Standing({ center, notices: { chain, subscription }, isAdmin }: Properties) {
  const say = useTodayWords()
  const { status } = subscription
  const chains = chain?.broken ? 'Broken' : (chain?.lost.length ?? 0) > 0 ? 'Lost' : 'Intact'
  return (
    <section>
      <h2 className="today-steps-head">{say('standing')}</h2>
      {chain && (
        <p>
          <Link to="/c/$center/chain" params={{ center }} className="today-standing">
            <span>{say('records')}</span>
            <StatusWord tone={chains === 'Intact' ? 'verified' : 'broken'}>{say(`records${chains}`)}</StatusWord>
          </Link>
        </p>
      )}
      {isAdmin && status !== null && (
        <p>
          <Link to="/c/$center/subscription" params={{ center }} className="today-standing">
            <span>{say('subscription')}</span>
            <StatusWord tone={tones[status] ?? 'plain'}>{say(`subscription${status}`)}</StatusWord>
          </Link>
        </p>
      )}
    </section>
  )
}
