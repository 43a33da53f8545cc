/**
 * The texts of the policies that a seal names. A seal holds only their digests: an export for people of the center can carry the
 * texts, and a verifier compares each with its digest. What a text says about lines is then as good as the seal.
 */
import { sha256Hex } from '#sha256'
import type { EmergencyText, EscalationText, LineText, StepText } from './line.ts'
import { parseExactly } from './parse.ts'
import type { Report } from './problem.ts'
import { isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

/** What a verifier reads of a policy. */
export interface PolicyText extends LineText {
  readonly guards: LineText['guards'] & {
    readonly humanReview?: boolean | undefined
    readonly riskThreshold?: number | undefined
    readonly minimumEvidenceLevel?: string | undefined
  }
}

export const digestOfText = (text: string): string => `sha256:${sha256Hex(text)}`

export interface NamedPolicy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

/** As the seal names them. */
export const policiesIn = ({ policies }: Members): readonly NamedPolicy[] =>
  (Array.isArray(policies) ? policies : []).filter(
    (each): each is NamedPolicy =>
      isObject(each) &&
      typeof each.id === 'string' &&
      typeof each.version === 'number' &&
      typeof each.digest === 'string',
  )

/** By digest. A text that the seal does not name could be of any policy. */
export function textsIn(given: unknown, evidence: Members, report: Report): ReadonlyMap<string, PolicyText> {
  const found = new Map<string, PolicyText>()
  if (given === undefined) return found
  if (!Array.isArray(given) || given.length === 0) {
    report('policyTexts', 'not-a-list')
    return found
  }
  const named = new Set(policiesIn(evidence).map(({ digest }) => digest))
  for (const [position, text] of given.entries()) {
    const at = `policyTexts.${position}`
    const digest = typeof text === 'string' ? digestOfText(text) : ''
    // One that comes a second time is not among those that are left.
    if (!named.delete(digest)) {
      report(at, 'text-unnamed')
      continue
    }
    const policy = readText(text)
    if (policy === null) report(at, 'not-a-policy')
    else found.set(digest, policy)
  }
  return found
}

function readText(text: string): PolicyText | null {
  try {
    const body = parseExactly(text)
    return isPolicy(body) ? body : null
  } catch {
    return null
  }
}

const isAbsentOr =
  (test: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || test(value)
const isNames = isAbsentOr((value) => Array.isArray(value) && value.every((each) => typeof each === 'string'))
const isString = isAbsentOr((value) => typeof value === 'string')
const isBoolean = isAbsentOr((value) => typeof value === 'boolean')
const isNumber = isAbsentOr((value) => typeof value === 'number')
const isCount = isAbsentOr((value) => Number.isSafeInteger(value) && (value as number) > 0)
const isEscalation = isAbsentOr(
  (value) =>
    isObject(value) && isNames(value.roles) && isNames(value.actorIds) && typeof value.afterSeconds === 'number',
) as (value: unknown) => value is EscalationText | undefined

const isEmergency = isAbsentOr(
  (value) =>
    isObject(value) &&
    isNames(value.roles) &&
    isNames(value.actorIds) &&
    isNames(value.groupIds) &&
    Number.isSafeInteger(value.confirmWithinSeconds) &&
    (value.confirmWithinSeconds as number) > 0,
) as (value: unknown) => value is EmergencyText | undefined

const isStep = (value: unknown): value is StepText =>
  isObject(value) &&
  isNames(value.roles) &&
  isNames(value.actorIds) &&
  isNames(value.groupIds) &&
  isCount(value.count) &&
  isString(value.identity) &&
  isEscalation(value.escalateTo)

const isApproval = isAbsentOr(
  (value) =>
    isObject(value) &&
    isString(value.identity) &&
    isNames(value.roles) &&
    isNames(value.actorIds) &&
    isEscalation(value.escalateTo) &&
    isEmergency(value.emergency) &&
    isAbsentOr((steps) => Array.isArray(steps) && steps.length > 0 && steps.every(isStep))(value.steps),
)

/** Members that lines do not read are left alone. */
const isPolicy = (body: unknown): body is PolicyText =>
  isObject(body) &&
  isObject(body.guards) &&
  isBoolean(body.guards.humanReview) &&
  isNumber(body.guards.riskThreshold) &&
  isBoolean(body.guards.dualApproval) &&
  isString(body.guards.minimumEvidenceLevel) &&
  isApproval(body.approval)

/** Whether the policy asks for an approval; null where that depends on a risk score that the file does not show. */
export function asks({ guards }: PolicyText, riskScore: number | 'absent' | 'hidden'): boolean | null {
  const { humanReview, riskThreshold, dualApproval, minimumEvidenceLevel } = guards
  if (humanReview || dualApproval || minimumEvidenceLevel === 'AUDIT_READY') return true
  if (riskThreshold === undefined) return false
  if (riskScore === 'hidden') return null
  // A risk that nobody stated exceeds every threshold.
  return riskScore === 'absent' || riskScore > riskThreshold
}
