/** The verdicts on one proof as text. */
import {
  type ApprovalFacts,
  lineToSay,
  type PasskeyFacts,
  type ProofVerdict,
  problemInWords,
  type Rules,
  reasonToSay,
  voidReasons,
} from '@countersign/proof'
import type { LaterChange } from './later-changes.ts'
import { printed } from './printed.ts'
import { coloured, marks, type Status } from './progress.ts'
import { padded } from './table.ts'
import { type Facts, type Speech, verdictInWords, type Word } from './words.ts'

export const questions = ['intact', 'inChain', 'signed', 'witnessed'] as const

/** `alone`: without a policy, and that was asked for. */
export type Judged =
  | 'holds'
  | 'sandbox'
  | 'unvouched'
  | 'altered'
  | 'alone'
  | 'notComplete'
  | 'outdated'
  | 'lost'
  | 'newer'
  | 'rulesHidden'

const statusOf: Readonly<Record<Judged, Status>> = {
  holds: 'yes',
  sandbox: 'unknown',
  unvouched: 'unknown',
  altered: 'no',
  alone: 'unknown',
  notComplete: 'no',
  outdated: 'no',
  lost: 'no',
  newer: 'unknown',
  rulesHidden: 'unknown',
}

/** `text` is safe to print: sentences of ours with values that `printed` has escaped and cut. */
export const row = (head: string, text: string): string => `    ${padded(head, 20)}${text.replaceAll('\n', '\n    ')}`

/** Of such a file nothing is repeated: it proves nothing about anybody, or only a newer version knows what it says. */
const unjudged: readonly ProofVerdict['standing'][] = ['altered', 'newer']

/** A refusal and a sandbox are named at once: a record that holds is easily taken for a yes. */
export function headline(name: string, judged: Judged, verdict: ProofVerdict, { say, language }: Speech): string {
  const isRefusal = !unjudged.includes(verdict.standing) && verdict.facts.decision?.result === 'refused'
  const said = [
    say(judged),
    ...(isRefusal ? [say('wasRefused')] : []),
    ...(verdict.sandbox ? [say('isSandbox')] : []),
  ].join('; ')
  // Test data never gets the tick of a proof.
  const status = verdict.sandbox && statusOf[judged] === 'yes' ? 'unknown' : statusOf[judged]
  return coloured(status, `${marks[status]} ${printed(name, language)}: ${said}`)
}

/** One line for a proof among many. */
export function compactLine(name: string, verdict: ProofVerdict, judged: Judged, spoken: Speech): string {
  const answers = questions.map((each) => `${spoken.say(each)} ${spoken.say(verdict[each].status)}`).join(', ')
  return `${headline(name, judged, verdict, spoken)} (${answers})`
}

export function fullLines(name: string, verdict: ProofVerdict, judged: Judged, spoken: Speech): string[] {
  const { say, language } = spoken
  const { facts, problems, newer, undisclosed, redacted, outside, limits } = verdict
  const lines = [headline(name, judged, verdict, spoken)]
  const [problem] = [...problems, ...newer]
  const known: Facts = {
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => ['string', 'number'].includes(typeof value))),
    path: problem?.path || name,
    message: problem ? problemInWords(problem, language) : '',
  } as Facts
  for (const question of questions) {
    const { status, code, detail } = verdict[question]
    const answer = coloured(status, padded(say(status), 12))
    lines.push(row(say(question), `${answer}${verdictInWords(code, detail, known, language)}`))
  }
  for (const each of (problems.length > 0 ? problems : newer).slice(1, 6)) {
    lines.push(
      row('', `${' '.repeat(12)}${printed(each.path, language)} ${printed(problemInWords(each, language), language)}`),
    )
  }
  lines.push(...generationLines(verdict, spoken))
  if (facts.id !== null) lines.push(row(say('record'), say('recordFacts', known)))
  if (facts.decisionId !== null && facts.decisionId !== facts.id) {
    lines.push(row(say('decision'), printed(facts.decisionId, language)))
  }
  lines.push(...decisionLines(verdict, spoken))
  for (const cosigner of facts.cosignedBy) lines.push(row(say('cosigner'), say('cosignerFacts', { ...cosigner })))
  for (const { path, at, reason } of redacted) {
    const word: Word = reason === undefined ? 'redactedFacts' : 'redactedFor'
    lines.push(row(say('redacted'), say(word, { path, at, reason: reason ?? '' })))
  }
  if (undisclosed.length > 0) lines.push(row(say('undisclosed'), printed(undisclosed.join(', '), language)))
  const { change: changes, size } = facts.asOf
  lines.push(row(say('asOf'), size === null ? say('asOfAlone', { changes }) : say('asOfSize', { changes, size })))
  if (outside.length > 0) lines.push(row(say('outside'), say('outsideFacts', { paths: outside.join(', ') })))
  lines.push(row(say('limits'), limits.map((limit) => say(`limit ${limit}`)).join('; ')))
  return lines
}

/** The declared losses of the logs that the file names, and whether the record is among what was lost. */
function generationLines({ lost, successions }: ProofVerdict, { say }: Speech): string[] {
  const lines = successions.map(({ log, restored, lost: [closed], reason, declaredBy, declaredAt }) =>
    row(
      say('generations'),
      say('succession', { log, kept: restored.size, size: closed?.size ?? 0, reason, by: declaredBy, at: declaredAt }),
    ),
  )
  if (lost === null) return lines
  const { log, size, kept } = lost.lost
  const word: Word = lost.admitted ? 'lostFacts' : 'lostDenied'
  return [...lines, row(say('lostRow'), say(word, { log, size, kept, successor: lost.successor, at: lost.declaredAt }))]
}

function decisionLines({ facts, standing, hidesRules }: ProofVerdict, { say }: Speech): string[] {
  const { decision, raises } = facts
  if (unjudged.includes(standing)) return []
  const keyRow = ({ passkey }: ApprovalFacts): string[] =>
    passkey === null ? [] : [row(say('passkeyKey'), keyInWords(passkey, say))]
  const approvals = decision?.approvals ?? []
  return [
    ...(decision?.result === 'unapproved' ? [row(say('approval'), say('unapproved'))] : []),
    ...approvals.flatMap((each) => [
      row(say(each.result === 'refused' ? 'refusal' : 'approval'), approvalInWords(each, say)),
      ...(each.hidden || each.void !== null ? [] : [...keyRow(each), ...givenRows(each, say)]),
    ]),
    ...(hidesRules ? [row(say('rules'), say('rulesNotShown'))] : []),
    ...(decision?.rules ? [row(say('rules'), rulesInWords(decision.rules, say))] : []),
    ...(decision?.line ? [row(say('line'), say(`line ${lineToSay(decision.line)}`))] : []),
    ...emergencyRows(facts, say),
    ...executionRows(facts, say),
    ...raises.flatMap((each) => [
      row(say('raise'), say('raiseFacts', { to: each.to ?? '–', said: approvalInWords(each, say) })),
      ...keyRow(each),
    ]),
  ]
}

/** What was approved in an emergency, and what became of it, as far as the file shows it. */
function emergencyRows({ decision }: ProofVerdict['facts'], say: Speech['say']): string[] {
  if (!decision?.emergency) return []
  const { state, confirmBy: until, confirmations } = decision.emergency
  const people = confirmations.flatMap(({ by, result }) => (result === state ? [by ?? '–'] : [])).join(', ')
  return [row(say('emergency'), say(`emergency ${state}`, { until, people }))]
}

const outcomes = ['succeeded', 'failed', 'unknown'] as const

/** Until when the approval could be used, and what an executor reported: that it happened is not proved. */
function executionRows({ decision, execution }: ProofVerdict['facts'], say: Speech['say']): string[] {
  const until = decision?.usableUntil ?? null
  const { consumedAt: at = '', outcome, late, unconfirmed } = execution ?? {}
  const word: Word = `execution${outcomes.find((each) => each === outcome) ?? 'Taken'}`
  return [
    ...(until === null ? [] : [row(say('usable'), say('usableFacts', { until }))]),
    ...(execution === null ? [] : [row(say('execution'), say(word, { at }))]),
    ...(late && until !== null ? [row(say('warning'), coloured('no', say('warning late', { at, until })))] : []),
    ...(unconfirmed ? [row(say('warning'), coloured('no', say('warning unconfirmed', { at })))] : []),
  ]
}

function approvalInWords(approval: ApprovalFacts, say: Speech['say']): string {
  const { level, approver, by, onBehalfOf, passkey } = approval
  if (approval.hidden) return say('hiddenApproval')
  if (approval.void !== null) {
    const why = say(`void ${voidReasons.find((each) => each === approval.void) ?? 'other'}`, { reason: approval.void })
    return `${say('voidApproval', { approver: approver ?? say('hiddenName') })}${why}`
  }
  if (approval.refusal !== null) return say(`refused ${approval.refusal}`)
  const why = passkey && reasonToSay(passkey)
  const word: Word = why ? `by passkey ${why}` : `by ${level}`
  const names = { approver: approver ?? say('hiddenName'), by: by ?? '–', rpId: passkey?.rpId ?? '–' }
  const said = say(word, names)
  return onBehalfOf === null ? said : say('behalf', { said, onBehalfOf })
}

const ways = ['password', 'passkey', 'oidc', 'domain'] as const

/** How the session began, and what the page stated: the words of the service and of the page, and no more. */
function givenRows({ via, shown: stated, noPage }: ApprovalFacts, say: Speech['say']): string[] {
  const way = ways.find((each) => each === via)
  const { view, language, template } = stated ?? {}
  const values = { view: view ?? '', language: language ?? '', ...template }
  return [
    ...(via === null ? [] : [row(say('via'), way ? say(`via ${way}`) : say('via other', { via }))]),
    ...(stated === null ? [] : [row(say('page'), say(template ? 'pageTemplate' : 'pageStated', values))]),
    ...(noPage ? [row(say('page'), say('noPage'))] : []),
  ]
}

const rulesInWords = ({ index, digest }: Rules, say: Speech['say']): string =>
  index === null ? say('rulesFirst', { digest }) : say('rulesFacts', { index, digest })

/** A key is named with its date and confirmation: whoever holds the log can bind another one later. */
function keyInWords(key: PasskeyFacts, say: Speech['say']): string {
  const { thumbprint, boundAt, confirmation, confirmedAt, backupEligible } = key
  const said =
    thumbprint === null || boundAt === null || confirmation === null || confirmedAt === null
      ? say('passkeyHidden')
      : say('passkeyFacts', { thumbprint, boundAt, confirmedAt, how: say(`how ${confirmation}`) })
  return backupEligible ? say('passkeySynced', { said }) : said
}

/** What the log has since: `later` is null where the log is not the one of the file. */
export function laterInWords(later: readonly LaterChange[] | null, size: number, { say }: Speech): string {
  if (later === null) return say('laterElsewhere')
  const last = later.at(-1)
  return last ? say('laterSome', { count: later.length, type: last.type, at: last.at }) : say('laterNone', { size })
}

export function laterLine(name: string, later: readonly LaterChange[] | null, size: number, spoken: Speech): string {
  const status: Status = later === null ? 'unknown' : later.length > 0 ? 'no' : 'yes'
  return coloured(status, `${marks[status]} ${printed(name, spoken.language)}: ${laterInWords(later, size, spoken)}`)
}
