/** The files of an installation: keys and passwords, each once and readable by their owner only, and the settings that name them. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, type Environment, readConfig } from '../config/config.ts'
import { type SettingName, settingNames } from '../config/settings.ts'
import { newLogKey } from './log-key.ts'

const base64 = (): string => randomBytes(32).toString('base64')
const password = (): string => randomBytes(24).toString('hex')

/** A secret is never in the settings: they name its file. Those without `make` exist only if they were given. */
const secrets: readonly { name: SettingName; file: string; make?: () => string }[] = [
  { name: 'SECRET_KEY', file: 'secret-key', make: base64 },
  { name: 'TLOG_KEY', file: 'log-key', make: newLogKey },
  { name: 'DATABASE_PASSWORD', file: 'database-password', make: password },
  { name: 'DATABASE_OPERATOR_PASSWORD', file: 'operator-password', make: password },
  { name: 'AI_API_KEY', file: 'ai-api-key' },
  { name: 'VAPID_PRIVATE_KEY', file: 'vapid-private-key' },
]
/** Only commands of the operator use it, so the servers are not told where it is. */
const operatorPassword = 'DATABASE_OPERATOR_PASSWORD'

export interface Installation {
  /** For the servers: a line for each setting. */
  readonly settings: Readonly<Record<string, string>>
  /** For migrations and the operator's commands: what the servers must not have. */
  readonly owner: Readonly<Record<string, string>>
  /** File names with their texts; those that exist are kept. */
  readonly files: ReadonlyMap<string, string>
}

/** The user and password in DATABASE_URL are for migrations; servers connect as their own roles. */
function withoutUser(url: string): string {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain.href
}

/** What `init` would write to an absolute folder. Throws a ConfigError if a server would not start with it. */
export function planInstallation(folder: string, env: Environment): Installation {
  const given = Object.fromEntries(
    settingNames.flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])),
  ) as Partial<Record<SettingName, string>>
  if (!given.DATABASE_URL)
    throw new ConfigError('setting DATABASE_URL: is required, with the user that runs migrations')
  const files = new Map<string, string>()
  const named: Record<string, string> = {}
  for (const { name, file, make } of secrets) {
    const where = `${name}_FILE` as SettingName
    const value = given[name] ?? (given[where] === undefined ? make?.() : undefined)
    delete given[name]
    if (value === undefined) continue
    files.set(file, value)
    named[where] = join(folder, file)
  }
  const defaults = { NODE_ENV: 'production', TLOG_FENCE: join(folder, 'fence') }
  const { [`${operatorPassword}_FILE`]: operatorFile = '', ...settings } = {
    ...defaults,
    ...given,
    ...named,
    DATABASE_URL: withoutUser(given.DATABASE_URL),
  }
  const owner = { DATABASE_URL: given.DATABASE_URL, [`${operatorPassword}_FILE`]: operatorFile }
  requireStarts(settings, folder, files)
  files.set('migrate', linesOf(owner))
  files.set('settings', linesOf(settings))
  return { settings, owner, files }
}

/** With the secrets as values: their files are not there yet. */
function requireStarts(settings: Record<string, string>, folder: string, files: ReadonlyMap<string, string>): void {
  const values = secrets.flatMap(({ name, file }) => {
    const isOurs = settings[`${name}_FILE`] === join(folder, file)
    return isOurs ? [[`${name}_FILE`, undefined] as const, [name, files.get(file)] as const] : []
  })
  readConfig({ ...settings, ...Object.fromEntries(values) })
}

/** In the form that systemd's EnvironmentFile, a shell and container engines read alike. */
const linesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => {
      if (/['\r\n]/.test(value)) throw new ConfigError(`setting ${name}: mustn't contain quotes or line breaks`)
      return `${name}=${/^[\w./:@,%+=~-]*$/.test(value) ? value : `'${value}'`}`
    })
    .join('\n')

/** True: it was written. A file that exists keeps its content; a crash leaves no part of one. */
async function writeOnce(file: string, text: string): Promise<boolean> {
  if (existsSync(file)) return false
  const own = `${file}.${process.pid}.new`
  const handle = await open(own, 'w', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(own, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await unlink(own)
  }
}

export async function writeInstallation(
  folder: string,
  { settings, files }: Installation,
): Promise<{ written: string[]; kept: string[] }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (settings.TLOG_FENCE?.startsWith('/')) await mkdir(settings.TLOG_FENCE, { recursive: true, mode: 0o700 })
  const result = { written: [] as string[], kept: [] as string[] }
  for (const [name, text] of files) {
    result[(await writeOnce(join(folder, name), text)) ? 'written' : 'kept'].push(name)
  }
  return result
}

/** The settings as they are in the folder now, with those of the operator. */
export async function readInstallation(folder: string): Promise<Environment> {
  const texts = await Promise.all(['settings', 'migrate'].map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(
    texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).replace(/^'(.*)'$/, '$1')]),
  )
}
