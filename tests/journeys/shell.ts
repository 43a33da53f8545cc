/** Runs user commands in a shell and a separate folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { settingNames } from '@countersign/server/config/settings.ts'

export interface Shell {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

const ours = new RegExp(`^(${settingNames.join('|')}|TEST_.*|VITEST.*|PG.*|npm_.*)$`)

/** The network settings of the machine, Node first in PATH, and no setting of Countersign. */
export const plainEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (ours.test(name) || !value ? [] : [[name, value]])),
  ),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  ...extra,
})

const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Starts a process group, so that a signal reaches every process in it. */
function start(
  { folder, env }: Shell,
  args: readonly string[],
): { child: ChildProcess; printed: { out: string; err: string } } {
  const child = spawn('sh', args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    printed.out += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    printed.err += chunk
  })
  return { child, printed }
}

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (!isOver(child)) process.kill(-(child.pid as number), signal)
}

/** The output of the commands; stops at the first failure, as a reader would. */
export async function inShell(shell: Shell, commands: string, withinMs = 280_000): Promise<string> {
  const { child, printed } = start(shell, ['-ec', commands])
  const late = setTimeout(() => signalGroup(child, 'SIGKILL'), withinMs)
  const [code] = await once(child, 'close')
  clearTimeout(late)
  if (code !== 0) throw new Error(`${commands}\n${printed.out}\n${printed.err}`)
  return printed.out
}

export interface Running {
  output(): string
  /** Waits until the output contains the text. */
  shows(text: string, withinMs: number): Promise<void>
  /** Sends SIGINT to the whole group, as Ctrl+C does. */
  interrupt(withinMs: number): Promise<void>
  /** Sends SIGKILL to the whole group. */
  kill(): void
}

export function inBackground(shell: Shell, command: string): Running {
  const { child, printed } = start(shell, ['-c', command])
  const output = () => `${printed.out}${printed.err}`
  return {
    output,
    async shows(text, withinMs) {
      const limit = performance.now() + withinMs
      while (!output().includes(text)) {
        // The last output may arrive after the exit.
        const last = isOver(child) || performance.now() > limit
        await sleep(100)
        if (last && !output().includes(text)) throw new Error(`"${text}" did not appear:\n${output()}`)
      }
    },
    kill: () => signalGroup(child, 'SIGKILL'),
    async interrupt(withinMs) {
      if (isOver(child)) return
      signalGroup(child, 'SIGINT')
      await Promise.race([once(child, 'exit'), sleep(withinMs)])
      if (!isOver(child)) throw new Error(`${command} did not end within ${withinMs} ms:\n${output()}`)
    },
  }
}

/** Ids and command lines of all processes that contain the text. */
export function processesWith(text: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-eww', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error)
      else resolve(stdout.split('\n').filter((line) => line.includes(text)))
    })
  })
}
