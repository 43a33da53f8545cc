import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import type { PriorApproval } from '@countersign/proof/control.ts'
import type { ExportDocument } from '@countersign/proof/export.ts'
import { parseNote } from '@countersign/proof/signed-note.ts'
import { type LineCase, sealedLine } from '@countersign/proof/test/lines.ts'
import { parseTlogProof } from '@countersign/proof/tlog-proof.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authoritySettings } from '../../../tests/support/time-authority.ts'
import {
  type BuiltEntry,
  chainOf,
  exported,
  historyOf,
  loanEntry,
  saltSequence,
  sealDpu,
} from '../../proof/test/arbitraries.ts'
import { anchored, policyText, signer } from '../../proof/test/log.ts'
import { control, decisionBy, priorBy, threeKeys } from '../../proof/test/passkeys.ts'
import { approvalOf, decisionEntry, earlierApprovals } from '../../proof/test/proof-kinds.ts'
import type { DomainReport } from '../audit-domain.ts'
import { verdictLines } from '../audit-lines.ts'
import { speech, verdictInWords } from '../words.ts'
import { countersign, main } from './program.ts'

let folder: string
let policy: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'))
  policy = file('policy', policyText)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

const decision = (withoutName = false): ExportDocument => {
  const entry = loanEntry()
  const { 'approval.approver.name': _, ...shown } = entry.salts
  return exported(withoutName ? { ...entry, salts: shown } : entry)
}

function redactedUnit(): ExportDocument {
  const salts = saltSequence()
  const values = { content: 'Min-jun, 10 Elm Street', evidenceLevel: 'AUDIT_READY' }
  const unit = { id: 'dpu_1', referenceType: 'demo', vertical: 'education', values }
  const [entry] = chainOf('dpu', [sealDpu(unit, salts)]) as [BuiltEntry]
  const about = { paths: ['content'], reason: 'asked for', by: {} }
  const history = historyOf(entry, [{ id: 'h1', type: 'redaction', values: about }], salts)
  const { content: _value, ...left } = entry.values
  const { content: _salt, ...leftSalts } = entry.salts
  return exported({ ...entry, values: left, salts: leftSalts }, { history })
}

const altered = (document: ExportDocument): string => JSON.stringify(document).replace('"amount":1000', '"amount":9000')

describe('one file', () => {
  it('holds: four answers, in words', async () => {
    const { code, out, err } = await countersign(['verify', file('good.json', anchored(decision())), '--trust', policy])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^The agent agent-1 asked for loan\.approve .*\n✓ .*good\.json: verified$/m)
    expect(out).toMatch(/^ +Intact +yes +The file shows exactly what was sealed\.$/m)
    expect(out).toMatch(
      /^ +In the chain +yes +Entry 6 in the log proof\.example\/c\/42\/proof, which has 9 entries\.$/m,
    )
    expect(out).toMatch(/^ +Signed +yes +Signed with the key proof\.example/m)
    expect(out).toMatch(/^ +Witnessed +yes +Cosigned by witness\.example\/w1, witness\.example\/w2\.$/m)
    expect(out).toContain('evd_1, sealed 2040-01-01T00:00:05.000Z')
    expect(out).toContain('loan-1')
  })

  it('is not vouched for without a policy, and says what to do', async () => {
    const good = file('good.json', anchored(decision()))
    const { code, out } = await countersign(['verify', good])
    expect(code).toBe(3)
    expect(out).toMatch(/^\? .*good\.json: NOT VERIFIED: no one you trust vouches for this record$/m)
    for (const answer of ['In the chain', 'Signed', 'Witnessed']) {
      expect(out).toMatch(new RegExp(`^ +${answer} +unknown +There's no trust policy`, 'm'))
    }
    expect(out).toContain('--trust FILE')
    const alone = await countersign(['verify', good, '--no-trust'])
    expect([alone.code, alone.out]).toEqual([
      0,
      expect.stringContaining('consistent, but not checked against anyone you trust'),
    ])
  })

  it('that was made offline, with a tree of its own, is vouched for by nobody', async () => {
    const by = signer('proof.example', 1, 99)
    const made = file('offline.json', anchored(decision(), { after: 0, by, cosigners: [] }))
    for (const more of [[], ['--trust', policy]]) {
      const { code, out } = await countersign(['verify', made, ...more])
      expect([code, out]).toEqual([3, expect.stringMatching(/^ +In the chain +unknown/m)])
    }
  })

  it('is not vouched for with --strict when an answer is missing, or with --log of another center', async () => {
    const good = file('good.json', anchored(decision()))
    const code = async (...more: string[]) => (await countersign(['verify', good, ...more])).code
    expect(await code('--strict')).toBe(3)
    expect(await code('--strict', '--trust', policy)).toBe(0)
    expect(await code('--trust', policy, '--log', 'proof.example/c/42')).toBe(0)
    expect(await code('--trust', policy, '--log', 'proof.example/c/43')).toBe(3)
  })

  it('of a sandbox is called test data in both languages, and accepted only with --sandbox', async () => {
    const center = firstSandboxId + 42
    const made = anchored(exported(decisionEntry(approvalOf('session'), { center })))
    const path = file('sandbox.json', made)
    const run = (...more: string[]) => countersign(['verify', path, ...more])
    const refused = await run('--trust', policy)
    expect([refused.code, refused.out]).toEqual([3, expect.stringContaining('SANDBOX: test data from a sandbox')])
    expect((await run('--trust', policy, '--lang', 'ko')).out).toContain('샌드박스의 테스트 데이터입니다')
    const accepted = await run('--trust', policy, '--sandbox')
    expect([accepted.code, accepted.out]).toEqual([
      0,
      expect.stringMatching(/^Test data of a sandbox: .*\n\? .*: verified; SANDBOX: /),
    ])
    for (const more of [['--no-trust'], []]) expect((await run(...more)).out).toContain('SANDBOX')
    expect(JSON.parse((await run('--trust', policy, '--json')).out)).toMatchObject({ standing: 'sandbox', ok: false })
    const altered = file('renamed.json', JSON.stringify(made).replaceAll('/sandbox/', '/c/'))
    expect((await countersign(['verify', altered, '--trust', policy, '--sandbox'])).code).toBe(1)
  })

  it('of a newer version is not judged, and nothing of it is repeated, in both languages', async () => {
    const made = anchored(
      decisionBy(approvalOf('session'), [], { control: { ...control, needs: ['shown', 'mandate'] } }),
    )
    const path = file('newer.json', made)
    const { code, out } = await countersign(['verify', path, '--trust', policy])
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(/\n\? .*newer\.json: CAN'T BE VERIFIED: this record was made by a newer version/),
    ])
    expect(out).toMatch(/^ +Intact +unknown +evidence\.control\.needs was made by a newer version/m)
    expect(out).not.toMatch(/^ +(Approval|Policies|Page)/m)
    const korean = await countersign(['verify', path, '--trust', policy, '--lang', 'ko'])
    expect(korean.out).toMatch(/^ +변경 없음 +확인 불가 +evidence\.control\.needs: 이 프로그램보다 새로운 버전/m)
    for (const more of [[], ['--no-trust'], ['--trust', policy, '--strict'], ['--trust', policy, '--sandbox']]) {
      expect((await countersign(['verify', path, ...more])).code).toBe(3)
    }
    const told = JSON.parse((await countersign(['verify', path, '--trust', policy, '--json'])).out)
    expect(told).toMatchObject({ standing: 'newer', ok: false, problems: [], newer: [{ code: 'newer' }] })
  })

  it('says of the approval line what the file shows, in both languages', async () => {
    const body = { name: 'Line', scope: 'center', match: {}, guards: { humanReview: true } }
    const place = { policyId: 'pol_1', version: 1, step: 0, by: 'role' as const }
    const by = (level: 'session' | 'claim', approval: object = {}): LineCase => ({
      policies: [{ id: 'pol_1', version: 1, body: { ...body, approval: { identity: 'claim', ...approval } } }],
      given: [{ id: 'u1', level, places: [place] }],
    })
    const said = async (made: ExportDocument, ...more: string[]) => {
      const { out } = await countersign(['verify', file('line.json', anchored(made)), '--trust', policy, ...more])
      return /^ +(?:Approval line|결재선) +(.+)$/m.exec(out)?.[1]
    }
    const fits = sealedLine(by('session'))
    expect(await said(fits)).toBe(
      'the number, order and difference of people fit it; roles and groups are as the service stated',
    )
    expect(await said(fits, '--lang', 'ko')).toContain('역할과 그룹은 서비스가 밝힌 내용')
    expect(await said(sealedLine(by('session'), []))).toBe('not shown in this file')
    expect(await said(sealedLine(by('session'), []), '--lang', 'ko')).toBe('이 파일에 나와 있지 않음')
    expect(await said(sealedLine(by('claim')))).toContain("who they are isn't proved")
    const forged = file('forged.json', anchored(sealedLine(by('session', { actorIds: ['act_kim'] }))))
    const { code, out } = await countersign(['verify', forged, '--trust', policy])
    expect([code, out]).toEqual([1, expect.stringContaining("lets someone approve whom the step doesn't admit")])
    expect(out).not.toContain('Approval line')
  })

  it('without the rules it was sealed under is not relied on, with a policy and without', async () => {
    const made = anchored(decisionBy(approvalOf('session'), []))
    const shown = file('rules.json', made)
    const { out, code } = await countersign(['verify', shown, '--trust', policy])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^ +Policies +according to the server, those in force as of entry 7 .* digest sha256:2{64}/m,
      ),
    ])
    const { control: _, ...evidence } = made.evidence
    const { control: _1, ...disclosures } = evidence.disclosures as Record<string, string>
    const hidden = file('hidden.json', { ...made, evidence: { ...evidence, disclosures } })
    const refused = await countersign(['verify', hidden, '--trust', policy])
    expect([refused.code, refused.out]).toEqual([3, expect.stringContaining('POLICIES NOT SHOWN')])
    expect(refused.out).toMatch(/^ +Policies +not shown\. Ask for an export/m)
    expect(refused.out).not.toMatch(/on a Countersign page/)
    expect((await countersign(['verify', hidden, '--no-trust'])).code).toBe(3)
    expect((await countersign(['verify', shown, '--no-trust'])).code).toBe(0)
    const several = await countersign(['verify', hidden, shown, '--trust', policy, '--lang', 'ko'])
    expect([several.code, several.out]).toEqual([3, expect.stringContaining('2건 검증: 1건은 표시된 사유로')])
  })

  it('says of each approval whether it counted, is shown, and what the page stated', async () => {
    const [first, second, third] = earlierApprovals(threeKeys()) as [PriorApproval, PriorApproval, PriorApproval]
    const strange = priorBy(approvalOf('session'), 3, { control: { via: 'a\u001b[2Jb', void: '\u202eno' as 'role' } })
    const made = anchored(decisionBy(approvalOf('claim'), [], { prior: [second, third, strange, second] }))
    const { prior3: _, ...evidence } = made.evidence
    const { prior3: _1, ...disclosures } = evidence.disclosures as Record<string, string>
    const path = file('earlier.json', { ...made, evidence: { ...evidence, disclosures } })
    const { out, code } = await countersign(['verify', path, '--trust', policy])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^ +Approval +according to the server, Ada \(u1\) was signed in .*\n +Sign-in +with a password.*\n +Page +none: /m,
    )
    expect(out).toContain(
      "Bob (u2) approved, but the approval didn't count when the decision was sealed: they took the approval back",
    )
    expect(out).toContain("sealed: this program doesn't know the reason (")
    for (const raw of ['\u001b', '\u202e']) expect(out).not.toContain(raw)
    expect(out).toMatch(/^ +Approval +an earlier approval that this file doesn't show$/m)
    expect(out).toMatch(/^ +Page +reported that it showed everything: view v1, language en, template version 3/m)
    expect(out).toContain('what was on the screen')
    expect(first.statement).toBeDefined()
    const korean = (await countersign(['verify', path, '--trust', policy, '--lang', 'ko'])).out
    expect(korean).toContain('승인했지만 결정을 봉인할 때 인정되지 않았습니다. 사유: 본인이 승인을 철회했습니다')
    expect(korean).toContain('이 파일에 없는 이전 승인')
  })

  it('of a sandbox is called test data by an audit too', () => {
    for (const [language, said] of [
      ['en', 'SANDBOX: this API key belongs to a sandbox'],
      ['ko', '샌드박스: 샌드박스의 API 키입니다'],
    ] as const) {
      const told = (log: string) =>
        [true, false].map((ok) =>
          verdictLines(
            ok,
            [{ log, checks: [], contradictedAt: null } as unknown as DomainReport],
            'm',
            speech(language),
          ),
        )
      expect(told('log.example/sandbox/1000000042/proof').map((lines) => lines.join().includes(said))).toEqual([
        true,
        true,
      ])
      expect(told('log.example/c/42/proof').map((lines) => lines.join().includes(said))).toEqual([false, false])
    }
  })

  it('cannot write on the terminal: escapes and bidirectional characters are shown as such', async () => {
    const forged = JSON.stringify(anchored(decision()))
      .replace('"evidence":{', '"\\u001b[2J\\u001b[H\u2713 good.json: holds\\n    Signed  yes\\u009b1m":1,"evidence":{')
      .replaceAll('"loan-1"', '"\u202eloan-1\u2066"')
    const path = file('escape.json', forged)
    for (const more of [[], ['--json'], ['--lang', 'ko']]) {
      const { code, out } = await countersign(['verify', path, '--trust', policy, ...more])
      expect([code, /[\p{Cc}\p{Cf}]/u.test(out.replaceAll('\n', ''))]).toEqual([1, false])
      expect(out).not.toMatch(/^ +Signed {2}yes/m)
    }
    const { out } = await countersign(['verify', path])
    expect(out).toContain(
      "\\u{1b}[2J\\u{1b}[H\u2713 good.json: holds\\n    Signed  yes\\u{9b}1m isn't part of the proof format",
    )
    expect(out).toContain('\\u{202e}loan-1\\u{2066}')
  })

  it('prints the beginning of a long value, and its length', async () => {
    const long = 'loan'.repeat(500_000)
    const named = (text: string) => text.replaceAll('"loan-1"', JSON.stringify(long))
    const odd = JSON.stringify(anchored(decision())).replace('"evidence":{', `${JSON.stringify(long)}:1,"evidence":{`)
    for (const [name, content] of [
      ['long-id.json', named(JSON.stringify(anchored(decision())))],
      ['long-key.json', odd],
    ] as const) {
      for (const [more, length] of [
        [[], /\(2,000,\d{3} characters\)/],
        [['--lang', 'ko'], /\(2,000,\d{3}자\)/],
      ] as const) {
        const { out } = await countersign(['verify', file(name, content), '--trust', policy, ...more])
        expect([name, out.length < 20_000, out.includes('loanloan'), length.test(out)]).toEqual([
          name,
          true,
          true,
          true,
        ])
      }
    }
  })

  it('does not hold when a character was changed, and names the place', async () => {
    const { code, out } = await countersign(['verify', file('bad.json', altered(anchored(decision())))])
    expect(code).toBe(1)
    expect(out).toMatch(/✗ .*bad\.json: ALTERED/)
    expect(out).toMatch(/^ +Intact +NO +evidence\.event\.action\.input doesn't match its commitment\.$/m)
    expect(out).toContain('1 checked; altered: 1.')
    expect(out).toMatch(/^ +Not sealed +@context, exportedAt, verification\.anchoring, verification\.verifyUrl: /m)
  })

  it('does not hold when witnesses are missing that the policy asks for', async () => {
    const alone = file('alone.json', anchored(decision(), { cosigners: [] }))
    const { code, out } = await countersign(['verify', alone, '--trust', policy])
    expect(code).toBe(3)
    expect(out).toMatch(/^ +Witnessed +NO +The quorum quorum-of-two isn't met/m)
  })

  it('shows what was left out, and what was redacted, when and why', async () => {
    const left = await countersign(['verify', file('left.json', anchored(decision(true))), '--trust', policy])
    expect([left.code, left.out]).toEqual([0, expect.stringMatching(/Sealed, not shown +approval\.approver\.name$/m)])
    const gone = await countersign(['verify', file('gone.json', anchored(redactedUnit())), '--trust', policy])
    expect(gone.out).toMatch(/Redacted +content, erased 2040-01-01T00:00:00.000Z: asked for$/m)
    expect(gone.code).toBe(0)
  })

  it('is refused where a reader would see something else than the verifier: a key twice', async () => {
    const twice = JSON.stringify(decision()).replace('{"amount":1000}', '{"amount":9000,"amount":1000}')
    const { code, out } = await countersign(['verify', file('twice.json', twice)])
    expect([code, out]).toEqual([2, expect.stringContaining('the same key twice')])
  })

  it('speaks Korean', async () => {
    const args = ['verify', file('good.json', anchored(decision())), '--trust', policy, '--lang', 'ko']
    const { code, out } = await countersign(args)
    expect(code).toBe(0)
    expect(out).toMatch(/good\.json: 검증됨$/m)
    expect(out).toMatch(/변경 없음 +예 +파일의 내용이 봉인된 그대로입니다\.$/m)
    expect(out).toContain('proof.example/c/42/proof의 6번 기록입니다(전체 9건).')
    const bad = await countersign(['verify', file('bad.json', altered(decision()))], { env: { LANG: 'ko_KR.UTF-8' } })
    expect([bad.code, bad.out]).toEqual([
      1,
      expect.stringContaining('evidence.event.action.input: 봉인된 내용과 다릅니다(커밋먼트와 맞지 않습니다).'),
    ])
  })

  it('can be told as JSON', async () => {
    const { out } = await countersign(['verify', '--json', file('good.json', anchored(decision())), '--trust', policy])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      complete: true,
      intact: { status: 'yes', code: 'intact' },
      witnessed: { status: 'yes', code: 'witnessed' },
      facts: { id: 'evd_1', index: 5, size: 9 },
    })
  })
})

describe('many', () => {
  it('from folders, from files with a proof per line, and from the standard input', async () => {
    mkdirSync(join(folder, 'many', 'deep'), { recursive: true })
    for (let at = 0; at < 8; at++) file(`many/deep/${at}.jsonld`, anchored(decision()))
    file('many/readme.txt', 'not looked at')
    const lines = [anchored(decision()), decision(), redactedUnit()].map((each) => JSON.stringify(each)).join('\n')
    const ndjson = file('lines.ndjson', `${lines}\n`)
    const all = ['verify', '--no-trust', join(folder, 'many'), ndjson, '-']
    const good = await countersign(all, { stdin: JSON.stringify(decision()) })
    expect(good.out).toContain('12 checked: all are consistent, but not checked against anyone you trust.')
    expect(good.code).toBe(0)
    const bad = await countersign(all, { stdin: `${lines}\n${altered(decision())}\n` })
    expect(bad.code).toBe(1)
    expect(bad.out).toContain('15 checked; altered: 1.')
    expect(bad.out).toMatch(/^✗ stdin:4: ALTERED$/m)
    expect(bad.out).toMatch(/^\? .*lines\.ndjson:2: consistent, .* \(Intact yes, In the chain unknown/m)
  })

  it('of which one cannot be read end with 2, and with 1 if another does not hold', async () => {
    const good = file('good.json', anchored(decision()))
    const missing = await countersign(['verify', good, join(folder, 'missing.json')])
    expect([missing.code, missing.out]).toEqual([2, expect.stringContaining("can't be read: ENOENT")])
    const both = await countersign(['verify', join(folder, 'missing.json'), file('bad.json', altered(decision()))])
    expect(both.code).toBe(1)
    for (const text of ['{"evidence":', '{}', '[]', '{"evidence":{"chain":7}}', '['.repeat(200)]) {
      expect((await countersign(['verify', file('cut.json', text)])).code).toBe(2)
    }
  })

  it('an empty folder is nothing that holds', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true })
    expect((await countersign(['verify', join(folder, 'empty')])).code).toBe(2)
  })
})

describe('a time-stamp', () => {
  /** A minimal authority made with openssl. */
  function stamped(document: ExportDocument): ExportDocument {
    const at = join(folder, 'tsa')
    mkdirSync(at, { recursive: true })
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: at, stdio: 'pipe' })
    writeFileSync(join(at, 'tsa.cnf'), authoritySettings)
    writeFileSync(join(at, 'serial'), '01\n')
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'tsa.key',
      '-out',
      'tsa.pem',
      '-subj',
      '/CN=A',
      '-config',
      'tsa.cnf',
    )
    const { tlogProof } = document.verification as { tlogProof: string }
    writeFileSync(join(at, 'data'), parseNote(parseTlogProof(tlogProof).note).text)
    openssl('ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'query')
    openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-queryfile',
      'query',
      '-inkey',
      'tsa.key',
      '-signer',
      'tsa.pem',
      '-token_out',
      '-out',
      'token',
    )
    const timestamp = readFileSync(join(at, 'token')).toString('base64')
    return { ...document, verification: { ...document.verification, anchoring: 'timestamped', timestamp } }
  }

  it('has no date without its authority, and the command that checks it works as printed', async () => {
    const document = stamped(anchored(decision()))
    const out = join(folder, 'out')
    const args = ['verify', file('stamped.json', document), '--trust', policy, '--timestamp-out', out]
    const said = await countersign(args)
    expect(said.code).toBe(0)
    expect(said.out).toMatch(/Timestamp +not verified, so no date is shown/)
    expect(said.out).not.toContain(new Date().toISOString().slice(0, 10))
    const [command = ''] = /^ *(openssl ts -verify .*)$/m.exec(said.out)?.slice(1) ?? []
    const authority = `cp ${join(folder, 'tsa/tsa.pem')} authority.pem\n`
    expect(execFileSync('sh', ['-c', `${authority}${command} 2>&1`], { cwd: folder, encoding: 'utf8' })).toContain('OK')
    const verified = await countersign([...args, '--authority', join(folder, 'tsa/tsa.pem')])
    expect(verified.out).toMatch(
      /Timestamp +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ, signed by CN=A for exactly this checkpoint/,
    )
    const none = await countersign([...args, '--authority', policy])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("it doesn't contain a PEM certificate")])
  })

  it('over another checkpoint is refused', async () => {
    const { timestamp } = stamped(anchored(decision())).verification
    const other = anchored(decision(), { after: 4 })
    const moved = { ...other, verification: { ...other.verification, anchoring: 'timestamped', timestamp } }
    const { code, out } = await countersign(['verify', file('moved.json', moved), '--trust', policy])
    expect([code, out]).toEqual([1, expect.stringContaining('made for another checkpoint')])
  })
})

describe('around it', () => {
  /** A network namespace without an interface, where the machine allows one. */
  const cut = ['unshare', ['-rn', '--']] as const
  it.skipIf(spawnSync(cut[0], [...cut[1], 'true']).status !== 0)('works without a network', () => {
    const good = file('good.json', anchored(decision()))
    const args = [...cut[1], process.execPath, main, 'verify', '--strict', good, '--trust', policy]
    expect(spawnSync(cut[0], args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  it.each([
    [['verfy', 'x'], 'Unknown command: verfy. Did you mean verify?'],
    [['adit'], 'Did you mean audit?'],
    [['frobnicate'], 'Unknown command: frobnicate.\n'],
    [['verify'], 'Give at least one file'],
    [['verify', 'x', '--trsut', 'y'], 'Unknown option: --trsut. Did you mean --trust?'],
    [['verify', 'x', '--trust'], '--trust needs a value.'],
    [['verify', 'x', '--trust', '--json'], '--trust needs a value.'],
    [['verify', 'x', '--json=yes'], "--json doesn't accept a value."],
    [['verify', 'x', '--trust', 'x', '--no-trust'], "--trust and --no-trust can't be used together."],
    [['verify', 'x', '--log', 'proof.example/c/1'], '--log narrows a trust policy'],
    [['verify', 'x', '--online'], '--online needs --trust'],
    [['verify', 'x', '--trust', '/nonexistent'], "Can't use the trust policy /nonexistent"],
    [['verify', 'x', '--lang', 'fr'], 'Use --lang en or --lang ko.'],
  ])('%s ends with 2 and says what is meant', async (args, message) => {
    const { code, err } = await countersign(args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it('explains itself, in both languages', async () => {
    for (const [args, words] of [
      [['--help'], 'Exit codes: 0 done'],
      [['verify', '--help'], 'It works offline and contacts no one.'],
      [['audit', '-h'], 'everyone on this machine can then see it in the process list'],
      [['--help', '--lang', 'ko'], '종료 코드'],
      [['verify', '--help', '--lang=ko'], '오프라인으로 작동하며'],
      [['audit', '--help', '--lang', 'ko'], '프로세스 목록'],
    ] as const) {
      const { code, out } = await countersign(args)
      expect([code, out]).toEqual([0, expect.stringContaining(words)])
    }
    expect((await countersign(['--version'])).out).toMatch(/^countersign \d+\.\d+\.\d+\n$/)
  })

  it('has Korean words for every verdict that the library gives', () => {
    const sources = ['anchor.ts', 'verify-proof.ts'].map((name) =>
      readFileSync(new URL(`../../proof/${name}`, import.meta.url), 'utf8'),
    )
    const given = sources.flatMap((text) =>
      [...text.matchAll(/(?:verdict\(\s*'(?:yes|no|unknown)',\s*|code: )'([a-z-]+)'/g)].map(
        ([, code]) => code as string,
      ),
    )
    expect(given.length).toBeGreaterThan(15)
    expect(given.filter((code) => verdictInWords(code, 'in English', {}, 'ko') === 'in English')).toEqual([])
  })
})

describe('a log that lost entries', () => {
  const vectors = JSON.parse(readFileSync(new URL('../../../docs/formats/generations.json', import.meta.url), 'utf8'))
  const named = (name: string) => vectors.files.find((each: { name: string }) => each.name === name).document
  const told = async (name: string, lang: string) => {
    const given = [
      file('lost.json', named(name)),
      file('trust', vectors.policy),
      file('loss.json', vectors.declaration),
    ]
    const [proof, trust, loss] = given as [string, string, string]
    return countersign(['verify', proof, '--trust', trust, '--declaration', loss, '--lang', lang])
  }

  it.each([
    ['en', 'SIGNED, THEN LOST: the log no longer has this record', 'only the first 3 of 5 entries were restored'],
    ['ko', '서명 후 유실됨: 로그에 이 기록이 더 이상 없습니다', '5건 중 처음 3건만 복원되었습니다'],
  ])('its lost record ends with 3 and says so: %s', async (lang, headline, story) => {
    const { code, out } = await told('lost', lang)
    expect([code, out]).toEqual([3, expect.stringContaining(headline)])
    expect(out).toContain(story)
  })

  it('its kept record holds, and a declaration that the file carries too is told once', async () => {
    const { code, out } = await told('carried', 'en')
    expect([code, out.match(/declared a loss/g)]).toEqual([0, ['declared a loss']])
  })
})
