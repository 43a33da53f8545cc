/** What became of a decision: the seal that was pressed here and its hash, or who was faster and when. */
import type { Deciding } from '@countersign/proof/deciding.ts'
import type { Decision, GivenApproval } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { nameOf } from '../../decision/read.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Hash } from '../../ui/hash.tsx'
import { useInboxWords } from './words.ts'

interface Properties {
  readonly decision: Decision
  readonly standing: Exclude<Deciding<GivenApproval>, { kind: 'open' }>
  readonly sent: 'kept' | 'lost' | null
  readonly center: string
  onNext(): void
}

export function Closed({ decision, standing, sent, center, onNext }: Properties) {
  const say = useInboxWords()
  const language = useLanguage()
  const { chainHash, chainIndex } = decision.evidence
  const mine = 'mine' in standing && standing.mine
  const time = timeText('by' in standing ? standing.by.createdAt : standing.at, language, 'short')
  const told = () => {
    if (!('by' in standing)) return say(`closed${standing.kind}`, { time })
    if (mine) return say(standing.kind === 'approved' ? 'doneApproved' : 'doneRefused')
    return say(standing.kind === 'approved' ? 'fasterApproved' : 'fasterRefused', { name: nameOf(standing.by), time })
  }
  return (
    <section className={sent === 'kept' ? 'inbox-told pressing' : 'inbox-told'} role="status">
      {!mine && 'by' in standing && <h2>{say('fasterTitle')}</h2>}
      <p className={mine ? 'ink' : undefined}>{told()}</p>
      {sent === 'lost' && !mine && <p className="soft small">{say('fasterNotKept')}</p>}
      {chainHash !== null && (
        <p className="small soft">
          {chainIndex !== null && say('place', { index: numberText(chainIndex + 1, language) })}{' '}
          <Hash value={chainHash.replace(/^sha256:/, '')} copy />
        </p>
      )}
      <p className="inbox-after">
        <button type="button" className="btn low" onClick={onNext}>
          {say('next')}
        </button>
        <Link to={`/c/${center}/decisions` as string} search={{ id: decision.id } as never} className="btn plain low">
          {say('toProof')}
        </Link>
      </p>
    </section>
  )
}
