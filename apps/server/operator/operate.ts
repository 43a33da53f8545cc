/**
 * The commands of the operator: what only whoever runs the service may do. Everything goes through the functions and the
 * transactions of the server, so it is judged by the same rules and audited.
 */
import { userInfo } from 'node:os'
import { ConfigError, type Environment, readConfig } from '../config.ts'
import { openOperatorShell } from '../data/operator.ts'
import { newId } from '../lib/ids.ts'
import { makeLog } from '../lib/log.ts'
import { Problem } from '../lib/problem.ts'
import { openServices } from '../services.ts'
import { commands, type Shell, UsageError } from './commands.ts'

const usages = Object.entries(commands).map(([name, { takes }]) => `${name} ${takes}`.trim())
const width = Math.max(...usages.map((usage) => usage.length)) + 2
const help = `npm run operator -- COMMAND

${Object.values(commands)
  .map(({ does }, index) => `  ${usages[index]?.padEnd(width)}${does}`)
  .join('\n')}

CENTER is an id or a subdomain. EMAIL is what somebody signs in with; a phone number such as +821012345678 will do too.
Settings are those of the server: DATABASE_URL, SECRET_KEY and so on. Every change of data leaves an audit entry.
`

/** Who is at the keyboard, for the audit entry. */
function operatorName(): string {
  try {
    return `operator:${userInfo().username}`
  } catch {
    return 'operator'
  }
}

async function run(settings: Environment, name: string, args: readonly string[], print: Print): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}"; there are: ${Object.keys(commands).join(', ')}.`)
  const words = command.takes.split(' ').filter(Boolean)
  if (args.length < words.filter((word) => !word.startsWith('[')).length || args.length > words.length) {
    throw new UsageError(`It is called as: npm run operator -- ${name} ${command.takes}`)
  }
  if ('runAlone' in command) return command.runAlone(settings, ...args)
  // Nothing is counted here, so Redis is not asked.
  const config = readConfig({ LOG_LEVEL: 'warn', ...settings, REDIS_URL: '' })
  const log = makeLog(config, { write: print.err })
  const services = openServices(config, log)
  const { asOperator, close } = openOperatorShell(config, log)
  const caller = { requestId: newId('request'), actorId: operatorName(), centerId: 0 }
  const shell: Shell = { services, caller, asOperator: (work) => asOperator(caller, work) }
  try {
    return await command.run(shell, ...args)
  } finally {
    await services.close()
    await close()
  }
}

function failure(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  if (!(error instanceof Problem)) return (error as Error).stack ?? String(error)
  return error.cause instanceof Error ? `${error.message}\n(${error.cause.message})` : error.message
}

export interface Print {
  out(text: string): void
  err(text: string): void
}

/** The code that it ends with: 0 when done, 1 when refused or failed, 2 when it was called wrongly. */
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
