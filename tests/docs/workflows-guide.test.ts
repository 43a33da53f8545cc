/** The guide for workflows: its commands run one after another, and its tables are compared with the code. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { definitions } from '@countersign/server/workflow-library/all.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inShell, plainEnvironment } from '../journeys/shell.ts'
import { type AiServer, slow, startAiServer } from '../support/ai-server.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openVerticalFixture, people, type VerticalFixture } from '../support/vertical-fixture.ts'
import { blocksOf, read, root } from './blocks.ts'

const guide = read('docs/guides/workflows.md')
const commands = blocksOf(guide).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
const used = new Set<string>()

let server: TestServer
let ai: AiServer
let fixture: VerticalFixture
let folder: string
const known: Record<string, string> = {}

beforeAll(async () => {
  ai = await startAiServer()
  server = await startServer({ env: { AI_BASE_URL: ai.url, AI_MODEL: 'small-1' } })
  server.services.workflows.start()
  fixture = await openVerticalFixture(server, 'education', { locale: 'en-US', timezone: 'UTC' })
  await mkdir(join(root, '.dev'), { recursive: true })
  folder = await mkdtemp(join(root, '.dev/docs-workflows-'))
}, 60_000)
afterAll(async () => {
  await server.close()
  await ai.close()
  await rm(folder, { recursive: true, force: true })
})

/** The output of the only command of the page that contains this text. */
function run(part: string, andThen = ''): Promise<string> {
  const [found, ...others] = commands.filter((text) => text.includes(part))
  if (!found || others.length > 0) throw new Error(`the guide does not have exactly one command with "${part}"`)
  used.add(found)
  const here = found.replaceAll('localhost:3000', `127.0.0.1:${server.services.config.port}`)
  const env = plainEnvironment({ TOKEN: fixture.token, KEY: fixture.key, ...known })
  return inShell({ folder, env }, here + andThen, 30_000)
}
const answer = async (part: string) => JSON.parse(await run(part))

describe('the commands', () => {
  it('list the workflows of the center', async () => {
    known.WORKFLOW = (await run('> workflows.json', '\necho "$WORKFLOW"')).trim()
    expect(known.WORKFLOW).toMatch(/^wfl_/)
  })

  it('set when the workflow starts, its thresholds and its tags', async () => {
    expect(await answer('/settings')).toMatchObject({
      data: { schedule: { cron: '0 18 * * 5' }, settings: { tags: ['weekly-meeting'] } },
    })
  })

  it('record the data that workflows read', async () => {
    expect(await answer('attendance:absent')).toMatchObject({ data: { tags: ['attendance:absent'] } })
  })

  it('start an execution, watch it and find it in the list', async () => {
    known.EXECUTION = (await run('> execution.json', '\necho "$EXECUTION"')).trim()
    const { dpuId, status } = await fixture.ended(known.EXECUTION)
    expect(status).toBe('COMPLETED')
    known.DPU = dpuId as string
    const { data } = await answer('executions/$EXECUTION" -H')
    expect(data).toMatchObject({ status: 'COMPLETED', dpuId, parameters: { minimumPercent: 90, absences: 2 } })
    expect((await answer('limit=5')).data).toMatchObject([{ executionId: known.EXECUTION, evidenceLevel: 'DRAFT' }])
  })

  it('show the draft and its responsibility chain, and review it', async () => {
    const { data } = await answer('"http://localhost:3000/api/dpu/$DPU" -H')
    expect(data).toMatchObject({ evidenceLevel: 'DRAFT', metadata: { figures: { lessons: 0 } } })
    expect((await answer('/responsibility')).data.how).toMatchObject({ method: 'workflow', workflowId: known.WORKFLOW })
    expect((await answer('"evidenceLevel"')).data).toMatchObject({ evidenceLevel: 'DOCUMENTED' })
  })

  it('cancel an execution', async () => {
    ai.behave(slow)
    const [teacher = '', learner = ''] = people(2)
    await fixture.sessions(teacher, learner, 1, 1)
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    known.EXECUTION = await fixture.run('education.term-report', { from: day(9), to: day(0) })
    expect((await answer('/cancel')).data).toMatchObject({ executionId: known.EXECUTION, status: 'CANCELED' })
  })

  it('all run in this test', () => {
    expect(commands.filter((each) => !used.has(each))).toEqual([])
  })
})

it('the table names every workflow with its type, and whether it uses a model', () => {
  const rows = [...guide.matchAll(/^\| `([a-z.-]+\.[a-z-]+)` \| ([A-Z]+) \| .*\| (yes|no) \|$/gm)]
  expect(rows.map(([, key, type, model]) => [key, type, model])).toEqual(
    definitions.map(({ key, type, steps }) => [
      key,
      type,
      steps.some(({ name }) => name.startsWith('summarize-')) ? 'yes' : 'no',
    ]),
  )
})

it('the tags in the table are the defaults', () => {
  const [, section = ''] = guide.split('\n## Inputs\n')
  const shown = [...section.matchAll(/^\| [a-z, ]+ \| (`[^|]+`) \|/gm)].flatMap(([, tags = '']) =>
    [...tags.matchAll(/`([^`]+)`/g)].map(([, tag]) => tag as string),
  )
  const defaults = definitions.flatMap(({ parameters }) =>
    Object.entries(parameters.properties).flatMap(([name, schema]) =>
      /tag$/i.test(name) ? [(schema as { default?: string }).default as string] : [],
    ),
  )
  expect(new Set(shown)).toEqual(new Set(defaults))
})
