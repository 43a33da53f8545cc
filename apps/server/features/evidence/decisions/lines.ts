/** The lines of a decision as the box of seals shows them: of one that waits as they stand, of a sealed one as sealed. Pure. */
import type { readDecision } from '@countersign/contract/decisions.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import { isFull, lineOf, placesOf, type StepText } from '@countersign/proof/line.ts'
import { ableAt, type Candidate, levelOf } from '../../../governance/line.ts'
import { type Applied, ownLine } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { Standing, StoredPlace, StruckPlaces } from './turns.ts'

export type ShownLine = PayloadOf<SpecOf<typeof readDecision>, 200>['lines'][number]
type ShownStep = ShownLine['steps'][number]
type Place = ShownStep['places'][number]

const mostNamed = 10

interface Filled extends Place {
  readonly step: number
}

/** Filled places come first. */
function stepOf(step: StepText, at: number, filled: readonly Filled[], identity: ShownStep['identity']) {
  const own = filled
    .filter((place) => place.step === at)
    .map(({ approval, confirmation, by }) => ({ approval, confirmation, by }))
  const empty = Array.from({ length: Math.max(placesOf(step) - own.length, 0) }, () => ({
    approval: null,
    confirmation: null,
    by: null,
  }))
  return {
    title: step.title ?? null,
    delegated: step.delegated === true,
    identity,
    places: [...own, ...empty],
  }
}

/** Each at the first step of the line at which it had a place. */
const struckAt = (
  struck: StruckPlaces,
  { policyId, version }: { readonly policyId: string; readonly version: number },
  step: number,
): number[] =>
  [...struck].flatMap(([position, places]) => {
    const own = places.find((place) => place.policyId === policyId && place.version === version)
    return own?.step === step ? [position] : []
  })

/** `names`: of members by their id; null for a reader who gets none. */
export function openLines(
  standing: Standing,
  candidates: readonly Candidate[],
  names: ReadonlyMap<string, string> | null,
  at: number,
): ShownLine[] {
  const { asked, policies, turns, placed, struck } = standing
  return turns.map((turn, index) => {
    const { line, seats, step: current } = turn
    const all = seats.map(({ step, given, by }) => ({
      step,
      approval: placed.get(given) as number,
      confirmation: null,
      by,
    }))
    const filled = all.filter(({ by }) => by !== 'emergency')
    return {
      policyId: line.policyId,
      version: line.version,
      name: (policies[index] as Applied).body.name,
      full: isFull(turn),
      emergency: all.find(({ by }) => by === 'emergency')?.approval ?? null,
      steps: line.steps.map((step, number) => {
        const open = names !== null && number >= current ? ableAt(asked, turn, number, { candidates }, at) : []
        const people = open.map(({ actorId }) => ({ actorId, name: names?.get(actorId) ?? '' }))
        return {
          ...stepOf(step, number, filled, levelOf(asked, step)),
          struck: struckAt(struck, line, number),
          current: number === current,
          people: people.slice(0, mostNamed),
          peopleCount: people.length,
        }
      }),
    }
  })
}

export interface Sealed {
  /** As the seal names them. */
  readonly policies: readonly { readonly id: string; readonly version: number }[]
  readonly riskScore: number | null
  /** What the seal says of each approval, in their order. */
  readonly approvals: readonly {
    readonly result: string
    readonly void?: string | undefined
    readonly admitted?: readonly StoredPlace[] | undefined
  }[]
}

/**
 * `texts`: of the versions that the seal names, as far as they are stored. `confirmations`: the places that each fills. Where
 * somebody approved in an emergency, the places of the line stay open until they are confirmed.
 */
export function sealedLines(
  { policies, riskScore, approvals }: Sealed,
  texts: readonly Applied[],
  confirmations: readonly (readonly StoredPlace[])[] = [],
  struck: StruckPlaces = new Map(),
): ShownLine[] {
  const counting = approvals.map(({ result, void: why, admitted = [] }) =>
    result === 'approved' && !why ? admitted.filter(({ policyId }) => policyId !== undefined) : null,
  )
  // Sealed before places were recorded.
  if (counting.some((places) => places?.length === 0)) return []
  const known = [...texts, ownLine]
  return policies.flatMap(({ id, version }): ShownLine[] => {
    const policy = known.find((each) => each.id === id && each.version === version)
    const own = (places: readonly StoredPlace[]) =>
      places.flatMap(({ policyId, version: of, step = 0, by }) =>
        policyId === id && of === version ? [{ step, by: by as Place['by'] }] : [],
      )
    const given = counting.flatMap((places, approval) =>
      own(places ?? []).map((place) => ({ ...place, approval, confirmation: null })),
    )
    const emergency = given.find(({ by }) => by === 'emergency')?.approval ?? null
    const filled: Filled[] = [
      ...given.filter(({ by }) => by !== 'emergency'),
      ...confirmations.flatMap((places, confirmation) =>
        own(places).map((place) => ({ ...place, approval: null, confirmation })),
      ),
    ]
    const asked = policy && requirementsOf([policy], riskScore)
    if (!asked && (policy || given.length === 0)) return []
    // Without its text, only what was filled is known of a line.
    const unknown = given.map(({ step }) => step)
    const steps = policy
      ? lineOf(policy).steps
      : Array.from({ length: Math.max(...unknown) + 1 }, (_, at) => ({ count: unknown.filter((s) => s === at).length }))
    const shown = steps.map((step, at) => ({
      ...stepOf(step, at, filled, levelOf({ identity: asked?.identity ?? 'session' }, step)),
      struck: struckAt(struck, { policyId: id, version }, at),
      ...{ current: false, people: [], peopleCount: 0 },
    }))
    const full = shown.every(({ places }) => places.every(({ by }) => by !== null))
    return [{ policyId: id, version, name: policy?.body.name ?? null, full, emergency, steps: shown }]
  })
}
