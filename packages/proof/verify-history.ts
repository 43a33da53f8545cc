/**
 * Checks the changes that a file shows, as a path: each names the change before it and the state that it leaves, from the
 * entry of the unit on. A path with a gap does not hold. One without its last changes is an older, true statement.
 */
import { canonical, type Json } from './canonical.ts'
import { familyOf } from './generations.ts'
import { unitState } from './history-entry.ts'
import { changeable } from './layout.ts'
import type { Report } from './problem.ts'
import { checkEntry, isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Each entry is checked like the record, and their order too. Their times are not compared with the time of the record:
 * each chain has its own clock.
 */
export function checkHistory(evidence: Members, report: Report): readonly Members[] {
  const history = checkListed(evidence, 'history', report)
  for (const [position, { target }] of history.entries()) {
    if (target !== evidence.id) report(`evidence.history.${position}.target`, 'other-record')
  }
  return history
}

/** Entries of the history of the same center, in their order; none where one cannot be read. */
export function checkListed(evidence: Members, name: 'history' | 'bindings', report: Report): readonly Members[] {
  if (!Object.hasOwn(evidence, name)) return []
  const listed = evidence[name]
  if (!Array.isArray(listed) || listed.length === 0) {
    report(`evidence.${name}`, 'not-a-list')
    return []
  }
  let lastIndex = -1
  let lastTime = ''
  for (const [position, entry] of listed.entries()) {
    const at = `evidence.${name}.${position}`
    if (!isObject(entry) || !isObject(entry.chain)) {
      report(at, 'not-an-entry')
      return []
    }
    checkEntry(entry, 'history', at, [], report)
    if (stem(entry.log, 'history') !== stem(evidence.log, (evidence.chain as Members).domain)) {
      report(`${at}.log`, 'other-center')
    }
    if (!((entry.chain.index as number) > lastIndex)) report(`${at}.chain.index`, 'index-order')
    if (!((entry.sealedAt as string) >= lastTime)) report(`${at}.sealedAt`, 'time-order')
    lastIndex = entry.chain.index as number
    lastTime = entry.sealedAt as string
  }
  return listed as Members[]
}

/** Of any generation. */
function stem(log: unknown, domain: unknown): unknown {
  if (typeof log !== 'string') return log
  const { first } = familyOf(log)
  return first.endsWith(`/${domain}`) ? first.slice(0, -1 - String(domain).length) : log
}

const levels = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY']

/**
 * `initialLevel` is undefined where the file does not show it: a unit whose level was raised shows the present one alone.
 * Then the first states must fit one level.
 */
export function checkPath(
  unit: { readonly hash: string; readonly commitments: unknown },
  initialLevel: unknown,
  changes: readonly Members[],
  report: Report,
): void {
  let previous: unknown = unit.hash
  let metadata = commitmentIn(unit.commitments) ?? null
  let possible = initialLevel === undefined ? levels : [String(initialLevel)]
  for (const [position, change] of changes.entries()) {
    const at = `evidence.history.${position}`
    if (change.previous !== previous) report(`${at}.previous`, 'path-gap')
    previous = (change.chain as Members).hash
    if (change.type === changeable.evidenceLevel) {
      possible = change.evidenceLevel === undefined ? levels : [String(change.evidenceLevel)]
    }
    if (change.type === changeable.metadata) metadata = commitmentIn(change.commitments) ?? null
    const fitting = possible.filter((evidenceLevel) => unitState({ evidenceLevel, metadata }) === change.state)
    if (fitting.length === 0) report(`${at}.state`, 'state-differs')
    else possible = fitting
  }
}

/** A decision is consumed once, for its own action. */
export function checkExecutions(evidence: Members, changes: readonly Members[], report: Report): void {
  let consumed = false
  for (const [position, { type, action, actionDigest }] of changes.entries()) {
    if (type !== 'execution' || action !== 'consumed') continue
    const at = `evidence.history.${position}`
    if (consumed) report(`${at}.action`, 'consumed-twice')
    if (actionDigest !== evidence.actionDigest) report(`${at}.actionDigest`, 'other-action')
    consumed = true
  }
}

const commitmentIn = (commitments: unknown): string | undefined =>
  isObject(commitments) && Object.hasOwn(commitments, 'metadata') ? String(commitments.metadata) : undefined

/** Level and metadata must equal those in the last entry about them. Returns the members that this checks. */
export function checkPresent(evidence: Members, changes: readonly Members[], report: Report): readonly string[] {
  const moved: string[] = []
  for (const [member, type] of Object.entries(changeable)) {
    const last = changes.findLast((change) => change.type === type)
    if (last === undefined) continue
    moved.push(member)
    if (!sameJson(evidence[member], last[member])) report(`evidence.${member}`, 'not-the-last')
  }
  return moved
}

const sameJson = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : canonical(one as Json) === canonical(other as Json)
