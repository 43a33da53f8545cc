/** Tests that `npm run check`, which guards every change, detects each kind of violation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../../tests/support/some.ts'
import { copyWorkingTree, type WorkingCopy } from './working-copy.ts'

let copy: WorkingCopy
beforeAll(async () => {
  copy = await copyWorkingTree({ packages: true })
}, 120_000)
afterAll(() => copy.remove())

const check = (...steps: string[]) => copy.run('npm', ['run', '--silent', 'check', '--', ...steps])

const edited = async (path: string, find: string | RegExp, replacement: string): Promise<Record<string, string>> => {
  const before = await copy.read(path)
  const after = before.replace(find, replacement)
  expect(after).not.toBe(before)
  return { [path]: after }
}

/** Plants files, runs one step, and expects it to fail with this message. */
async function expectCaught(step: string, files: Readonly<Record<string, string>>, message: RegExp): Promise<void> {
  const { code, output } = await copy.planted(files, () => check(step))
  expect(output).toContain(`FAIL  ${step}`)
  expect(output).toMatch(message)
  expect(code).toBe(1)
}

it('runs nothing for an unknown check', async () => {
  const { code, output } = await check('everything')
  expect(output).toContain('No such check: everything')
  expect(code).toBe(1)
})

/** A step takes up to half a minute: CI tests one of them on each run. */
const chosen = some(['import rules', 'format and lint', 'types', 'generated files', 'dead code'], 1)
const describeStep = (step: string, name: string, tests: () => void) =>
  describe.runIf(chosen.includes(step))(name, tests)

/** Plants all violations of one step at once, because a step takes seconds. */
function plantedTogether(step: string, files: () => Promise<Readonly<Record<string, string>>>) {
  let caught = { code: 0, output: '' }
  beforeAll(async () => {
    caught = await copy.planted(await files(), () => check(step))
  }, 240_000)
  return (message: RegExp): void => {
    expect(caught.output).toContain(`FAIL  ${step}`)
    expect(caught.output).toMatch(message)
    expect(caught.code).toBe(1)
  }
}

const unused = (what: string, from: string) => `import { ${what} } from '${from}'\n\nexport const planted = ${what}\n`

/** The folders of the server from the top, and an export of each. */
const layers: readonly [name: string, folder: string, file: string, exported: string][] = [
  ['programs', '', 'bin.ts', ''],
  ['operator', 'operator/', 'operate.ts', 'operate'],
  ['root', '', 'jobs.ts', 'startJobs'],
  ['workflow-library', 'workflow-library/', 'all.ts', 'library'],
  ['system', 'system/', 'readiness.ts', 'readiness'],
  ['features', 'features/identity/auth/', 'api.ts', 'enter'],
  ['governance', 'governance/', 'rules.ts', 'rulesOf'],
  ['integrity', 'integrity/', 'alarm.ts', 'raiseAlarm'],
  ['mail', 'mail/', 'mail.ts', 'openMail'],
  ['http', 'http/', 'route.ts', 'route'],
  ['access', 'access/', 'passwords.ts', 'passwords'],
  ['audit', 'audit/', 'audit.ts', 'audit'],
  ['sealing', 'sealing/', 'sequencer.ts', 'sequencer'],
  ['idempotency', 'idempotency/', 'idempotency.ts', 'fingerprintOf'],
  ['delivery', 'delivery/', 'leases.ts', 'outbox'],
  ['jobs', 'jobs/', 'boss.ts', 'openJobs'],
  ['data', 'data/', 'transaction.ts', 'sqlState'],
  ['concurrency', 'concurrency/', 'loop.ts', 'loop'],
  ['lib', 'lib/', 'clock.ts', 'now'],
  ['verticals', 'verticals/', 'defaults.ts', 'completeSettings'],
  ['config', 'config/', 'config.ts', 'readConfig'],
]

describeStep('import rules', 'fails on a forbidden import', () => {
  // Each layer imports the one right above it; the operator has none above it with an export.
  const downOnly = layers.slice(2).map(([name, folder], at): [string, string, Record<string, string>] => {
    const [, above, file, exported] = layers[at + 1] as (typeof layers)[number]
    const up = '../'.repeat(folder.split('/').length - 1) || './'
    const path = `apps/server/${folder}planted-up.ts`
    return [
      `${name} imports what is above it`,
      `only-down-from-${name}: ${path}`,
      { [path]: unused(exported, `${up}${above}${file}`) },
    ]
  })
  const violations: [what: string, rule: string, files: Record<string, string>][] = [
    [
      'the contract imports the server',
      'contract-is-independent: packages/contract/planted-server.ts',
      { 'packages/contract/planted-server.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'the contract imports a package',
      'contract-is-independent: packages/contract/planted-package.ts',
      { 'packages/contract/planted-package.ts': unused('Ajv', 'ajv') },
    ],
    [
      'proof imports the server',
      'proof-is-independent: packages/proof/planted-server.ts',
      { 'packages/proof/planted-server.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'proof imports a module of Node',
      'proof-is-independent: packages/proof/planted-node.ts',
      { 'packages/proof/planted-node.ts': unused('hash', 'node:crypto') },
    ],
    [
      'the design imports the server',
      'design-is-independent: packages/design/planted.ts',
      { 'packages/design/planted.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'the words import the server',
      'words-are-independent: packages/words/planted.ts',
      { 'packages/words/planted.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'a published program imports proof past its index',
      'published-programs-use-the-index: packages/cli/planted-deep.ts',
      { 'packages/cli/planted-deep.ts': unused('toBase64', '@countersign/proof/base64.ts') },
    ],
    [
      'the witness imports the server',
      'auditor-tools-use-proof-only: packages/witness/planted.ts',
      { 'packages/witness/planted.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'SQL outside its modules',
      'sql-in-queries-only: apps/server/features/identity/auth/planted-sql.ts',
      { 'apps/server/features/identity/auth/planted-sql.ts': unused('sql', 'kysely') },
    ],
    [
      'a feature imports another',
      'features-meet-through-api: apps/server/features/identity/auth/planted.ts',
      {
        'apps/server/features/identity/auth/planted.ts': unused('newEvent', '../../evidence/decision-events/record.ts'),
      },
    ],
    [
      'the server imports a tool',
      'server-does-not-import-tools-or-tests: apps/server/lib/planted-script.ts',
      { 'apps/server/lib/planted-script.ts': unused('freePort', '../../../tools/postgres.ts') },
    ],
    [
      'the server imports a test',
      'server-does-not-import-tools-or-tests: apps/server/lib/planted-test.ts',
      { 'apps/server/lib/planted-test.ts': unused('sampleEvent', '../../../tests/support/samples.ts') },
    ],
    [
      'outgoing HTTP without the SSRF guard',
      'outbound-http-in-one-place: apps/server/lib/planted-http.ts',
      { 'apps/server/lib/planted-http.ts': unused('request', 'node:https') },
    ],
    [
      'the operator imports an inner file of a feature',
      'features-are-entered-by-api: apps/server/operator/planted.ts',
      { 'apps/server/operator/planted.ts': unused('shownTypes', '../features/automation/webhooks/event-types.ts') },
    ],
    [
      'two features need each other',
      'features-have-no-cycle: .*identity/(auth|members)',
      { 'apps/server/features/identity/auth/planted-cycle.ts': unused('peopleIn', '../members/api.ts') },
    ],
    ...downOnly,
    [
      'a cycle',
      'no-cycles: apps/server/lib/planted-(cycle|other).ts',
      {
        'apps/server/lib/planted-cycle.ts': unused('other', './planted-other.ts'),
        'apps/server/lib/planted-other.ts': `import { planted } from './planted-cycle.ts'\n\nexport const other = () => planted\n`,
      },
    ],
    [
      'a cycle of types only',
      'no-cycles: apps/server/lib/planted-type-(one|two).ts',
      {
        'apps/server/lib/planted-type-one.ts':
          "import type { Two } from './planted-type-two.ts'\n\nexport interface One {\n  readonly two: Two\n}\n",
        'apps/server/lib/planted-type-two.ts':
          "import type { One } from './planted-type-one.ts'\n\nexport interface Two {\n  readonly one: One | null\n}\n",
      },
    ],
    [
      'an import of a missing file',
      'no-unresolved: apps/server/lib/planted-lost.ts',
      { 'apps/server/lib/planted-lost.ts': unused('nothing', './nowhere.ts') },
    ],
  ]
  const reports = plantedTogether('import rules', async () =>
    Object.assign({}, ...violations.map(([, , files]) => files)),
  )
  it.each(violations)('%s', (_, rule) => reports(new RegExp(rule)))
})

describeStep('format and lint', 'fails on a format or lint violation', () => {
  const violations: [what: string, path: string, content: string][] = [
    ['double quotes and semicolons', 'apps/server/lib/planted-quotes.ts', 'export const planted = "x";\n'],
    ['any', 'apps/server/lib/planted-any.ts', 'export const planted: any = 1\n'],
    [
      'a floating promise',
      'apps/server/lib/planted-promise.ts',
      'const work = async (): Promise<void> => {}\n\nexport function planted(): void {\n  work()\n}\n',
    ],
    ['console', 'packages/contract/planted.ts', "export const planted = (): void => console.log('x')\n"],
    ['a setting file', 'planted.json', '{"a":1,\n"b":2}\n'],
  ]
  const reports = plantedTogether('format and lint', async () =>
    Object.fromEntries(violations.map(([, path, content]) => [path, content])),
  )
  it.each(violations)('%s', (_, path) => reports(new RegExp(path)))
})

describeStep('types', 'fails on', () => {
  const reports = plantedTogether('types', async () => ({
    'apps/server/lib/planted.ts': "export const planted: number = 'x'\n",
    ...(await edited('packages/contract/system.ts', /\n {2}access: \{ kind: 'public' \},/, '')),
  }))
  it('a wrong type', () => reports(/planted\.ts.*TS2322/))
  it('an operation without access', () => reports(/contract\/system\.ts[\s\S]*access/))
})

describeStep('generated files', 'fails on a stale generated file', () => {
  const reports = plantedTogether('generated files', async () => ({
    ...(await edited('packages/contract/system.ts', 'Check liveness', 'Check the liveness')),
    ...(await edited('apps/server/data/directory.generated.ts', 'export interface', '// by hand\nexport interface')),
    'apps/server/database/cell/9000_planted.sql':
      'create table cell.planted (center_id integer not null, id uuid not null, primary key (center_id, id));\n',
  }))
  it('when the contract changed', () => reports(/Stale generated files: .*contract\/openapi\.json/))
  it('when the database changed', () =>
    reports(/Stale generated files: .*server\/data\/cell\.generated\.ts.*database\/cell\/schema\.txt/))
  it('when it was edited by hand', () => reports(/directory\.generated\.ts/))
})

describeStep('dead code', 'fails on dead code', () => {
  const reports = plantedTogether('dead code', async () => ({
    'apps/server/lib/clock.ts': `${await copy.read('apps/server/lib/clock.ts')}\nexport const plantedExport = 1\n`,
    'apps/server/lib/planted.ts': 'export const planted = 1\n',
    ...(await edited('apps/server/package.json', '"ajv":', '"planted-package": "1.0.0",\n    "ajv":')),
  }))
  it('an export', () => reports(/plantedExport/))
  it('a file', () => reports(/Unused (files|exports)[\s\S]*server\/lib\/planted\.ts/))
  it('a package', () => reports(/planted-package/))
})

describe('fails on a broken project rule', () => {
  it.each([
    ['the environment read elsewhere', 'export const planted = process.env.HOME\n', /planted\.ts:1: the environment/],
    ['the clock read elsewhere', 'export const planted = Date.now()\n', /planted\.ts:1: the time/],
    ['a barrel', "export { now } from './index.ts'\n", /planted\.ts:1: no barrel/],
    ['a file past 400 lines', '// line\n'.repeat(401), /planted\.ts has 401 lines/],
  ])('%s', (_, content, message) => expectCaught('project rules', { 'apps/server/lib/planted.ts': content }, message))
})

describe('fails on an operation without access', () => {
  it('even when its type error is suppressed', async () =>
    expectCaught(
      'generated files',
      await edited('packages/contract/system.ts', "access: { kind: 'public' }", 'access: undefined as never'),
      /operation system\.getHome declares no access/,
    ))
})

describe('the server does not start with', () => {
  const start = () =>
    copy.run(process.execPath, ['apps/server/main.ts'], {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      SECRET_KEY: Buffer.alloc(32).toString('base64'),
      PORT: '0',
      METRICS_PORT: '0',
      REDIS_URL: '',
    })

  it.each([
    [
      'an operation without a route',
      'apps/server/system/routes.ts',
      /\n {4}route\(contract\.live,.*/,
      '',
      'operations without a route: system.checkLive',
    ],
    [
      'a route that the contract does not list',
      'packages/contract/operations.ts',
      '\n  system.live,',
      '',
      'routes that the contract does not list: system.checkLive',
    ],
    [
      'an operation without access',
      'packages/contract/system.ts',
      "access: { kind: 'public' }",
      'access: undefined as never',
      'operation system.getHome declares no access',
    ],
  ])('%s', async (_, path, find, replacement, message) => {
    const { code, output } = await copy.planted(await edited(path, find, replacement), start)
    expect(output).toContain(message)
    expect(code).toBe(1)
  })
})
