/** Checks the forms of `control` and of earlier approvals, and whether this version understands all that the seal says. */
import { actionSaltPattern } from './action-digest.ts'
import { understood } from './control.ts'
import { priorsOf } from './decision-facts.ts'
import type { Report } from './problem.ts'
import { hashPattern, isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

/** False where the seal needs something that only a newer version knows: what it means cannot be judged then. */
export function checkControl(evidence: Members, report: Report): boolean {
  checkPrior(evidence, report)
  const { control } = evidence
  if (control === undefined) return true
  const { rules, needs = [] } = isObject(control) ? control : {}
  if (!isObject(control) || !isObject(rules)) {
    report('evidence.control', 'not-an-object')
    return true
  }
  if (typeof rules.digest !== 'string' || !hashPattern.test(rules.digest)) {
    report('evidence.control.rules.digest', 'not-a-hash')
  }
  if (rules.index !== null && !isIndex(rules.index)) report('evidence.control.rules.index', 'not-an-index')
  checkAdmitted(control, 'evidence.control', report)
  const unknown = (Array.isArray(needs) ? needs : [needs]).filter((need) => !understood.includes(need as string))
  if (unknown.length > 0) report('evidence.control.needs', 'newer')
  return unknown.length === 0
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function checkAdmitted({ admitted }: Members, at: string, report: Report): void {
  if (admitted === undefined) return
  const isKnown = Array.isArray(admitted) && admitted.every((each) => isObject(each) && isIndex(each.since))
  if (!isKnown) report(`${at}.admitted`, 'not-an-index')
}

/** Numbered without a gap: one that was left out when the record was made would else not be missed. */
function checkPrior(evidence: Members, report: Report): void {
  for (const [position, name] of priorsOf(evidence).entries()) {
    if (name !== `prior${position}`) report(`evidence.${name}`, 'path-gap')
    const prior = evidence[name]
    if (prior === undefined) continue
    const { approval, control, salt, statement: _, ...more } = isObject(prior) ? prior : {}
    for (const added of Object.keys(more)) report(`evidence.${name}.${added}`, 'added')
    if (!isObject(approval)) report(`evidence.${name}.approval`, 'not-an-object')
    if (!isObject(control)) report(`evidence.${name}.control`, 'not-an-object')
    else checkAdmitted(control, `evidence.${name}.control`, report)
    if (typeof salt !== 'string' || !actionSaltPattern.test(salt)) report(`evidence.${name}.salt`, 'not-a-salt')
  }
}
