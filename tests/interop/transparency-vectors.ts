/** The source of docs/formats/transparency.json. Everything in it follows from seeds, so the file is deterministic. */
import { readFileSync } from 'node:fs'
import { entryHash } from '@countersign/proof/chain.ts'
import type { ExportDocument, StoredEntry } from '@countersign/proof/export.ts'
import type { VerifierKey } from '@countersign/proof/signed-note.ts'
import {
  type BuiltEntry,
  type Change,
  chainOf,
  digested,
  exported,
  historyOf,
  saltSequence,
  sealDpu,
  sealProof,
} from '@countersign/proof/test/arbitraries.ts'
import {
  anchored,
  host,
  policyText,
  type Signer,
  signedCheckpoint,
  signer,
  witnesses,
} from '@countersign/proof/test/log.ts'
import { entries } from '@countersign/proof/test/worked-example.ts'
import { writeTlogProof } from '@countersign/proof/tlog-proof.ts'
import {
  consistencyProof,
  emptyFrontier,
  emptyRoot,
  grow,
  inclusionProof,
  leafHash,
  type NodeAt,
} from '@countersign/proof/tree.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { verifyProof } from '@countersign/proof/verify-proof.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
type Members = Record<string, unknown>
type Tree = Members & { evidence: Members; verification: Members }

const shownKey = (about: string, seedByte: number, { name, keyId, type, publicKey, vkey }: VerifierKey) => ({
  about,
  seed: Buffer.alloc(32, seedByte).toString('hex'),
  name,
  type,
  publicKey: hex(publicKey),
  keyId,
  vkey,
})

function treeVectors() {
  const chainHashes = Array.from({ length: 9 }, (_, at) =>
    entryHash(`{"index":${at}}`, null, '2026-01-01T00:00:00.000Z'),
  )
  const leaves = chainHashes.map(leafHash)
  const nodeAt: NodeAt = (height, index) =>
    grow(emptyFrontier, leaves.slice(index * 2 ** height, (index + 1) * 2 ** height)).root
  const sizes = leaves.map((_, at) => at + 1)
  return {
    chainHashes,
    leaves: leaves.map(base64),
    roots: [emptyRoot, ...sizes.map((size) => grow(emptyFrontier, leaves.slice(0, size)).root)].map(base64),
    inclusion: [3, 7, 9].flatMap((size) =>
      sizes
        .filter((count) => count <= size)
        .map((count) => ({ index: count - 1, size, proof: inclusionProof(count - 1, size, nodeAt).map(base64) })),
    ),
    consistency: [3, 7, 9].flatMap((size) =>
      [0, ...sizes]
        .filter((oldSize) => oldSize <= size)
        .map((oldSize) => ({ oldSize, size, proof: consistencyProof(oldSize, size, nodeAt).map(base64) })),
    ),
  }
}

function noteVectors() {
  const origin = 'proof.example/c/42/proof'
  const log = host.as(origin)
  const good = signedCheckpoint(origin, 7, new Uint8Array(32).fill(1))
  const keys = [log.key.vkey, witnesses[0].key.vkey, witnesses[1].key.vkey]
  const lines = good.split('\n')
  return {
    keys,
    accepted: [
      { about: 'signed by the log and cosigned by two witnesses', note: good, signers: keys },
      {
        about: 'with a line by somebody whom nobody knows',
        note: `${good}— other.example ${base64(new Uint8Array(68).fill(2))}\n`,
        signers: keys,
      },
      {
        about: 'cosigned by one witness',
        note: signedCheckpoint(origin, 7, new Uint8Array(32).fill(1), [witnesses[1]]),
        signers: [keys[0], keys[2]],
      },
    ],
    refused: [
      { about: 'another size: all signatures are wrong', note: good.replace('\n7\n', '\n8\n') },
      {
        about: 'a key of the same name, with the id of the right one',
        note: good.replace(/(proof .{8}).{4}/, '$1AAAA'),
      },
      { about: 'carriage returns', note: good.replaceAll('\n', '\r\n') },
      { about: 'no blank line', note: good.replace('\n\n', '\n') },
      { about: 'a hyphen for the dash', note: good.replaceAll('—', '-') },
      { about: 'a fourth line in the checkpoint', note: good.replace('\n\n', '\nmore\n\n') },
      { about: 'a zero before the size', note: good.replace('\n7\n', '\n07\n') },
      { about: 'base64 without padding', note: good.replace(lines[2] as string, (lines[2] as string).slice(0, -1)) },
      { about: 'nothing', note: '' },
    ],
  }
}

function policyVectors() {
  const all = witnesses.map(({ key }, at) => `witness w${at + 1} ${key.vkey}\n`).join('')
  const nested = `${all}group inner any w1 w2\ngroup outer all inner w3\nquorum outer\n`
  return {
    accepted: [
      {
        about: 'two of three',
        policy: policyText,
        met: [
          ['one', 'two'],
          ['one', 'two', 'three'],
        ],
        notMet: [[], ['three']],
      },
      {
        about: 'nested groups',
        policy: nested,
        met: [
          ['w1', 'w3'],
          ['w2', 'w3'],
        ],
        notMet: [['w1', 'w2'], ['w3']],
      },
      { about: 'no witness', policy: `log ${host.key.vkey}\nquorum none\n`, met: [[]], notMet: [] },
    ],
    refused: [
      { about: 'no quorum', policy: all },
      { about: 'an unknown name', policy: `${all}quorum w4\n` },
      { about: 'a threshold above the members', policy: `${all}group g 3 w1 w2\nquorum g\n` },
      { about: 'a member of two groups', policy: `${all}group g any w1\ngroup h any w1 w2\nquorum h\n` },
      {
        about: 'one key as two witnesses',
        policy: `${all}witness w4 ${witnesses[0].as('x.example').key.vkey}\nquorum w4\n`,
      },
      { about: 'the key of a log as a witness', policy: `witness w ${host.key.vkey}\nquorum w\n` },
    ],
  }
}

/** A decision in the middle of a chain. */
function decision(): ExportDocument {
  const input = digested({
    id: 'evd_01kz9x4q8hfx5r3v7t2b6n0m1c',
    actionSalt: 'AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI',
    decisionId: 'loan-7781',
    evidenceLevel: 'AUDIT_READY',
    event: {
      type: 'ai_recommendation',
      occurredAt: '2026-01-02T03:04:05.006Z',
      actor: { id: 'agent-9', type: 'ai_agent' },
      action: { type: 'loan.approve', input: { amount: 1000, name: 'Żółć €' } },
    },
    approval: {
      approver: { id: 'u-1', type: 'human', name: 'Ada' },
      result: 'approved',
      reason: 'Income is stable.',
      identity: { level: 'claim', by: 'key_1' },
    },
  })
  return exported(chainOf('proof', [sealProof(input)], 5)[0] as StoredEntry)
}

/** A DPU that was raised to its level, and whose content was redacted later. */
function redactedDpu(): ExportDocument {
  const salts = saltSequence()
  const id = 'dpu_01kz9x4q8hfx5r3v7t2b6n0m1d'
  const values = { content: 'Min-jun, 10 Elm Street', tags: ['intake'], evidenceLevel: 'DRAFT' }
  const dpu = sealDpu({ id, referenceType: 'demo', vertical: 'education', values }, salts)
  const entry = chainOf('dpu', [dpu], 2)[0] as BuiltEntry
  const changes: Change[] = [
    { id: 'h-1', type: 'level', values: { evidenceLevel: 'AUDIT_READY', by: { id: 'u-1' } } },
    { id: 'h-2', type: 'redaction', values: { paths: ['content'], reason: 'asked for', by: { id: 'u-1' } } },
  ]
  const history = historyOf(entry, changes, salts)
  const { content: _, ...keptValues } = entry.values
  const { content: _1, ...keptSalts } = entry.salts
  return exported({ ...entry, values: keptValues, salts: keptSalts }, { history })
}

/** A token that `openssl ts` made once for the checkpoint of `decision`; a new one would have another time. */
export interface Stamp {
  readonly checkpoint: string
  readonly token: string
  readonly authority: string
}
export const stamp = JSON.parse(readFileSync(new URL('./timestamp.json', import.meta.url), 'utf8')) as Stamp

function stamped(): ExportDocument {
  const made = anchored(decision())
  return { ...made, verification: { ...made.verification, anchoring: 'timestamped', timestamp: stamp.token } }
}

const policy = parsePolicy(policyText)

function judged(about: string, document: unknown) {
  const { intact, inChain, signed, witnessed, standing, undisclosed, redacted, outside, facts } = verifyProof(
    document,
    policy,
    { authorities: [stamp.authority] },
  )
  return {
    about,
    verdict: {
      intact: intact.status,
      inChain: inChain.status,
      signed: signed.status,
      witnessed: witnessed.status,
      standing,
      undisclosed,
      redacted,
      outside,
      ...(facts.timestamp && { timestamp: facts.timestamp }),
    },
    document,
  }
}

const changed = (made: ExportDocument, change: (tree: Tree) => void): unknown => {
  const tree = structuredClone(made) as unknown as Tree
  change(tree)
  return tree
}

function exportVectors() {
  const made = anchored(decision())
  const withProof = (change: (text: string) => string) =>
    changed(made, ({ verification }) => {
      verification.tlogProof = change(verification.tlogProof as string)
    })
  const stranger: Signer = signer('proof.example', 1, 8)
  return {
    holds: [
      judged('a decision, witnessed', made),
      judged('a unit with a history and a redaction, witnessed', anchored(redactedDpu())),
      judged('a decision, time-stamped', stamped()),
    ],
    unvouched: [
      judged('a decision without anything from its log', decision()),
      judged(
        'a change in the history without its proof',
        changed(anchored(redactedDpu()), ({ verification }) => delete verification.historyProofs),
      ),
      judged('the checkpoint is signed by a stranger under the same name', anchored(decision(), { by: stranger })),
      judged('one witness where two are asked for', anchored(decision(), { cosigners: [witnesses[2]] })),
      judged(
        'the line of the log is gone',
        withProof((text) => text.replace(/— proof[^\n]+\n/, '')),
      ),
    ],
    altered: [
      judged(
        'a disclosed value was changed',
        changed(made, ({ evidence }) => {
          ;((evidence.approval as Members).approver as Members).name = 'Eve'
        }),
      ),
      judged(
        'the proof is for another place in the log',
        withProof((text) => text.replace('index 5', 'index 4')),
      ),
      judged(
        'a hash of the proof was changed',
        withProof((text) => text.replace(/\n([A-Za-z0-9+/]{3})[^\n]+=\n/, `\n${base64(new Uint8Array(32))}\n`)),
      ),
      judged(
        'the proof is for the log of another center',
        withProof((text) => text.replaceAll('/c/42/', '/c/43/')),
      ),
      judged(
        'the checkpoint has another size',
        withProof((text) => text.replace('\n9\n', '\n90\n')),
      ),
      judged(
        'extra data in the proof',
        withProof((text) => text.replace('index', 'extra AAAA\nindex')),
      ),
      judged(
        'a time-stamp for another checkpoint',
        changed(anchored(decision(), { after: 4 }), ({ verification }) => {
          verification.anchoring = 'timestamped'
          verification.timestamp = stamp.token
        }),
      ),
      judged(
        'a member that nobody signed',
        changed(made, ({ verification }) => {
          verification.notary = 'trust me'
        }),
      ),
    ],
  }
}

export function transparencyVectors() {
  const leaves = entries.map(({ hash }) => leafHash(hash))
  const { root, inclusion } = grow(emptyFrontier, leaves)
  const note = signedCheckpoint('proof.example/c/42', 2, root, [witnesses[0]])
  return {
    about:
      'Keys, trees, notes, policies and exports to test a verifier with. How to read them: transparency.md. The private keys are known to everybody and must sign nothing else.',
    keys: [
      shownKey('the key of the host', 7, host.key),
      shownKey('the same key as that of one log', 7, host.as('proof.example/c/42/proof').key),
      shownKey('a witness', 9, witnesses[0].key),
      shownKey('a witness', 10, witnesses[1].key),
      shownKey('a witness', 11, witnesses[2].key),
    ],
    tree: treeVectors(),
    notes: noteVectors(),
    policies: policyVectors(),
    workedExample: {
      chainHashes: entries.map(({ hash }) => hash),
      root: hex(root),
      tlogProof: writeTlogProof(0, inclusion(0), note),
    },
    policy: policyText,
    timestampAuthority: stamp.authority,
    exports: exportVectors(),
  }
}
