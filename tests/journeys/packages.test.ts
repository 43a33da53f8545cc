/** The published packages as users get them: packed, installed into an empty folder with npm, and used there. */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { agents, openPlace, rawCall } from '../../packages/gateway/test/fixture.ts'
import { agentPackages } from '../../packages/sdk/test/agents/packages.ts'
import { distOf, publishedPackages } from '../../tools/build-packages.ts'
import { freePort } from '../../tools/postgres.ts'
import { blocksOf, read, root } from '../docs/blocks.ts'
import { npmPackages } from '../interop/installed.ts'
import { hostKey, littleLog } from '../support/little-log.ts'
import { overHttp, overStdio } from '../support/mcp.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { followCiGuide } from './ci-guide.ts'
import { crashHour, twoToolsHour } from './developer-hours.ts'
import { followGuardGuide, linesOfTheUser } from './guard-guide.ts'
import { nodeVersions, tryOn } from './node-versions.ts'
import { writeModels } from './scripted-models.ts'
import { inBackground, inShell, plainEnvironment, type Shell } from './shell.ts'

let home: string
let app: string
let server: TestServer
let fixture: ProofFixture
let shells: Record<'sdk' | 'mcp', Shell>
const tarball = (name: string): string => {
  const folder = join(app, 'countersign-packages')
  const file = readdirSync(folder).find((each) => each.startsWith(`countersign-${name}-`))
  return join(folder, file ?? `no archive of ${name}`)
}
const here = (command: string) => inShell({ folder: app, env: plainEnvironment({ LANG: 'C' }) }, command, 120_000)
const blocks = (name: string, language: string) =>
  blocksOf(read(`packages/${name}/README.md`)).filter((block) => block.language === language)

/** A program that uses each entry point of the SDK as a user would. */
const everyEntryPoint = `import { Countersign, decidedCall, verifyWebhook } from '@countersign/sdk'
import { guardTools } from '@countersign/sdk/ai'
import { GuardError, guard, verifiedExport } from '@countersign/sdk/guard'
import { guardToolCalls } from '@countersign/sdk/langchain'
import { memoryStorage, receiptStore } from '@countersign/sdk/receipts'
import { fakeCountersign, softwarePasskey } from '@countersign/sdk/testing'

const client = new Countersign()
const own = { agent: { id: 'refund-agent' }, client, trust: 'log x', center: 1 } as const
const refund = guard(
  {
    action: 'refund.issue',
    requires: ({ won }: { won: number }) => (won > 100_000 ? 'passkey' : null),
    run: ({ won }) => won,
  },
  own,
)
export const paid: Promise<number> = refund({ won: 1 }, { callId: 'a' })
export const text: Promise<string> = verifiedExport('evt_1', { client, center: 1, requires: 'session' })
const { answers } = guardTools(
  { refund: { execute: ({ won }: { won: number }) => won } },
  { ...own, runId: 'r', guard: { refund: { describe: ({ won }) => String(won), withinMs: () => 0 } } },
)
export const waiting = answers([]).then(({ waiting }) => waiting.map(({ approvalUrl }) => approvalUrl))
export const middleware = guardToolCalls({ ...own, guard: { search: false } })
export const store = receiptStore({ chains: client.chains, storage: memoryStorage() })
export const fake = fakeCountersign({ asks: ({ type }) => type === 'refund.issue' })
export const passkey = softwarePasskey('http://localhost:3000')
export const woken = verifyWebhook({ body: '', headers: new Headers(), secrets: [] }).then((event) => decidedCall(event, 'a')?.runId)
export const why = (error: unknown): string | null => (error instanceof GuardError ? error.refusal?.reason ?? error.reason : null)
`

/** A decision sealed by a server, its export, an altered copy of it, and the policy that the server publishes. */
async function writeRealProof(): Promise<void> {
  const event = await fixture.record()
  await fixture.approve(event.id)
  const { text } = await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)
  const { body } = await server.call('GET', '/.well-known/countersign-log.json')
  writeFileSync(join(app, 'proof.json'), text)
  const altered = JSON.parse(text)
  altered.evidence.sealedAt = altered.evidence.sealedAt.replace(/\d\d\dZ$/, (end: string) =>
    end === '000Z' ? '001Z' : '000Z',
  )
  writeFileSync(join(app, 'altered.json'), JSON.stringify(altered))
  writeFileSync(join(app, 'countersign.policy'), body.policy)
}

/** The programs of a README in a folder of their own, with the policy of the server. */
function writePrograms(name: 'sdk' | 'mcp'): Shell {
  const folder = join(app, name)
  mkdirSync(folder)
  for (const { label, text } of blocks(name, 'ts')) writeFileSync(join(folder, label), text)
  writeFileSync(join(folder, 'countersign.trust'), readFileSync(join(app, 'countersign.policy')))
  const { email, password } = fixture.admin
  const account = { EMAIL: email, PASSWORD: password, CENTER: fixture.center.domain }
  const own = { COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key }
  const COUNTERSIGN_CENTER = String(fixture.center.id)
  return { folder, env: plainEnvironment({ ...own, COUNTERSIGN_CENTER, ...account }) }
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'countersign-packages-'))
  app = join(home, 'app')
  await inShell({ folder: root, env: plainEnvironment() }, `npm run --silent pack -- --into '${app}'`)
  server = await startServer()
  fixture = await openProofFixture(server)
  await writeRealProof()
  const match = { actionTypes: ['refund.*'] }
  await fixture.policy({ humanReview: true }, { match, approval: { identity: 'session' } })
  shells = { sdk: writePrograms('sdk'), mcp: writePrograms('mcp') }
  writeModels(shells.sdk.folder, await agentPackages())
  // The gateway has brought the official client; it is what agents use here.
  await here('node -e \'import("@modelcontextprotocol/client")\'')
}, 600_000)
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

describe.each(publishedPackages)('%s', (name) => {
  it('passes publint', async () => {
    const data = readFileSync(tarball(name))
    const pack = { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.length) as ArrayBuffer }
    expect((await publint({ pack, strict: true })).messages).toEqual([])
  })

  it('says where it comes from, and runs nothing when it is installed', async () => {
    const manifest = JSON.parse(readFileSync(join(distOf(name), 'package.json'), 'utf8'))
    const { homepage, repository } = JSON.parse(read('package.json'))
    expect(manifest).toMatchObject({ homepage, repository: { ...repository, directory: `packages/${name}` } })
    expect([manifest.keywords.includes('countersign'), manifest.scripts]).toEqual([true, undefined])
  })

  it('ships its README, its license and the sources of the declaration maps, and no test', async () => {
    const files = (await here(`tar -tzf '${tarball(name)}'`)).trim().split('\n')
    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/package.json']))
    expect(files.filter((file) => /\/test\/|\.test\.|tsconfig/.test(file))).toEqual([])
    const maps = files.filter((file) => file.endsWith('.d.ts.map'))
    expect(maps.length).toBeGreaterThan(3)
    for (const map of maps) {
      const [source] = JSON.parse(readFileSync(join(distOf(name), map.replace('package/', '')), 'utf8')).sources
      expect(files).toContain(join(dirname(map), source as string))
    }
  })
})

describe.each([
  ['contract', ['.']],
  ['proof', ['.', './making']],
  ['sdk', ['.', './ai', './guard', './langchain', './receipts', './testing']],
  ['mcp', ['.']],
  ['gateway', ['.']],
] as const)('%s, imported', (name, entrypoints) => {
  it('has correct types for ES modules and bundlers', async () => {
    const packed = createPackageFromTarballData(readFileSync(tarball(name)))
    const result = await checkPackage(packed, { entrypoints: [...entrypoints] })
    if (!result.types) throw new Error('there are no types')
    // The package is for ES modules only: its types under CommonJS and Node 10 are not supported.
    const promised = ['node16-esm', 'bundler']
    const wrong = result.problems.filter(
      (each) => !('resolutionKind' in each) || promised.includes(each.resolutionKind),
    )
    expect(wrong).toEqual([])
  })

  it('does not export its internal files', async () => {
    await expect(here(`node -e 'import("@countersign/${name}/index.js")'`)).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    )
  })
})

describe('engines', () => {
  const built = (name: string) => JSON.parse(readFileSync(join(distOf(name), 'package.json'), 'utf8'))

  it('of what programs and agents install begin with the oldest version that is tried here', () => {
    const promised = ['contract', 'proof', 'cli', 'sdk', 'mcp'].map((name) => built(name).engines.node)
    expect(new Set(promised)).toEqual(new Set([`>=${nodeVersions[0]}`]))
    // Their state is an SQLite file, which older versions can't write.
    for (const name of ['witness', 'gateway']) {
      expect(built(name).engines.node).toBe(JSON.parse(read('package.json')).engines.node)
    }
  })

  it.each(nodeVersions)('hold on Node %s: guard, verify, audit, tools for MCP', { timeout: 180_000 }, (version) =>
    tryOn(version, app, fixture),
  )
})

describe('the examples of the READMEs', () => {
  it('type-check, with the declarations of the packages, and run', { timeout: 120_000 }, async () => {
    const files = (['proof', 'contract'] as const).flatMap((name) =>
      blocks(name, 'ts').map(({ text }, index) => {
        const file = `${name}-${index}.mts`
        writeFileSync(join(app, file), text)
        return file
      }),
    )
    expect(files).toHaveLength(3)
    const options = `--noEmit --strict --target es2024 --module nodenext --resolveJsonModule --types node --typeRoots ${root}node_modules/@types`
    await here(`'${root}node_modules/.bin/tsc' ${options} ${files.join(' ')}`)
    const [proof = '', contract = '', openapi = ''] = await Promise.all(files.map((file) => here(`node ${file}`)))
    expect(proof).toMatch(/^valid sha256:[0-9a-f]{64}\nintact: yes\ninChain: yes\nsigned: yes\nwitnessed: /)
    expect(contract).toMatch(/^POST \/api\/v1\/decision-events \{.*\}\n\d+ operations, \d+ error codes\n$/)
    expect(openapi).toBe('3.1.0 true\n')
  })
})

describe('the guide to guarding an agent', () => {
  it('has at most fifteen lines for the user to write', () => {
    expect(linesOfTheUser()).toBeGreaterThan(10)
    expect(linesOfTheUser()).toBeLessThanOrEqual(15)
  })

  it(
    'goes from an empty folder to a refund that ran once and a verified proof in under five minutes',
    {
      timeout: 400_000,
    },
    () => followGuardGuide(),
  )
})

describe('the guide to guarding tools', () => {
  const archives = () => ['proof', 'sdk', 'cli'].map((name) => tarball(name)).join(' ')

  it('goes from an empty folder to two tools that need two levels', { timeout: 300_000 }, () =>
    twoToolsHour(server, archives()),
  )

  it('goes from an empty folder through a crash between two tools to both results', { timeout: 300_000 }, () =>
    crashHour(server, archives()),
  )
})

describe('the guide to testing', () => {
  it('gives two CI jobs at once a sandbox each, and nothing stays', { timeout: 400_000 }, () =>
    followCiGuide(server, ['proof', 'sdk', 'cli'].map(tarball).join(' ')),
  )
})

describe('@countersign/proof in a browser', () => {
  it('bundles without a module of Node, and gives the same verdicts', async () => {
    writeFileSync(join(app, 'page.js'), "export { parsePolicy, verifyProof } from '@countersign/proof'\n")
    const bundle = await rolldown({ input: join(app, 'page.js'), cwd: app, platform: 'browser' })
    const { output } = await bundle.write({ file: join(app, 'page.bundle.mjs') })
    expect(output[0].imports).toEqual([])
    const { parsePolicy, verifyProof } = await import(join(app, 'page.bundle.mjs'))
    const policy = parsePolicy(readFileSync(join(app, 'countersign.policy'), 'utf8'))
    const verdict = (file: string) => verifyProof(JSON.parse(readFileSync(join(app, file), 'utf8')), policy)
    expect(verdict('proof.json')).toMatchObject({ ok: true, signed: { status: 'yes' } })
    expect(verdict('altered.json')).toMatchObject({ ok: false, intact: { status: 'no' } })
  })
})

describe('countersign', () => {
  it('runs the commands of its README', async () => {
    const [install = '', ...commands] = blocks('cli', 'sh').flatMap(({ text }) => text.trim().split('\n'))
    expect(install).toBe('npm run pack -- --into ../my-agent cli')
    const { version } = JSON.parse(read('packages/cli/package.json'))
    const [first, ...rest] = await Promise.all(commands.map(here))
    expect(first).toBe(`countersign ${version}\n`)
    expect(rest).toHaveLength(1)
    expect(rest[0]).toMatch(/Signed +yes/)
  })

  it('refuses an altered export with exit code 1', async () => {
    const said = await here(
      'npx @countersign/cli verify altered.json --trust countersign.policy --json || echo "code $?"',
    )
    expect(said).toMatch(/code 1\n$/)
    expect(JSON.parse(said.split('\n')[0] ?? '')).toMatchObject({ ok: false })
  })
})

describe('countersign-witness', () => {
  it('creates a key, starts, cosigns, and exits on Ctrl+C without a stack trace', async () => {
    expect(await here('npx @countersign/witness --version')).toMatch(/^countersign-witness \d+\.\d+\.\d+\n$/)
    const key = hostKey('log.example')
    const log = littleLog(key, 'log.example/c/1/proof', 'a story', 5)
    await here('npx @countersign/witness init --name witness.example/w1')
    writeFileSync(join(app, 'witness.conf'), `log ${key.vkey}\n`)
    const witness = inBackground({ folder: app, env: plainEnvironment() }, 'exec npx @countersign/witness --port 0')
    await witness.shows('is listening on', 30_000)
    const [url] = /http:\S+/.exec(witness.output()) ?? []
    const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: log.submission(0, 5) })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^— witness\.example\/w1 /)])
    await witness.interrupt(10_000)
    expect(witness.output()).not.toMatch(/^\s+at /m)
  })
})

describe('@countersign/gateway', () => {
  it('is installed by the command of its README, and its program serves an agent', { timeout: 120_000 }, async () => {
    expect(blocks('gateway', 'sh')[0]?.text.trim()).toBe('npm run pack -- --into ../my-gateway gateway')
    expect(await here('npx @countersign/gateway --version')).toMatch(/^countersign-gateway \d+\.\d+\.\d+\n$/)
    const place = await openPlace(server)
    const port = await freePort()
    const settings = { listen: { port }, $schema: './node_modules/@countersign/gateway/config.schema.json' }
    cpSync(place.configure(settings), join(app, 'countersign-gateway.json'))
    expect(readFileSync(join(app, settings.$schema), 'utf8')).toContain('Configuration of countersign-gateway')
    cpSync(join(place.folder, 'countersign.trust'), join(app, 'countersign.trust'))
    const shell = { folder: app, env: plainEnvironment(place.secrets()) }
    // One tool of this server has a name that can't be offered, which is a finding.
    const checked = await inShell(shell, 'npx @countersign/gateway check || echo "code $?"', 60_000)
    expect(checked).toMatch(/^clerk: sees \d+ tools$[\s\S]*^code 1$/m)
    const gateway = inBackground(shell, 'exec npx @countersign/gateway')
    await gateway.shows('serving agents at', 60_000)
    const note = { name: 'notes_note', arguments: { text: 'packed' } }
    expect(await rawCall(`http://127.0.0.1:${port}`, agents.clerk, note)).toContain('noted packed')
    await gateway.interrupt(30_000)
    expect(gateway.output()).not.toMatch(/^\s+at /m)
    place.close()
  })
})

describe('the README', () => {
  const guarded = blocksOf(read('README.md')).find(({ label }) => label === 'refunds.mts')?.text ?? ''

  it('guards a tool in ten lines', () => {
    expect(guarded.split('\n').filter((line) => line.trim())).toHaveLength(10)
  })

  it('guards a tool that waits for a person, runs once and gets the idempotency key', async () => {
    const write = (file: string, text: string) => writeFileSync(join(shells.sdk.folder, file), text)
    write('refunds.mts', guarded)
    write('payments.mts', 'export const payments = { refund: (...given: unknown[]) => JSON.stringify(given) }\n')
    const call = "await refund({ order: '1041', won: 820_000 }, { callId: 'readme' })"
    write('readme.mts', `import { refund } from './refunds.mts'\nconsole.log(${call})\n`)
    const env = { ...shells.sdk.env, COUNTERSIGN_TRUST_FILE: join(app, 'countersign.policy') }
    const program = inBackground({ ...shells.sdk, env }, 'exec node readme.mts')
    const listed = () => fixture.v1('GET', '/api/v1/decision-events?waiting=true&limit=50')
    const id = await vi.waitFor(async () => {
      const found = (await listed()).body.data.find((each: { decisionId: string }) => each.decisionId === 'readme')
      return found?.id ?? Promise.reject(new Error('it does not wait yet'))
    }, 30_000)
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    await program.shows(`["1041",820000,{"idempotencyKey":"${id}"}]`, 30_000)
  })
})

describe('@countersign/sdk', () => {
  const programs = blocks('sdk', 'ts')
  const run = (program: string) => inShell(shells.sdk, `node ${program}`, 30_000)

  it('has programs in its README, and that of mcp one, that type-check', { timeout: 120_000 }, async () => {
    const options = `--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions --skipLibCheck --types node --typeRoots ${root}node_modules/@types`
    await inShell(
      shells.sdk,
      `'${root}node_modules/.bin/tsc' ${options} ${programs.map(({ label }) => label).join(' ')} ../mcp/agent.mts`,
    )
    expect(programs.map(({ label }) => label)).toEqual([
      ...['countersign.mts', 'agent.mts', 'guarded.mts', 'refund.mts', 'ai-agent.mts', 'ai-later.mts'],
      ...['langchain-agent.mts', 'errors.mts', 'lists.mts', 'people.mts', 'webhook.mts', 'receipts.mts'],
      'refund.test.mts',
    ])
  })

  it('runs the agent of its README, which waits for a person', async () => {
    const agent = inBackground(shells.sdk, 'exec node agent.mts')
    await agent.shows(' waits: http', 30_000)
    const [id = ''] = /evt_\w+/.exec(agent.output()) ?? []
    expect(await run('people.mts')).toBe(`store these tokens\n${id} refund.issue\nsigned out\n`)
    expect(await run('lists.mts')).toContain(`${id} recorded\n200 `)
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    await agent.shows('\nsealed ', 30_000)
  })

  it('runs the guarded tool of its README once, after a person has approved', async () => {
    const agent = inBackground(shells.sdk, 'exec node guarded.mts')
    await agent.shows('waits: http', 30_000)
    const [id = ''] = /evt_\w+/.exec(agent.output()) ?? []
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    await agent.shows(`820000 won, with the idempotency key ${id}`, 30_000)
    expect(await run('guarded.mts')).toContain('done: An earlier attempt already ran this call: succeeded.')
  })

  it('runs an agent of the AI SDK, whose proof is verified offline', async () => {
    const agent = inBackground(shells.sdk, 'exec node ai-agent.mts')
    await agent.shows('waits: http', 30_000)
    const [id = ''] = /evt_\w+/.exec(agent.output()) ?? []
    const { data } = (await fixture.v1('GET', `/api/v1/decision-events/${id}`)).body
    expect(data).toMatchObject({
      decisionId: 'ticket-1041/call-1',
      aiContext: { model: 'refunds-1', provider: 'script' },
    })
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    await agent.shows('Refunded 820000 won for order 1041', 30_000)
    expect(await here(`npx @countersign/cli verify sdk/${id}.json --trust sdk/countersign.trust`)).toMatch(
      /Signed +yes/,
    )
  })

  it('runs an agent of the AI SDK that ends while a person decides', async () => {
    expect(await run('ai-later.mts')).toBe('stops\n')
    const waiting = await run('ai-later.mts')
    expect(waiting).toMatch(/^waits: http/)
    expect((await fixture.approveAsMember(/evt_\w+/.exec(waiting)?.[0] ?? '')).status).toBe(200)
    expect(await run('ai-later.mts')).toContain('Refunded 820000 won')
  })

  it('runs an agent of LangChain', async () => {
    const agent = inBackground(shells.sdk, 'exec node langchain-agent.mts')
    await agent.shows('waits:', 30_000)
    expect((await fixture.approveAsMember(/evt_\w+/.exec(agent.output())?.[0] ?? '')).status).toBe(200)
    await agent.shows('Refunded 820000 won for order 1041', 30_000)
  })

  it('runs the other programs of its README', async () => {
    expect(await run('refund.test.mts')).toBe('tested\n')
    expect(await run('errors.mts')).toMatch(/^404 NOT_FOUND req_\w+\n$/)
    expect(await run('receipts.mts')).toBe('the log continues\n')
    // A second run compares with what the first one kept.
    expect(await run('receipts.mts')).toBe('the log continues\n')
  })

  it('has a receiver in its README that accepts a delivery once and refuses a forged one', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const body = JSON.stringify({ id: 'msg_1', type: 'dpu.sealed', data: {}, deliveryAttempt: 1 })
    const time = String(Math.floor(Date.now() / 1000))
    const signature = new Webhook(secret).sign('msg_1', new Date(Number(time) * 1000), body)
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': signature }
    const caller = `import { receive } from './webhook.mts'
      for (const body of [process.env.BODY, process.env.BODY, process.env.BODY + ' ']) {
        const headers = JSON.parse(process.env.HEADERS)
        console.log((await receive(new Request('http://a.example/', { method: 'POST', body, headers }))).status)
      }`
    writeFileSync(join(shells.sdk.folder, 'caller.mts'), caller)
    const env = { ...shells.sdk.env, SECRET: secret, BODY: body, HEADERS: JSON.stringify(headers) }
    expect(await inShell({ ...shells.sdk, env }, 'node caller.mts', 30_000)).toBe('204\n204\n401\n')
  })

  it.each([
    ['@countersign/sdk', 25],
    ['@countersign/sdk/guard', 50],
  ])('%s has less than %i KB in a browser, compressed', async (entry, most) => {
    writeFileSync(join(app, 'sdk.js'), `export * from '${entry}'\n`)
    const bundle = await rolldown({ input: join(app, 'sdk.js'), cwd: app, platform: 'browser' })
    const { output } = await bundle.generate({ minify: true })
    // With what it loads at once; a client of its own, a guard loads only if it is given none.
    const [first, ...others] = output
    const all = [first, ...others.filter(({ fileName }) => first.imports.includes(fileName))]
    expect(all).toHaveLength(1 + first.imports.length)
    const length = all.reduce((sum, each) => sum + gzipSync('code' in each ? each.code : '').length, 0)
    process.stdout.write(`${entry}: ${(length / 1024).toFixed(1)} KB of ${most}\n`)
    expect(length).toBeLessThan(most * 1024)
  })

  it.each(['5.4.5', '7.0.2'])(
    'has types that TypeScript %s accepts, declarations included',
    { timeout: 600_000 },
    async (version) => {
      const compiler = await npmPackages(`typescript-${version}`, [`typescript@${version}`])
      writeFileSync(join(app, 'types.mts'), everyEntryPoint)
      const options =
        '--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable --module nodenext --typeRoots none'
      await here(`'${join(compiler, 'node_modules/.bin/tsc')}' ${options} types.mts`)
    },
  )
})

describe('@countersign/mcp', () => {
  it('is set up as its README says, and has the tools that it lists', async () => {
    const [stdio, http] = blocks('mcp', 'json').map(({ text }) => {
      const own = text.replace('"42"', `"${fixture.center.id}"`).replace('https://proof.example', server.url)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of the page
      const filled = own.replace('${COUNTERSIGN_API_KEY}', fixture.key)
      return JSON.parse(filled).mcpServers.countersign
    })
    expect(http).toMatchObject({ url: `${server.url}/mcp`, headers: { Authorization: `Bearer ${fixture.key}` } })
    const { command, args, env } = stdio
    const clients = [
      await overStdio(
        { command, args, cwd: shells.mcp.folder, env: { ...shells.mcp.env, ...env } },
        { era: '2026-07-28' },
      ),
      await overHttp(server.url, fixture.key, { era: '2026-07-28' }),
    ]
    const listed = [...read('packages/mcp/README.md').matchAll(/^\| `(\w+_\w+)` \| (yes|no)/gm)]
    for (const client of clients) {
      const { tools } = await client.listTools()
      expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual(
        listed.map(([, name, changes]) => [name, expect.objectContaining({ readOnlyHint: changes === 'no' })]),
      )
      await client.close()
    }
  })

  it('serves the agent of its README, which waits for a person', { timeout: 120_000 }, async () => {
    const agent = inBackground(shells.mcp, 'exec node agent.mts')
    await agent.shows('approve at http', 30_000)
    const [id = ''] = /evt_\w+/.exec(agent.output()) ?? []
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    await agent.shows('allowed', 60_000)
    const { body } = await fixture.v1('GET', `/api/v1/decision-events/${id}`)
    expect(body.data.execution.outcome.status).toBe('succeeded')
  })
})
