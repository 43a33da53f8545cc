/** The path of a new contributor: the README's own commands, with nothing but Node 24, in under five minutes. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { copyWorkingTree, type WorkingCopy } from '../../tools/test/working-copy.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { inBackground, inShell, plainEnvironment, processesWith, type Running, type Shell } from './shell.ts'

const marked = /<!-- quickstart:begin -->([\s\S]*)<!-- quickstart:end -->/.exec(read('README.md'))?.[1] ?? ''
const [install = '', start = '', ...rest] = blocksOf(marked).flatMap(({ language, text }) =>
  language === 'sh' ? [text] : [],
)

/** What it would install is here already; `.ci/run` has just shown that it can be. With TEST_LONG=1 it is installed anew. */
const installed = new URL('../../node_modules', import.meta.url).pathname
const installing = process.env.TEST_LONG ? 'npm install' : `cp -al ${installed} . || cp -a ${installed} .`

let origin: WorkingCopy
let home: string
let shell: Shell
let dev: Running
let began: number

beforeAll(async () => {
  origin = await copyWorkingTree({ packages: false })
  const as = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@people.example']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...as, 'commit', '-qm', 'the tree as it stands'],
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

describe('the quickstart of the README', () => {
  it('has its commands between the markers', () => {
    expect(install).toMatch(/^git clone \S+ && cd countersign && npm install$/m)
    expect(start.trim()).toBe('npm run dev')
    expect(rest).toHaveLength(4)
  })

  it('is walked from the clone to the recorded decision in under five minutes', { timeout: 400_000 }, async () => {
    began = performance.now()
    await inShell(
      { ...shell, folder: home },
      install.replace(/git clone \S+/, `git clone -q ${origin.folder} countersign`).replace('npm install', installing),
    )

    dev = inBackground(shell, start)
    await dev.shows('Stop with Ctrl+C.', 120_000)
    expect(dev.output()).toContain('PostgreSQL embedded')
    expect(dev.output()).toContain('Redis      none: rate limits are counted in this process only')

    const separator = '----8<----'
    const answers = await inShell(shell, here(rest.join(`\necho; echo '${separator}'\n`)))
    const [signedIn, created, recorded = '', listed = ''] = answers.split(separator)
    expect([signedIn?.trim(), created?.trim()]).toEqual(['', ''])
    const { data: event } = JSON.parse(recorded)
    expect(event).toMatchObject({
      type: 'ai_recommendation',
      status: 'recorded',
      tags: ['quickstart'],
      evidence: { status: 'pending' },
    })
    const { data: events, pagination } = JSON.parse(listed)
    expect(pagination).toMatchObject({ total: 1, hasMore: false })
    expect(events[0]).toMatchObject({ id: event.id, decisionId: event.decisionId })

    expect(performance.now() - began).toBeLessThan(5 * 60_000)
  })
})

describe('the second part, from the approval to the proof', () => {
  const [, part = ''] = /<!-- proof:begin -->([\s\S]*)<!-- proof:end -->/.exec(read('README.md')) ?? []
  const [seal = '', check = ''] = blocksOf(part).map(({ text }) => text)

  it('seals the decision and checks its proof with nothing but the file', { timeout: 60_000 }, async () => {
    const [signIn, createKey] = rest as [string, string]
    const separator = '----8<----'
    const steps = [signIn, createKey, `${seal}\necho; echo '${separator}'`, check]
    const [approved = '', verdict = ''] = (await inShell(shell, here(steps.join('\n')))).split(separator)
    const { data } = JSON.parse(approved)
    expect(data).toMatchObject({ result: 'approved', evidenceLevel: 'AUDIT_READY' })
    expect(verdict).toContain('valid: true')
    expect(verdict).toContain(data.sealedHash)
  })
})

describe('what npm run dev prints', () => {
  const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(dev.output())?.[1] ?? ''

  it('leads to pages that are there', async () => {
    const base = `http://localhost:${shell.env.PORT}`
    expect(printed('API reference')).toBe(`${base}/docs`)
    for (const label of ['API reference', 'Health']) expect((await fetch(printed(label))).status).toBe(200)
    expect((await fetch(`${printed('API')}/nothing`)).status).toBe(404)
  })

  it('shows a login that works', async () => {
    const answer = await fetch(`http://localhost:${shell.env.PORT}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: printed('email'), password: printed('password') }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      success: true,
      data: { destination: 'admin_dashboard', center: { domain: 'haneul' } },
    })
  })

  it('shows a curl that works', async () => {
    const curl = /curl [\s\S]*?-d '.*'/.exec(dev.output())?.[0] ?? ''
    expect(JSON.parse(await inShell(shell, curl))).toMatchObject({ data: { status: 'recorded', tags: ['demo'] } })
  })
})

it('the operator’s commands in another terminal find its database and its secret', async () => {
  const said = await inShell(shell, 'npm run --silent operator -- rotate-signing-key')
  expect(said).toMatch(/^A new signing key is published/)
  expect(await inShell(shell, 'npm run --silent operator -- move-subscription badaro ACTIVE')).toMatch(/is ACTIVE now/)
})

describe('Ctrl+C', () => {
  it('ends everything that was started', async () => {
    expect((await processesWith(home)).join('\n')).toMatch(/postgres/)
    await dev.interrupt(30_000)
    for (let tries = 0; tries < 50 && (await processesWith(home)).length > 0; tries++) await sleep(100)
    expect(await processesWith(home)).toEqual([])
    await expect(fetch(`http://localhost:${shell.env.PORT}/health/live`)).rejects.toThrow()
  })

  it('loses nothing: started again, the decision is still there', { timeout: 120_000 }, async () => {
    dev = inBackground(shell, start)
    await dev.shows('Stop with Ctrl+C.', 60_000)
    expect(dev.output()).toContain('Schema     up to date')
    const [signIn, createKey, , list] = rest as [string, string, string, string]
    const again = JSON.parse(await inShell(shell, here([signIn, createKey, list].join('\n'))))
    expect(again.pagination.total).toBe(1)
    await dev.interrupt(30_000)
  })
})

it.runIf(process.getuid?.() === 0)('as root in a folder that is closed to others, it says what to do', async () => {
  await chmod(home, 0o700)
  dev = inBackground(shell, start)
  await dev.shows(`cannot enter ${home}`, 60_000)
  await chmod(home, 0o755)
})
