/** The witness as an operator runs it: a separate process in a separate folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const env = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

export interface Folder {
  readonly path: string
  readonly vkey: string
  remove(): void
}

export function witnessFolder(logKeys: readonly string[]): Folder {
  const path = mkdtempSync(join(tmpdir(), 'witness-'))
  const { status, stdout, stderr } = inFolder(path, ['init', '--name', 'witness.example/w1'])
  if (status !== 0) throw new Error(stderr)
  writeFileSync(join(path, 'witness.conf'), `# hosts\n${logKeys.map((key) => `log ${key}\n`).join('')}`)
  return { path, vkey: stdout.trim(), remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs a command that terminates. */
export const inFolder = (folder: string, args: readonly string[]) =>
  spawnSync(process.execPath, [main, ...args], { cwd: folder, env, encoding: 'utf8', timeout: 20_000 })

export interface RunningWitness {
  readonly url: string
  submit(body: string): Promise<{ status: number; body: string; type: string | null }>
  kill(signal: NodeJS.Signals): Promise<void>
}

export async function runWitness(folder: string): Promise<RunningWitness> {
  const child: ChildProcess = spawn(process.execPath, [main, '--port', '0'], { cwd: folder, env })
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const [, found] = /is listening on (http:\S+)\n/.exec(printed) ?? []
      if (found) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(printed)))
  })
  return {
    url,
    submit: (body) => submitTo(url, body),
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

export async function submitTo(url: string, body: string | Uint8Array) {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, body: await response.text(), type: response.headers.get('content-type') }
}
