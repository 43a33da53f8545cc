/** The lines of a decision as the box of seals shows them: of one that waits as they stand, of a sealed one as sealed. Pure. */
import type { readDecision } from '@countersign/contract/decisions.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import { isFull, lineOf, placesOf, type StepText } from '@countersign/proof/line.ts'
import { ableAt, type Candidate, levelOf } from '../../../governance/line.ts'
import { type Applied, ownLine } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { Standing, StoredPlace } from './turns.ts'

export type ShownLine = PayloadOf<SpecOf<typeof readDecision>, 200>['lines'][number]
type ShownStep = ShownLine['steps'][number]
type Place = ShownStep['places'][number]

const mostNamed = 10

interface Filled extends Place {
  readonly step: number
}

/** Filled places come first. */
function stepOf(step: StepText, at: number, filled: readonly Filled[], identity: ShownStep['identity']) {
  const own = filled.filter((place) => place.step === at).map(({ approval, by }) => ({ approval, by }))
  const empty = Array.from({ length: Math.max(placesOf(step) - own.length, 0) }, () => ({ approval: null, by: null }))
  return {
    title: step.title ?? null,
    delegated: step.delegated === true,
    identity,
    places: [...own, ...empty],
  }
}

/** `names`: of members by their id; null for a reader who gets none. */
export function openLines(
  standing: Standing,
  candidates: readonly Candidate[],
  names: ReadonlyMap<string, string> | null,
  at: number,
): ShownLine[] {
  const { asked, policies, turns, placed } = standing
  return turns.map((turn, index) => {
    const { line, seats, step: current } = turn
    const filled = seats.map(({ step, given, by }) => ({ step, approval: placed.get(given) as number, by }))
    return {
      policyId: line.policyId,
      version: line.version,
      name: (policies[index] as Applied).body.name,
      full: isFull(turn),
      steps: line.steps.map((step, number) => {
        const open = names !== null && number >= current ? ableAt(asked, turn, number, { candidates }, at) : []
        const people = open.map(({ actorId }) => ({ actorId, name: names?.get(actorId) ?? '' }))
        return {
          ...stepOf(step, number, filled, levelOf(asked, step)),
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

/** `texts`: of the versions that the seal names, as far as they are stored. */
export function sealedLines({ policies, riskScore, approvals }: Sealed, texts: readonly Applied[]): ShownLine[] {
  const counting = approvals.map(({ result, void: why, admitted = [] }) =>
    result === 'approved' && !why ? admitted.filter(({ policyId }) => policyId !== undefined) : null,
  )
  // Sealed before places were recorded.
  if (counting.some((places) => places?.length === 0)) return []
  const known = [...texts, ownLine]
  return policies.flatMap(({ id, version }): ShownLine[] => {
    const policy = known.find((each) => each.id === id && each.version === version)
    const filled = counting.flatMap((places, approval) =>
      (places ?? []).flatMap(({ policyId, version: of, step = 0, by }) =>
        policyId === id && of === version ? [{ approval, step, by: by as Place['by'] }] : [],
      ),
    )
    const asked = policy && requirementsOf([policy], riskScore)
    if (!asked && (policy || filled.length === 0)) return []
    // Without its text, only what was filled is known of a line.
    const unknown = filled.map(({ step }) => step)
    const steps = policy
      ? lineOf(policy).steps
      : Array.from({ length: Math.max(...unknown) + 1 }, (_, at) => ({ count: unknown.filter((s) => s === at).length }))
    const shown = steps.map((step, at) => ({
      ...stepOf(step, at, filled, levelOf({ identity: asked?.identity ?? 'session' }, step)),
      ...{ current: false, people: [], peopleCount: 0 },
    }))
    const full = shown.every(({ places }) => places.every(({ approval }) => approval !== null))
    return [{ policyId: id, version, name: policy?.body.name ?? null, full, steps: shown }]
  })
}
