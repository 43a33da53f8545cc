/** Conditions of a policy on values of a decision. Pure. */
import type { PolicyCondition } from '@countersign/contract/policy-body.ts'
import { valueAt } from '@countersign/proof/json-pointer.ts'
import { comparableId } from '../lib/comparable-id.ts'

/** The values that a condition can read; an absent one is left out. */
export interface FactValues {
  readonly action?: { readonly input?: object | undefined }
  readonly tags?: readonly string[]
  readonly aiContext?: { readonly confidence?: number | undefined }
  readonly riskScore?: number | undefined
}

/**
 * An absent value, or one of another type, satisfies every operator except `exists`: a decision does not evade a policy by
 * leaving out an amount or by writing it as text.
 */
export function holds({ pointer, op, value }: PolicyCondition, values: FactValues): boolean {
  const found = valueAt(pointer, values)
  if (op === 'exists') return (found !== undefined) === (value ?? true)
  if (pointer === '/tags' && Array.isArray(found)) {
    const wanted = op === 'in' ? (value as readonly unknown[]) : [value]
    return op === 'gt' || op === 'lt' || found.some((tag) => wanted.includes(tag))
  }
  if (op === 'in') {
    const comparable = (value as readonly unknown[]).filter((each) => typeof each === typeof found)
    return comparable.length === 0 || comparable.includes(found)
  }
  if (typeof found !== typeof value) return true
  if (op === 'gt') return (found as number) > (value as number)
  if (op === 'lt') return (found as number) < (value as number)
  return found === value
}

/** Tags are compared in the form in which equal ones are the same text. */
export function foldedTags(condition: PolicyCondition): PolicyCondition {
  const { pointer, value } = condition
  if (!/^\/tags(\/|$)/.test(pointer) || value === undefined) return condition
  const fold = <T>(each: T): T | string => (typeof each === 'string' ? comparableId(each) : each)
  return { ...condition, value: Array.isArray(value) ? value.map(fold) : fold(value) }
}
