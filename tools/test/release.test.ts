/** What a release is checked by, and what it says about itself. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestIn } from '../release/image.ts'
import { freezeMigrations, frozenFaults, migrationsOf, releasedIn } from '../release/migrations.ts'
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
  const files = [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'docs/one-machine.md',
    'deploy/compose.yaml',
    'deploy/helm/countersign/Chart.yaml',
  ]
  for (const file of [...files, ...globSync('{packages,apps,examples}/*/package.json', { cwd: root })])
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
    ['examples/next-agent/package.json', `"@countersign/sdk": "${version}"`, '"@countersign/sdk": "1.0.0"'],
    ['packages/cli/package.json', `"version": "${version}"`, '"version": "1.0.0"'],
    ['package-lock.json', `"@countersign/proof": "${version}"`, '"@countersign/proof": "1.0.0"'],
    ['deploy/helm/countersign/Chart.yaml', `appVersion: ${version}`, 'appVersion: 0.1.0'],
    ['deploy/compose.yaml', `localhost/countersign:${version}`, 'localhost/countersign:latest'],
    ['docs/one-machine.md', `countersign-${version}.tar.gz`, 'countersign-0.1.0.tar.gz'],
    ['CHANGELOG.md', `## ${version} - `, '## Unreleased - '],
  ])('do not agree where %s says otherwise', (file, from, to) => {
    edit(file, from, to)
    expect(disagreements(copy)).toEqual([expect.stringContaining(file)])
    edit(file, to, from)
  })
})

describe('released migrations', () => {
  const released = { 'cell/0001_a': '1', 'cell/0002_b': '2', 'directory/0001_a': '3' }

  it.each([
    ['was changed', { ...released, 'cell/0002_b': '5' }, ['cell/0002_b is part of a release and was changed']],
    [
      'was removed',
      { 'cell/0001_a': '1', 'cell/0002_b': '2' },
      ['directory/0001_a is part of a release and was removed'],
    ],
    ['sorts too early', { ...released, 'cell/0001_b': '4' }, ['cell/0001_b is new and sorts before cell/0002_b']],
    ['is the next of its set', { ...released, 'directory/0002_c': '4' }, []],
  ])('and a file that %s', (_, present, faults) => {
    expect(frozenFaults(released, present)).toEqual(faults.map((fault) => expect.stringContaining(fault)))
  })

  it('are the files of this checkout', async ({ skip }) => {
    const listed = releasedIn(root)
    if (listed === null) skip('There is no release yet.')
    expect(frozenFaults(listed ?? {}, await migrationsOf(root))).toEqual([])
  })

  it('are listed by prepare', async () => {
    cpSync(join(root, 'apps/server/database'), join(copy, 'apps/server/database'), { recursive: true })
    await freezeMigrations(copy)
    expect(releasedIn(copy)).toEqual(await migrationsOf(root))
    const [first] = globSync('apps/server/database/cell/*.sql', { cwd: copy }).sort() as [string]
    writeFileSync(join(copy, first), '-- other\n')
    await expect(freezeMigrations(copy)).rejects.toThrow(/was changed/)
  })
})

describe('provenance', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

  it.each([
    ['the digest of its manifest', `sha256:${'0f'.repeat(32)}`, '0f'.repeat(32)],
    ['no digest', '', null],
    ['another hash', 'sha512:00', null],
  ])('reads %s of an inspected image', (_, FromImageDigest, expected) => {
    expect(digestIn(JSON.stringify({ Type: 'buildah 0.0.1', FromImageDigest }))).toBe(expected)
  })

  it('names files and the image by their hashes and the commit, and is signed', () => {
    const file = join(copy, 'package.json')
    const [at, source] = ['2026-11-17T00:00:00.000Z', 'https://git.example/x']
    const image = { name: 'localhost/countersign', sha256: 'a'.repeat(64) }
    const files = { files: [file], images: [image], lockFile: file }
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
    expect(statement.subject).toEqual([
      { name: 'package.json', digest: { sha256 } },
      { name: image.name, digest: { sha256: image.sha256 } },
    ])
    const envelope = signedEnvelope(statement, pem)
    expect(statementIn(envelope, publicPem)).toEqual(statement)
    const payload = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString('base64')
    expect(statementIn({ ...envelope, payload }, publicPem)).toBe(null)
  })
})
