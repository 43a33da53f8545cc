/**
 * Holds every place that a seal of the log `proof` says a person filled as one of a group against the log `history`: by its
 * entries they were in a group of that step, and counted, when the decision was sealed.
 */
import { comparableId, priorPattern } from '@countersign/proof'
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'

interface Place {
  readonly index: number
  readonly policyId: string
  readonly version: number
  readonly step: number
  readonly since: number
  /** Null where it is redacted. */
  readonly person: string | null
  readonly sealedAt: string
}

/** A person of a group, from the entry that added or confirmed them on. */
interface Stay {
  readonly person: string
  readonly since: number
  readonly countsFrom: string
  /** When the entry was sealed by which they are no longer in it. */
  until: string | null
}

/** The people are read at most seconds before a seal, and the clocks of two processes may differ. */
const clockSkew = 60_000

interface Approval {
  readonly approval: { readonly approver?: { readonly id?: unknown }; readonly onBehalfOf?: unknown }
  readonly control?: unknown
}

export function watchGroups() {
  const places: Place[] = []
  const stays = new Map<string, Stay[]>()
  /** The groups of each step, by version of a policy. */
  const steps = new Map<string, readonly { readonly groupIds?: readonly string[] }[]>()
  let [entries, size] = [0, 0]

  function note(index: number, sealedAt: string, { approval, control }: Approval): void {
    const { admitted = [], void: ended } = (control ?? {}) as {
      readonly admitted?: readonly (Omit<Place, 'index' | 'person' | 'sealedAt'> & { readonly by?: string })[]
      readonly void?: string
    }
    const id = approval.onBehalfOf ?? approval.approver?.id
    const person = typeof id === 'string' ? comparableId(id) : null
    for (const { policyId, version, step, since, by } of ended === undefined ? admitted : []) {
      if (by === 'group') places.push({ index, policyId, version, step, since, person, sealedAt })
    }
  }

  function groupChanged({ values, sealedAt }: ValuedEntry, index: number, target: string): void {
    const { people = [] } = (values?.group ?? {}) as {
      readonly people?: readonly { readonly actorId: string; readonly countsFrom: string; readonly since?: number }[]
    }
    const now = people.map(({ actorId, countsFrom, since = index }): Stay => {
      return { person: comparableId(actorId), countsFrom, since, until: null }
    })
    const known = stays.get(target) ?? []
    const isSame = (one: Stay) => (other: Stay) => one.person === other.person && one.since === other.since
    for (const stay of known) if (stay.until === null && !now.some(isSame(stay))) stay.until = sealedAt
    stays.set(target, [...known, ...now.filter((stay) => !known.some(isSame(stay)))])
  }

  /** Null where the history does not show it. */
  function wasIn({ policyId, version, step, since, person, sealedAt }: Place): boolean | null {
    const groups = steps.get(`${policyId} ${version}`)?.[step]?.groupIds
    if (person === null || groups === undefined || since >= size) return null
    const at = Date.parse(sealedAt)
    return groups.some((id) =>
      stays.get(id)?.some((stay) => {
        const counts = stay.since <= since && Date.parse(stay.countsFrom) <= at + clockSkew
        return stay.person === person && counts && (stay.until === null || Date.parse(stay.until) >= at - clockSkew)
      }),
    )
  }

  return {
    /** For every entry of the log `proof`, before the first one of `history`. */
    watchSeal({ values = {}, sealedAt }: ValuedEntry): void {
      const index = entries++
      const { control } = values
      const approval = {
        approver: { id: values['approval.approver.id'] },
        onBehalfOf: values['approval.onBehalfOf'],
      }
      note(index, sealedAt, { approval, control })
      for (const [name, prior] of Object.entries(values)) {
        if (priorPattern.test(name)) note(index, sealedAt, prior as unknown as Approval)
      }
    },

    watchChange(entry: ValuedEntry): void {
      const index = size++
      const { type, target } = contentOf(entry)
      if (typeof target !== 'string' || entry.values === undefined) return
      if (type === 'group') groupChanged(entry, index, target)
      if (type !== 'policy') return
      const { version, policy } = entry.values as {
        readonly version?: number
        readonly policy?: { readonly approval?: { readonly steps?: readonly object[] } }
      }
      steps.set(`${target} ${version}`, policy?.approval?.steps ?? [])
    },

    checks(): readonly Check[] {
      if (places.length === 0) return []
      const judged = places.map((place) => ({ place, was: wasIn(place) }))
      const stranger = judged.find(({ was }) => was === false)?.place
      if (stranger) {
        const { index, policyId: policy, step } = stranger
        return [check('groups', 'no', 'a groups-stranger', { index, policy, step: step + 1 })]
      }
      const unknown = judged.filter(({ was }) => was === null).length
      const facts = { places: places.length }
      if (unknown > 0) return [check('groups', 'unknown', 'a groups-unknown', { ...facts, unknown })]
      return [check('groups', 'yes', 'a groups-hold', facts)]
    },
  }
}
