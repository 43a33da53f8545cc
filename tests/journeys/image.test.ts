/**
 * The image, built by deploy/build-image.sh and started by buildah, next to a server of the test. Both need root and
 * Debian packages, which .ci/run installs; elsewhere this file is skipped.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginSlowly } from '../../apps/server/http/test/slow-sender.ts'
import { freePort } from '../../tools/postgres.ts'
import { root } from '../docs/blocks.ts'
import { openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inShell, plainEnvironment } from './shell.ts'

const installed = (program: string): boolean =>
  ['/usr/bin', '/usr/sbin'].some((folder) => readdirSync(folder).includes(program))
const canBuild =
  process.env.CI !== undefined || (process.getuid?.() === 0 && installed('buildah') && installed('debootstrap'))

let server: TestServer
let fixture: ProofFixture
let storage: string[]
let container: string
/** The file system of the container, mounted on the host. */
let files: string
let child: ChildProcess
/** The folder mounted as /var/lib/countersign, as a container volume would be. */
let fence: string
let url: string
let printed = ''

const buildah = (...args: string[]): string =>
  execFileSync('buildah', [...storage, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** The entry point and the command of the image, as `podman run` would use them. */
function config(): { Entrypoint: string[]; Cmd: string[]; User: string; Env: string[] } {
  return JSON.parse(buildah('inspect', '--type', 'image', 'localhost/countersign')).OCIv1.config
}

/** Every file and folder with owner, size and modification time. buildah itself writes to /etc and /run, as root. */
const listing = (): string[] =>
  execFileSync(
    'find',
    [files, '-xdev', '-not', '-path', `${files}/etc/*`, '-not', '-path', `${files}/run`, '-printf', '%P %U %s %T@\n'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  ).split('\n')

const read = (file: string): string => readFileSync(file, 'utf8')

/** The Node process below the process of buildah. */
function serverPid(below = child.pid as number): number | undefined {
  if (read(`/proc/${below}/cmdline`).startsWith('/usr/local/bin/node\0')) return below
  const threads = readdirSync(`/proc/${below}/task`)
  const children = threads.flatMap((thread) =>
    read(`/proc/${below}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  return children.map((pid) => serverPid(Number(pid))).find((found) => found !== undefined)
}

function start(env: Readonly<Record<string, string>>, ...command: string[]): ChildProcess {
  const { Entrypoint, Cmd } = config()
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const words = [...Entrypoint, ...(command.length > 0 ? command : Cmd)]
  const options = ['--isolation', 'chroot', '--volume', `${fence}:/var/lib/countersign`, ...settings]
  const started = spawn('buildah', [...storage, 'run', ...options, container, '--', ...words])
  for (const stream of [started.stdout, started.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk
    })
  }
  return started
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error(`the image did not become ready:\n${printed}`)
}

const call = (path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe.skipIf(!canBuild)('the image', () => {
  let before: string[]

  beforeAll(async () => {
    const out = await inShell({ folder: root, env: plainEnvironment() }, 'deploy/build-image.sh', 540_000)
    storage = out.trim().split(' ')
    container = buildah('from', 'localhost/countersign')
    files = buildah('mount', container)
    fence = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
    chownSync(fence, 10001, 10001)
    const tlogKey = randomBytes(32).toString('base64')
    server = await startServer({ env: { TLOG_KEY: tlogKey } })
    fixture = await openProofFixture(server)
    const { databaseUrl, cells, secretKeys, publicUrl, logHost } = server.services.config
    const [port, metricsPort] = [await freePort(), await freePort()]
    url = `http://127.0.0.1:${port}`
    const env = {
      DATABASE_URL: databaseUrl,
      CELLS: [...cells].map(([name, cell]) => `${name}=${cell}`).join(','),
      SECRET_KEY: secretKeys.map((key) => key.toString('base64')).join(','),
      TLOG_KEY: tlogKey,
      TLOG_HOST: logHost,
      PUBLIC_URL: publicUrl.replace('http:', 'https:'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DRAIN_SECONDS: '1',
    }
    const migrated = start(env, 'migrate')
    expect([await once(migrated, 'close'), printed]).toEqual([
      [0, null],
      'Nothing to migrate: everything is up to date.\n',
    ])
    before = listing()
    child = start(env)
    await untilReady()
  }, 600_000)

  afterAll(async () => {
    const left = child?.exitCode === null ? serverPid() : undefined
    if (left) process.kill(left, 'SIGKILL')
    if (container) buildah('rm', container)
    if (fence) rmSync(fence, { recursive: true })
    await server?.close()
  })

  it('contains Node and the server, and no npm, development package or test', () => {
    const names = before.map((line) => line.split(' ')[0] ?? '')
    expect(names).toContain('app/apps/server/bin.ts')
    expect(names).toContain('app/packages/witness/main.ts')
    expect(names.filter((name) => /(^|\/)(npm|npx|npm-cli\.js|vitest|typescript|tsc)$/.test(name))).toEqual([])
    expect(names.filter((name) => /^app\/(apps|packages)\/.*\/test\//.test(name))).toEqual([])
  })

  it('runs as uid 10001 and cannot become root', () => {
    expect(config().User).toBe('10001:10001')
    const status = read(`/proc/${serverPid()}/status`)
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
    expect(status).toMatch(/^Gid:\t10001\t10001\t10001\t10001$/m)
    expect(status).toMatch(/^CapEff:\t0+$/m)
  })

  it('seals a decision over HTTP', async () => {
    const answer = await call('/api/v1/agents/decide', sampleDecision())
    const { data } = (await answer.json()) as { data: unknown }
    expect(answer.status).toBe(201)
    const dpu = { status: 'sealed', chainHash: expect.stringMatching(/^sha256:/) }
    expect(data).toMatchObject({ outcome: 'completed', dpu, receipt: expect.anything() })
  })

  it('uses the compile cache of the image build', () => {
    const program = ['/usr/local/bin/node', '/app/apps/server/bin.ts', '--version']
    const options = ['--isolation', 'chroot', '--env', 'NODE_DEBUG_NATIVE=COMPILE_CACHE']
    const said = spawnSync('buildah', [...storage, 'run', ...options, container, '--', ...program], {
      encoding: 'utf8',
    })
    expect(said.stdout + said.stderr).toContain('file:///app/apps/server/bin.ts was accepted')
  })

  it('answers requests in flight after SIGTERM, and exits with 0', async () => {
    const inFlight = await beginSlowly(`${url}/api/v1/decision-events`, fixture.key, sampleEvent())
    const ended = once(child, 'close')
    process.kill(serverPid() as number, 'SIGTERM')
    await expect
      .poll(
        () =>
          fetch(`${url}/health/live`).then(
            ({ status }) => status,
            () => 'refused',
          ),
        { timeout: 10_000 },
      )
      .toBe('refused')
    expect((await inFlight.finish()).status).toBe(201)
    expect([await ended, printed]).toEqual([[0, null], expect.not.stringMatching(/^\s+at /m)])
  })

  it('writes only to the folder of the fence', () => {
    expect(readdirSync(fence)).not.toEqual([])
    const known = new Set(before)
    expect(listing().filter((line) => !known.has(line))).toEqual([])
  })
})
