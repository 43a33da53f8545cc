/** A newcomer's commands, of the README and of the first tutorial, on a clean checkout with only Node 24, in under five minutes. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { copyWorkingTree, type WorkingCopy } from '../../tools/test/working-copy.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { inBackground, inShell, plainEnvironment, processesWith, type Running, type Shell } from './shell.ts'

const [install = '', start = '', ...steps] = blocksOf(read('docs/tutorials/first-proof.md')).map(({ text }) => text)

/** The packages are linked from this checkout, because `.ci/run` installs them first; TEST_LONG=1 runs `npm install`. */
const installed = new URL('../../node_modules', import.meta.url).pathname
const installing = process.env.TEST_LONG ? 'npm install' : `cp -al ${installed} . || cp -a ${installed} .`

let origin: WorkingCopy
let home: string
let shell: Shell
let dev: Running
let began: number

beforeAll(async () => {
  origin = await copyWorkingTree({ packages: false })
  const as = ['-c', 'user.name=Test', '-c', 'user.email=test@people.example']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...as, 'commit', '-qm', 'working tree'],
  ]) {
    expect(await origin.run('git', args)).toMatchObject({ code: 0 })
  }
  home = await mkdtemp(join(tmpdir(), 'countersign-newcomer-'))
  await chmod(home, 0o755)
  shell = {
    folder: join(home, 'countersign'),
    env: plainEnvironment({ PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }),
  }
})

afterAll(async () => {
  await dev?.interrupt(30_000).catch(() => {})
  for (const line of await processesWith(home)) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  await rm(home, { recursive: true, force: true })
  await origin.remove()
})

const here = (commands: string) => commands.replaceAll('localhost:3000', `localhost:${shell.env.PORT}`)

/** The output of each step in one shell, whose variables the later steps use. */
async function outputs(commands: readonly string[]): Promise<string[]> {
  const separator = '----8<----'
  return (await inShell(shell, here(commands.join(`\necho; echo '${separator}'\n`)))).split(separator)
}

describe('the first tutorial', () => {
  it('starts with the clone and the server', () => {
    expect(install).toMatch(/^git clone \S+ && cd countersign && npm install$/m)
    expect(start.trim()).toBe('npm run dev')
    expect(steps).toHaveLength(5)
  })

  it('goes from the clone to a verified proof in under five minutes', { timeout: 400_000 }, async () => {
    began = performance.now()
    await inShell(
      { ...shell, folder: home },
      install.replace(/git clone \S+/, `git clone -q ${origin.folder} countersign`).replace('npm install', installing),
    )

    dev = inBackground(shell, start)
    await dev.shows('Stop with Ctrl+C.', 120_000)
    expect(dev.output()).toContain('PostgreSQL embedded')
    expect(dev.output()).toContain('Redis      none: rate limits are counted in this process only')

    const [policy = '', created, asked = '', approved = '', verdict] = await outputs(steps)
    expect(JSON.parse(policy)).toMatchObject({ success: true, data: { version: 1, guards: { humanReview: true } } })
    expect(created?.trim()).toBe('')
    expect(JSON.parse(asked)).toMatchObject({
      data: { outcome: 'approval_required', policies: [{ version: 1 }], dpu: { status: 'pending' } },
    })
    expect(JSON.parse(approved)).toMatchObject({ data: { result: 'approved', evidenceLevel: 'AUDIT_READY' } })
    expect(verdict).toMatch(/proof\.json: verified\n/)
    for (const answer of ['Intact', 'In the chain', 'Signed']) expect(verdict).toMatch(new RegExp(`${answer} +yes`))

    expect(performance.now() - began).toBeLessThan(5 * 60_000)
  })

  it('leaves a proof file that no longer verifies after one changed character', async () => {
    const change = `sed 's/"amount":1200/"amount":1201/' proof.json > changed.json && ! cmp -s proof.json changed.json`
    const verdict = await inShell(
      shell,
      `${change}\nnpm run --silent countersign -- verify changed.json || echo "exit $?"`,
    )
    expect(verdict).toMatch(/Intact +NO/)
    expect(verdict).toContain('exit 1')
  })
})

describe('the output of npm run dev', () => {
  const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(dev.output())?.[1] ?? ''

  it('links to pages that exist', async () => {
    const base = `http://localhost:${shell.env.PORT}`
    expect(printed('Documentation')).toBe(`${base}/docs`)
    await dev.shows('Docs       ', 120_000)
    for (const label of ['Documentation', 'Health']) expect((await fetch(printed(label))).status).toBe(200)
    expect((await fetch(`${printed('API')}/nothing`)).status).toBe(404)
  })

  it('shows the logins of two administrators, and both work', async () => {
    const logins = [...dev.output().matchAll(/^ +(\S+@\S+) +(\S+)$/gm)]
    expect(logins).toHaveLength(2)
    for (const [, email, password] of logins) {
      const answer = await fetch(`http://localhost:${shell.env.PORT}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({
        success: true,
        data: { destination: 'admin_dashboard', center: { domain: 'haneul' } },
      })
    }
  })

  it('shows a curl that works, also with the key of the sandbox', async () => {
    const curl = /curl [\s\S]*?-d '.*'/.exec(dev.output())?.[0] ?? ''
    expect(JSON.parse(await inShell(shell, curl))).toMatchObject({ data: { status: 'recorded', tags: ['demo'] } })
    const [testKey = ''] = /csk_test_\w+/.exec(dev.output()) ?? []
    const inSandbox = JSON.parse(await inShell(shell, curl.replace(/csk_live_\w+/, testKey)))
    expect([testKey === '', inSandbox.data?.status]).toEqual([false, 'recorded'])
  })

  it('shows the address of a sealed sample proof, for browsers and for programs', async () => {
    const address = printed('Sample proof')
    expect(address).toMatch(new RegExp(`^http://localhost:${shell.env.PORT}/verify/evt_`))
    expect(await (await fetch(address)).json()).toMatchObject({ status: 'sealed', verified: { valid: true } })
    const page = await fetch(address, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

it('npm run dev allows webhooks to loopback addresses', async () => {
  const path = `http://localhost:${shell.env.PORT}/api/v1/webhooks`
  const [, key = ''] = /Bearer (csk_\S+)'/.exec(dev.output()) ?? []
  const answer = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'http://127.0.0.1:4000/hooks', events: ['dpu.sealed'] }),
  })
  expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('http://127.0.0.1:4000/hooks')])
})

it('operator commands in another terminal use its database and its secret', async () => {
  const said = await inShell(shell, 'npm run --silent operator -- rotate-signing-key')
  expect(said).toMatch(/^A new signing key has been published/)
  expect(await inShell(shell, 'npm run --silent operator -- move-subscription badaro ACTIVE')).toMatch(
    /from TRIAL to ACTIVE/,
  )
})

it('the README alone leads to a guarded tool, an approval and a verified proof, and shows what is printed', {
  timeout: 120_000,
}, async () => {
  const shown = blocksOf(read('README.md')).find(({ label }) => label === 'demo:agent')?.text
  const steady = (text: string) =>
    text
      .replaceAll(`localhost:${shell.env.PORT}`, 'localhost:3000')
      .replaceAll(/(evt|evd)_\w{26}/g, '$1_ID')
      .replaceAll(/\b\w{8}\/call-2/g, 'RUN/call-2')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/[\w-]{8}(-[\w-]{4}){3}-[\w-]{12}/g, 'ACTOR')
      .replaceAll(/\+[0-9a-f]{8}\+\S+\./g, '+KEY.')
      .replaceAll(/Passkey +[\w-]{43}/g, 'Passkey KEY')
      .replaceAll(/Entry \d+ in|which has \d+|shown: \d+; log size: \d+|entry \d+ of the|sha256:[0-9a-f]{64}/g, 'PLACE')
  const [clone, demo = '', verify = ''] = blocksOf(read('README.md'))
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.replace('npm run', 'npm run --silent'))
  expect(clone?.trim()).toBe(install.trim())
  const start = performance.now()
  expect(steady(await inShell(shell, demo))).toBe(steady(shown ?? ''))
  expect(await inShell(shell, verify)).toMatch(/proof\.json: verified\n/)
  // Cloning, installing and the first start are timed above.
  expect(performance.now() - start).toBeLessThan(60_000)
})

describe('Ctrl+C', () => {
  const key = () => /Bearer (csk_\S+)'/.exec(dev.output())?.[1] ?? ''
  const sample = () => /Sample proof +(\S+)/.exec(dev.output())?.[1] ?? ''

  const ended = async () => {
    for (let tries = 0; tries < 50 && (await processesWith(home)).length > 0; tries++) await sleep(100)
    expect(await processesWith(home)).toEqual([])
  }

  it('ends every started process, without a stack trace or an error', async () => {
    expect((await processesWith(home)).join('\n')).toMatch(/postgres/)
    const before = dev.output().length
    await dev.interrupt(30_000)
    await ended()
    await expect(fetch(`http://localhost:${shell.env.PORT}/health/live`)).rejects.toThrow()
    expect(dev.output().slice(before).trim()).toBe('')
  })

  it('keeps the decision, the key and the sample proof for the next start', {
    timeout: 120_000,
  }, async () => {
    const [earlierKey, earlierSample] = [key(), sample()]
    // As version 0.1.0 made it: such a database asks for the password in clear.
    const hba = join(shell.folder, '.dev/postgres/pg_hba.conf')
    await writeFile(hba, (await readFile(hba, 'utf8')).replaceAll(/scram-sha-256$/gm, 'password'))
    dev = inBackground(shell, start)
    await dev.shows('Stop with Ctrl+C.', 60_000)
    expect(dev.output()).toContain('Schema     up to date')
    expect(key()).not.toBe(earlierKey)
    expect(sample()).toBe(earlierSample)
    const list = `curl -s 'http://localhost:3000/api/v1/decision-events?tag=quickstart' -H 'Authorization: Bearer ${earlierKey}'`
    expect(JSON.parse(await inShell(shell, here(list)))).toMatchObject({ pagination: { total: 1 } })
    await dev.interrupt(30_000)
    await ended()
  })

  it.each(['PostgreSQL', 'Schema'])(
    'prints no stack trace during the start, after the line "%s"',
    { timeout: 120_000 },
    async (line) => {
      dev = inBackground(shell, start)
      await dev.shows(line, 60_000)
      await dev.interrupt(30_000)
      await ended()
      expect(dev.output()).not.toMatch(/^ +at |Error/m)
    },
  )
})

it.runIf(process.getuid?.() === 0)(
  'prints what to do when root starts it in a folder closed to other users',
  async () => {
    await chmod(home, 0o700)
    dev = inBackground(shell, start)
    await dev.shows(`cannot enter ${home}`, 60_000)
    await chmod(home, 0o755)
  },
)
