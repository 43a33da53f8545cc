/**
 * The fields of a decision, once. The digest of an action, the layout and the context of an export, what a redaction takes with
 * it, the rows of the database, the test vectors and what an approver is shown follow from this table. The database has a
 * column for each field, and a test compares the two.
 */
import type { Json } from './canonical.ts'

/** `clear` is hashed as it is; `committed` is in the chain as a salted commitment only, so a redaction can delete it. */
type Sealed = 'clear' | 'committed'

/** How a value is written: a time in UTC, a list whose order counts, any JSON, or the id of another decision. */
export type Form = 'time' | 'list' | 'json' | 'decision'

interface Member {
  readonly sealed: Sealed
  readonly form?: Form
}

export interface DecisionField {
  /** Of `cell.decision_events`. */
  readonly column: string
  /** Covered by the digest of the action: as it was sent, without defaults. */
  readonly digested: boolean
  /** Of an object, each member by itself: another member is refused. */
  readonly sealed: Sealed | 'no' | Readonly<Record<string, Member>>
  readonly optional: boolean
  readonly form?: Form
}

const clear = { sealed: 'clear' } as const
const committed = { sealed: 'committed' } as const
const json = { sealed: 'committed', form: 'json' } as const

/** A field is one line here and one in the table below. */
export interface DecisionValues {
  readonly type: string
  readonly occurredAt: string
  readonly actor: { readonly id: string; readonly type: string; readonly name?: string | undefined }
  readonly action: {
    readonly type: string
    readonly description?: string | undefined
    readonly input?: Json | undefined
    readonly output?: Json | undefined
  }
  readonly aiContext: {
    readonly model?: string | undefined
    readonly provider?: string | undefined
    readonly confidence?: number | undefined
    readonly reasoning?: string | undefined
    readonly modelVersion?: string | undefined
    readonly agentVersion?: string | undefined
    readonly toolCallId?: string | undefined
    readonly traceId?: string | undefined
    readonly spanId?: string | undefined
    readonly promptDigest?: string | undefined
  }
  readonly riskScore: number
  readonly reason: string
  readonly tags: readonly string[]
  /** The id of the API key that recorded it. */
  readonly recordedBy: string
  /** The id of the decision that this one replaces. */
  readonly replaces: string
  /** The trace of the request that recorded it. */
  readonly traceparent: string
}

export const decisionFields = {
  type: { column: 'type', digested: true, sealed: 'clear', optional: false },
  actor: {
    column: 'actor',
    digested: true,
    sealed: { id: committed, type: clear, name: committed },
    optional: false,
  },
  action: {
    column: 'action',
    digested: true,
    sealed: { type: clear, description: committed, input: json, output: json },
    optional: false,
  },
  aiContext: {
    column: 'ai_context',
    digested: true,
    sealed: {
      model: committed,
      provider: committed,
      confidence: committed,
      reasoning: committed,
      modelVersion: committed,
      agentVersion: committed,
      toolCallId: committed,
      traceId: committed,
      spanId: committed,
      promptDigest: committed,
    },
    optional: true,
  },
  riskScore: { column: 'risk_score', digested: true, sealed: 'committed', optional: true },
  reason: { column: 'reason', digested: true, sealed: 'committed', optional: true },
  tags: { column: 'tags', digested: false, sealed: 'committed', optional: true, form: 'list' },
  occurredAt: { column: 'occurred_at', digested: false, sealed: 'clear', optional: false, form: 'time' },
  recordedBy: { column: 'recorded_by', digested: false, sealed: 'committed', optional: true },
  replaces: { column: 'replaces', digested: false, sealed: 'clear', optional: true, form: 'decision' },
  traceparent: { column: 'traceparent', digested: false, sealed: 'no', optional: true },
} as const satisfies Readonly<Record<keyof DecisionValues, DecisionField>>

type Fields = typeof decisionFields
export type FieldName = keyof Fields
type NamesWhere<Shape> = { [Name in FieldName]: Fields[Name] extends Shape ? Name : never }[FieldName]
type Optional = { readonly optional: true }

export type DigestedName = NamesWhere<{ readonly digested: true }>
type SealedName = Exclude<FieldName, NamesWhere<{ readonly sealed: 'no' }>>

/** The values under these names, without those that are absent. */
export type ValuesOf<Names extends FieldName> = {
  readonly [Name in Exclude<Names, NamesWhere<Optional>>]: DecisionValues[Name]
} & { readonly [Name in Extract<Names, NamesWhere<Optional>>]?: DecisionValues[Name] | undefined }

/** What a seal says of a decision. */
export type ProofEvent = ValuesOf<SealedName>

/** The columns of these fields: null where there is no value, and no tags are an empty list. */
export type FieldColumns = {
  readonly [Name in FieldName as Fields[Name]['column']]: Name extends 'tags'
    ? DecisionValues[Name]
    : Name extends NamesWhere<Optional>
      ? DecisionValues[Name] | null
      : DecisionValues[Name]
}

/** The table as it is walked. */
export const fieldList: readonly (DecisionField & { readonly name: FieldName })[] = Object.entries(decisionFields).map(
  ([name, field]) => ({ ...(field as DecisionField), name: name as FieldName }),
)

export const digestedNames = fieldList.filter(({ digested }) => digested).map(({ name }) => name as DigestedName)

/** A value in the seal: of a field, or of one of its members. */
export interface SealedPath {
  /** In the export. */
  readonly path: string
  readonly field: FieldName
  readonly member: string | null
  readonly sealed: Sealed
  /** The record may lack it. */
  readonly optional: boolean
  readonly form: Form | undefined
}

/** Every value that a seal can hold of a decision, sorted by its path. */
export const sealedPaths: readonly SealedPath[] = fieldList
  .flatMap(({ name: field, sealed, optional, form }): SealedPath[] => {
    if (sealed === 'no') return []
    if (typeof sealed === 'string') return [{ path: `event.${field}`, field, member: null, sealed, optional, form }]
    return Object.entries(sealed).map(([member, { sealed: how, form: written }]) => ({
      path: `event.${field}.${member}`,
      field,
      member,
      sealed: how,
      optional: optional || how === 'committed',
      form: written,
    }))
  })
  .sort((a, b) => (a.path < b.path ? -1 : 1))

export const committedPaths = sealedPaths.filter(({ sealed }) => sealed === 'committed')
export const clearPaths = sealedPaths.filter(({ sealed }) => sealed === 'clear')

/** The fields that are objects, with the names of their members. */
export const memberNames: Readonly<Partial<Record<FieldName, readonly string[]>>> = Object.fromEntries(
  fieldList.flatMap(({ name, sealed }) => (typeof sealed === 'object' ? [[name, Object.keys(sealed)]] : [])),
)

/** Whether the digest of the action covers the value at this path of an export. */
export const isDigested = (path: string): boolean =>
  digestedNames.some((name) => (memberNames[name] ? path.startsWith(`event.${name}.`) : path === `event.${name}`))
