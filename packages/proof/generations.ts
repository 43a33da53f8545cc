/**
 * Generations of a log. When entries are lost for good, the log is closed and the next generation continues the chain
 * under another name. Its first own entry states what was restored and what is lost. docs/formats/generations.md
 * specifies it.
 */
import { fromBase64 } from './base64.ts'
import type { Json } from './canonical.ts'
import { type Domain, type Prepared, prepare } from './chain.ts'

export interface LogFamily {
  /** The name of the first generation. */
  readonly first: string
  readonly generation: number
}

/** The first generation has no number, and a number has one spelling. */
const numbered = /^(.+\/(?:proof|dpu|history))\/([2-9]|[1-9]\d{1,8})$/

export function familyOf(log: string): LogFamily {
  const [, first, generation] = numbered.exec(log) ?? []
  return first === undefined ? { first: log, generation: 1 } : { first, generation: Number(generation) }
}

export const generationName = (first: string, generation: number): string =>
  generation === 1 ? first : `${first}/${generation}`

/** Whether `log` is `later` or an earlier generation of the same log. */
export function isUpTo(log: unknown, later: unknown): boolean {
  if (typeof log !== 'string' || typeof later !== 'string') return false
  const [one, other] = [familyOf(log), familyOf(later)]
  return one.first === other.first && one.generation <= other.generation
}

/** A closed log: the largest size that was signed, and how many of its entries the next generation has. */
export interface LostLog {
  readonly log: string
  readonly size: number
  /** The root that was signed for `size`, in base64; null where only a witness has seen that size. */
  readonly root: string | null
  readonly kept: number
}

/** The entries before the statement. */
interface RestoredLog {
  readonly size: number
  /** Of the tree over them, in base64. */
  readonly root: string
  /** The largest size that a signature in the restored database covers: later entries rest on the database alone. */
  readonly signed: number
}

/** The member `succession` of the entry that begins a generation. */
export interface Succession {
  readonly restored: RestoredLog
  /** The generations that end here, oldest first. The chain continues the first of them. */
  readonly lost: readonly LostLog[]
  readonly reason: string
  readonly declaredBy: string
}

/** Longer texts are refused, by the server and by verifiers. */
export const mostReason = 1000
export const mostDeclarer = 200

export const prepareSuccession = (domain: Domain, id: string, succession: Succession): Prepared =>
  prepare(domain, { id, succession: succession as unknown as Json }, { commitments: {}, salts: {} })

type Members = Readonly<Record<string, unknown>>

const hasExactly = (value: unknown, names: readonly string[]): value is Members =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).sort().join() === names.toSorted().join()

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isRoot = (value: unknown): boolean => typeof value === 'string' && fromBase64(value)?.length === 32
const isText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= most

const isLost = (value: unknown): boolean =>
  hasExactly(value, ['log', 'size', 'root', 'kept']) &&
  typeof value.log === 'string' &&
  isSize(value.size) &&
  (value.root === null || isRoot(value.root)) &&
  isSize(value.kept) &&
  value.kept < value.size

/** Null for anything that is not a statement in its exact form. */
export function readSuccession(value: unknown): Succession | null {
  const isWhole =
    hasExactly(value, ['restored', 'lost', 'reason', 'declaredBy']) &&
    hasExactly(value.restored, ['size', 'root', 'signed']) &&
    isSize(value.restored.size) &&
    isSize(value.restored.signed) &&
    value.restored.signed <= value.restored.size &&
    isRoot(value.restored.root) &&
    Array.isArray(value.lost) &&
    value.lost.length > 0 &&
    value.lost.every(isLost) &&
    isText(value.reason, mostReason) &&
    isText(value.declaredBy, mostDeclarer)
  return isWhole ? (value as unknown as Succession) : null
}

/**
 * The statement of an entry that begins the generation `log` at `index`, if it can be one. `before` is the log of the
 * entry before it, where it is known.
 */
export function successionAt(log: unknown, index: unknown, value: unknown, before?: string): Succession | null {
  const said = readSuccession(value)
  if (said === null || typeof log !== 'string' || said.restored.size !== index) return null
  const { first, generation } = familyOf(log)
  let last = 0
  for (const lost of said.lost) {
    const family = familyOf(lost.log)
    const isBetween = family.first === first && family.generation > last && family.generation < generation
    if (!isBetween || lost.kept > said.restored.size) return null
    last = family.generation
  }
  const [continued] = said.lost
  if (continued?.kept !== index || (before !== undefined && continued.log !== before)) return null
  return said
}
