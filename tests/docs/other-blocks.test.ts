/** Runs, sends or parses the blocks of pages that have no test of their own: block-runs.ts says which. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { registerWebhook } from '@countersign/contract/webhooks.ts'
import { parsePolicy } from '@countersign/proof/trust-policy.ts'
import { readConfig } from '@countersign/server/config/config.ts'
import { envelopeBody } from '@countersign/server/features/automation/webhooks/signing.ts'
import { dpuId } from '@countersign/server/features/evidence/dpu/test/redacting.ts'
import { commands as operatorCommands } from '@countersign/server/operator/commands.ts'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRules } from '../../packages/cli/hook/rules.ts'
import { inShell, plainEnvironment } from '../journeys/shell.ts'
import { python, folder as pythonFolder } from '../python/environment.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, markdownFiles, read, root } from './blocks.ts'

const run = promisify(execFile)
const blocks = (page: string, language?: string) =>
  blocksOf(read(page)).filter((block) => language === undefined || block.language === language)
const only = (page: string, language?: string): string => {
  const [found, ...others] = blocks(page, language)
  if (!found || others.length > 0) throw new Error(`${page} has ${others.length + 1} blocks`)
  return found.text
}

let server: TestServer
let fixture: ProofFixture
let folder: string
beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  folder = mkdtempSync(join(tmpdir(), 'countersign-blocks-'))
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A command of ours from its source, as `npx` would start it. */
const fromSource = (text: string): string =>
  text
    .replaceAll('npx @countersign/cli', `'${process.execPath}' '${root}packages/cli/main.ts'`)
    .replaceAll('https://countersign.example', server.url)

describe('docs/guides/coding-agents.md and docs/guides/connect-agents.md', () => {
  const guide = 'docs/guides/coding-agents.md'

  it('the policy holds what Claude Code asks', async () => {
    const [policy = ''] = blocks(guide, 'json').map(({ text }) => text)
    expect((await fixture.platform('POST', '/api/policies', JSON.parse(policy))).status).toBe(201)
    const asked = await fixture.decide({ action: { type: 'claude-code.Bash', description: 'git push' } })
    expect(asked.body.data.outcome).toBe('approval_required')
  })

  it('the hook takes the rules', async () => {
    const file = join(folder, 'rules.json')
    writeFileSync(file, blocks(guide, 'json').find(({ label }) => label === 'rules.json')?.text ?? '')
    expect((await readRules([file])).rules.map(({ name }) => name)).toContain('migrations')
    expect(existsSync(join(root, 'docs/formats/hook-rules-v1.schema.json'))).toBe(true)
  })

  it('the commands connect an agent, watch it, enforce, check and disconnect', { timeout: 180_000 }, async () => {
    const home = join(folder, 'home')
    mkdirSync(join(home, 'bin'), { recursive: true })
    writeFileSync(join(home, 'bin', 'claude'), `#!/bin/sh\n[ "$1" = --version ] && echo '2.1.326'\n`, { mode: 0o755 })
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    writeFileSync(join(home, 'countersign.trust'), policy)
    writeFileSync(join(home, 'password'), fixture.admin.password)
    const env = plainEnvironment({ HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` })
    // A page's reader answers what the terminal asks; here the answers are options.
    const answers = `--yes --email '${fixture.admin.email}' --password-file password --center ${fixture.center.domain}`
    const here = (text: string) =>
      fromSource(text.trim()).replaceAll(/(agents connect .*--base-url .*)$/gm, `$1 ${answers}`)
    const [observe = '', enforce = ''] = blocks(guide, '').map(({ text }) => text)
    const [connect = '', doctor = '', disconnect = ''] = blocks('docs/guides/connect-agents.md', '').map(
      ({ text }) => text,
    )
    const settings = () => readFileSync(join(home, '.claude', 'settings.json'), 'utf8')
    expect(await inShell({ folder: home, env }, here(observe), 60_000)).toContain('Claude Code is connected')
    expect(settings()).toContain('hook')
    await inShell({ folder: home, env }, `${here(enforce)} --yes`, 60_000)
    await inShell({ folder: home, env }, here(connect), 60_000)
    // No Claude Code really runs here, so not everything that the doctor looks at is well.
    expect(await inShell({ folder: home, env }, `${here(doctor)} || test $? -lt 2`, 60_000)).toContain('Claude Code')
    await inShell({ folder: home, env }, `${here(disconnect)} --yes`, 60_000)
    expect(existsSync(join(home, '.claude/settings.json')) && settings().includes('countersign')).toBe(false)
  })
})

describe('what is sent to a server', () => {
  it('docs/guides/policies.md: the policies', async () => {
    const [whole = '', part = ''] = blocks('docs/guides/policies.md', 'json').map(({ text }) => text)
    const path = `/api/centers/${fixture.center.domain}/groups`
    const made = await fixture.platform('POST', path, { name: 'Finance', actorIds: [fixture.instructor.actorId] })
    const group = made.body.data.id
    const policy = JSON.parse(whole.replaceAll(/grp_\w{26}/g, group))
    expect((await fixture.platform('POST', '/api/policies', policy)).status).toBe(201)
    const approval = JSON.parse(part)
    const other = { name: 'Emergency', match: { actionTypes: ['pay.*'] }, guards: { humanReview: true }, approval }
    // Whoever approves in an emergency doesn't confirm it: a second director does.
    await server.world.member(await server.world.person(), fixture.center, 'ADMIN')
    const answer = await server.call('POST', '/api/policies', { token: fixture.token, body: other })
    // It waits for another director if it lets through more than the center's policies do.
    expect([201, 202]).toContain(answer.status)
    const imported = await fetch(`${server.url}/api/policies/import?dryRun=true`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/yaml' },
      body: only('docs/guides/policies.md', 'yaml'),
    })
    const { data } = (await imported.json()) as { data: { tests: { passed: boolean }[] } }
    expect([imported.status, data.tests.map(({ passed }) => passed)]).toEqual([200, [true]])
  })

  it('docs/guides/members.md: the trial of an import', async () => {
    const text = only('docs/guides/members.md').replaceAll('/haneul/', `/${fixture.center.domain}/`)
    const env = plainEnvironment({ COUNTERSIGN_URL: server.url, TOKEN: fixture.token })
    expect(JSON.parse(await inShell({ folder, env }, text))).toMatchObject({ success: true })
  })

  it('docs/guides/redaction.md: the request', async () => {
    const [line = '', ...rest] = only('docs/guides/redaction.md').trim().split('\n')
    const [method = '', path = ''] = line.split(' ')
    const [, key = ''] = /^Idempotency-Key: (\S+)$/m.exec(rest.join('\n')) ?? []
    const event = await fixture.record()
    await fixture.approve(event.id)
    const body = JSON.parse(rest.at(-1) ?? '')
    const answer = await fixture.platform(method, path.replace(/dpu_\w{26}/, dpuId(event.id)), body, {
      'idempotency-key': key,
    })
    expect([answer.status, answer.text.includes('approval.approver.name')]).toEqual([201, true])
  })

  it('docs/guides/stop.md: the stop', async () => {
    const answer = await fixture.platform('POST', '/api/freezes', JSON.parse(only('docs/guides/stop.md', 'json')))
    expect(answer.status).toBe(201)
    const refused = await fixture.decide({ agent: { id: 'agent-care' } })
    expect(refused.status).toBe(409)
  })

  it('docs/guides/destinations.md and docs/guides/webhooks.md: a webhook, and an event as it is delivered', () => {
    const { body: schema } = registerWebhook.mounts[0].spec
    expect(Value.Check(schema, JSON.parse(only('docs/guides/destinations.md', 'json')))).toBe(true)
    expect(Value.Check(schema, { ...JSON.parse(only('docs/guides/destinations.md', 'json')), exchange: 7 })).toBe(false)
    const shown = JSON.parse(only('docs/guides/webhooks.md', 'json'))
    const { id, type, createdAt, data, deliveryAttempt } = shown
    const body = envelopeBody({ id, type, createdAt, data: JSON.stringify(data), attempt: deliveryAttempt })
    expect(JSON.stringify(JSON.parse(body))).toBe(JSON.stringify(shown))
  })
})

describe('settings', () => {
  const basic = { DATABASE_URL: 'postgres://h/d', SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

  it('docs/guides/console.md: the command makes a key that the server takes', async () => {
    const made = (await inShell({ folder, env: plainEnvironment() }, only('docs/guides/console.md'))).trim()
    const { vapidKey } = readConfig({ ...basic, VAPID_PRIVATE_KEY: made, VAPID_SUBJECT: 'mailto:a@b.example' })
    expect(vapidKey).toEqual(expect.anything())
  })

  it('docs/guides/workflows.md: a model', () => {
    const lines = only('docs/guides/workflows.md', 'ini').trim().split('\n')
    const file = join(folder, 'ai-key')
    writeFileSync(file, 'secret')
    const given = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]))
    expect(readConfig({ ...basic, ...given, AI_API_KEY_FILE: file })).toBeTruthy()
    expect(() => readConfig({ ...basic, ...given, AI_API_KEY_FILE: file, AI_MODEL: '' })).toThrow('AI_MODEL')
  })

  it('deploy/observability/README.md: files that exist', () => {
    const { rule_files: files, scrape_configs: jobs } = parse(only('deploy/observability/README.md'))
    expect(files.filter((file: string) => !existsSync(join(root, 'deploy/observability', file)))).toEqual([])
    expect(jobs[0].static_configs[0].targets).toEqual([`127.0.0.1:${readConfig(basic).metricsPort}`])
  })

  it('docs/runbook.md and packages/witness/README.md: a quorum of witnesses, and the log of a host', () => {
    const key = read('docs/formats/transparency.md').match(/^log (\S+)$/m)?.[1] ?? ''
    const witnesses = Array.from(
      read('docs/formats/transparency.md').matchAll(/^witness \w+ (\S+)/gm),
      ([, vkey]) => vkey as string,
    )
    const shown = blocks('docs/runbook.md', '').find(({ text }) => text.startsWith('witness '))?.text ?? ''
    let at = 0
    const complete = shown.replaceAll(/\S+\+[0-9a-f]{8}\+\w+\.\.\./g, () => witnesses[at++] ?? '')
    expect(at).toBe(3)
    expect(parsePolicy(`log ${key}\n${complete}`)).toMatchObject({ quorum: 'all-of-them' })
    const log = blocks('packages/witness/README.md', '')[0]?.text ?? ''
    expect(log).toMatch(/^#.*\nlog \S+\+[0-9a-f]{8}\+\w+\.\.\.\n$/)
    expect(parsePolicy(`${log.replace(/^log .*$/m, `log ${key}`)}quorum none\n`)).toBeTruthy()
  })

  it('packages/gateway/README.md: the program for a client on the same machine', async () => {
    const block = blocks('packages/gateway/README.md').find(({ label }) => label === 'stdio.json')
    const { gated } = JSON.parse(block?.text ?? '').mcpServers
    const [yes, name, ...args] = gated.args as string[]
    expect([gated.command, yes, name]).toEqual(['npx', '-y', '@countersign/gateway'])
    const ended = await run(process.execPath, [`${root}packages/gateway/main.ts`, ...args], { cwd: folder }).catch(
      (error: { stderr: string }) => error,
    )
    // The words are understood: only the file isn't there.
    expect(ended.stderr).toContain('countersign-gateway.json')
    expect(ended.stderr).not.toContain('--help')
  })

  it('packages/words/README.md: the catalogs', async () => {
    mkdirSync(join(root, '.dev'), { recursive: true })
    writeFileSync(
      join(root, '.dev/words-of-readme.mts'),
      `${only('packages/words/README.md')}\nconsole.log(en.title, ko.title)`,
    )
    const { stdout } = await run(process.execPath, [join(root, '.dev/words-of-readme.mts')])
    expect(stdout.trim()).toMatch(/\S+ \S+/)
    rmSync(join(root, '.dev/words-of-readme.mts'))
  })
})

describe('docs/formats/transparency.md', () => {
  it('shows one key under two names', () => {
    const keys = blocks('docs/formats/transparency.md')
      .map(({ text }) => text.trim())
      .filter((text) => text.startsWith('proof.example'))
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(parsePolicy(`log ${key}\nquorum none\n`)).toBeTruthy()
    expect(new Set(keys.map((key) => key.split('+')[2])).size).toBe(1)
  })

  it('verifies a timestamp with OpenSSL', async () => {
    const stamp = JSON.parse(read('tests/interop/timestamp.json'))
    writeFileSync(join(folder, 'token.tst'), Buffer.from(stamp.token, 'base64'))
    writeFileSync(join(folder, 'checkpoint.txt'), stamp.checkpoint)
    writeFileSync(join(folder, 'authority.pem'), stamp.authority)
    const command = blocks('docs/formats/transparency.md').find(({ text }) => text.startsWith('openssl ts'))?.text ?? ''
    expect(await inShell({ folder, env: plainEnvironment() }, `${command.trim()} 2>&1`)).toContain('Verification: OK')
  })
})

/** The lines of the blocks of a page that begin with a prompt. */
const typed = (page: string): string[] =>
  blocks(page, 'console').flatMap(({ text }) => Array.from(text.matchAll(/^\$ (.*)$/gm), ([, line]) => line as string))

describe('commands for a machine of an operator', () => {
  it.each(['deploy/README.md', 'deploy/helm/countersign/README.md', 'docs/one-machine.md', 'docs/upgrades.md'])(
    '%s: name files, services, build targets and steps that exist',
    (page) => {
      const lines = typed(page)
      expect(lines).not.toEqual([])
      const files = lines.flatMap((line) => Array.from(line.matchAll(/\bdeploy\/\S+/g), ([file]) => file as string))
      expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
      const { services } = parse(read('deploy/compose.yaml'), { merge: true })
      for (const line of lines) {
        const [, service] = /compose\.yaml run --rm (\S+)/.exec(line) ?? []
        if (service) expect(Object.keys(services)).toContain(service)
        const [, target] = /--target (\S+)/.exec(line) ?? []
        if (target) expect(read('deploy/Containerfile')).toContain(` AS ${target}\n`)
        const [, deployment] = /(?:deployment[/ ])countersign-(\w+)/.exec(line) ?? []
        if (deployment)
          expect(existsSync(join(root, `deploy/helm/countersign/templates/${deployment}.yaml`))).toBe(true)
        const [, step] = /npm run release -- (\w+)/.exec(line) ?? []
        if (step) expect(read('tools/release.ts')).toMatch(new RegExp(`^ \\*   ${step}\\b`, 'm'))
      }
    },
  )

  it('docs/runbook.md: every command of the operator exists and takes as many words as the page shows', () => {
    const shown = blocks('docs/runbook.md').flatMap(({ text }) =>
      Array.from(text.matchAll(/^npm run operator -- (.+)$/gm), ([, line]) =>
        Array.from((line as string).matchAll(/'([^']*)'|\S+/g), ([word]) => word as string),
      ),
    )
    expect(shown.length).toBeGreaterThan(10)
    for (const [name = '', ...words] of shown.filter(([first]) => first !== '--help')) {
      const takes = operatorCommands[name as keyof typeof operatorCommands]?.takes
      expect(takes, name).toBeDefined()
      const most = (takes ?? '').split(' ').filter((word) => word !== '').length
      const least = (takes ?? '')
        .replaceAll(/\[.*?\]/g, '')
        .split(' ')
        .filter((word) => word !== '').length
      expect(words.length, name).toBeGreaterThanOrEqual(least)
      expect(words.length, name).toBeLessThanOrEqual(most)
    }
  })

  it('python/README.md: the program waits for a person', { timeout: 300_000 }, async () => {
    const { policy } = (await server.call('GET', '/.well-known/countersign-log.json')).body
    writeFileSync(join(folder, 'trust.txt'), policy)
    await fixture.policy(
      { humanReview: true },
      { match: { actionTypes: ['refund.*'] }, approval: { identity: 'session' } },
    )
    writeFileSync(join(folder, 'readme.py'), only('python/README.md', 'python'))
    const env = {
      ...{ PATH: process.env.PATH, PYTHONPATH: join(pythonFolder, 'src'), HOME: folder },
      ...{ COUNTERSIGN_URL: server.url, COUNTERSIGN_API_KEY: fixture.key },
      ...{ COUNTERSIGN_CENTER: String(fixture.center.id), COUNTERSIGN_TRUST_FILE: join(folder, 'trust.txt') },
    }
    const ended = await run(await python(), [join(folder, 'readme.py')], { cwd: folder, env }).catch(
      (error: { stderr: string }) => error,
    )
    expect(ended.stderr).toContain('GuardError: No one has decided yet.')
  })

  it('every page: the extras of the Python package that pip installs exist', async () => {
    const known = Array.from(
      (/^\[project\.optional-dependencies\]\n([\s\S]*?)\n\n/m.exec(read('python/pyproject.toml'))?.[1] ?? '').matchAll(
        /^([\w-]+) = /gm,
      ),
      ([, name]) => name as string,
    )
    const named = (await markdownFiles()).flatMap((file) =>
      Array.from(
        read(file).matchAll(/pip install '(?:\.|\.\.\/countersign)\/python\[([\w,-]+)\]'/g),
        ([, names = '']) => names.split(','),
      ),
    )
    expect(named.length).toBeGreaterThan(3)
    expect(named.flat().filter((name) => !known.includes(name))).toEqual([])
  })
})
