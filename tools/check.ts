/**
 * `npm run check`: format, lint, types, import rules, dead code, project rules, generated files.
 * `npm run check -- types "import rules"` runs only those.
 */
import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const root = new URL('../', import.meta.url).pathname
const bin = (name: string): string => `${root}node_modules/.bin/${name}`
const exec = promisify(execFile)

interface Failure {
  readonly stdout?: string
  readonly stderr?: string
  readonly message: string
}

async function command(file: string, args: readonly string[], cwd = root): Promise<string> {
  return (await exec(file, args, { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout
}

interface Module {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

const featureOf = (file: string): string | undefined => /^apps\/server\/features\/([^/]+\/[^/]+)\//.exec(file)?.[1]

/** Files without a cycle may still make features need each other. Returns the features of one cycle, the first of them twice. */
function featureCycle(modules: readonly Module[]): readonly string[] | null {
  const needs = new Map<string, Set<string>>()
  for (const { source, dependencies } of modules) {
    const from = featureOf(source)
    if (from === undefined || source.includes('/test/')) continue
    const found = needs.get(from) ?? new Set()
    for (const { resolved } of dependencies) {
      const to = featureOf(resolved)
      if (to !== undefined && to !== from) found.add(to)
    }
    needs.set(from, found)
  }
  const done = new Set<string>()
  const visit = (feature: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature]
    if (done.has(feature)) return null
    for (const each of needs.get(feature) ?? []) {
      const cycle = visit(each, [...path, feature])
      if (cycle) return cycle
    }
    done.add(feature)
    return null
  }
  for (const feature of needs.keys()) {
    const cycle = visit(feature, [])
    if (cycle) return cycle
  }
  return null
}

/** dependency-cruiser can read no files and still pass: so it must find many files and a planted violation. */
async function importRules(): Promise<void> {
  const config = `${root}.dependency-cruiser.cjs`
  const report = await command(bin('depcruise'), [
    '--config',
    config,
    '--output-type',
    'json',
    'packages',
    'apps',
    'tests',
    'examples',
    'tools',
    'deploy',
  ])
  const { summary, modules } = JSON.parse(report) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] }
    modules: Module[]
  }
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`)
  const cycle = featureCycle(modules)
  if (cycle) broken.push(`features-have-no-cycle: ${cycle.join(' imports ')}`)
  if (broken.length > 0) throw new Error(broken.join('\n'))
  if (summary.totalCruised < 1500)
    throw new Error(`only ${summary.totalCruised} modules were read: the import rules check nothing`)
  const canary = await command(
    bin('depcruise'),
    ['--config', config, '--output-type', 'json', 'packages'],
    `${root}tools/test/fixtures/planted`,
  ).catch((error: Failure) => error.stdout ?? '{}')
  const found =
    (JSON.parse(canary) as { summary?: { violations: { rule: { name: string } }[] } }).summary?.violations ?? []
  for (const planted of ['contract-is-independent', 'proof-is-independent', 'published-programs-use-the-index']) {
    if (!found.some(({ rule }) => rule.name === planted)) {
      throw new Error(`the import that ${planted} forbids was planted and not reported: the rules check nothing`)
    }
  }
}

/** Rules that no tool checks: which files may read the environment and the clock. */
const projectRuleTable = [
  {
    pattern: /\bprocess\.env\b/,
    allowed: /^apps\/server\/(config\/config|bin)\.ts$/,
    rule: 'the environment is read in config.ts and bin.ts only',
  },
  {
    pattern: /\bnew Date\(\)|\bDate\.now\b/,
    allowed: /^apps\/server\/lib\/clock\.ts$/,
    rule: 'the time is read in lib/clock.ts only',
  },
  { pattern: /from '(\.\.?\/)*.*\/index\.ts'/, allowed: /^$/, rule: 'no barrel files' },
]

/** Packages and the server run in places without an environment, or read it in one file; tools read it freely. */
const ruledFolders = /^(apps\/server|packages\/(contract|proof))\//

/** A story in one file is easier to read than in ten; beyond this it is more than one. */
const mostLines = 400
/** A list with one line for each thing isn't a story. */
const lists = /^packages\/contract\/operations\.ts$/

async function projectRules(): Promise<string> {
  const broken: string[] = []
  let serverLines = 0
  for await (const file of glob(['{apps,packages,tools}/**/*.{ts,tsx,sql}'], { cwd: root })) {
    if (/node_modules|\/(test|dist)\/|generated/.test(file)) continue
    const lines = (await readFile(`${root}${file}`, 'utf8')).split('\n')
    if (file.startsWith('apps/server/')) serverLines += lines.length - 1
    if (lines.length > mostLines + 1 && !lists.test(file))
      broken.push(`${file} has ${lines.length - 1} lines: does it tell one story?`)
    if (!ruledFolders.test(file)) continue
    for (const [index, line] of lines.entries()) {
      for (const { pattern, allowed, rule } of projectRuleTable) {
        if (pattern.test(line) && !allowed.test(file)) broken.push(`${file}:${index + 1}: ${rule}`)
      }
    }
  }
  if (broken.length > 0) throw new Error(broken.join('\n'))
  return `apps/server has ${serverLines} lines of TypeScript and SQL, tests not counted`
}

const steps: Record<string, () => Promise<unknown>> = {
  'format and lint': () => command(bin('biome'), ['check', '--error-on-warnings', '.']),
  // Code for browsers has the DOM types, and the rest of the code does not.
  types: async () => {
    await command(bin('tsc'), ['-p', '.'])
    await command(bin('tsc'), ['-p', 'apps/verifier'])
    await command(bin('tsc'), ['-p', 'apps/console'])
    await command(bin('tsc'), ['-p', 'apps/docs'])
  },
  'import rules': importRules,
  'project rules': projectRules,
  'dead code': () => command(bin('knip'), ['--no-progress']),
  'generated files': () => command(process.execPath, ['tools/generate.ts', '--check']),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in steps))
if (unknown.length > 0) {
  process.stderr.write(`No such check: ${unknown.join(', ')}. Checks: ${Object.keys(steps).join(', ')}\n`)
  process.exit(1)
}

let failed = 0
for (const [name, run] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = performance.now()
  try {
    const remark = await run()
    const note = name === 'project rules' ? `: ${remark}` : ''
    process.stdout.write(`ok    ${name} (${Math.round(performance.now() - started)} ms)${note}\n`)
  } catch (error) {
    const { stdout, stderr, message } = error as Failure
    failed++
    process.stdout.write(`FAIL  ${name}\n${[stdout, stderr].filter(Boolean).join('\n') || message}\n`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
