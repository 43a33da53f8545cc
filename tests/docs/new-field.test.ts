/**
 * Adds an optional, digested and sealed field to decisions in a copy of the repository, by the files that CONTRIBUTING.md lists
 * and no other, runs its tests there, and takes it out again.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { read, root } from './blocks.ts'

/** A text, and what stands there with the field. Each occurs once. */
type Edit = readonly [before: string, after: string]

const columns: Edit = ['`reason`, `risk_score`, `recorded_by`', '`reason`, `purpose`, `risk_score`, `recorded_by`']
const paths: Edit = ['`event.reason`, `event.riskScore`', '`event.reason`, `event.purpose`, `event.riskScore`']
const digested = (last: string): string => `{salt, type, actor, action, aiContext, riskScore, ${last}}`
const line = `reason: { column: 'reason', digested: true, sealed: 'committed', optional: true },\n`

const edits: Readonly<Record<string, readonly Edit[]>> = {
  'packages/proof/decision-fields.ts': [
    ['  readonly reason: string\n', '  readonly reason: string\n  readonly purpose: string\n'],
    [`  ${line}`, `  ${line}  ${line.replaceAll('reason', 'purpose')}`],
  ],
  'packages/contract/decision-events.ts': [
    [digested('reason'), digested('reason, purpose')],
    [
      '  riskScore: Type.Optional(RiskScore),\n',
      "  riskScore: Type.Optional(RiskScore),\n  purpose: Type.Optional(described(Text, 'What the action is for.', 'Goodwill')),\n",
    ],
  ],
  'packages/words/ko/view.json': [
    [`  "root.reason": "사유",\n`, `  "root.reason": "사유",\n  "root.purpose": "목적",\n`],
  ],
  'packages/words/en/view.json': [
    [`  "root.reason": "Reason",\n`, `  "root.reason": "Reason",\n  "root.purpose": "Purpose",\n`],
  ],
  'docs/formats/dpu-chain-v1.md': [paths, [digested('reason'), digested('reason, purpose')]],
  'docs/formats/what-is-covered.md': [columns],
  'docs/ko/formats/what-is-covered.md': [columns],
  'docs/guides/redaction.md': [paths],
  'docs/ko/guides/redaction.md': [paths],
  'docs/changes/next.md': [['## Added\n\n', '## Added\n\n- `purpose` of a decision says what it is for.\n']],
}
const ownTest = 'apps/server/features/evidence/decision-events/test/purpose.test.ts'
const added: Readonly<Record<string, string>> = {
  'apps/server/database/cell/9050_purpose.sql': 'tests/docs/new-field/purpose.sql.txt',
  [ownTest]: 'tests/docs/new-field/purpose.test.ts.txt',
}

let copy: string

const run = (file: string, args: readonly string[]) =>
  promisify(execFile)(file, args, {
    cwd: copy,
    // The files that run in the copy have no turns.
    env: { ...process.env, TEST_TURNS: '', TEST_DATABASE_URL: inject('postgres') },
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${file} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })
const generate = () => run(process.execPath, ['tools/generate.ts'])
const vitest = (...args: readonly string[]) => run(`${root}node_modules/.bin/vitest`, ['run', ...args])

async function edit(way: (edit: Edit) => Edit): Promise<void> {
  for (const [file, all] of Object.entries(edits)) {
    let text = await readFile(join(copy, file), 'utf8')
    for (const [before, after] of all.map(way)) {
      if (text.split(before).length !== 2) throw new Error(`${file} does not have this text once: ${before}`)
      text = text.replace(before, () => after)
    }
    await writeFile(join(copy, file), text)
  }
}

beforeAll(async () => {
  await mkdir(join(root, '.dev'), { recursive: true })
  copy = await mkdtemp(join(root, '.dev/new-field-'))
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  for (const file of files.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(copy, file)), { recursive: true })
    // A file that is deleted and not yet committed is not there.
    await cp(join(root, file), join(copy, file)).catch(() => {})
  }
  // The workspace packages are copies; packages of others are those of this checkout.
  await mkdir(join(copy, 'node_modules/@countersign'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@countersign') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  for (const parent of ['packages', 'apps']) {
    for (const name of await readdir(join(copy, parent))) {
      await symlink(join(copy, parent, name), join(copy, 'node_modules/@countersign', name))
      const own = join(root, parent, name, 'node_modules')
      if (existsSync(own)) await symlink(own, join(copy, parent, name, 'node_modules'))
    }
  }
}, 60_000)
afterAll(() => rm(copy, { recursive: true, force: true }))

it('touches the files that CONTRIBUTING.md lists, at most twelve', () => {
  const [, section = ''] = read('CONTRIBUTING.md').split('## A new field of a decision\n')
  const [table = ''] = section.split('\n## ')
  const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file as string)
  const named = listed.map((file) => file.replace('NNNN_field', '9050_purpose').replace('/field.test', '/purpose.test'))
  expect(named.sort()).toEqual([...Object.keys(edits), ...Object.keys(added)].sort())
  expect(listed.length).toBeLessThanOrEqual(12)
})

it('is recorded, digested, sealed, shown, exported, redacted and documented by them alone', async () => {
  await edit((each) => each)
  for (const [file, text] of Object.entries(added)) await writeFile(join(copy, file), await readFile(join(root, text)))
  await generate()
  // Writes the vectors, which are generated too.
  await vitest('tests/interop/path.test.ts', '-u', '-t', 'are fresh')
  const tests = [ownTest, 'apps/server/features/evidence/decision-events/test/fields.test.ts']
  const docs = ['tests/interop/format.test.ts', 'tests/interop/path.test.ts', 'tests/tamper/coverage.test.ts']
  await vitest(...tests, ...docs, '--reporter=json', '--outputFile.json=report.json')
  const report = JSON.parse(await readFile(join(copy, 'report.json'), 'utf8'))
  expect([report.numFailedTests, report.numPassedTests > 50]).toEqual([0, true])
}, 180_000)

it.runIf(process.env.TEST_LONG)('compiles', () => run(`${root}node_modules/.bin/tsc`, ['-p', '.']), 180_000)

it('goes without a trace', async () => {
  await edit(([before, after]) => [after, before])
  for (const file of Object.keys(added)) await rm(join(copy, file))
  const { stdout } = await generate()
  const written = stdout.replace('Wrote ', '').trim().split(', ')
  expect(written).toContain('packages/contract/openapi.json')
  for (const file of [...Object.keys(edits), ...written]) {
    expect(await readFile(join(copy, file), 'utf8'), file).toBe(read(file))
  }
}, 60_000)
