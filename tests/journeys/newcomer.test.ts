/**
 * A newcomer with the README alone, in an empty folder: a clone, an install, a guarded tool, an approval and a verified proof. The
 * minutes are measured; TEST_KEEP=1 stores them in results/. TEST_LONG=1 really installs; CI links what it has installed.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { copyWorkingTree, type WorkingCopy } from '../../tools/test/working-copy.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { inShell, plainEnvironment, processesWith, type Shell } from './shell.ts'

const [clone = '', demo = '', verify = ''] = blocksOf(read('README.md'))
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text.trim())
const installed = new URL('../../node_modules', import.meta.url).pathname
const installing = process.env.TEST_LONG ? 'npm install' : `cp -al ${installed} . || cp -a ${installed} .`

let origin: WorkingCopy
let home: string
beforeAll(async () => {
  origin = await copyWorkingTree({ packages: false })
  const as = ['-c', 'user.name=Test', '-c', 'user.email=test@people.example']
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...as, 'commit', '-qm', 'working tree'],
  ])
    expect(await origin.run('git', args)).toMatchObject({ code: 0 })
  home = await mkdtemp(join(tmpdir(), 'countersign-readme-'))
  await chmod(home, 0o755)
}, 120_000)
afterAll(async () => {
  for (const line of await processesWith(home)) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  await rm(home, { recursive: true, force: true })
  await origin.remove()
})

it('the README leads from an empty folder to a guarded tool, an approval and a verified proof', {
  timeout: 900_000,
}, async () => {
  const shell: Shell = {
    folder: join(home, 'countersign'),
    env: plainEnvironment({ PORT: String(await freePort()), METRICS_PORT: String(await freePort()) }),
  }
  const steps: { readonly step: string; readonly minutes: number }[] = []
  const timed = async (step: string, work: () => Promise<string>) => {
    const start = performance.now()
    const said = await work()
    steps.push({ step, minutes: Math.round((performance.now() - start) / 600) / 100 })
    return said
  }
  expect(clone).toMatch(/^git clone \S+ && cd countersign && npm install$/)
  const own = clone
    .replace(/git clone \S+/, `git clone -q ${origin.folder} countersign`)
    .replace('npm install', `{ ${installing}; }`)
  await timed('clone and install', () => inShell({ ...shell, folder: home }, own, 600_000))
  const printed = await timed('guard a tool and approve', () => inShell(shell, demo, 240_000))
  expect(printed).toMatch(/^Approved +with the passkey/m)
  expect(printed).toMatch(/^Ran +820,000 won refunded$/m)
  expect(await timed('verify the proof', () => inShell(shell, verify))).toMatch(/proof\.json: verified\n/)

  const minutes = Math.round(steps.reduce((sum, each) => sum + each.minutes, 0) * 100) / 100
  expect(minutes).toBeLessThan(10)
  if (!process.env.TEST_KEEP) return
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const result = {
    ...{ kind: 'journey', name: 'newcomer', commit, at: new Date().toISOString() },
    machine: { cores: cpus().length, arch: process.arch, node: process.version },
    load: Math.round(loadavg()[0] as number),
    install: process.env.TEST_LONG ? 'npm install' : 'linked',
    ...{ minutes, steps },
  }
  await writeFile(join(root, 'results/journey-newcomer.json'), `${JSON.stringify(result, null, 2)}\n`)
})
