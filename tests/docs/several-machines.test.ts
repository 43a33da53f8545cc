/** The page about several machines: its certificates and settings make a PostgreSQL that answers over TLS, and only so. */
import { execFile } from 'node:child_process'
import { chownSync, readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cluster, type Clusters, openClusters, postgresUser } from '../support/postgres-cluster.ts'
import { blocksOf, read, root } from './blocks.ts'

const blocks = blocksOf(read('docs/several-machines.md').replaceAll(/^ {3}/gm, ''))
const block = (label: string): string => {
  const found = blocks.find((each) => each.label === label)
  if (!found) throw new Error(`the page has no block ${label}`)
  return found.text
}

const run = promisify(execFile)
const sh = (text: string, cwd: string) => run('bash', ['-ec', text], { cwd })
/** This machine stands in for db-1.internal. */
const here = (text: string) => text.replaceAll('db-1.internal', 'localhost')

let folder: string
let clusters: Clusters
let cluster: Cluster
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'several-machines-'))
  await sh(block('ca'), folder)
  await sh(here(block('server')), folder)
  clusters = openClusters()
  cluster = await clusters.make('tls')
  await cluster.start()
  await cluster.query("create role owner login superuser password 'owner-secret'")
  await cluster.query('create database countersign owner owner')
  await cluster.stop()
  const { uid, gid } = postgresUser()
  for (const file of ['server.crt', 'server.key']) {
    await copyFile(join(folder, file), join(cluster.data, file))
    if (uid !== undefined) chownSync(join(cluster.data, file), uid, gid as number)
  }
  await appendFile(join(cluster.data, 'postgresql.conf'), block('postgresql.conf'))
  // The network of the page is this machine's own. Without it, the helper that waits for the start would be refused.
  const rules = block('pg_hba.conf').replace('10.0.0.0/24', '127.0.0.1/32').replace('peer', 'trust')
  await writeFile(join(cluster.data, 'pg_hba.conf'), rules)
  if (uid !== undefined) chownSync(join(cluster.data, 'pg_hba.conf'), uid, gid as number)
  await run(
    join(clusters.programs, 'pg_ctl'),
    ['-D', cluster.data, '-w', '-l', join(clusters.folder, 'page.log'), 'start'],
    {
      ...postgresUser(),
      cwd: clusters.folder,
    },
  )
}, 120_000)
afterAll(async () => {
  await run(join(clusters.programs, 'pg_ctl'), ['-D', cluster.data, '-m', 'fast', 'stop'], {
    ...postgresUser(),
    cwd: clusters.folder,
  }).catch(() => {})
  await clusters?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The address of the page, on this machine. */
function address({ mode = 'verify-full', host = 'localhost', authority = join(folder, 'ca.pem') } = {}): string {
  const [, url = ''] = /^DATABASE_URL=(.+)$/m.exec(block('countersign.env')) ?? []
  const moved = new URL(url.replace('postgres://', 'http://'))
  moved.hostname = host
  moved.port = String(cluster.port)
  moved.username = 'owner'
  moved.password = 'owner-secret'
  moved.searchParams.set('sslmode', mode)
  moved.searchParams.set('sslrootcert', authority)
  return moved.href.replace('http://', 'postgres://')
}

const migrate = (url: string) =>
  run('bash', ['-ec', block('migrate').trim()], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, CELLS: '', NODE_ENV: 'development' },
  })

it('the schemas are made over TLS, by the name in the certificate', async () => {
  await migrate(address())
  expect(readFileSync(join(folder, 'server.crt'), 'utf8')).toContain('BEGIN CERTIFICATE')
}, 120_000)

it('a connection without TLS is refused', async () => {
  await expect(migrate(address({ mode: 'disable' }))).rejects.toThrow(/pg_hba\.conf|no encryption|rejects/)
}, 60_000)

it('a server whose certificate has another name or another authority is refused', async () => {
  await expect(migrate(address({ host: '127.0.0.1' }))).rejects.toThrow(/altnames|IP|certificate/i)
  const other = join(folder, 'other')
  await sh(`mkdir -p ${other}`, folder)
  await sh(block('ca'), other)
  await expect(migrate(address({ authority: join(other, 'ca.pem') }))).rejects.toThrow(/certificate|issuer/i)
}, 60_000)
