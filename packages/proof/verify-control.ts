/**
 * Checks the forms of `control`, of earlier approvals and of a statement beside the approval, and whether this version understands
 * all that the seal says. What is committed counts, whether it is shown or not.
 */
import { actionSaltPattern } from './action-digest.ts'
import { priorPattern, understood } from './control.ts'
import { priorsOf } from './decision-facts.ts'
import type { Report } from './problem.ts'
import { hashPattern, isObject, timePattern } from './verify-entry.ts'
import { isAdmitted } from './verify-lines.ts'

type Members = Readonly<Record<string, unknown>>

/** False where the seal needs something that only a newer version knows: what it means cannot be judged then. */
export function checkControl(evidence: Members, report: Report): boolean {
  checkForm(evidence, report)
  checkPrior(evidence, report)
  const { control } = evidence
  if (control === undefined) return true
  if (!isObject(control)) {
    report('evidence.control', 'not-an-object')
    return true
  }
  checkRules(control.rules, report)
  checkGiven(control, 'evidence.control', report)
  const { usableUntil } = control
  if (usableUntil !== undefined && (typeof usableUntil !== 'string' || !timePattern.test(usableUntil))) {
    report('evidence.control.usableUntil', 'not-a-time')
  }
  const { emergency } = control
  const isTime = isObject(emergency) && typeof emergency.confirmBy === 'string' && timePattern.test(emergency.confirmBy)
  if (emergency !== undefined && !isTime) report('evidence.control.emergency', 'not-a-time')
  if (control.void !== undefined) report('evidence.control.void', 'void-last')
  const { needs = [] } = control
  const unknown = (Array.isArray(needs) ? needs : [needs]).filter((need) => !understood.includes(need))
  if (unknown.length > 0) report('evidence.control.needs', 'newer')
  return unknown.length === 0
}

/** A record has the form of 0.1.0 as a whole, or that of today: what a person signed today names `control`. */
function checkForm({ commitments, approval }: Members, report: Report): void {
  const committed = Object.keys(commitments as Members)
  const [older, newer] = [['approval.passkey.statement', 'priorApprovals'], committed.filter(isNewerForm)]
  if (committed.includes('control')) {
    for (const name of older.filter((each) => committed.includes(each))) report(`evidence.${name}`, 'two-forms')
  } else if (newer.length > 0) report('evidence.control', 'missing')
  if (approval !== undefined) return
  for (const name of newer) report(`evidence.${name}`, 'no-approval')
}

const isNewerForm = (name: string): boolean => name === 'statement' || priorPattern.test(name)

function checkRules(rules: unknown, report: Report): void {
  const at = 'evidence.control.rules'
  if (!isObject(rules)) report(at, 'not-an-object')
  else {
    checkDigest(rules.digest, at, report)
    if (rules.index !== null) checkNumber(rules.index, `${at}.index`, report)
  }
}

/** Members that this version does not know are left alone: `needs` names those that matter. */
function checkGiven({ via, shown, admitted }: Members, at: string, report: Report): void {
  if (admitted !== undefined && !isAdmitted(admitted)) report(`${at}.admitted`, 'not-admitted')
  if (via !== undefined && typeof via !== 'string') report(`${at}.via`, 'not-a-string')
  if (shown === undefined) return
  if (!isObject(shown)) {
    report(`${at}.shown`, 'not-an-object')
    return
  }
  for (const name of ['view', 'language']) {
    if (typeof shown[name] !== 'string') report(`${at}.shown.${name}`, 'not-a-string')
  }
  const { template } = shown
  if (template === null) return
  if (!isObject(template)) report(`${at}.shown.template`, 'not-an-object')
  else {
    checkDigest(template.digest, `${at}.shown.template`, report)
    checkNumber(template.version, `${at}.shown.template.version`, report)
  }
}

function checkDigest(digest: unknown, at: string, report: Report): void {
  if (typeof digest !== 'string' || !hashPattern.test(digest)) report(`${at}.digest`, 'not-a-hash')
}

function checkNumber(value: unknown, at: string, report: Report): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= 0)) report(at, 'not-an-index')
}

/** Numbered without a gap: one that was left out when the record was made would else not be missed. */
function checkPrior(evidence: Members, report: Report): void {
  for (const name of Object.keys(evidence.commitments as Members)) {
    if (/^prior\d+$/.test(name) && !priorPattern.test(name)) report(`evidence.${name}`, 'newer')
  }
  for (const [position, name] of priorsOf(evidence).entries()) {
    const at = `evidence.${name}`
    if (name !== `prior${position}`) report(at, 'approval-gap')
    const prior = evidence[name]
    if (prior === undefined) continue
    const { approval, control, salt, statement } = isObject(prior) ? prior : {}
    if (!isObject(approval)) report(`${at}.approval`, 'not-an-object')
    else if (isObject(approval.passkey) && Object.hasOwn(approval.passkey, 'statement') && statement !== undefined) {
      report(`${at}.statement`, 'two-forms')
    }
    if (typeof salt !== 'string' || !actionSaltPattern.test(salt)) report(`${at}.salt`, 'not-a-salt')
    if (!isObject(control)) report(`${at}.control`, 'not-an-object')
    else {
      checkGiven(control, `${at}.control`, report)
      // Counting or not must not depend on how a program reads a value that is no reason.
      if (control.void !== undefined && (typeof control.void !== 'string' || control.void === '')) {
        report(`${at}.control.void`, 'not-a-string')
      }
    }
  }
}
