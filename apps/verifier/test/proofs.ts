/** Genuine proofs from a log of our own making: with its signature, with witnesses, with something redacted, bare. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import { entryContent, entryHash, type Prepared } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { type Anchor, exportDocument, type StoredEntry } from '@countersign/proof/export.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import { proofStatic, proofValues } from '@countersign/proof/proof-entry.ts'
import { cosignatureBytes, cosignatureMessage, keyIdOf, signatureLine, vkeyOf } from '@countersign/proof/signed-note.ts'
import { writeTlogProof } from '@countersign/proof/tlog-proof.ts'
import { emptyFrontier, grow, leafHash } from '@countersign/proof/tree.ts'

const host = 'proof.example'
const logOf = (domain: string): string => `${host}/c/42/${domain}`

/** The same in every run, so that what is looked at does not change by itself. */
const pseudoRandom = (name: string): Buffer => createHash('sha256').update(name).digest()
let salts = 0
const newSalt = (): string => pseudoRandom(`salt ${salts++}`).toString('hex').slice(0, 32)

const privateKey = (name: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), pseudoRandom(name)]),
    format: 'der',
    type: 'pkcs8',
  })
const publicKey = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)

const logKey = privateKey('log')
const witnesses = ['hanbit', 'linden'].map((name) => ({ name: `witness.${name}.example`, key: privateKey(name) }))

export const policy = [
  '# The log of proof.example and two who watch it',
  `log ${vkeyOf(host, 1, publicKey(logKey))}`,
  ...witnesses.map(({ name, key }, at) => `witness w${at} ${vkeyOf(name, 4, publicKey(key))}`),
  'group both all w0 w1',
  'quorum both',
  '',
].join('\n')

export const policyWithoutWitnesses = `log ${vkeyOf(host, 1, publicKey(logKey))}\nquorum none\n`
/** Of somebody who gave their own key the name of the log. */
export const strangersPolicy = `log ${vkeyOf(host, 1, publicKey(privateKey('a stranger')))}\nquorum none\n`

const event = {
  type: 'ai_recommendation',
  occurredAt: '2026-11-02T01:14:09.120Z',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Session planner' },
  action: {
    type: 'therapy.plan',
    description: '주 2회 언어 재활 수업을 제안',
    input: { learner: '김하늘', age: 7, assessment: 'PRES 62' },
    output: { sessionsPerWeek: 2, weeks: 12 },
  },
  aiContext: { model: 'planner-3', confidence: 0.91, reasoning: 'Progress slowed over the last four weeks.' },
  tags: ['plan', 'speech'],
}
const approval = {
  approver: { id: 'therapist-4', type: 'human', name: '박지우' },
  result: 'approved',
  reason: 'Agrees with my own assessment.',
  submittedBy: 'key_01kz9x4q8hfx5r3v7t2b6n0m1c',
  identity: { level: 'claim', by: 'key_01kz9x4q8hfx5r3v7t2b6n0m1c' },
} as const

interface Sealed extends StoredEntry {
  readonly index: number
}

function sealed(
  domain: string,
  index: number,
  prepared: Prepared,
  values: StoredEntry['values'],
  sealedAt: string,
): Sealed {
  const content = entryContent(prepared, { log: logOf(domain), index, sealedAt })
  const previousHash = index === 0 ? null : `sha256:${pseudoRandom(`${domain} ${index - 1}`).toString('hex')}`
  const hash = entryHash(content, previousHash, sealedAt)
  return { index, content, hash, previousHash, sealedAt, values, salts: prepared.salts }
}

/** A log in which this entry stands among others. */
function anchored(domain: string, { index, hash }: Sealed, size: number, cosigners: typeof witnesses): string {
  const hashes = Array.from({ length: size }, (_, at) => pseudoRandom(`${domain} ${at}`).toString('hex'))
  hashes[index] = hash
  const { root, inclusion } = grow(emptyFrontier, hashes.map(leafHash))
  const text = checkpointText(logOf(domain), size, root)
  const lines = [
    signatureLine(logOf(domain), keyIdOf(logOf(domain), 1, publicKey(logKey)), sign(null, Buffer.from(text), logKey)),
    ...cosigners.map(({ name, key }, at) => {
      const time = 1_793_581_200 + at
      const signature = sign(null, cosignatureMessage(time, text), key)
      return signatureLine(name, keyIdOf(name, 4, publicKey(key)), cosignatureBytes(time, signature))
    }),
  ]
  return writeTlogProof(index, inclusion(index), `${text}\n${lines.join('')}`)
}

const actionSalt = pseudoRandom('action').toString('base64url')
const input = {
  id: 'evd_01kz9x4q8hfx5r3v7t2b6n0m1c',
  decisionId: 'plan-2026-118',
  evidenceLevel: 'AUDIT_READY',
  event,
  approval,
  actionSalt,
  actionDigest: actionDigest(actionSalt, event),
}
const record = sealed('proof', 12, proofStatic(input, newSalt), proofValues(input), '2026-11-02T01:20:31.004Z')
const removed = { paths: ['approval.approver.name'], reason: '당사자의 요청', by: 'actor' }
const redaction = sealed(
  'history',
  3,
  historyStatic(
    {
      id: 'hst_01kz9x4q8hfx5r3v7t2b6n0m1d',
      type: 'redaction',
      target: input.id,
      previous: record.hash,
      values: removed,
    },
    () => unitState({ evidenceLevel: input.evidenceLevel, metadata: null }),
    newSalt,
  ),
  removed,
  '2026-11-09T05:00:00.000Z',
)

const document = (anchor?: Anchor, stored: StoredEntry = record, history?: readonly StoredEntry[]) =>
  exportDocument({
    ...{
      record: stored,
      history,
      anchor,
      eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
      exportedAt: '2026-11-10T00:00:00.000Z',
    },
    ...{ schemaUrl: 'https://proof.example/schema', publicUrl: 'https://proof.example' },
  })

function without<T>(members: Readonly<Record<string, T>>, ...gone: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(members).filter(([path]) => !gone.includes(path)))
}

const logged = anchored('proof', record, 20, [])
const watched = anchored('proof', record, 20, witnesses)

export const proofs = {
  bare: document(),
  logged: document({ tlogProof: logged, anchoring: 'logged' }),
  witnessed: document({ tlogProof: watched, anchoring: 'witnessed' }),
  /** One value was removed for good, another is only left out of this file. */
  redacted: document(
    { tlogProof: watched, anchoring: 'witnessed', historyProofs: [anchored('history', redaction, 5, witnesses)] },
    {
      ...record,
      values: without(record.values, 'approval.approver.name', 'event.action.input'),
      salts: without(record.salts, 'approval.approver.name', 'event.action.input'),
    },
    [redaction],
  ),
} as const

export const textOf = (proof: object): string => JSON.stringify(proof, null, 2)
