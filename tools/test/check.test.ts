/** `npm run check` is trusted with every change: here it is shown to see what it is there for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** Plants, runs one step, and expects it to fail and to say why. */
async function expectCaught(step: string, files: Readonly<Record<string, string>>, says: RegExp): Promise<void> {
  const { code, output } = await copy.planted(files, () => check(step))
  expect(output).toContain(`FAIL  ${step}`)
  expect(output).toMatch(says)
  expect(code).toBe(1)
}

it('runs nothing when it is asked for a check that it does not have', async () => {
  const { code, output } = await check('everything')
  expect(output).toContain('No such check: everything')
  expect(code).toBe(1)
})

/** Everything that one step must see is planted at once: a step takes seconds, and there are many sins. */
function plantedTogether(step: string, files: () => Promise<Readonly<Record<string, string>>>) {
  let caught = { code: 0, output: '' }
  beforeAll(async () => {
    caught = await copy.planted(await files(), () => check(step))
  }, 240_000)
  return (says: RegExp): void => {
    expect(caught.output).toContain(`FAIL  ${step}`)
    expect(caught.output).toMatch(says)
    expect(caught.code).toBe(1)
  }
}

describe('fails on a forbidden import', () => {
  const unused = (what: string, from: string) => `import { ${what} } from '${from}'\n\nexport const planted = ${what}\n`
  const sins: [what: string, rule: string, files: Record<string, string>][] = [
    [
      'the contract reaches into the server',
      'contract-stands-alone: packages/contract/planted-server.ts',
      { 'packages/contract/planted-server.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'the contract takes a package',
      'contract-stands-alone: packages/contract/planted-package.ts',
      { 'packages/contract/planted-package.ts': unused('Ajv', 'ajv') },
    ],
    [
      'a proof reaches into the server',
      'proof-stands-alone: packages/proof/planted-server.ts',
      { 'packages/proof/planted-server.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'a proof needs Node',
      'proof-stands-alone: packages/proof/planted-node.ts',
      { 'packages/proof/planted-node.ts': unused('hash', 'node:crypto') },
    ],
    [
      'a published program that passes the index of proof',
      'published-programs-use-the-index: packages/cli/planted-deep.ts',
      { 'packages/cli/planted-deep.ts': unused('toBase64', '@countersign/proof/base64.ts') },
    ],
    [
      'the witness needs the server',
      'strangers-tools-stand-on-proof: packages/witness/planted.ts',
      { 'packages/witness/planted.ts': unused('now', '../../apps/server/lib/clock.ts') },
    ],
    [
      'SQL outside its places',
      'sql-in-queries-only: apps/server/features/identity/auth/planted-sql.ts',
      { 'apps/server/features/identity/auth/planted-sql.ts': unused('sql', 'kysely') },
    ],
    [
      'a feature reaches into another',
      'features-meet-through-api: apps/server/features/identity/auth/planted.ts',
      {
        'apps/server/features/identity/auth/planted.ts': unused(
          'prepareEvent',
          '../../evidence/decision-events/event.ts',
        ),
      },
    ],
    [
      'the server takes a tool',
      'server-does-not-import-tools-or-tests: apps/server/lib/planted-script.ts',
      { 'apps/server/lib/planted-script.ts': unused('freePort', '../../../tools/postgres.ts') },
    ],
    [
      'the server takes a test',
      'server-does-not-import-tools-or-tests: apps/server/lib/planted-test.ts',
      { 'apps/server/lib/planted-test.ts': unused('sampleEvent', '../../../tests/support/samples.ts') },
    ],
    [
      'HTTP to others without the guard',
      'outbound-http-in-one-place: apps/server/lib/planted-http.ts',
      { 'apps/server/lib/planted-http.ts': unused('request', 'node:https') },
    ],
    [
      'a feature takes the whole process, as a type',
      'services-in-the-composition-root-only: apps/server/features/identity/auth/planted-services.ts',
      {
        'apps/server/features/identity/auth/planted-services.ts':
          "import type { Services } from '../../../services.ts'\n\nexport type Planted = Services['log']\n",
      },
    ],
    [
      'a cycle',
      'no-cycles: apps/server/lib/planted-(ring|other).ts',
      {
        'apps/server/lib/planted-ring.ts': unused('other', './planted-other.ts'),
        'apps/server/lib/planted-other.ts': `import { planted } from './planted-ring.ts'\n\nexport const other = () => planted\n`,
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
      'a file that is not there',
      'no-unresolved: apps/server/lib/planted-lost.ts',
      { 'apps/server/lib/planted-lost.ts': unused('nothing', './nowhere.ts') },
    ],
  ]
  const sees = plantedTogether('import rules', async () => Object.assign({}, ...sins.map(([, , files]) => files)))
  it.each(sins)('%s', (_, rule) => sees(new RegExp(rule)))
})

describe('fails on a file that is not formatted or not clean', () => {
  const sins: [what: string, path: string, content: string][] = [
    ['double quotes and semicolons', 'apps/server/lib/planted-quotes.ts', 'export const planted = "x";\n'],
    ['any', 'apps/server/lib/planted-any.ts', 'export const planted: any = 1\n'],
    [
      'a promise nobody waits for',
      'apps/server/lib/planted-promise.ts',
      'const work = async (): Promise<void> => {}\n\nexport function planted(): void {\n  work()\n}\n',
    ],
    ['console', 'packages/contract/planted.ts', "export const planted = (): void => console.log('x')\n"],
    ['a setting file', 'planted.json', '{"a":1,\n"b":2}\n'],
  ]
  const sees = plantedTogether('format and lint', async () =>
    Object.fromEntries(sins.map(([, path, content]) => [path, content])),
  )
  it.each(sins)('%s', (_, path) => sees(new RegExp(path)))
})

describe('fails on', () => {
  const sees = plantedTogether('types', async () => ({
    'apps/server/lib/planted.ts': "export const planted: number = 'x'\n",
    ...(await edited('packages/contract/system.ts', /\n {2}access: \{ kind: 'public' \},/, '')),
  }))
  it('a wrong type', () => sees(/planted\.ts.*TS2322/))
  it('an operation without access', () => sees(/contract\/system\.ts[\s\S]*access/))
})

describe('fails on a stale generated file', () => {
  const sees = plantedTogether('generated files', async () => ({
    ...(await edited('packages/contract/system.ts', 'The process runs;', 'The process still runs;')),
    ...(await edited('apps/server/data/directory.generated.ts', 'export interface', '// by hand\nexport interface')),
    'apps/server/database/cell/9000_planted.sql':
      'create table cell.planted (center_id integer not null, id uuid not null, primary key (center_id, id));\n',
  }))
  it('when the contract changed', () => sees(/Stale generated files: .*contract\/openapi\.json/))
  it('when the database changed', () =>
    sees(/Stale generated files: .*server\/data\/cell\.generated\.ts.*database\/cell\/schema\.txt/))
  it('when somebody edited it by hand', () => sees(/directory\.generated\.ts/))
})

describe('fails on what nobody uses', () => {
  const sees = plantedTogether('dead code', async () => ({
    'apps/server/lib/clock.ts': `${await copy.read('apps/server/lib/clock.ts')}\nexport const plantedExport = 1\n`,
    'apps/server/lib/planted.ts': 'export const planted = 1\n',
    ...(await edited('apps/server/package.json', '"ajv":', '"planted-package": "1.0.0",\n    "ajv":')),
  }))
  it('an export', () => sees(/plantedExport/))
  it('a file', () => sees(/Unused (files|exports)[\s\S]*server\/lib\/planted\.ts/))
  it('a package', () => sees(/planted-package/))
})

describe('fails on a broken project rule', () => {
  it.each([
    ['the environment read elsewhere', 'export const planted = process.env.HOME\n', /planted\.ts:1: the environment/],
    ['the clock read elsewhere', 'export const planted = Date.now()\n', /planted\.ts:1: the time/],
    ['a barrel', "export { now } from './index.ts'\n", /planted\.ts:1: no barrel/],
    ['a file past 300 lines', '// line\n'.repeat(301), /planted\.ts has 302 lines/],
  ])('%s', (_, content, says) => expectCaught('project rules', { 'apps/server/lib/planted.ts': content }, says))
})

describe('fails on an operation without access', () => {
  it('also where its type was silenced, by refusing to describe it', async () =>
    expectCaught(
      'generated files',
      await edited('packages/contract/system.ts', "access: { kind: 'public' }", 'access: undefined as never'),
      /operation live declares no access/,
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
      'a promise that no route keeps',
      'apps/server/system/routes.ts',
      /\n {4}route\(contract\.live,.*/,
      '',
      'operations without a route: live',
    ],
    [
      'a route that the contract does not list',
      'packages/contract/operations.ts',
      '\n  system.live,',
      '',
      'routes that the contract does not list: live',
    ],
    [
      'an operation without access',
      'packages/contract/system.ts',
      "access: { kind: 'public' }",
      'access: undefined as never',
      'operation live declares no access',
    ],
  ])('%s', async (_, path, find, replacement, says) => {
    const { code, output } = await copy.planted(await edited(path, find, replacement), start)
    expect(output).toContain(says)
    expect(code).toBe(1)
  })
})
