/** Runs the shell blocks of a page as an operator would: as the user of PostgreSQL, with folders and ports of the test. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresUser } from '../support/postgres-cluster.ts'
import { blocksOf, read } from './blocks.ts'

export interface Recipe {
  /** Runs the block with this label. */
  run(label: string, more?: Readonly<Record<string, string>>): Promise<string>
  /** Starts the block with this label, a command that does not end. */
  service(label: string, more?: Readonly<Record<string, string>>): Promise<Service>
  /** Writes the file with this label, with the test's words in place of the page's. */
  write(label: string, replaced?: readonly (readonly [from: string, to: string])[]): string
  stop(): Promise<void>
}

export interface Service {
  readonly output: readonly string[]
  readonly pid: number
  /** Of the command and of everything that it has started. */
  kill(signal: NodeJS.Signals): Promise<void>
}

export interface RecipeSettings {
  /** The variables of the page's blocks of settings, with the values of the test. The names must be the same. */
  readonly settings: Readonly<Record<string, string>>
  readonly labels?: readonly string[]
  /** What a program needs because it does not run in its usual place. */
  readonly environment: Readonly<Record<string, string>>
}

export function recipeOf(
  page: string,
  title: string,
  folder: string,
  { settings, labels = ['settings'], environment }: RecipeSettings,
): Recipe {
  const section = read(page)
    .split(/^## /m)
    .find((text) => text.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`${page} has no section "${title}"`)
  const blocks = blocksOf(section)
  const block = (label: string) => {
    const found = blocks.find((each) => each.label === label)
    if (!found) throw new Error(`"${title}" has no block "${label}"`)
    return found.text
  }
  const named = labels.flatMap((label) =>
    Array.from(block(label).matchAll(/(?<=export .*?)\b([A-Z_0-9]+)=/g), ([, name]) => name),
  )
  if (named.toSorted().join() !== Object.keys(settings).toSorted().join())
    throw new Error(
      `the settings of "${title}" are ${named.join(', ')}; the test sets ${Object.keys(settings).join(', ')}`,
    )
  const options = (more: Readonly<Record<string, string>> = {}) => ({
    ...postgresUser(),
    cwd: folder,
    env: { LC_ALL: 'C.UTF-8', HOME: folder, ...environment, ...settings, ...more },
  })
  const running = new Set<{ child: ChildProcess; exited: Promise<unknown> }>()

  return {
    async run(label, more) {
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block(label)], options(more))
      return stdout
    },
    async service(label, more) {
      // A group of its own, so that everything in it can be killed.
      const child = spawn('bash', ['-euo', 'pipefail', '-c', block(label)], {
        ...options(more),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const output: string[] = []
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(String(data)))
      const exited = once(child, 'exit')
      const entry = { child, exited }
      running.add(entry)
      await once(child, 'spawn')
      const pid = child.pid as number
      return {
        output,
        pid,
        async kill(signal) {
          running.delete(entry)
          if (child.exitCode === null && child.signalCode === null) process.kill(-pid, signal)
          await exited
        },
      }
    },
    write(label, replaced = []) {
      const file = join(folder, label)
      writeFileSync(
        file,
        replaced.reduce((text, [from, to]) => text.replaceAll(from, to), block(label)),
      )
      chmodSync(file, 0o644)
      return file
    },
    async stop() {
      for (const { child, exited } of running) {
        if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGTERM')
        await exited
      }
    },
  }
}
