/**
 * The command line of the operator. Every command uses the functions and transactions of the server, so the same rules
 * and the same audit apply.
 */
import { userInfo } from 'node:os'
import { ConfigError, type Environment, readConfig } from '../config/config.ts'
import { openOperatorShell } from '../data/operator.ts'
import { newId } from '../lib/ids.ts'
import { makeLog } from '../lib/log.ts'
import { Problem } from '../lib/problem.ts'
import { openServices } from '../services.ts'
import { commands } from './commands.ts'
import { type Shell, UsageError } from './shell.ts'

const usages = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes}`.trim())
const width = Math.max(...usages.map((usage) => usage.length)) + 2
const help = `npm run operator -- COMMAND

${Object.values(commands)
  .map(({ does }, index) => `  ${usages[index]?.padEnd(width)}${does}`)
  .join('\n')}

CENTER is an ID or a subdomain. EMAIL is what an account signs in with: an email address, or a phone number such as
+821012345678. The settings are the server's, plus DATABASE_OPERATOR_PASSWORD. Every change is recorded in the audit trail.
`

/** The operating system user, for the audit entry. */
function operatorName(): string {
  try {
    return `operator:${userInfo().username}`
  } catch {
    return 'operator'
  }
}

const wordsIn = (takes: string): readonly string[] => takes.split(' ').filter((word) => word !== '' && word !== '|')

/** Brackets enclose what may be left out, also within each other. */
function withoutOptions(takes: string): string {
  const rest = takes.replaceAll(/\[[^[\]]*\]/g, '')
  return rest === takes ? takes : withoutOptions(rest)
}

async function run(settings: Environment, name: string, args: readonly string[], print: Print): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Unknown command "${name}". Use one of: ${Object.keys(commands).join(', ')}.`)
  const words = wordsIn(command.takes)
  if (args.length < wordsIn(withoutOptions(command.takes)).length || args.length > words.length) {
    throw new UsageError(`Usage: npm run operator -- ${name} ${command.takes}`)
  }
  if ('runOffline' in command) return command.runOffline(settings, ...args)
  return withShell(settings, print, (shell) => command.run(shell, ...args))
}

export async function withShell<T>(
  settings: Environment,
  print: Pick<Print, 'err'>,
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  // The commands have no rate limits, so they do not need Redis.
  const config = readConfig({ LOG_LEVEL: 'warn', ...settings, REDIS_URL: '' })
  const log = makeLog(config, { write: print.err })
  const services = openServices(config, log)
  const { asOperator, inCell, close } = openOperatorShell(config, log)
  const caller = { requestId: newId('request'), actorId: operatorName(), centerId: 0 }
  const progress = (line: string) => print.err(`${line}\n`)
  const shell: Shell = { services, caller, progress, inCell, asOperator: (work) => asOperator(caller, work) }
  try {
    return await work(shell)
  } finally {
    await services.close()
    await close()
  }
}

export function failure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Problem)) return (error as Error).stack ?? String(error)
  return error.cause instanceof Error ? `${error.message}\n(${error.cause.message})` : error.message
}

export interface Print {
  out(text: string): void
  err(text: string): void
}

/** Returns the exit code: 0 for success, 1 for a refusal or failure, 2 for wrong usage. */
export async function operate(args: readonly string[], settings: Environment, print: Print): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || args.includes('--help')) {
    print.out(help)
    return name === undefined ? 2 : 0
  }
  try {
    print.out(`${await run(settings, name, rest, print)}\n`)
    return 0
  } catch (error) {
    const misused = error instanceof UsageError
    print.err(misused ? `${error.message}\nHelp: npm run operator -- --help\n` : `${failure(error)}\n`)
    return misused ? 2 : 1
  }
}
