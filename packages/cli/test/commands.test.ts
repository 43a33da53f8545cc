/** The table of commands, and what help, completion and exit codes make of it. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commandHelp, generalHelp } from '../command-help.ts'
import { commands, completed } from '../commands.ts'
import { following } from '../completion.ts'
import { openJournal } from '../journal.ts'
import { deliveryHeaders, signatureFault } from '../webhook-signature.ts'
import { countersign } from './program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('help', () => {
  it.each(['en', 'ko'] as const)('describes every command and option, in %s', (language) => {
    const general = generalHelp(language)
    for (const command of commands) {
      expect(general).toContain(command.name)
      const page = commandHelp(command, language)
      for (const option of [...command.options, 'json']) expect(page).toMatch(new RegExp(`--${option}\\b.+\\S`))
      expect(page).not.toContain('undefined')
    }
  })
})

describe('completion', () => {
  it('knows every command and its options', () => {
    expect(following(completed(), [])).toEqual(expect.arrayContaining(['verify', 'decisions', 'completion']))
    expect(following(completed(), ['decisions'])).toEqual(['list', 'show', 'wait', 'tail'])
    expect(following(completed(), ['policies', 'apply'])).toContain('--wait')
  })

  it('works in bash', async () => {
    const script = (await countersign(['completion', 'bash'])).out
    const typed = (...words: string[]) =>
      execFileSync('bash', [
        '-c',
        `${script}\nCOMP_WORDS=(countersign ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _countersign; echo "\${COMPREPLY[*]}"`,
      ])
        .toString()
        .trim()
    expect(typed('dec')).toBe('decisions')
    expect(typed('policies', '')).toBe('export diff test apply')
    expect(typed('policies', 'apply', '--w')).toBe('--wait')
    expect((await countersign(['completion', 'tcsh'])).code).toBe(2)
  })
})

describe('the journal of listen', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

  it('knows what was handed over before a kill, and forgets the line that a kill cut', () => {
    const file = join(folder, 'journal')
    const first = openJournal(file, 'whk_1')
    for (const id of ['a', 'b']) first.add({ id, createdAt: at(1) })
    appendFileSync(file, `${at(2)} c`)
    const second = openJournal(file, 'whk_1')
    expect(['a', 'b', 'c'].map((id) => second.has(id))).toEqual([true, true, false])
    expect([second.newest(), statSync(file).mode & 0o777]).toEqual([at(1), 0o600])
    expect(openJournal(file, 'whk_2').has('a')).toBe(false)
  })

  it('keeps what may be listed again, and no more', () => {
    const file = join(folder, 'long')
    const journal = openJournal(file, 'whk_1')
    for (let each = 0; each < 300; each++) journal.add({ id: `e${each}`, createdAt: at(each) })
    const again = openJournal(file, 'whk_1')
    expect([again.has('e0'), again.has('e179'), again.has('e299')]).toEqual([false, true, true])
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(130)
  })
})

describe('a signature', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = Buffer.from('{"id":"a"}')
  const now = Date.UTC(2026, 0, 1)
  const headers = deliveryHeaders(secret, 'a', body, new Date(now))

  it('fits one body, one ID and one time', () => {
    expect(signatureFault(headers, body, [secret], now)).toBeNull()
    expect(signatureFault(headers, Buffer.from('{"id":"b"}'), [secret], now)).toBe('signature')
    expect(signatureFault({ ...headers, 'webhook-id': 'b' }, body, [secret], now)).toBe('signature')
    expect(signatureFault({ ...headers, 'webhook-timestamp': '1' }, body, [secret], now)).toBe('signature')
    expect(signatureFault(headers, body, [`whsec_${Buffer.alloc(32, 8).toString('base64')}`], now)).toBe('signature')
    expect(signatureFault(headers, body, [secret], now + 301_000)).toBe('time')
    expect(signatureFault(headers, body, [secret], null)).toBeNull()
    expect(signatureFault({}, body, [secret], now)).toBe('headers')
  })
})

describe('policies apply', () => {
  const revision = (n: number) => `sha256:${String(n).repeat(64)}`
  const plan = {
    changes: [{ kind: 'policy', change: 'changed', name: 'R\u001b[2J', before: { a: 1 }, after: { a: 2 } }],
  }
  let answer: (request: IncomingMessage, body: string) => [number, object]
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      const [status, value] = answer(request, body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    })
  })
  let env: Record<string, string>
  let file: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    env = {
      COUNTERSIGN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      COUNTERSIGN_API_KEY: 'csk_test_x',
      COUNTERSIGN_CONFIG: join(folder, 'none.json'),
    }
    file = join(folder, 'policies.yaml')
    writeFileSync(file, 'version: 1\npolicies: []\n')
  })
  afterAll(() => server.close())
  afterEach(() => asked.splice(0))
  const apply = (...more: string[]) => countersign(['policies', 'apply', file, ...more], { env })
  const said = (more: object) => ({
    data: { revision: revision(1), loosens: [], pending: null, tests: [], ...plan, ...more },
  })

  it('sends the file as it is, and applies it to the state that it was compared with', async () => {
    answer = () => [200, said({})]
    const { code, out } = await apply()
    expect([code, out.includes('\u001b'), out]).toEqual([0, false, expect.stringContaining('    + /a: 2')])
    expect(asked).toEqual([
      'PUT /api/v1/policies/import?dryRun=true application/yaml',
      `PUT /api/v1/policies/import?${new URLSearchParams({ revision: revision(1) })} application/yaml`,
    ])
  })

  it('is refused with the difference where somebody changed the rules meanwhile, and changes nothing', async () => {
    let dry = 0
    answer = ({ url }) =>
      url?.includes('dryRun')
        ? [200, said({ revision: revision(++dry) })]
        : [409, { error: { code: 'CONFLICT', message: 'Another state.', details: {} } }]
    const { code, out } = await apply()
    expect([code, out]).toEqual([5, expect.stringMatching(/NOT APPLIED[\s\S]*~ policy R/)])
    expect(asked.filter((each) => !each.includes('dryRun'))).toHaveLength(1)
  })

  it('that fails for another reason says that reason', async () => {
    answer = ({ url }) =>
      url?.includes('dryRun') ? [200, said({})] : [409, { error: { code: 'CONFLICT', message: 'One waits already.' } }]
    const { code, out, err } = await apply()
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('One waits already.')])
  })

  it('that loosens prints the address and ends with 4; --wait waits for people', async () => {
    const pending = { eventId: 'evt_1', approvalUrl: 'https://countersign.example/approve/1' }
    let status = 'recorded'
    answer = ({ url }) => {
      if (url?.includes('/decision-events/')) {
        const decision = {
          id: 'evt_1',
          status,
          actor: { id: 'a' },
          action: { type: 't' },
          approvals: [],
          waiting: pending,
        }
        status = 'sealed'
        return [200, { data: decision }]
      }
      return [
        url?.includes('dryRun') ? 200 : 202,
        said({ loosens: ['R'], pending: url?.includes('dryRun') ? null : pending }),
      ]
    }
    const first = await apply()
    expect([first.code, first.out]).toEqual([4, expect.stringContaining(pending.approvalUrl)])
    const waited = await apply('--wait', '--timeout', '20')
    expect([waited.code, waited.out]).toEqual([0, 'Applied.\n'])
    status = 'rejected'
    expect((await apply('--wait', '--timeout', '5')).code).toBe(1)
  })

  it('does not send a file whose tests fail', async () => {
    const differences = [{ path: '/outcome', expected: 'refused', actual: 'completed' }]
    answer = () => [200, said({ tests: [{ name: 'no', passed: false, differences }] })]
    const { code, out } = await apply()
    expect([code, out, asked.length]).toEqual([1, expect.stringContaining('- /outcome: "refused"'), 1])
    const test = await countersign(['policies', 'test', file], { env })
    expect(test.code).toBe(1)
    const diff = await countersign(['policies', 'diff', file, '--json'], { env })
    expect([diff.code, JSON.parse(diff.out).revision]).toEqual([1, revision(1)])
  })

  it('without a server, a key or a file ends with 2 and asks nothing', async () => {
    const bare = { env: { COUNTERSIGN_CONFIG: join(folder, 'none.json') } }
    expect((await countersign(['policies', 'apply', file], bare)).code).toBe(2)
    expect((await countersign(['policies', 'apply'], { env })).code).toBe(2)
    expect((await countersign(['policies', 'apply', '/nonexistent'], { env })).code).toBe(2)
    expect(asked).toEqual([])
  })
})
