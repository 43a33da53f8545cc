/** The result of an audit as text. */
import { isSandboxLog } from '@countersign/proof'
import type { DomainReport } from './audit-domain.ts'
import type { LogTrust } from './log-trust.ts'
import { printed } from './printed.ts'
import { coloured, marks } from './progress.ts'
import { row } from './verdict-lines.ts'
import type { Speech, Word } from './words.ts'

export function trustLines(
  baseUrl: string,
  { kind, host, keys, rotated, unendorsed }: LogTrust,
  policyFile: string | undefined,
  { say }: Speech,
): string[] {
  const lines = [say('auditOf', { host, url: baseUrl })]
  const names = keys.map(({ vkey }) => vkey).join(', ')
  if (kind === 'policy') lines.push(say('trustPolicy', { file: policyFile ?? '' }))
  if (kind === 'pinned') lines.push(say('trustPinned', { keys: names, since: keys[0]?.since ?? '' }))
  if (kind === 'first') lines.push(say('trustFirst', { keys: names }))
  for (const vkey of rotated) lines.push(coloured('unknown', say('trustRotated', { vkey })))
  for (const vkey of unendorsed) lines.push(coloured('no', say('trustUnendorsed', { vkey })))
  return lines
}

export function chainLines({ domain, log, ok, checks }: DomainReport, { say, language }: Speech): string[] {
  const status = ok ? 'yes' : 'no'
  return [
    '',
    coloured(status, `${marks[status]} ${domain} (${printed(log, language)})`),
    ...checks.map((each) =>
      row(say(each.about), coloured(each.status, `${marks[each.status]} `) + say(each.word, each.facts)),
    ),
  ]
}

export function verdictLines(ok: boolean, reports: readonly DomainReport[], memory: string, { say }: Speech): string[] {
  const kind = reports.some(({ log }) => isSandboxLog(log)) ? [coloured('unknown', say('auditSandbox'))] : []
  if (ok) return ['', coloured('yes', say('auditHolds')), ...kind, say('remembered', { memory })]
  const facts = { memory, at: reports.find(({ contradictedAt }) => contradictedAt !== null)?.contradictedAt ?? '' }
  const found = (word: Word) => reports.some(({ checks }) => checks.some((each) => each.word === word))
  let advice: Word = 'whatToAsk'
  if (found('a shortened')) advice = 'whatToKeepOfMore'
  if (found('a rewritten') && facts.at !== '') advice = 'whatToKeep'
  return ['', coloured('no', say('auditFails')), ...kind, say(advice, facts)]
}
