/** deploy/compose.yaml without a container engine: it parses, names things that exist, and its keys match each other. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@countersign/server/config/config.ts'
import { settingNames } from '@countersign/server/config/settings.ts'
import { readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { imageNames } from '../../tools/release/image.ts'
import { read, root } from '../docs/blocks.ts'

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
  volumes: Readonly<Record<string, unknown>>
}
const service = (name: string): Service => compose.services[name] ?? {}
const ours = ['keys', 'migrate', 'api', 'worker', 'init', 'operator', 'witness']

describe('compose.yaml', () => {
  it('has PostgreSQL, Redis, a mail catcher, and the services of the image', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['mail', 'postgres', 'redis', ...ours].sort())
  })

  it('names the image that a release makes', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(ours.map((name) => service(name).image)).toEqual(ours.map(() => imageNames(version)[0]))
    expect(read('deploy/build-image.sh')).toContain('-t localhost/countersign"')
  })

  it('creates the first center with the settings and keys of the servers', () => {
    const { environment = {}, command, volumes } = service('init')
    const known = { ...service('migrate').environment }
    expect(Object.keys(environment).filter((name) => !(name in known))).toEqual([
      'INIT_CENTER_NAME',
      'INIT_CENTER_SUBDOMAIN',
      'INIT_ADMIN_EMAIL',
    ])
    expect(command).toEqual(['init', '/run/countersign'])
    expect(volumes).toContain('keys:/run/countersign')
  })

  it.each(['migrate', 'api', 'worker', 'operator'])(
    '%s names only settings that exist, with values that the server takes',
    (name) => {
      const environment = service(name).environment ?? {}
      expect(Object.keys(environment).filter((key) => !(settingNames as readonly string[]).includes(key))).toEqual([])
      const key = () => randomBytes(32).toString('base64')
      const readable = { SECRET_KEY: key(), TLOG_KEY: key(), TLOG_POLICY_FILE: undefined, NODE_ENV: 'production' }
      const config = readConfig({ ...environment, ...readable })
      expect(config.logHost).toBe(service('keys').environment?.TLOG_HOST)
    },
  )

  it('gives the api and the worker their roles', () => {
    expect([service('api').environment?.ROLE, service('worker').environment?.ROLE]).toEqual(['api', 'worker'])
  })

  it('gives the user that owns the database to the migration only, and the password of the operator to no server', () => {
    const users = ['migrate', 'api', 'worker', 'operator'].map((name) => {
      const { DATABASE_URL = '', DATABASE_OPERATOR_PASSWORD } = service(name).environment ?? {}
      return [name, /@/.test(DATABASE_URL), DATABASE_OPERATOR_PASSWORD !== undefined]
    })
    expect(users).toEqual([
      ['migrate', true, true],
      ['api', false, false],
      ['worker', false, false],
      ['operator', false, true],
    ])
  })

  it('names only settings of the witness that exist', () => {
    const help = execFileSync(process.execPath, [`${root}packages/witness/main.ts`, '--help'], { encoding: 'utf8' })
    for (const name of Object.keys(service('witness').environment ?? {})) expect(help).toContain(name)
  })

  it('starts programs that the image contains', () => {
    const programs = ours.flatMap((name) => service(name).entrypoint ?? []).filter((word) => word.startsWith('/app/'))
    expect(programs).toHaveLength(3)
    for (const program of programs) expect(read(program.replace('/app/', ''))).not.toBe('')
    expect(service('migrate').command).toEqual(['migrate'])
  })

  it('mounts only declared volumes, waits for declared services, and uses read-only file systems', () => {
    for (const { volumes = [], depends_on = {} } of Object.values(compose.services)) {
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
      for (const other of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(other)
    }
    expect(ours.filter((name) => service(name).read_only !== true)).toEqual([])
  })

  it('mounts the keys where the settings look for them', () => {
    const { SECRET_KEY_FILE, TLOG_KEY_FILE, TLOG_POLICY_FILE } = service('api').environment ?? {}
    expect(service('api').volumes).toContain('keys:/run/countersign:ro')
    for (const file of [SECRET_KEY_FILE, TLOG_KEY_FILE, TLOG_POLICY_FILE]) expect(file).toMatch(/^\/run\/countersign\//)
  })
})

describe('first-keys.ts', () => {
  let folder: string
  const at = (name: string) => join(folder, name)
  const makeKeys = () =>
    execFileSync(process.execPath, [`${root}deploy/first-keys.ts`, at('server'), at('witness')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TLOG_HOST: 'localhost:3000' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const all = () =>
    ['server', 'witness'].flatMap((owner) =>
      readdirSync(at(owner)).map((name) => [name, readFileSync(at(`${owner}/${name}`), 'base64')]),
    )

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'first-keys-'))
    for (const owner of ['server', 'witness']) mkdirSync(at(owner))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('creates keys that the server and the witness accept, each with the public key of the other', () => {
    expect(makeKeys()).toBe('Created the keys of the server and the witness.\n')
    const files = ['SECRET_KEY_FILE', 'TLOG_KEY_FILE', 'TLOG_POLICY_FILE'].map((name) => {
      const file = service('api').environment?.[name]?.replace('/run/countersign', at('server')) ?? ''
      expect(statSync(file).mode & 0o777).toBe(0o600)
      return [name, file]
    })
    const config = readConfig({ ...service('api').environment, ...Object.fromEntries(files), NODE_ENV: 'production' })
    const [key] = readLogKeys(config.log.keys(), config.logHost).all
    expect(readFileSync(at('witness/witness.conf'), 'utf8')).toBe(`log ${key?.vkey}\n`)
    const witness = [`${root}packages/witness/main.ts`, 'vkey', '--key-file', at('witness/witness.key')]
    const vkey = execFileSync(process.execPath, witness, { encoding: 'utf8' }).trim()
    expect(config.log.policy).toBe(`witness w1 ${vkey} http://witness:7380/\nquorum w1\n`)
  })

  it('leaves keys that exist as they are', () => {
    const before = all()
    expect(makeKeys()).toBe('The keys already exist.\n')
    expect(all()).toEqual(before)
  })

  it('fails on a folder in which an earlier run stopped halfway', () => {
    mkdirSync(at('half'))
    writeFileSync(at('half/secret-key'), 'kept\n')
    expect(() =>
      execFileSync(process.execPath, [`${root}deploy/first-keys.ts`, at('half'), at('witness')], {
        env: { PATH: process.env.PATH, TLOG_HOST: 'localhost:3000' },
        stdio: 'pipe',
      }),
    ).toThrow(/EEXIST/)
    expect(readFileSync(at('half/secret-key'), 'utf8')).toBe('kept\n')
  })
})
