/** What a release is checked by, and what it says about itself. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedEnvelope, statementIn, statementOf } from '../release-provenance.ts'
import { disagreements, prepare, sectionOf, versionOf } from '../release-versions.ts'

const root = new URL('../../', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'countersign-release-'))
const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(copy, file), text.replace(from, to))
}
beforeAll(() => {
  const files = ['package.json', 'CHANGELOG.md', 'docs/one-machine.md', 'deploy/helm/countersign/Chart.yaml']
  for (const file of [...files, ...globSync('{packages,apps}/*/package.json', { cwd: root })])
    cpSync(join(root, file), join(copy, file))
})
afterAll(() => rmSync(copy, { recursive: true }))

describe('the versions of a release', () => {
  const version = '7.8.9'

  it('agree after they were prepared, and the changelog has their section', () => {
    const unreleased = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8').split('## Unreleased')[1]?.split(/^## /m)[0]
    prepare(copy, version, '2026-11-17')
    expect([versionOf(copy), disagreements(copy)]).toEqual([version, []])
    expect(sectionOf(copy, version)).toBe(unreleased?.trim())
  })

  it.each([
    ['packages/sdk/package.json', `"@countersign/proof": "${version}"`, '"@countersign/proof": "1.0.0"'],
    ['packages/cli/package.json', `"version": "${version}"`, '"version": "1.0.0"'],
    ['deploy/helm/countersign/Chart.yaml', `appVersion: ${version}`, 'appVersion: 0.1.0'],
    ['docs/one-machine.md', `countersign-${version}.tar.gz`, 'countersign-0.1.0.tar.gz'],
    ['CHANGELOG.md', `## ${version} - `, '## Unreleased - '],
  ])('do not agree where %s says otherwise', (file, from, to) => {
    edit(file, from, to)
    expect(disagreements(copy)).toEqual([expect.stringContaining(file)])
    edit(file, to, from)
  })
})

describe('provenance', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

  it('names files by their hashes and the commit, and is signed', () => {
    const file = join(copy, 'package.json')
    const [at, source] = ['2026-11-17T00:00:00.000Z', 'https://git.example/x']
    const files = { files: [file], lockFile: file }
    const statement = statementOf({
      ...files,
      version: '7.8.9',
      commit: 'c0ffee',
      source,
      builder: 'b',
      startedOn: at,
      finishedOn: at,
    })
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
    expect(statement.subject).toEqual([{ name: 'package.json', digest: { sha256 } }])
    const envelope = signedEnvelope(statement, pem)
    expect(statementIn(envelope, publicPem)).toEqual(statement)
    const payload = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString('base64')
    expect(statementIn({ ...envelope, payload }, publicPem)).toBe(null)
  })
})
