/** Approvals that passkeys signed: what holds, what is refused, and what a file no longer shows. */
import { describe, expect, it } from 'vitest'
import { softwareAuthenticator } from '../../../tests/support/authenticator.ts'
import type { ExportDocument } from '../export.ts'
import { type AnyApprovalStatement, challengeOf, reasonDigest } from '../passkey.ts'
import { parsePolicy, type TrustPolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import type { BuiltEntry } from './arbitraries.ts'
import { anchored, passkeyPolicyText, witnesses } from './log.ts'
import {
  type Authenticator,
  approvalBy as anyApprovalBy,
  bindingsOf,
  bound,
  boundValues,
  confirmed,
  confirming,
  decisionBy,
  firstStatementOf,
  keys,
  statementOf as presentStatementOf,
  priorBy,
  priorOf,
  registered,
  threeKeys,
} from './passkeys.ts'

const policy = parsePolicy(passkeyPolicyText)
const without = parsePolicy(passkeyPolicyText.replace(/#passkeys.*\n/, ''))
const three = threeKeys()
const last = three[3] as BuiltEntry

const judged = (made: ExportDocument, by: TrustPolicy | null = policy, more: Parameters<typeof anchored>[1] = {}) => {
  const { standing, facts, problems, limits } = verifyProof(JSON.parse(JSON.stringify(anchored(made, more))), by)
  const passkey = facts.decision?.approvals.at(-1)?.passkey
  return {
    standing,
    status: passkey?.status,
    why: passkey?.why,
    passkey,
    limits,
    codes: problems.map(({ code }) => code),
  }
}
const forms = [
  { of: '0.1.0', statementOf: firstStatementOf, statementPath: 'approval.passkey.statement' },
  { of: 'today', statementOf: presentStatementOf, statementPath: 'statement' },
]

describe.each(forms)('a record of $of', ({ statementOf, statementPath }) => {
  const approvalBy = (...[person, of, binding, more = {}]: Parameters<typeof anyApprovalBy>) =>
    anyApprovalBy(person, of, binding, { statement: statementOf(person), ...more })
  const genuine = () => decisionBy(approvalBy('act_ada', keys.ada, last), three)

  it('a passkey bound to the approver signed exactly this approval', () => {
    const { standing, passkey, codes, limits } = judged(genuine())
    expect([standing, codes]).toEqual(['holds', []])
    expect(passkey).toEqual({
      status: 'holds',
      why: null,
      rpId: 'localhost',
      thumbprint: keys.ada.thumbprint,
      boundAt: last.sealedAt,
      confirmation: 'passkey',
      confirmedAt: last.sealedAt,
      backupEligible: false,
    })
    expect(limits).toEqual(expect.arrayContaining(['passkey', 'removal']))
    expect(limits).not.toContain('synced')
  })

  it('says that a key may be on several devices', () => {
    const synced = softwareAuthenticator({ backupEligible: true })
    const values = boundValues('act_ada', synced, { how: 'operator' }, true)
    const bindings = bindingsOf([{ key: 'psk_1', values, confirmed: 'operator' }])
    const { standing, passkey, limits } = judged(
      decisionBy(approvalBy('act_ada', synced, bindings[0] as BuiltEntry), bindings),
    )
    expect([standing, passkey?.status, passkey?.backupEligible]).toEqual(['holds', 'holds', true])
    expect(limits).toContain('synced')
  })

  describe('not known', () => {
    it('where the policy names no host', () => {
      expect(judged(genuine(), without)).toMatchObject({ standing: 'holds', status: 'unknown', why: 'no-host' })
      const elsewhere = parsePolicy(passkeyPolicyText.replaceAll('localhost', 'other.example'))
      expect(judged(genuine(), elsewhere)).toMatchObject({ standing: 'holds', status: 'unknown', why: 'no-host' })
    })

    it('where nobody whom the reader trusts vouches for the binding', () => {
      const few = { cosigners: witnesses.slice(0, 1) }
      for (const by of [policy, without, null]) {
        expect(judged(genuine(), by, few)).toMatchObject({ standing: 'unvouched', status: 'unknown', why: 'unvouched' })
      }
    })

    it.each([
      ['the statement', [statementPath]],
      ['the approver and the statement', ['approval.approver.id', statementPath]],
      ['the approver', ['approval.approver.id']],
      ['the salt of the action', ['actionSalt']],
      ['a part of the action', ['event.action.input', 'actionSalt']],
    ])('without %s', (_, paths) => {
      expect(judged(hidden(genuine(), paths))).toMatchObject({ standing: 'holds', status: 'unknown', why: 'redacted' })
    })

    it('without a value of a binding', () => {
      for (const name of ['actorId', 'key', 'statement', 'assertion', 'authenticator', 'confirmation']) {
        const made = structuredClone(genuine()) as unknown as { evidence: { bindings: Hiding[] } }
        hide(made.evidence.bindings[3] as Hiding, [name])
        const { standing, status, codes } = judged(made as unknown as ExportDocument)
        expect([name, standing, status, codes]).toEqual([name, 'holds', 'unknown', []])
      }
    })

    it('a reason that is gone leaves the rest as it was', () => {
      const made = hidden(genuine(), ['approval.reason', 'approval.reasonSalt'])
      expect(judged(made)).toMatchObject({ standing: 'holds', status: 'holds' })
    })
  })

  describe('refused: the statement is about something else', () => {
    const other = `sha256:${'9'.repeat(64)}`
    it.each([
      ['another log', { log: 'proof.example/c/43/proof' }],
      ['another event', { eventId: 'evt_2' }],
      ['another decision', { decisionId: 'loan-2' }],
      ['another action', { actionDigest: other }],
      ['a refusal', { result: 'rejected' }],
      ['another reason', { reasonDigest: reasonDigest('x', 'y') }],
      ['no reason', { reasonDigest: null }],
      ['another person', { approverId: 'act_eve' }],
      ['another policy', { policies: [{ id: 'pol_1', version: 3, digest: other }] }],
      ['no policy', { policies: [] }],
      ['somebody else as the deputy of whom', { onBehalfOf: 'act_boss' }],
      ['another host', { rpId: 'example.com' }],
      ['a nonce of another length', { nonce: 'AAAA' }],
      ['a member more', { more: 'x' }],
    ])('%s', (_, change) => {
      const statement = { ...statementOf('act_ada'), ...change } as AnyApprovalStatement
      const approval = { ...approvalBy('act_ada', keys.ada, last, { statement }), result: 'approved' }
      const { standing, status, codes } = judged(decisionBy(approval, three))
      expect([standing, status]).toEqual(['altered', 'false'])
      expect(codes.some((code) => ['statement-differs', 'passkey-host'].includes(code))).toBe(true)
    })

    it('the signature is over another statement', () => {
      const signed = statementOf('act_ada', { nonce: Buffer.alloc(32, 9).toString('base64url') })
      const { standing, codes } = judged(decisionBy(approvalBy('act_ada', keys.ada, last, { signed }), three))
      expect([standing, codes]).toEqual(['altered', ['passkey-challenge']])
    })

    it('the assertion was made for registering, for a sign-in, or elsewhere', () => {
      const good = approvalBy('act_ada', keys.ada, last)
      const challenge = challengeOf(statementOf('act_ada'))
      for (const [assertion, code] of [
        [keys.ada.assert(challengeOf(registered('act_ada', keys.ada))), 'passkey-challenge'],
        [keys.ada.assert(new Uint8Array(32)), 'passkey-challenge'],
        [keys.ada.assert(challenge, { origin: 'http://localhost:9' }), 'passkey-origin'],
        [keys.ada.assert(challenge, { flags: 1 }), 'passkey-user'],
        [keys.ada.assert(challenge, { flags: 1 | 4 | 8 }), 'passkey-backup'],
        [keys.ada.assert(challenge, { clientData: { crossOrigin: true } }), 'passkey-framed'],
        [keys.older.assert(challenge), 'passkey-signature'],
      ] as const) {
        const { standing, codes } = judged(decisionBy({ ...good, passkey: { ...good.passkey, ...assertion } }, three))
        expect([standing, codes]).toEqual(['altered', [code]])
      }
    })
  })

  describe('refused: the level and what was signed do not fit', () => {
    it('the level passkey without a signature', () => {
      const { passkey: _, ...approval } = approvalBy('act_ada', keys.ada, last)
      expect(judged(decisionBy(approval, three))).toMatchObject({ standing: 'altered', codes: ['missing'] })
    })

    it('a signature with another level', () => {
      const approval = {
        ...approvalBy('act_ada', keys.ada, last),
        identity: { level: 'session' as const, by: 'act_ada' },
      }
      expect(judged(decisionBy(approval, three))).toMatchObject({ standing: 'altered', codes: ['passkey-unclaimed'] })
    })
  })

  describe('refused: the binding', () => {
    const ada = (how: object) => bound('psk_ada', 'act_ada', keys.ada, how as { how: string })
    const by = (bindings: BuiltEntry[], at = bindings.length - 1, more = {}) =>
      judged(decisionBy(approvalBy('act_ada', keys.ada, bindings[at] as BuiltEntry, more), bindings))

    it('is not in the file', () => {
      const approval = approvalBy('act_ada', keys.ada, last)
      expect(judged(decisionBy(approval, []))).toMatchObject({ standing: 'altered', codes: ['binding-missing'] })
      for (const at of three.keys()) {
        const { standing } = judged(decisionBy(approval, three.toSpliced(at, 1)))
        expect([at, standing]).toEqual([at, 'altered'])
      }
    })

    it('was made after the approval', () => {
      expect(by(bindingsOf([ada({ how: 'operator' })]), 0, { historySize: 3 }).codes).toEqual(['binding-later'])
    })

    it('is not the newest about its key', () => {
      const bindings = bindingsOf([ada({ how: 'operator' }), confirmed('psk_ada', 'act_ada', { how: 'partner' })])
      expect(by(bindings, 0, { historySize: 9 }).codes).toEqual(['binding-older'])
      expect(by(bindings, 0, { historySize: 4 }).standing).toBe('holds')
      expect(by(bindings, 1).standing).toBe('holds')
    })

    it('was removed', () => {
      const removed = { action: 'removed', actorId: 'act_ada', by: { id: 'act_ada' } }
      const bindings = bindingsOf([
        ada({ how: 'operator' }),
        { key: 'psk_ada', values: removed, confirmed: 'operator', passkey: 'removed' },
      ])
      expect(by(bindings).standing).toBe('altered')
      expect(by(bindings).codes).toEqual(expect.arrayContaining(['unexpected', 'state-differs']))
    })

    it('is of another person', () => {
      const bindings = bindingsOf([bound('psk_ada', 'act_eve', keys.ada, { how: 'operator' })])
      expect(by(bindings).codes).toEqual(['binding-person'])
    })

    it('is of a key that its owner never held', () => {
      const values = boundValues('act_ada', keys.ada, { how: 'operator' })
      for (const assertion of [keys.older.assert(challengeOf(registered('act_ada', keys.ada))), {}]) {
        const bindings = bindingsOf([
          { key: 'psk_ada', values: { ...values, assertion: { ...assertion } }, confirmed: 'operator' },
        ])
        expect(by(bindings).standing).toBe('altered')
      }
    })

    it('names another key than the one that signed its statement', () => {
      const values = { ...boundValues('act_ada', keys.older, { how: 'operator' }), key: { ...keys.ada.key } }
      expect(by(bindingsOf([{ key: 'psk_ada', values, confirmed: 'operator' }])).codes).toContain('statement-differs')
    })

    it('is confirmed by mail only', () => {
      expect(by(bindingsOf([ada({ how: 'mail' })])).codes).toEqual(['binding-unconfirmed'])
    })

    it('is confirmed by a key that is confirmed by mail only', () => {
      const bindings = bindingsOf([
        bound('psk_older', 'act_ada', keys.older, { how: 'mail' }),
        ([older]) => ada(byOlder(older, keys.older)),
      ])
      expect(by(bindings).codes).toEqual(['binding-unconfirmed'])
    })

    it('is confirmed by a key of another person', () => {
      const bindings = bindingsOf([
        bound('psk_older', 'act_eve', keys.older, { how: 'operator' }),
        ([older]) => ada(byOlder(older, keys.older)),
      ])
      expect(by(bindings).codes).toContain('binding-person')
    })

    it('is confirmed by a signature that the older key did not make', () => {
      const bindings = bindingsOf([
        bound('psk_older', 'act_ada', keys.older, { how: 'operator' }),
        ([older]) => ada(byOlder(older, keys.ada)),
      ])
      expect(by(bindings).codes).toEqual(['passkey-signature'])
    })

    it('is confirmed by itself', () => {
      const bindings = bindingsOf([
        ada({ how: 'mail' }),
        ([own]) => confirmed('psk_ada', 'act_ada', byOlder(own, keys.ada)),
      ])
      expect(by(bindings).codes).toContain('binding-missing')
    })

    const admin = (change: object, person = 'act_ada', confirmerId = 'act_admin') =>
      bindingsOf([
        bound('psk_admin', 'act_admin', keys.admin, { how: 'operator' }),
        ada({ how: 'mail' }),
        ([of]) => {
          const statement = { ...confirming(person, keys.ada, confirmerId), ...change }
          const assertion = keys.admin.assert(challengeOf(statement))
          const how = { how: 'admin', confirmerId, level: 'passkey', binding: of?.hash, statement, assertion }
          return confirmed('psk_ada', 'act_ada', how)
        },
      ])

    it('is confirmed by the passkey of an admin', () => {
      const { standing, passkey } = by(admin({}))
      expect([standing, passkey?.confirmation]).toEqual(['holds', 'admin'])
      expect(passkey?.boundAt).not.toBe(passkey?.confirmedAt)
    })

    it.each([
      ['for another center', { log: 'proof.example/c/43/history' }],
      ['for another person', { actorId: 'act_eve' }],
      ['for another key', { thumbprint: keys.older.thumbprint }],
      ['by another admin', { confirmerId: 'act_boss' }],
      ['at another host', { rpId: 'example.com' }],
    ])('is confirmed %s', (_, change) => {
      expect(by(admin(change))).toMatchObject({ standing: 'altered' })
    })

    it('is confirmed by the same person as an admin', () => {
      const bindings = bindingsOf([
        ada({ how: 'mail' }),
        confirmed('psk_ada', 'act_ada', { how: 'admin', confirmerId: 'act_ada', level: 'session' } as { how: string }),
      ])
      expect(by(bindings).codes).toEqual(['binding-person'])
    })

    it('is of another center, without its beginning, or in another order', () => {
      const made = structuredClone(genuine()) as unknown as { evidence: { bindings: { log: string }[] } }
      for (const entry of made.evidence.bindings) entry.log = 'proof.example/c/43/history'
      expect(judged(made as unknown as ExportDocument).codes).toContain('other-center')
      const approval = approvalBy('act_ada', keys.ada, last)
      expect(
        judged(decisionBy(approval, three.with(0, three[1] as BuiltEntry).with(1, three[0] as BuiltEntry))).codes,
      ).toContain('index-order')
    })
  })
})

describe('both of two approvals are checked', () => {
  const statuses = (made: ExportDocument) => {
    const { standing, facts } = verifyProof(JSON.parse(JSON.stringify(anchored(made))), policy)
    return [standing, facts.decision?.approvals.map(({ passkey }) => passkey?.status)]
  }

  it('in a record of 0.1.0', () => {
    const statement = firstStatementOf('act_admin')
    const first = {
      ...anyApprovalBy('act_admin', keys.admin, three[0] as BuiltEntry, { statement }),
      approvedAt: '2039-12-31T23:59:59.000Z',
    }
    const approval = anyApprovalBy('act_ada', keys.ada, last, { statement: firstStatementOf('act_ada') })
    const made = (prior: object) => decisionBy(approval, three, { priorApprovals: JSON.parse(JSON.stringify([prior])) })
    expect(statuses(made(first))).toEqual(['holds', ['holds', 'holds']])
    const forged = { ...first, passkey: { ...first.passkey, signature: approval.passkey.signature } }
    expect(judged(made(forged))).toMatchObject({ standing: 'altered', codes: ['passkey-signature'] })
    const { passkey: _, ...bare } = first
    expect(judged(made(bare))).toMatchObject({ standing: 'altered', codes: ['missing'] })
  })

  it('in a record of today', () => {
    const first = anyApprovalBy('act_admin', keys.admin, three[0] as BuiltEntry)
    const made = (earlier: object) => {
      const prior = [priorBy(earlier)]
      const statement = presentStatementOf('act_ada', { prior: priorOf(prior) })
      return decisionBy(anyApprovalBy('act_ada', keys.ada, last, { statement }), three, { prior })
    }
    expect(statuses(made(first))).toEqual(['holds', ['holds', 'holds']])
    const { signature } = anyApprovalBy('act_ada', keys.ada, last).passkey
    const forged = { ...first, passkey: { ...first.passkey, signature } }
    expect(judged(made(forged))).toMatchObject({ standing: 'altered', codes: ['passkey-signature'] })
    const { passkey: _, ...bare } = first
    expect(judged(made(bare))).toMatchObject({ standing: 'altered', codes: ['missing'] })
    const { statement: _1, ...unsaid } = first.passkey
    expect(judged(made({ ...first, passkey: unsaid }))).toMatchObject({ standing: 'altered', codes: ['missing'] })
  })
})

function byOlder(older: BuiltEntry | undefined, signer: Authenticator): { how: string } {
  const assertion = signer.assert(challengeOf(registered('act_ada', keys.ada)))
  return { how: 'passkey', binding: older?.hash, assertion } as { how: string }
}

interface Hiding {
  disclosures: Record<string, string>
  [member: string]: unknown
}

/** Leaves values out as a redaction does. */
function hide(entry: Hiding, paths: readonly string[]): void {
  for (const path of paths) {
    delete entry.disclosures[path]
    const names = path.split('.')
    const parent = names.slice(0, -1).reduce((value, name) => value[name] as Hiding, entry)
    delete parent[names.at(-1) as string]
  }
}

function hidden(made: ExportDocument, paths: readonly string[]): ExportDocument {
  const copy = structuredClone(made) as unknown as { evidence: Hiding }
  hide(copy.evidence, paths)
  return copy as unknown as ExportDocument
}
