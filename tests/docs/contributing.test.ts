/** Applies the worked examples of CONTRIBUTING.md to a copy of the repository, compiles, formats and runs it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Block, blocksOf, read, root } from './blocks.ts'

const blocks = blocksOf(read('CONTRIBUTING.md'))
const complete = blocks.filter(({ language, label }) => ['ts', 'sql'].includes(language) && label !== '')
const changes = blocks.filter(({ language }) => language === 'diff')
let copy: string

const run = (tool: string, args: readonly string[]) =>
  promisify(execFile)(`${root}node_modules/.bin/${tool}`, args, {
    cwd: copy,
    env: { ...process.env, TEST_DATABASE_URL: inject('postgres') },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${tool} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })

/** The old lines of each hunk must occur in the file exactly once; the new lines replace them. */
async function apply({ label, text }: Block): Promise<void> {
  let content = await readFile(join(copy, label), 'utf8')
  for (const hunk of text.split(/^@@\n/m)) {
    const lines = hunk.replace(/\n$/, '').split('\n')
    const side = (dropped: string) =>
      lines
        .filter((line) => !line.startsWith(dropped))
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    const places = content.split(side('+')).length - 1
    if (places !== 1) throw new Error(`${label} holds these lines ${places} times:\n${side('+')}`)
    content = content.replace(side('+'), () => side('-'))
  }
  await writeFile(join(copy, label), content)
}

beforeAll(async () => {
  await mkdir(join(root, '.dev'), { recursive: true })
  copy = await mkdtemp(join(root, '.dev/docs-example-'))
  const parts = [
    'packages',
    'apps/server',
    'tools',
    'tests/support',
    'tests/tiers.ts',
    'tests/package.json',
    'package.json',
    'apps/verifier/dist',
  ]
  for (const part of [...parts, 'tsconfig.json', 'vitest.config.ts', 'biome.json']) {
    // The tests of the existing features are excluded: they are not part of the example.
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/\/(test|node_modules)$/.test(path),
    })
  }
  // The workspace packages are copies; Node finds all other packages in the repository above.
  await mkdir(join(copy, 'node_modules/@countersign'), { recursive: true })
  for (const [name, folder] of [
    ['contract', 'packages/contract'],
    ['proof', 'packages/proof'],
    ['server', 'apps/server'],
  ] as const) {
    await symlink(join(copy, folder), join(copy, 'node_modules/@countersign', name))
  }
  for (const { label, text } of complete) {
    await mkdir(dirname(join(copy, label)), { recursive: true })
    await writeFile(join(copy, label), text)
  }
  for (const change of changes) await apply(change)
})
afterAll(() => rm(copy, { recursive: true, force: true }))

it('a new operation has the contract, its list, the SQL, the route and the test; a sealed row a folder and a migration', () => {
  expect([...complete, ...changes].map(({ label }) => label).sort()).toEqual([
    'apps/server/database/cell/9000_remarks.sql',
    'apps/server/features/centers/center-card/queries.ts',
    'apps/server/features/centers/center-card/routes.ts',
    'apps/server/features/centers/center-card/test/center-card.test.ts',
    'apps/server/features/evidence/remarks/remark.ts',
    'apps/server/features/evidence/remarks/sealed-rows.ts',
    'apps/server/features/evidence/remarks/test/remark.test.ts',
    'apps/server/routes.ts',
    'packages/contract/center-card.ts',
    'packages/contract/index.ts',
    'packages/contract/operations.ts',
  ])
})

// Takes half a minute, and the next test finds most of the same faults.
it.runIf(process.env.TEST_LONG)(
  'compiles',
  async () => {
    await run('tsc', ['-p', '.'])
  },
  180_000,
)

it('has the format of the repository', async () => {
  const files = [...complete, ...changes].map(({ label }) => label).filter((label) => label.endsWith('.ts'))
  await run('biome', ['check', '--error-on-warnings', '--vcs-enabled=false', ...files])
})

it('runs, and its own tests pass', async () => {
  const tests = complete.map(({ label }) => label).filter((label) => label.endsWith('.test.ts'))
  await run('vitest', ['run', ...tests, '--reporter=json', '--outputFile.json=report.json'])
  const report = JSON.parse(await readFile(join(copy, 'report.json'), 'utf8'))
  expect([report.numPassedTests, report.numFailedTests]).toEqual([4, 0])
}, 180_000)
