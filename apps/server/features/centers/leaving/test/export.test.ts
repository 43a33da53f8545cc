import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countersign } from '../../../../../../packages/cli/test/program.ts'
import { startKillable } from '../../../../../../tests/crash/killable-server.ts'
import { tenantTables } from '../../../../../../tests/isolation/tables.ts'
import { type FilledCenter, filledCenter } from '../../../../../../tests/isolation/two-centers.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { cellTables, directoryTables, leftOut } from '../tables.ts'
import { addSignIn } from './domain-and-provider.ts'
import { withoutForgeries } from './forgeries.ts'

let server: TestServer
let center: FilledCenter
let token: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-export-'))
  server = await startServer()
  center = await filledCenter(server)
  await withoutForgeries(server.world)
  await addSignIn(server.world, center.id)
  token = (await server.signIn(center.admin, center.domain)).accessToken
}, 180_000)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const address = () => `/api/centers/${center.id}/export`
const state = async () => (await server.call('GET', address(), { token })).body.data

async function ended(): Promise<{ status: string; manifestSha256: string; progress: Record<string, number> }> {
  for (;;) {
    const now = await state()
    if (now.status !== 'running') return now
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Rows of a center or of a partner; the export has those of the center. */
const ofOwners = ['directory.domains', 'directory.logos', 'directory.oidc_providers']

it('every table of a center has files, or a reason why not', () => {
  const known = [...directoryTables, ...cellTables]
    .map(({ table }) => table)
    // Views over tables that are left out.
    .filter((table) => ![...ofOwners, 'cell.decision_events', 'cell.seal_audit_entries'].includes(table))
  expect([...known, ...Object.keys(leftOut)].toSorted()).toEqual(Object.keys(tenantTables).toSorted())
})

describe('404 NOT_FOUND', () => {
  it('for a center without an export', async () => {
    for (const path of [address(), `${address()}.tar`, `${address()}/files/manifest.json`]) {
      const { status, body } = await server.call('GET', path, { token })
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('202', () => {
  it('one of fifty concurrent requests begins an export, and its files are complete after a killed worker', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => server.call('POST', address(), { token })))
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 409)).toHaveLength(49)

    const { config } = server.services
    const doomed = await startKillable({
      ROLE: 'worker',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
      FAILPOINT: 'export.written',
    }).catch(() => null)
    if (doomed) expect(await doomed.ended).toBe('SIGKILL')
    const before = await state()
    expect(before).toMatchObject({ status: 'running', progress: { files: 1, done: 1 } })
    // Without files to download yet.
    expect((await server.call('GET', `${address()}.tar`, { token })).status).toBe(404)

    server.services.exports.start()
    const end = await ended()
    expect(end).toMatchObject({ status: 'completed', reason: null, progress: { part: null } })

    const manifestBytes = await bytesOf(`${address()}/files/manifest.json`)
    expect(sha256(manifestBytes)).toBe(end.manifestSha256)
    const manifest = JSON.parse(manifestBytes.toString())
    expect(end.progress.files).toBe(manifest.files.length + 1)
    const text: string[] = []
    for (const { name, sha256: expected } of manifest.files) {
      const bytes = await bytesOf(`${address()}/files/${name}`)
      expect(sha256(bytes)).toBe(expected)
      text.push(name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString())
    }
    const empty = Object.keys(manifest.parts).filter((part) => manifest.parts[part] === 0)
    expect(empty.filter((part) => !/^checkpoints-/.test(part))).toEqual(['logos', 'generations'])
    // Secrets of channels, webhooks and keys are not exported.
    expect(text.join('')).not.toMatch(/hooks\.slack\.com\/services|whsec_|"hash":"\\\\x|"sealed":|secret-token/)
    expect(text.join('')).toContain('"client_id":"countersign"')
  }, 180_000)

  it('the archive verifies offline, and an altered file is found', async () => {
    const { body } = await server.call('GET', '/.well-known/countersign-log.json')
    const [policy, tar] = [join(folder, 'policy'), join(folder, 'export.tar')]
    writeFileSync(policy, body.policy)
    const archive = await bytesOf(`${address()}.tar`)
    writeFileSync(tar, archive)
    const good = await countersign(['verify-export', tar, '--trust', policy, '--json'])
    expect(good).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(good.out)).toMatchObject({ ok: true })

    const at = archive.lastIndexOf('log-proof-000001.jsonl.gz')
    archive[at + 600] = (archive[at + 600] as number) ^ 1
    writeFileSync(tar, archive)
    expect((await countersign(['verify-export', tar, '--trust', policy])).code).toBe(1)
  }, 180_000)

  it('a second export replaces the files of the first', async () => {
    const first = await state()
    expect((await server.call('POST', address(), { token })).status).toBe(202)
    const second = await ended()
    expect(second).toMatchObject({ status: 'completed' })
    expect(second).not.toMatchObject({ id: first.id })
    const stored = await server.world.query(
      'select distinct export_id from cell.center_export_files where center_id = $1',
      [center.id],
      true,
    )
    expect(stored).toHaveLength(1)
  }, 180_000)
})

describe('403', () => {
  it('for an INSTRUCTOR, and for an ADMIN of another center', async () => {
    const instructor = await server.signIn(center.instructor, center.domain)
    const [other, stranger] = [await server.world.center(), await server.world.person()]
    await server.world.member(stranger, other, 'ADMIN')
    const abroad = await server.signIn(stranger, other.domain)
    for (const { accessToken } of [instructor, abroad]) {
      for (const [method, path] of [
        ['POST', address()],
        ['GET', address()],
        ['GET', `${address()}.tar`],
      ] as const) {
        expect((await server.call(method, path, { token: accessToken })).status).toBe(403)
      }
    }
  })
})
