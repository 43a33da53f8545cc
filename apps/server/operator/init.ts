/**
 * `countersign-server init FOLDER`: from nothing to a server that can start, without a shell script. A second run keeps what is
 * there. It prints no secret but one: the link with which the first administrator signs in, which works once.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Vertical, verticals } from '@countersign/contract/enums.ts'
import { ConfigError, type Environment, readConfig } from '../config/config.ts'
import { migrateAll } from '../data/migrate.ts'
import { MigrationError, migrationStatus } from '../data/migration-status.ts'
import { findCenter } from '../features/centers/centers/api.ts'
import { createProgram } from '../features/centers/provisioning/api.ts'
import { Problem } from '../lib/problem.ts'
import type { Message } from '../mail/mail.ts'
import { planInstallation, readInstallation, writeInstallation } from './init-files.ts'
import { failure, type Print, withShell } from './operate.ts'
import { UsageError } from './shell.ts'

const help = `countersign-server init FOLDER [--center NAME --subdomain NAME --admin EMAIL] [--vertical NAME] [--language ko|en]

Writes keys, passwords and settings to FOLDER, readable only by you: settings for the servers, and migrate for migrations and
operator commands. Then it migrates the database and creates the first center. What is already there is kept, so a second run
changes nothing.

Settings come from environment variables: DATABASE_URL (with the user that runs migrations) and PUBLIC_URL are required; every
other setting that is set is written too. Secrets such as SECRET_KEY are generated unless they are set.
The center can come from environment variables too: INIT_CENTER_NAME, INIT_CENTER_SUBDOMAIN, INIT_ADMIN_EMAIL, INIT_VERTICAL
and INIT_LANGUAGE.
`

interface FirstCenter {
  readonly name: string
  readonly subdomain: string
  readonly adminEmail: string
  readonly vertical: Vertical
  readonly locale: string
}

const text = { type: 'string' } as const
const options = { center: text, subdomain: text, admin: text, vertical: text, language: text }

function readCommand(args: readonly string[], env: Environment): { folder: string; center: FirstCenter | null } {
  const { values, positionals } = parsed(args)
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new UsageError('Name one folder for the keys and settings.')
  const name = values.center ?? env.INIT_CENTER_NAME
  const subdomain = values.subdomain ?? env.INIT_CENTER_SUBDOMAIN
  const adminEmail = values.admin ?? env.INIT_ADMIN_EMAIL
  const vertical = verticals.find((each) => each === (values.vertical ?? env.INIT_VERTICAL ?? 'education'))
  const locale = { ko: 'ko-KR', en: 'en' }[values.language ?? env.INIT_LANGUAGE ?? 'en']
  if (!vertical) throw new UsageError(`--vertical must be one of ${verticals.join(', ')}.`)
  if (!locale) throw new UsageError('--language must be ko or en.')
  if (!name && !subdomain && !adminEmail) return { folder: resolve(folder), center: null }
  if (!name || !subdomain || !adminEmail) throw new UsageError('A center needs --center, --subdomain and --admin.')
  if (!/^[^@\s]+@[^@\s]+$/.test(adminEmail)) throw new UsageError(`"${adminEmail}" isn't an email address.`)
  return { folder: resolve(folder), center: { name, subdomain, adminEmail, vertical, locale } }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** New keys for a database that was used with others would lock its servers out. */
async function requireOwnDatabase(folder: string, env: Environment): Promise<void> {
  if (existsSync(join(folder, 'secret-key')) || env.SECRET_KEY || env.SECRET_KEY_FILE) return
  const target = readConfig({
    DATABASE_URL: env.DATABASE_URL,
    CELLS: env.CELLS,
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
  })
  const used = (await migrationStatus(target)).some(({ migrations }) =>
    migrations.some(({ state }) => state === 'applied'),
  )
  if (used) {
    throw new Problem(
      'CONFLICT',
      `The database is in use already, and ${folder} doesn't have its keys. Copy them there, or set SECRET_KEY, TLOG_KEY, DATABASE_PASSWORD and DATABASE_OPERATOR_PASSWORD.`,
    )
  }
}

/** The link is printed here, so no mail is sent and none has to be set up. */
const firstCenter = (settings: Environment, center: FirstCenter, print: Print): Promise<string> =>
  withShell(settings, print, ({ services: { config, directory }, asOperator }) =>
    asOperator(async (tx) => {
      const known = await findCenter(tx, center.subdomain)
      if (known)
        return `The center ${known.name} (${known.domain}, ID ${known.id}) exists already; nothing was changed.`
      let link = ''
      const queue = async (_: unknown, message: Message): Promise<void> => {
        if ('url' in message.facts) link = String(message.facts.url)
      }
      const { centerId } = await createProgram({ config, directory, mail: { queue } }, tx, center)
      const made = `The center ${center.name} (${center.subdomain}, ID ${centerId}) was created.`
      return link === ''
        ? `${made} ${center.adminEmail} is its administrator.`
        : `${made} ${center.adminEmail} sets a password and signs in with this link, which works once and for seven days:\n\n  ${link}\n`
    }),
  )

/** Returns the exit code: 0 for success, also of a second run; 1 for a failure, 2 for wrong usage. */
export async function init(args: readonly string[], env: Environment, print: Print): Promise<number> {
  if (args.includes('--help') || args.length === 0) {
    print.out(help)
    return args.length === 0 ? 2 : 0
  }
  try {
    const { folder, center } = readCommand(args, env)
    const plan = existsSync(join(folder, 'settings')) ? null : planInstallation(folder, env)
    if (plan) await requireOwnDatabase(folder, env)
    const { written } = plan ? await writeInstallation(folder, plan) : { written: [] }
    print.out(
      written.length > 0
        ? `Wrote ${written.join(', ')} to ${folder}. Keep a copy of this folder away from the database and its backups.\n`
        : `${folder} has keys and settings already; nothing was changed.\n`,
    )
    const settings = await readInstallation(folder)
    const applied = await migrateAll(readConfig(settings))
    print.out(applied.length > 0 ? `Applied ${applied.length} migrations.\n` : 'The database is up to date.\n')
    if (center) print.out(`${await firstCenter(settings, center, print)}\n`)
    print.out(`Start the server with the settings in ${join(folder, 'settings')}: countersign-server start\n`)
    return 0
  } catch (error) {
    const misused = error instanceof UsageError
    const expected = error instanceof ConfigError || error instanceof MigrationError
    if (misused) print.err(`${error.message}\nHelp: countersign-server init --help\n`)
    else print.err(`${expected ? error.message : failure(error)}\n`)
    return misused ? 2 : 1
  }
}
