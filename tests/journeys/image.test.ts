/** The images, built by deploy/build-image.sh and started by buildah, next to a server of the test. Elsewhere this file is skipped. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { beginSlowly } from '../../apps/server/http/test/slow-sender.ts'
import { agents, openPlace, type Place, rawCall, upstreamFile } from '../../packages/gateway/test/fixture.ts'
import { freePort } from '../../tools/postgres.ts'
import { root } from '../docs/blocks.ts'
import { openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type BuiltImage, canBuild, openImage } from './built-image.ts'
import { inShell, plainEnvironment } from './shell.ts'

let server: TestServer
let fixture: ProofFixture
let storage: string[]
let image: BuiltImage
let child: ChildProcess
/** The folder mounted as /var/lib/countersign, as a container volume would be. */
let fence: string
let url: string
let printed = ''

const read = (file: string): string => readFileSync(file, 'utf8')
const serverPid = (): number | undefined => image.nodeBelow(child.pid as number)

function start(env: Readonly<Record<string, string>>, ...command: string[]): ChildProcess {
  const started = image.start(env, [`${fence}:/var/lib/countersign`], ...command)
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

afterAll(() => server?.close())

describe.skipIf(!canBuild)('the image', () => {
  let before: string[]

  beforeAll(async () => {
    const out = await inShell({ folder: root, env: plainEnvironment() }, 'deploy/build-image.sh', 540_000)
    storage = out.trim().split(' ')
    image = openImage(storage, 'localhost/countersign')
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
    before = image.listing()
    child = start(env)
    await untilReady()
  }, 600_000)

  afterAll(() => {
    const left = child?.exitCode === null ? serverPid() : undefined
    if (left) process.kill(left, 'SIGKILL')
    image?.remove()
    if (fence) rmSync(fence, { recursive: true })
  })

  it('contains Node and the server, and no npm, development package or test', () => {
    const names = before.map((line) => line.split(' ')[0] ?? '')
    expect(names).toContain('app/apps/server/bin.ts')
    expect(names).toContain('app/packages/witness/main.ts')
    expect(names.filter((name) => name.startsWith('app/packages/gateway'))).toEqual([])
    expect(names.filter((name) => /(^|\/)(npm|npx|npm-cli\.js|vitest|typescript|tsc)$/.test(name))).toEqual([])
    expect(names.filter((name) => /^app\/(apps|packages)\/.*\/test\//.test(name))).toEqual([])
  })

  it('runs as uid 10001 and cannot become root', () => {
    expect(image.config.User).toBe('10001:10001')
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
    const said = spawnSync('buildah', [...storage, 'run', ...options, image.container, '--', ...program], {
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
    expect(image.listing().filter((line) => !known.has(line))).toEqual([])
  })
})

describe.skipIf(!canBuild)('the image of the gateway', () => {
  const state = '/var/lib/countersign-gateway'
  let place: Place
  let gateway: BuiltImage
  let upstream: ChildProcess
  let running: ChildProcess
  let address: string
  let before: string[]
  let said = ''

  beforeAll(async () => {
    place = await openPlace(server)
    gateway = openImage(storage, 'localhost/countersign-gateway')
    const [port, metricsPort, upstreamPort] = [await freePort(), await freePort(), await freePort()]
    address = `http://127.0.0.1:${port}`
    const env = { PATH: process.env.PATH, PORT: String(upstreamPort), LEDGER: join(place.folder, 'ledger') }
    upstream = spawn(process.execPath, [upstreamFile], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    await once(upstream, 'message')
    const upstreams = { notes: { url: `http://127.0.0.1:${upstreamPort}/mcp` } }
    const file = place.configure({ state, upstreams, listen: { port }, metrics: { port: metricsPort } })
    cpSync(file, join(place.folder, 'countersign-gateway.json'))
    chmodSync(place.folder, 0o755)
    before = gateway.listing()
    running = gateway.start(place.secrets(), [`${place.folder}:/etc/countersign-gateway:ro`])
    for (const stream of [running.stdout, running.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk
      })
    }
    await vi.waitFor(
      async () => {
        const { ok } = await fetch(`http://127.0.0.1:${metricsPort}/ready`)
        expect(ok, said).toBe(true)
      },
      { timeout: 60_000, interval: 200 },
    )
  }, 120_000)

  afterAll(() => {
    const left = running?.exitCode === null ? gateway.nodeBelow(running.pid as number) : undefined
    if (left) process.kill(left, 'SIGKILL')
    upstream?.kill('SIGKILL')
    gateway?.remove()
    place?.close()
  })

  it('contains Node and the gateway, and neither the server nor npm', () => {
    const names = before.map((line) => line.split(' ')[0] ?? '')
    expect(names).toContain('app/packages/gateway/main.ts')
    expect(names.filter((name) => /(^|\/)(npm|npx|npm-cli\.js|typescript|tsc)$/.test(name))).toEqual([])
    expect(names.filter((name) => /^app\/(apps|tests|packages\/(cli|witness|design))\//.test(name))).toEqual([])
  })

  it('runs as uid 10001 and cannot become root', () => {
    const status = read(`/proc/${gateway.nodeBelow(running.pid as number)}/status`)
    expect([gateway.config.User, status]).toEqual(['10001:10001', expect.stringMatching(/^CapEff:\t0+$/m)])
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
  })

  it('decides and forwards a call', async () => {
    expect(await rawCall(address, agents.clerk, { name: 'notes_note', arguments: { text: 'image' } })).toContain(
      'noted',
    )
    expect(place.ran()).toEqual([{ name: 'note', text: 'image' }])
  })

  it('writes only to its folder, stops on SIGTERM and exits with 0', async () => {
    const ended = once(running, 'close')
    const pid = gateway.nodeBelow(running.pid as number) as number
    expect(readdirSync(`/proc/${pid}/root${state}`)).toContain('calls.sqlite')
    process.kill(pid, 'SIGTERM')
    expect([await ended, said]).toEqual([[0, null], expect.not.stringMatching(/^\s+at /m)])
    const known = new Set(before)
    expect(gateway.listing().filter((line) => !known.has(line))).toEqual([])
  })
})
