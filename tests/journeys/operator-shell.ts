/** Running the operator's commands against a server of a test, and how they end. */
import { execFile } from 'node:child_process'
import type { TestServer } from '../support/server.ts'
import { plainEnvironment } from './shell.ts'

const folder = new URL('../../', import.meta.url).pathname

export interface Outcome {
  readonly code: number
  readonly said: string
  readonly complained: string
}

export function run(server: TestServer, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { databaseUrl, secretKeys } = server.services.config
  const settings = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKeys.map((key) => key.toString('base64')).join(','),
    ...env,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['scripts/operator.ts', ...args],
      { cwd: folder, env: plainEnvironment(settings) },
      (error, said, complained) => resolve({ code: error ? Number(error.code) : 0, said, complained }),
    )
  })
}

export const refusal = (complained: string, code = 1): Outcome => ({ code, said: '', complained: `${complained}\n` })
export const misuse = (complained: string): Outcome => refusal(`${complained}\nHelp: npm run operator -- --help`, 2)
