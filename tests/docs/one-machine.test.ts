/**
 * docs/one-machine.md. `npm run test:recipes` follows the page word by word on an empty Debian with systemd: as root, with
 * debootstrap, systemd-container and buildah. A program that is missing fails the test.
 */
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readConfig } from '@countersign/server/config/config.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Machine, openMachine, type Shell } from '../support/machine.ts'
import { blocksOf, read, root } from './blocks.ts'

const blocks = blocksOf(read('docs/one-machine.md')).filter(({ label }) => label !== '')
const minutes = 60_000
const version = JSON.parse(read('package.json')).version as string
const folder = mkdtempSync(join(tmpdir(), 'countersign-one-machine-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blockOf = (label: string): string => {
  const found = blocks.find((each) => each.label === label)
  if (!found) throw new Error(`the page has no block "${label}"`)
  return found.text
}

it('has settings that a server accepts in production', () => {
  const env = Object.fromEntries(
    blockOf('/etc/countersign/settings')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  for (const name of ['SECRET_KEY_FILE', 'TLOG_KEY_FILE', 'DATABASE_PASSWORD_FILE']) {
    env[name] = join(folder, name)
    writeFileSync(env[name], randomBytes(32).toString('base64'))
  }
  expect(readConfig(env)).toMatchObject({ production: true, durability: 'strict', logHost: 'countersign.example' })
})

it('installs the version of this release', () => {
  expect(blockOf('release')).toContain(`/root/countersign-${version}.tar.gz`)
})

describe('the second disk', () => {
  const unit = (name: string) => blockOf(`/etc/systemd/system/${name}`)
  const commands = (name: string) =>
    Array.from(unit(name).matchAll(/^ExecStart=\/bin\/sh -c '(.*)'$/gm), ([, text]) =>
      (text as string).replaceAll('$$', '$'),
    )

  it('is cleaned whether or not a backup succeeds', () => {
    expect(unit('countersign-backup.service').match(/^ExecStart=/gm)).toHaveLength(1)
    expect(unit('countersign-wal-clean.service')).toContain('pg_archivecleanup /mnt/second/wal')
    expect(unit('countersign-wal-clean.timer')).toContain('OnCalendar=hourly')
  })

  it('is watched: an old backup and a full disk fail the unit, which mails', async () => {
    expect(unit('countersign-watch.service')).toContain('OnFailure=countersign-alert.service')
    const [age = '', space = ''] = commands('countersign-watch.service')
    const second = mkdtempSync(join(tmpdir(), 'second-disk-'))
    const sh = (text: string) =>
      promisify(execFile)('/bin/sh', ['-c', text.replaceAll('/mnt/second', second)]).then(
        () => 'ok',
        ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout.trim()}`,
      )
    const info = join(second, 'pgbackrest/backup/main/backup.info')
    execFileSync('mkdir', ['-p', join(second, 'pgbackrest/backup/main')])
    writeFileSync(info, '')
    expect(await sh(age)).toBe('ok')
    execFileSync('touch', ['-d', '27 hours ago', info])
    expect(await sh(age)).toBe('1 The newest backup is older than 26 hours.')
    const used = (percent: number) => space.replace(/df [^|]*\|/, `printf 'Use%%\\n ${percent}%%\\n' |`)
    expect(await sh(used(79))).toBe('ok')
    expect(await sh(used(80))).toMatch(/^1 More than 80 % of the second disk/)
    rmSync(second, { recursive: true })
  })
})

describe.runIf(process.env.TEST_RECIPES)('an empty Debian', { timeout: 40 * minutes }, () => {
  let machine: Machine
  let shell: Shell
  const next = '9.9.9'
  /** Places of acknowledged seals in the log. */
  let sealed: number[] = []

  const seal = async (count: number, in_ = shell): Promise<number[]> => {
    const body = JSON.stringify({
      agent: { id: 'agent-7', name: 'Refund agent' },
      action: { type: 'refund.issue', description: 'Refund order 1041', output: { amount: 1200 } },
      ...{ riskScore: 0.1, reason: 'The parcel was lost.' },
    })
    const said = await in_.run(`export CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
for n in $(seq ${count}); do
  curl -sS --fail-with-body https://countersign.example/api/v1/agents/decide -H "Authorization: Bearer $(cat /root/agent-key)" -H 'Content-Type: application/json' -d '${body}' | jq .data.receipt.index
done`)
    return said.trim().split('\n').map(Number)
  }

  /** The same code under another version: tests/skew is about what a version changes. */
  function nextRelease(): void {
    const [unpacked, from] = [join(folder, 'next'), `countersign-${version}`]
    execFileSync('mkdir', [unpacked])
    execFileSync('tar', ['-xzf', join(folder, `${from}.tar.gz`), '-C', unpacked])
    const file = join(unpacked, from, 'app/apps/server/package.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"version": "${version}"`, `"version": "${next}"`))
    execFileSync('mv', [join(unpacked, from), join(unpacked, `countersign-${next}`)])
    execFileSync('tar', ['-czf', join(machine.root, `root/countersign-${next}.tar.gz`), '-C', unpacked, '.'])
    rmSync(unpacked, { recursive: true })
  }

  beforeAll(async () => {
    await promisify(execFile)('deploy/build-release.sh', [folder], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    machine = await openMachine()
    cpSync(join(folder, `countersign-${version}.tar.gz`), join(machine.root, `root/countersign-${version}.tar.gz`))
    machine.write('mnt/second/.keep', '')
    appendFileSync(join(machine.root, 'etc/hosts'), '127.0.0.1 countersign.example\n')
    // The booted machine has no network, so that its ports are its own: packages are downloaded before.
    machine.write('etc/apt/apt.conf.d/99download', 'APT::Get::Download-Only "true";\n')
    await machine.prepare(blockOf('install'))
    rmSync(join(machine.root, 'etc/apt/apt.conf.d/99download'))
    await machine.boot()
    shell = machine.shell()
  }, 30 * minutes)
  afterAll(() => machine?.close(), 3 * minutes)

  /** What happens on the machine, before a block of the page. */
  const before: Readonly<Record<string, () => Promise<unknown>>> = {
    async stop() {
      sealed = [...(await seal(10)), ...(await seal(10))]
      expect(sealed).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
      await shell.run('kill -9 "$(head -1 /var/lib/postgresql/15/main/postmaster.pid)"')
    },
    restore: () => shell.run('rm -rf /var/lib/postgresql/15/main/* /var/lib/countersign'),
    async 'restore-to-a-moment'() {
      expect(await seal(2)).toEqual([21, 22])
      await shell.run('countersign-server doctor')
      // The last signature of a log is stored some seconds after the seal; without it the loss is declared with --unsigned.
      const signed = `select max(size) from cell.signatures where domain = 'proof'`
      await shell.run(
        `until [ "$(runuser -u postgres -- psql -d countersign -Atc "${signed}")" = 23 ]; do sleep 0.2; done`,
      )
      await sleep(1100)
      await shell.run(`export TARGET="$(date -u '+%F %T+00')"`)
      await sleep(1100)
      expect(await seal(3)).toEqual([23, 24, 25])
      await shell.run('runuser -u postgres -- psql -Atc "select pg_switch_wal()" && sleep 3')
      await shell.run(blockOf('stop'))
    },
    async upgrade() {
      // The entry after the last restored one is the declaration.
      expect(await seal(1)).toEqual([24])
      nextRelease()
      await shell.run(`export VERSION=${next}`)
    },
  }
  const after: Readonly<Record<string, (said: string) => Promise<unknown> | undefined>> = {
    start: async (said) => expect(said).toMatch(/: 0 failed, 1 warnings/),
    declare: async (said) => expect(said).toContain('23 of 26 entries restored, 3 lost; continues as generation 2'),
    upgrade: async () => {
      expect(await shell.run('countersign-server --version')).toContain(next)
      for (const unit of ['countersign-api@1', 'countersign-api@2', 'countersign-worker'])
        expect(await shell.run(`readlink "/proc/$(systemctl show -P MainPID ${unit})/exe"`)).toContain(next)
    },
  }

  async function follow(label: string, text: string): Promise<void> {
    await before[label]?.()
    if (label === 'elsewhere') {
      for (const name of ['proof.json', 'countersign.policy'])
        cpSync(join(machine.root, 'root', name), join(folder, name))
      const command = text.replaceAll(/proof\.json|countersign\.policy/g, (name) => join(folder, name))
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { cwd: root })
      expect(stdout).toMatch(/Signed +yes/)
      return
    }
    if (label === 'upgrade') {
      const other = machine.shell()
      let ended = false
      const upgrading = shell.run(text).finally(() => {
        ended = true
      })
      let during = 0
      while (!ended) during += (await seal(5, other)).length
      await upgrading
      expect(during).toBeGreaterThan(20)
      await after[label]?.('')
      return
    }
    const said = await shell.run(text)
    await after[label]?.(said)
  }

  it('becomes a server with a proof, a backup, a restore, a declared loss and an upgrade, by the words of the page', async () => {
    const times: string[] = []
    for (const { label, text } of blocks) {
      const at = performance.now()
      if (label.startsWith('/')) machine.write(label, text)
      else await follow(label, text)
      times.push(`${label} ${((performance.now() - at) / 1000).toFixed(1)} s`)
    }
    process.stderr.write(`${times.filter((each) => !each.startsWith('/')).join(', ')}\n`)
    expect(existsSync(join(machine.root, 'mnt/second/pgbackrest/backup/main'))).toBe(true)
    const verified = await shell.run(
      'systemd-analyze verify /etc/systemd/system/countersign-*.service /etc/systemd/system/countersign-*.timer 2>&1',
    )
    expect(verified.split('\n').filter((line) => line.includes('countersign'))).toEqual([])
  })
})
