/** Runs operator commands against the server of a test, and describes their outcomes. */
import { execFile } from 'node:child_process'
import type { Environment } from '@countersign/server/config/config.ts'
import { operate } from '../../apps/server/operator/operate.ts'
import type { TestServer } from '../support/server.ts'
import { plainEnvironment } from './shell.ts'

const folder = new URL('../../', import.meta.url).pathname

export interface Outcome {
  readonly code: number
  readonly said: string
  readonly complained: string
}

const settingsOf = ({ services: { config } }: TestServer, env: Record<string, string>) => ({
  DATABASE_URL: config.databaseUrl,
  SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  ...env,
})

export const run = (server: TestServer, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  runWith(settingsOf(server, env), args)

export async function runWith(settings: Environment, args: readonly string[]): Promise<Outcome> {
  let [said, complained] = ['', '']
  const code = await operate(args, settings, {
    out(text) {
      said += text
    },
    err(text) {
      complained += text
    },
  })
  return { code, said, complained }
}

/** Runs the command as a separate process, which takes a second or two. */
export function runProgram(server: TestServer, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['tools/server-command.ts', 'operator', ...args],
      { cwd: folder, env: plainEnvironment(settingsOf(server, {})) },
      (error, said, complained) => resolve({ code: error ? Number(error.code) : 0, said, complained }),
    )
  })
}

export const refusal = (complained: string, code = 1): Outcome => ({ code, said: '', complained: `${complained}\n` })
export const misuse = (complained: string): Outcome => refusal(`${complained}\nHelp: npm run operator -- --help`, 2)
