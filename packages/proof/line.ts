/**
 * A line of approval: the steps of one policy, each with one place or several. Its state is the replay of the approvals in the
 * order in which they were given: each fills one place of every line whose current step admits its person. The service judges by
 * this replay and verifiers repeat it, so that both come to the same places. Pure.
 */

/** What a policy says about those who approve, as far as lines read it. */
export interface LineText {
  readonly approval?:
    | {
        readonly identity?: string | undefined
        readonly roles?: readonly string[] | undefined
        readonly actorIds?: readonly string[] | undefined
        readonly escalateTo?: EscalationText | undefined
        readonly steps?: readonly StepText[] | undefined
        readonly emergency?: EmergencyText | undefined
      }
    | undefined
  readonly guards: { readonly dualApproval?: boolean | undefined }
}

export interface EscalationText {
  readonly roles?: readonly string[] | undefined
  readonly actorIds?: readonly string[] | undefined
  readonly afterSeconds: number
}

/** Who may approve in place of the whole line, which then has to confirm it. */
export interface EmergencyText {
  readonly roles?: readonly string[] | undefined
  readonly actorIds?: readonly string[] | undefined
  readonly groupIds?: readonly string[] | undefined
  readonly confirmWithinSeconds: number
}

export interface StepText {
  readonly title?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly actorIds?: readonly string[] | undefined
  readonly groupIds?: readonly string[] | undefined
  readonly count?: number | undefined
  readonly identity?: string | undefined
  readonly escalateTo?: EscalationText | undefined
  readonly delegated?: boolean | undefined
}

export interface Line {
  readonly policyId: string
  readonly version: number
  readonly steps: readonly StepText[]
  /** The policy has no `steps`: it asks for one person, or for any two. */
  readonly isShort: boolean
  /** Absent where nobody may approve in an emergency. */
  readonly emergency?: EmergencyText
}

/** What admitted a person to a place, as the service stated it. */
export const admittedBy = ['role', 'group', 'person', 'escalation', 'emergency'] as const
export type AdmittedBy = (typeof admittedBy)[number]

export const lineOf = (policy: { readonly id: string; readonly version: number; readonly body: LineText }): Line => {
  const { id: policyId, version, body } = policy
  const { roles, actorIds, escalateTo, steps, emergency } = body.approval ?? {}
  const short = { roles, actorIds, escalateTo, count: body.guards.dualApproval ? 2 : 1 }
  const isShort = steps === undefined
  return { policyId, version, steps: steps ?? [short], isShort, ...(emergency && { emergency }) }
}

export const placesOf = ({ count = 1 }: StepText): number => count
export const placesIn = ({ steps }: Line): number => steps.reduce((sum, step) => sum + placesOf(step), 0)
export const lineName = ({ policyId, version }: Pick<Line, 'policyId' | 'version'>): string => `${policyId} ${version}`

/** A filled place: which approval, and at which step. */
export interface Seat<Given> {
  readonly step: number
  readonly given: Given
  readonly by: AdmittedBy
}

/** Where a line stands. Its current step is the first one with an empty place. */
export interface Turn<Given> {
  readonly line: Line
  readonly seats: readonly Seat<Given>[]
  /** The number of the current step, from 0; that of all steps where the line is full. */
  readonly step: number
  /** The approval that filled the step before the current one; null while the first step is the current one. */
  readonly after: Given | null
}

const begun = <Given>(line: Line): Turn<Given> => ({ line, seats: [], step: 0, after: null })

export const isFull = ({ line, step }: Turn<unknown>): boolean => step === line.steps.length

/** The steps of the empty places, the current one first. */
export function openSteps({ line, seats, step: current }: Turn<unknown>): readonly number[] {
  return line.steps.flatMap((step, at) => {
    if (at < current) return []
    const filled = at === current ? seats.filter((seat) => seat.step === at).length : 0
    return Array.from({ length: placesOf(step) - filled }, () => at)
  })
}

/** The line after one more place of its current step is filled. */
function seated<Given>(turn: Turn<Given>, given: Given, by: AdmittedBy): Turn<Given> {
  const { line, step } = turn
  const seats = [...turn.seats, { step, given, by }]
  const filled = seats.filter((seat) => seat.step === step).length
  return filled < placesOf(line.steps[step] as StepText)
    ? { ...turn, seats }
    : { line, seats, step: step + 1, after: given }
}

/** By what the current step of a line that is not full admits the person; null where it does not. */
type Admits<Given> = (turn: Turn<Given>, given: Given) => AdmittedBy | null

/** The line after an approval. `admits` is asked again after each place, so that it can give several. */
export function advanced<Given>(begin: Turn<Given>, given: Given, admits: Admits<Given>): Turn<Given> {
  let turn = begin
  while (!isFull(turn)) {
    const by = admits(turn, given)
    if (by === null) break
    turn = seated(turn, given, by)
  }
  return turn
}

/** The lines after the approvals, oldest first. */
export const replayed = <Given>(
  lines: readonly Line[],
  approvals: readonly Given[],
  admits: Admits<Given>,
): readonly Turn<Given>[] =>
  lines.map((line) => approvals.reduce((turn, given) => advanced(turn, given, admits), begun<Given>(line)))
