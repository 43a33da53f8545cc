/** What one entry of the chain adds to the sums. Pure: a naive count over the same rows has to give the same. */
import { daysAfter, localDateOf } from '../../../lib/local-time.ts'
import { addTo, bucketOf, only } from './buckets.ts'

export type Kind = 'center' | 'policy' | 'person' | 'agent'
export const steps = ['day', 'week'] as const
export type Step = (typeof steps)[number]

export interface CountedApproval {
  readonly position: number
  readonly result: 'approved' | 'rejected'
  readonly level: string
  readonly by: string
  readonly reason: string | null
  readonly at: string
  readonly opened_at: string | null
  readonly taken_back: boolean
  /** Why it no longer counted at the seal. */
  readonly void: string | null
}

/** An entry of the chain `proof`; without a decision of its own, or one that no policy applied to, it is only counted. */
export interface SealedRow {
  readonly idx: string
  readonly sealed_at: string
  readonly event_id: string | null
  readonly asked_at: string | null
  readonly agent: string | null
  readonly policies: readonly string[] | null
  readonly approvals: readonly CountedApproval[]
}

const counted = ['asked', 'approved', 'refused', 'expired', 'withdrawn', 'void', 'opened', 'seals'] as const
type Counted = (typeof counted)[number]

export interface Sum extends Record<Counted, number> {
  readonly step: Step
  readonly kind: Kind
  readonly starts: string
  readonly key: string
  to_decide: number[]
  open: number[]
  example: string | null
}

export const mondayOf = (day: string): string => daysAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** Longer keys are cut, as the table has them. */
const maxKey = 255

export class Sums {
  readonly #timezone: string
  readonly #sums = new Map<string, Sum>()
  /** Days by quarter of an hour: no zone changes its day within one. */
  readonly #days = new Map<number, string>()

  constructor(timezone: string) {
    this.#timezone = timezone
  }

  dayOf(at: string): string {
    const ms = Date.parse(at)
    const quarter = Math.floor(ms / 900_000)
    const known = this.#days.get(quarter)
    if (known) return known
    const day = localDateOf(this.#timezone, ms)
    this.#days.set(quarter, day)
    return day
  }

  #sum(step: Step, kind: Kind, starts: string, key: string): Sum {
    const name = `${step} ${kind} ${starts} ${key}`
    const known = this.#sums.get(name)
    if (known) return known
    const zeros = { asked: 0, approved: 0, refused: 0, expired: 0, withdrawn: 0, void: 0, opened: 0, seals: 0 }
    const made: Sum = { step, kind, starts, key, ...zeros, to_decide: [], open: [], example: null }
    this.#sums.set(name, made)
    return made
  }

  #at(at: string, kind: Kind, key: string, change: (sum: Sum) => void): void {
    const day = this.dayOf(at)
    change(this.#sum('day', kind, day, key))
    change(this.#sum('week', kind, mondayOf(day), key))
  }

  /** Adds an act of deciding, or with -1 subtracts it. */
  act(
    row: Pick<SealedRow, 'asked_at' | 'event_id'>,
    approval: CountedApproval,
    kind: Kind,
    key: string,
    times: 1 | -1,
  ): void {
    const askedAt = row.asked_at as string
    this.#at(askedAt, kind, key, (sum) => {
      sum.asked += times
    })
    this.#at(approval.at, kind, key, (sum) => {
      const outcome = outcomeOf(approval) as Outcome
      sum[outcome] += times
      if (times > 0) sum.example = row.event_id
      if (outcome !== 'approved' && outcome !== 'refused') return
      const [asked, decided] = [Date.parse(askedAt), Date.parse(approval.at)]
      sum.to_decide = addTo(sum.to_decide, only(bucketOf((decided - asked) / 1000), times))
      if (approval.opened_at === null) return
      sum.opened += times
      sum.open = addTo(sum.open, only(bucketOf((decided - Date.parse(approval.opened_at)) / 1000), times))
    })
  }

  /** Adds an approval that no longer counted at the seal, or with -1 subtracts it: when it was given, beside its act. */
  voided({ at }: CountedApproval, kind: Kind, key: string, times: 1 | -1): void {
    this.#at(at, kind, key, (sum) => {
      sum.void += times
    })
  }

  /** Everything that the entry adds. */
  add(row: SealedRow): void {
    this.#at(row.sealed_at, 'center', '', (sum) => {
      sum.seals += 1
    })
    const last = row.approvals.at(-1)
    if (row.policies === null || row.asked_at === null || !last || outcomeOf(last) === null) return
    const keys: [Kind, string][] = [
      ['center', ''],
      ...[...new Set(row.policies)].map((id): [Kind, string] => ['policy', id]),
    ]
    if (row.agent) keys.push(['agent', row.agent.slice(0, maxKey)])
    for (const [kind, key] of keys) {
      this.act(row, last, kind, key, 1)
      for (const approval of voidOf(row)) this.voided(approval, kind, key, 1)
    }
    for (const approval of actsOf(row)) this.act(row, approval, 'person', approval.by, 1)
    for (const approval of voidOf(row)) if (isMembers(approval)) this.voided(approval, 'person', approval.by, 1)
  }

  /** In the order of the table's key, so that nobody waits for another in a circle. */
  get list(): Sum[] {
    const name = ({ step, kind, starts, key }: Sum) => `${step} ${kind} ${starts} ${key}`
    return [...this.#sums.values()].toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
  }
}

type Outcome = 'approved' | 'refused' | 'expired' | 'withdrawn'

/** Null where the service decided by a rule: nobody was asked. */
export function outcomeOf({ level, result, reason }: CountedApproval): Outcome | null {
  if (level !== 'system') return result === 'approved' ? 'approved' : 'refused'
  if (reason === 'expired') return 'expired'
  return reason === 'withdrawn' || reason === 'replaced' ? 'withdrawn' : null
}

/** Of a signed-in member; those under a typed name are nobody's. */
export const isMembers = ({ level, by }: Pick<CountedApproval, 'level' | 'by'>): boolean =>
  (level === 'session' || level === 'passkey') && by !== ''

/** Approvals and refusals of members. */
export const actsOf = ({ approvals }: Pick<SealedRow, 'approvals'>): readonly CountedApproval[] =>
  approvals.filter((each) => isMembers(each) && !each.taken_back)

export const voidOf = ({ approvals }: Pick<SealedRow, 'approvals'>): readonly CountedApproval[] =>
  approvals.filter((each) => each.void !== null)
