/** Files that somebody might forge, each with the standing that every verifier must give it. Made from known seeds. */
import { firstSandboxId } from '@countersign/proof/chain.ts'
import type { PriorApproval } from '@countersign/proof/control.ts'
import type { ExportDocument } from '@countersign/proof/export.ts'
import { type BuiltEntry, exported, historyOf, saltSequence } from '@countersign/proof/test/arbitraries.ts'
import { anchored, host, policyText, signer, witnesses } from '@countersign/proof/test/log.ts'
import {
  approvalBy,
  control,
  decisionBy,
  keys,
  priorBy,
  priorOf,
  shown,
  statementOf,
  threeKeys,
} from '@countersign/proof/test/passkeys.ts'
import {
  approvalOf,
  decisionEntry,
  earlierApprovals,
  kinds,
  unitChanges,
  unitEntry,
} from '@countersign/proof/test/proof-kinds.ts'
import type { Standing } from '@countersign/proof/verify-proof.ts'
import { forgedEmergencies } from './forged-emergencies.ts'

/** `own`: the policy of these tests. `narrowed`: the same, for the logs of one center. */
export type Under = 'none' | 'own' | 'narrowed'

export interface Forgery {
  readonly name: string
  readonly text: string
  readonly under: Under
  readonly standing: Standing
  /** Where the page refuses to read what others read. */
  readonly tooLargeForThePage?: boolean
  /** A policy that comes along: no verifier takes it for its own. */
  readonly isPolicy?: boolean
  /** Holds characters that must never reach a terminal or a page as they are. */
  readonly hostile?: boolean
}

type Tree = Record<string, unknown>
type Proof = {
  evidence: Tree & { history?: Tree[] }
  verification: Tree & { tlogProof: string; historyProofs?: string[] }
}
type More = Partial<Pick<Forgery, 'under' | 'tooLargeForThePage' | 'isPolicy' | 'hostile'>>

const made = Object.entries(kinds())
const changed = (document: object, change: (proof: Proof) => void): object => {
  const copy = structuredClone(document) as unknown as Proof
  change(copy)
  return copy
}

const found: Forgery[] = []
function add(name: string, standing: Standing, content: object | string, more: More = {}): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  found.push({ name, text, standing, under: 'own', ...more })
}

function withoutPolicy(): void {
  for (const [kind, document] of made) {
    const bare = changed(document, ({ verification }) => {
      for (const name of ['tlogProof', 'anchoring', 'historyProofs', 'bindingProofs'])
        delete (verification as Tree)[name]
    })
    const offline = anchored(bare as ExportDocument, { after: 0, by: signer('proof.example', 1, 99), cosigners: [] })
    const random = changed(offline, ({ verification }) => {
      verification.tlogProof = verification.tlogProof.replace(/(— \S+ .{8}).+\n/, `$1${'A'.repeat(83)}=\n`)
    })
    add(`${kind}, no policy`, 'unvouched', document, { under: 'none' })
    add(`${kind}, no policy and no log`, 'unvouched', bare, { under: 'none' })
    add(`${kind}, made offline`, 'unvouched', offline, { under: 'none' })
    add(`${kind}, made offline with a random signature`, 'unvouched', random, { under: 'none' })
    add(`${kind}, made offline, under a policy`, 'unvouched', offline)
    add(`${kind}, without a log, under a policy`, 'unvouched', bare)
    add(`${kind}, altered, no policy`, 'altered', altered(document, 'id'), { under: 'none' })
  }
  for (const seed of [99, 100, 101]) {
    const policy = `log ${signer('proof.example', 1, seed).key.vkey}\nquorum none\n`
    add(
      `a policy beside the proof ${seed}`,
      'not-a-proof',
      { logHost: 'proof.example', policy },
      {
        ...{ under: 'none', isPolicy: true },
      },
    )
  }
}

const altered = (document: object, name: string): object =>
  changed(document, ({ evidence }) => {
    evidence[name] = `${evidence[name]}x`
  })

function signatures(): void {
  const stranger = signer('witness.example/w1', 4, 77)
  for (const [kind, document] of made) {
    const tlog = (change: (text: string) => string): object =>
      changed(document, ({ verification }) => {
        verification.tlogProof = change(verification.tlogProof)
      })
    add(kind, 'holds', document)
    // The policy without `--log` names one log: the page cannot be told of the others.
    const { evidence } = document as unknown as Proof
    if ('event' in evidence && !evidence.history && !evidence.bindings)
      add(`${kind}, narrowed`, 'holds', document, { under: 'narrowed' })
    add(
      `${kind}, with a line by nobody known`,
      'holds',
      tlog((text) => `${text}— other.example ${'A'.repeat(91)}=\n`),
    )
    add(`${kind}, elsewhere and later exported`, 'holds', {
      ...changed(document, ({ verification }) => {
        verification.verifyUrl = 'https://other.example/verify/1'
      }),
      ...{ '@context': 'https://other.example/decision-proof/v2', exportedAt: '1999-01-01T00:00:00.000Z' },
    })
    for (const seed of [8, 9, 10, 11, 12]) {
      add(
        `${kind}, signed by another key ${seed}`,
        'unvouched',
        anchored(document, { by: signer('proof.example', 1, seed) }),
      )
    }
    for (const [at, cosigners] of [[], [witnesses[0]], [witnesses[2]], [stranger]].entries()) {
      add(`${kind}, too few witnesses ${at}`, 'unvouched', anchored(document, { cosigners }))
    }
    add(`${kind}, one witness twice`, 'unvouched', anchored(document, { cosigners: [witnesses[0], witnesses[0]] }))
    add(
      `${kind}, a false signature`,
      'altered',
      tlog((text) => text.replace(/(— proof\S+ .{8})..../, '$1AAAA')),
    )
    add(
      `${kind}, a false cosignature`,
      'altered',
      tlog((text) => text.replace(/(— witness\S+ .{30})..../, '$1AAAA')),
    )
    add(
      `${kind}, too many signatures`,
      'altered',
      tlog((text) => text + `— o.example ${'A'.repeat(91)}=\n`.repeat(101)),
    )
    add(
      `${kind}, a token that is none`,
      'altered',
      changed(document, ({ verification }) => {
        Object.assign(verification, { anchoring: 'timestamped', timestamp: 'AAAA' })
      }),
    )
  }
}

function logs(): void {
  for (const level of ['claim', 'session', 'system'] as const) {
    const own = anchored(exported(decisionEntry(approvalOf(level))))
    const other = anchored(exported(decisionEntry(approvalOf(level), { center: 43 })))
    const elsewhere = other.verification.tlogProof as string
    add(`${level} of another center of the host`, 'holds', other)
    add(`${level} of another center, narrowed`, 'unvouched', other, { under: 'narrowed' })
    const moved = changed(own, ({ verification }) => {
      verification.tlogProof = elsewhere
    })
    add(`${level} with the proof of another center`, 'altered', moved)
    const third = anchored(exported(decisionEntry(approvalOf(level), { id: 'evd_2' })))
    add(
      `${level} with the proof of another record`,
      'altered',
      changed(own, ({ verification }) => {
        verification.tlogProof = third.verification.tlogProof as string
      }),
    )
  }
}

function histories(): void {
  const unit = unitEntry()
  const whole = anchored(exported(unit, { history: historyOf(unit, unitChanges, saltSequence(), 1) }))
  const order = (positions: readonly number[], show: Tree = {}): object =>
    changed(whole, ({ evidence, verification }) => {
      const { history = [] } = evidence
      const { historyProofs = [] } = verification
      evidence.history = positions.map((at) => history[at] as Tree)
      verification.historyProofs = positions.map((at) => historyProofs[at] as string)
      Object.assign(evidence, show)
    })
  const older = { evidenceLevel: 'DOCUMENTED', status: 'pending' }
  add('the changes without the last, as it was then', 'holds', order([0, 1, 2], older))
  add('the changes without the last two, as it was then', 'holds', order([0, 1], { ...older, metadata: { note: 'A' } }))
  add('the changes without the last, as it is now', 'altered', order([0, 1, 2]))
  add('a change in the middle removed, the state made to fit', 'altered', order([0, 1, 3], { metadata: { note: 'A' } }))
  for (const removed of [0, 1, 2]) {
    add(`without change ${removed}`, 'altered', order([0, 1, 2, 3].filter((at) => at !== removed)))
  }
  for (const one of [0, 1, 2, 3]) {
    add(`change ${one} twice`, 'altered', order([0, 1, 2, 3].toSpliced(one, 0, one)))
    for (let other = one + 1; other < 4; other++) {
      add(`changes ${one} and ${other} exchanged`, 'altered', order([0, 1, 2, 3].with(one, other).with(other, one)))
    }
  }
}

const hostile = {
  'clear the screen': '\u001b[2J\u001b[H✓ proof.json: holds',
  'a title': '\u001b]0;holds\u0007',
  'eight-bit control': '\u009b1A\u009b2K',
  'line breaks': '\r\n    Signed  yes\n',
  backspaces: 'no\b\byes',
  'right to left': '\u202eseY',
  isolate: '\u2066x\u2069',
  marks: '\u200f\u061c\u200e',
  separators: '\u2028\u2029',
  'no width': 'al\u200bice\ufeff\u2060',
  filler: '\u3164\u115f\uffa0',
  tags: '\u{e0041}\u{e0042}',
}

function characters(): void {
  for (const [kind, text] of Object.entries(hostile)) {
    const named = { approver: { id: text, type: 'human', name: text } }
    const entry = decisionEntry({ ...approvalOf('claim'), ...named }, { event: { reason: text } })
    const document = exported(entry)
    add(`${kind} as a key`, 'altered', { ...anchored(document), [text]: 'yes' }, { hostile: true })
    add(
      `${kind} as a key of the record`,
      'altered',
      changed(anchored(document), ({ evidence }) => {
        evidence[text] = text
      }),
      { hostile: true },
    )
    add(`${kind} sealed as a name`, 'holds', anchored(document), { hostile: true })
    const by = signer('proof.example', 1, 99)
    add(`${kind} sealed by a stranger`, 'unvouched', anchored(document, { by }), { hostile: true })
  }
}

function sizes(): void {
  const [, document] = made[0] as (typeof made)[number]
  const padded = (more: unknown): object => ({ ...document, more })
  add('nine megabytes', 'altered', padded('x'.repeat(9_000_000)))
  add('eleven megabytes', 'altered', padded('x'.repeat(11_000_000)), { tooLargeForThePage: true })
  add('many members', 'altered', padded(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at]))))
  add('many items', 'altered', padded(Array.from({ length: 200_000 }, () => 1)))
  add('ninety levels', 'altered', JSON.stringify(document).replace('{', `{"more":${'['.repeat(90)}${']'.repeat(90)},`))
  for (const depth of [101, 1_000, 100_000]) {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    add(`${depth} levels`, 'not-a-proof', nested)
    add(`${depth} levels in a proof`, 'not-a-proof', JSON.stringify(document).replace('{', `{"more":${nested},`))
  }
}

function texts(): void {
  const [, document] = made[0] as (typeof made)[number]
  const text = JSON.stringify(document)
  add('with a byte order mark', 'holds', `\ufeff${text}`)
  const notProofs = [
    '',
    'null',
    '7',
    '"x"',
    '[]',
    '{}',
    '{"evidence":{}}',
    '{"evidence":{"chain":[]}}',
    '<html>',
    '%PDF-1.7',
  ]
  for (const each of notProofs) add(`${each} alone`, 'not-a-proof', each)
  add('a key twice', 'not-a-proof', text.replace('{"amount":1000}', '{"amount":9000,"amount":1000}'))
  add('a number that loses digits', 'not-a-proof', text.replace('1000', '1000.00000000000000000001'))
  add('a number that is none', 'not-a-proof', text.replace('1000', 'NaN'))
  add('half of a pair', 'not-a-proof', text.replace('A loan', 'A \\ud800 loan'))
  add('a NUL', 'not-a-proof', text.replace('A loan', 'A \\u0000 loan'))
  add('a comma too many', 'not-a-proof', text.replace(/}$/, ',}'))
  add('cut off', 'not-a-proof', text.slice(0, -1))
}

/** Every leaf of the record, altered. */
function leaves(): void {
  const [, document] = made[0] as (typeof made)[number]
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
      return
    }
    const forged = changed(document, ({ evidence }) => {
      const parent = path.slice(0, -1).reduce<Tree>((from, name) => from[name] as Tree, evidence)
      parent[path.at(-1) as string] = typeof value === 'number' ? value + 1 : `${value}x`
    })
    add(`evidence.${path.join('.')} altered`, 'altered', forged)
  }
  visit((document as unknown as Proof).evidence, [])
}

const sandboxCenter = firstSandboxId + 42

/** Test data that would pass for evidence: no verifier takes the log of a sandbox for that of a center. */
function sandboxes(): void {
  const made = anchored(exported(decisionEntry(approvalOf('session'), { center: sandboxCenter })))
  const genuine = anchored(exported(decisionEntry(approvalOf('session'))))
  const asCenter = (text: string): string => text.replaceAll(`/sandbox/${sandboxCenter}/`, `/c/${sandboxCenter}/`)
  const under = (document: object, log: (name: string) => string, tlog: (text: string) => string): object =>
    changed(document, ({ evidence, verification }) => {
      evidence.log = log(String(evidence.log))
      verification.tlogProof = tlog(verification.tlogProof)
    })
  const same = (text: string): string => text
  add('test data', 'sandbox', made)
  add(
    'test data, refused',
    'sandbox',
    anchored(exported(decisionEntry(approvalOf('session', 'rejected'), { center: sandboxCenter }))),
  )
  add('test data, no policy', 'unvouched', made, { under: 'none' })
  add('test data, under the policy of a center', 'unvouched', made, { under: 'narrowed' })
  add('test data, with one witness', 'unvouched', anchored(made, { cosigners: [witnesses[0]] }))
  add('test data, the record renamed', 'altered', under(made, asCenter, same))
  add('test data, the proof renamed', 'altered', under(made, same, asCenter))
  add('test data, both renamed', 'altered', under(made, asCenter, asCenter))
  add(
    'test data, the record renamed and anchored anew',
    'altered',
    anchored(under(made, asCenter, same) as ExportDocument),
  )
  add('test data, with the place of a record of a center', 'altered', {
    ...genuine,
    evidence: made.evidence,
    verification: { ...made.verification, tlogProof: genuine.verification.tlogProof },
  })
  add(
    'a record of a center renamed to a sandbox',
    'altered',
    under(genuine, () => `proof.example/sandbox/${sandboxCenter}/proof`, same),
  )
}

const bindings = threeKeys()
const last = bindings.at(-1) as BuiltEntry

/** Rules, earlier approvals and what a passkey signed about them, forged by whoever holds a file, and by whoever holds the log. */
function controls(): void {
  const all = earlierApprovals(bindings)
  const genuine = kinds()['a decision with earlier approvals'] as ExportDocument
  const without = (document: object, ...names: string[]): object =>
    changed(document, ({ evidence }) => {
      for (const name of names) {
        delete evidence[name]
        delete (evidence.disclosures as Tree)[name]
      }
    })
  const put = (name: string, change: (value: Tree) => void): object =>
    changed(genuine, ({ evidence }) => change(evidence[name] as Tree))
  add('the rules left out', 'rules-hidden', without(genuine, 'control'))
  add('the rules left out, no policy', 'unvouched', without(genuine, 'control'), { under: 'none' })
  add(
    'the rules of a session left out',
    'rules-hidden',
    without(anchored(decisionBy(approvalOf('session'), [])), 'control'),
  )
  add('an earlier approval left out', 'holds', without(genuine, 'prior1'))
  add('all earlier approvals left out', 'holds', without(genuine, 'prior0', 'prior1', 'prior2'))
  add('the statement left out', 'holds', without(genuine, 'statement'))
  const uncommitted = changed(without(genuine, 'prior2'), ({ evidence }) => {
    delete (evidence.commitments as Tree).prior2
  })
  add('an earlier approval taken out of the record', 'altered', uncommitted)
  add(
    'other rules',
    'altered',
    put('control', (value) => Object.assign(value.rules as Tree, { index: 7 })),
  )
  add(
    'an unknown need planted',
    'altered',
    put('control', (value) => Object.assign(value, { needs: ['mandate'] })),
  )
  add(
    'a need removed',
    'altered',
    put('control', (value) => delete value.needs),
  )
  add(
    'another view',
    'altered',
    put('control', (value) => Object.assign(value.shown as Tree, { view: 'v2' })),
  )
  add(
    'an earlier approval made void',
    'altered',
    put('prior0', (value) => Object.assign(value.control as Tree, { void: 'role' })),
  )
  add(
    'a void approval made to count',
    'altered',
    put('prior2', (value) => delete (value.control as Tree).void),
  )
  add(
    'two earlier approvals exchanged',
    'altered',
    changed(genuine, ({ evidence }) => {
      const { prior0, prior1 } = evidence
      Object.assign(evidence, { prior0: prior1, prior1: prior0 })
    }),
  )
  add(
    'an earlier approval twice',
    'altered',
    changed(genuine, ({ evidence }) => {
      evidence.prior1 = evidence.prior0
    }),
  )

  const sealed = (prior: readonly PriorApproval[], statement: object = {}, more: object = {}): object => {
    const said = statementOf('act_ada', { prior: priorOf(all), ...statement })
    return anchored(
      decisionBy(approvalBy('act_ada', keys.ada, last, { statement: said }), bindings, { prior, ...more }),
    )
  }
  const needing = (...needs: string[]): object => ({ control: { ...control, needs } })
  const unknownType = { type: 'countersign-approval-v9' as 'countersign-approval-v2' }
  add('sealed with an unknown need', 'newer', sealed(all, {}, needing('shown', 'mandate')))
  add('sealed with an unknown need, no policy', 'newer', sealed(all, {}, needing('mandate')), { under: 'none' })
  add(
    'sealed with an unknown need, altered since',
    'altered',
    altered(sealed(all, {}, needing('mandate')), 'decisionId'),
  )
  add(
    'an unknown need left out with the rules',
    'rules-hidden',
    without(sealed(all, {}, needing('mandate')), 'control'),
  )
  add('a statement of an unknown type', 'newer', sealed(all, unknownType))
  for (const { name, standing, document } of forgedEmergencies) add(name, standing, document)
  add('a statement about an emergency that the record does not state', 'altered', sealed(all, { emergency: true }))
  const unknownPrior = priorBy(
    approvalBy('act_admin', keys.admin, bindings[0] as BuiltEntry, {
      statement: statementOf('act_admin', unknownType),
    }),
  )
  add('an earlier statement of an unknown type', 'newer', sealed([unknownPrior], { prior: priorOf([unknownPrior]) }))
  add('sealed without an earlier approval that was signed', 'altered', sealed(all.slice(0, 2)))
  add('sealed in another order', 'altered', sealed([all[1], all[0], all[2]] as PriorApproval[]))
  add('sealed with one approval twice', 'altered', sealed([all[1], all[1]] as PriorApproval[], { prior: priorOf([]) }))
  add('sealed with another approval', 'altered', sealed(all.with(1, priorBy(approvalOf('claim'), 1))))
  add(
    'sealed with another view',
    'altered',
    sealed(all, {}, { control: { ...control, shown: { ...shown, view: 'v2' } } }),
  )
  add('sealed with no page', 'altered', sealed(all, { shown: null }))
  add('sealed without rules', 'altered', sealed(all, {}, { control: { shown } }))
  add('sealed without control', 'altered', sealed(all, {}, { control: undefined }))
  add('sealed in two forms', 'altered', sealed(all, {}, { priorApprovals: [approvalOf('claim')] }))
  add('sealed by an approval that did not count', 'altered', sealed(all, {}, { control: { ...control, void: 'role' } }))
  add(
    'sealed with void: false',
    'altered',
    sealed([priorBy(approvalOf('session'), 0, { control: { void: false as never } })]),
  )
  add('sealed for another center', 'altered', sealed(all, { log: 'proof.example/c/43/proof' }))
  add(
    'a statement without the level',
    'altered',
    anchored(decisionBy(approvalOf('session'), [], { statement: statementOf('act_ada') } as never)),
  )
  const inSandbox = anchored(decisionBy(approvalOf('session'), [], { center: sandboxCenter, prior: all.slice(1) }))
  add('test data with earlier approvals', 'sandbox', inSandbox)
  add('test data, its rules left out', 'rules-hidden', without(inSandbox, 'control'))
}

export function forgedFiles(): readonly Forgery[] {
  if (found.length === 0)
    for (const part of [
      withoutPolicy,
      signatures,
      logs,
      sandboxes,
      controls,
      histories,
      characters,
      sizes,
      texts,
      leaves,
    ])
      part()
  return found
}

export const policies: Readonly<Record<Under, string | null>> = {
  none: null,
  own: policyText,
  /** As `--log` narrows it, for verifiers without that option. */
  narrowed: policyText.replace(host.key.vkey, host.as('proof.example/c/42/proof').key.vkey),
}
export const narrowedLog = 'proof.example/c/42'
export const exitCodes: Readonly<Record<Standing, number>> = {
  ...{ holds: 0, altered: 1, 'not-a-proof': 2, unvouched: 3, sandbox: 3, lost: 3, newer: 3, 'rules-hidden': 3 },
}
