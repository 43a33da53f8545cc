/** What the commands of a release have in common. */
import { execFileSync } from 'node:child_process'

export const root = new URL('../../', import.meta.url).pathname

export const run = (file: string, args: readonly string[], cwd = root, env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(file, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

export const say = (line: string): void => void process.stdout.write(`${line}\n`)
export const now = (): string => new Date().toISOString()

/** Ends a command with a message for the person who called it; no stack is needed. */
export class ReleaseError extends Error {}

export function fail(message: string): never {
  throw new ReleaseError(message)
}
