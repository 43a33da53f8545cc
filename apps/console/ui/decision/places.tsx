/** The places of a decision's approval lines as small squares: a seal would not be readable at this size. Whose turn it is, in words. */
import type { Decision } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { visible } from '../../decision/read.ts'
import { numberText } from '../clock.ts'
import { useDecisionWords } from './words.ts'

type Look = 'passkey' | 'session' | 'claim' | 'system' | 'turn' | 'later'

const isCounting = ({ result, void: why, takenBackAt }: Decision['approvals'][number]): boolean =>
  result === 'approved' && why === undefined && takenBackAt === undefined

/** One list for each line. A decision without lines has a place for each approval that counts and, while it waits, one more. */
export function placesOf({ lines, approvals, waiting }: Decision): readonly (readonly Look[])[] {
  const levelAt = (at: number | null): Look | null => (at === null ? null : (approvals[at]?.identity.level ?? null))
  if (lines.length === 0) {
    const filled = approvals.filter(isCounting).map(({ identity }) => identity.level)
    return [waiting === null ? filled : [...filled, 'turn']]
  }
  return lines.map(({ steps }) =>
    steps.flatMap(({ places, current }) =>
      places.map(({ approval }): Look => levelAt(approval) ?? (current ? 'turn' : 'later')),
    ),
  )
}

const size = 12
const step = 18
const dashes: Partial<Record<Look, string>> = { turn: '3 2', later: '1 3', claim: '2 2' }

function Squares({ looks }: { readonly looks: readonly Look[] }) {
  const width = (looks.length - 1) * step + size + 2
  return (
    <svg className="places" width={width} height={size + 2} viewBox={`0 0 ${width} ${size + 2}`} aria-hidden="true">
      {looks.map((look, at) => (
        <rect
          key={at}
          className={look}
          x={at * step + 1}
          y={1}
          width={size}
          height={size}
          strokeDasharray={dashes[look]}
        />
      ))}
    </svg>
  )
}

export function Places({ decision }: { readonly decision: Decision }) {
  const say = useDecisionWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const given = decision.approvals.filter(isCounting).length
  const open = decision.lines.flatMap(({ full, steps }) => (full ? [] : steps.filter(({ current }) => current)))
  const people = [...new Map(open.flatMap((each) => each.people).map((each) => [each.actorId, each.name]))]
  const count = Math.max(people.length, ...open.map(({ peopleCount }) => peopleCount))
  const turn = () => {
    if (open.length === 0) return say('turnOpen')
    if (people.some(([id]) => id === me?.actorId)) return say('turnMine')
    if (count === 0) return say('nobody')
    if (count === 1) return say('turnOf', { name: visible(people[0]?.[1] ?? '') })
    return say('oneOf', { people: numberText(count, language) })
  }
  return (
    <span className="places-line">
      {placesOf(decision).map((looks, at) => looks.length > 0 && <Squares key={at} looks={looks} />)}
      <span>
        {[
          ...(given > 0 ? [say('approvedSoFar', { count: numberText(given, language) })] : []),
          ...(decision.waiting ? [turn()] : []),
        ].join(' · ')}
      </span>
    </span>
  )
}
