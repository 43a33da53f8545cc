/** What the server has put into the page about the record at its address. */
import { type Language, languages, say } from '../words.ts'
import { make, sign } from './dom.ts'
import { factList } from './facts-view.ts'

export interface ServedFacts {
  readonly eventId: string
  readonly log: string
  readonly chainIndex: number
  readonly chainHash: string | null
  readonly sealedAt: string
  readonly evidenceLevel: string
  readonly result: 'approved' | 'rejected' | null
  readonly verified: { readonly valid: boolean; readonly message: string }
  readonly verifiedAt: string
  readonly checkpoint: { readonly size: number } | null
}

export interface Served {
  /** Null: nothing sealed is at this address. */
  readonly facts?: ServedFacts | null
  readonly policy: string | null
}

export function recordView(facts: ServedFacts | null, language: Language): readonly HTMLElement[] {
  const words = languages[language]
  const heading = make('h2', { class: 'quiet', id: 'record-heading' }, words.here)
  if (facts === null) return [heading, banner('fair', 'unknown', words.hereNone, words.hereNoneMore)]
  const { verified, checkpoint, chainIndex } = facts
  const size = checkpoint?.size ?? null
  const why = { why: verified.message }
  const isRefusal = facts.result === 'rejected'
  return [
    heading,
    verified.valid
      ? banner(
          isRefusal ? 'fair' : 'good',
          isRefusal ? 'unknown' : 'yes',
          isRefusal ? `${words.saysRefusal} ${words.hereStands}` : words.hereStands,
          words.hereStandsMore,
        )
      : banner('bad', 'no', words.hereBroken, say(words.hereBrokenMore, why)),
    make(
      'div',
      { class: 'card' },
      factList(
        [
          ['factId', facts.eventId, 'code'],
          ['factLog', facts.log, 'code'],
          [
            'factIndex',
            say(size === null ? words.factAlone : words.factOf, { entry: chainIndex + 1, size: size ?? '' }),
          ],
          ['factHash', facts.chainHash, 'code'],
          ['factSealed', facts.sealedAt, 'time'],
          ['factLevel', facts.evidenceLevel, 'code'],
          ['factChecked', facts.verifiedAt, 'time'],
        ],
        words,
        language,
      ),
      make('p', { class: 'fine' }, words.hereContent),
      make('p', { class: 'fine' }, words.hereLimits),
    ),
  ]
}

export const banner = (
  tone: 'good' | 'fair' | 'bad',
  status: 'yes' | 'no' | 'unknown',
  heading: string,
  more: string,
  id: string | null = null,
): HTMLElement =>
  make(
    'div',
    { class: `banner ${tone}` },
    sign(status),
    make('div', {}, make('p', { class: 'verdict', id }, heading), make('p', {}, more)),
  )
