/** What the server has put into the page about the record at its address. */
import { type Language, languages, say } from '../words.ts'
import { make, sign } from './dom.ts'
import { factList } from './facts-view.ts'

export interface ServedFacts {
  readonly eventId: string
  readonly log: string
  readonly sandbox: boolean
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
  /** The center of the record has left. */
  readonly left?: { readonly log: string; readonly size: number; readonly root: string; readonly closedAt: string }
  readonly policy: string | null
}

export function recordView({ facts = null, left }: Served, language: Language): readonly HTMLElement[] {
  const words = languages[language]
  const heading = make('h2', { id: 'record-heading' }, words.here)
  if (left) return [heading, banner('unknown', words.unknown, words.hereLeft, say(words.hereLeftMore, left))]
  if (facts === null) return [heading, banner('unknown', words.unknown, words.hereNone, words.hereNoneMore)]
  const { verified, checkpoint, chainIndex } = facts
  const size = checkpoint?.size ?? null
  const why = { why: verified.message }
  const isRefusal = facts.result === 'rejected'
  const [stands, more] = facts.sandbox
    ? [words.saysSandbox, words.hereSandboxMore]
    : [words.hereStands, words.hereStandsMore]
  const state = facts.sandbox ? words.stateSandbox : isRefusal ? words.refusedBy : words.stateGood
  const broken = facts.sandbox ? `${words.fromSandbox} ${words.hereBroken}` : words.hereBroken
  return [
    heading,
    verified.valid
      ? banner(
          isRefusal || facts.sandbox ? 'unknown' : 'yes',
          state,
          isRefusal ? `${words.saysRefusal} ${stands}` : stands,
          more,
          { refused: isRefusal },
        )
      : banner('no', words.stateBad, broken, say(words.hereBrokenMore, why)),
    make(
      'div',
      { class: 'part' },
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
      // What is not proved has the size of what is.
      make('p', { class: 'limits' }, words.hereLimits),
      make('p', { class: 'small soft' }, words.hereContent),
    ),
  ]
}

/** A state in a word, the sentence, and what it means. */
export const banner = (
  status: 'yes' | 'no' | 'unknown',
  state: string,
  heading: string,
  more: string,
  { id = null, refused = false }: { readonly id?: string | null; readonly refused?: boolean } = {},
): HTMLElement =>
  make(
    'div',
    { class: 'banner' },
    make(
      'div',
      {},
      make('p', { class: `state ${refused ? 'refusal' : status}` }, sign(status), state),
      make('p', { class: 'verdict', id }, heading),
      make('p', {}, more),
    ),
  )
