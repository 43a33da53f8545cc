/** The frameworks of Python, each attempt a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Framework, Outcome, Scene } from '../../packages/sdk/test/agents/attempt.ts'
import type { KilledScene, Program } from '../../packages/sdk/test/agents/one-attempt.ts'
import { compiled, folder } from './environment.ts'

const kept = mkdtempSync(join(tmpdir(), 'countersign-kept-'))
let interpreter = 'python3'
export const usePython = (path: string): void => {
  interpreter = path
}

const programOf = (name: string, scene: KilledScene, more: object = {}): Program => ({
  command: interpreter,
  args: [join(folder, 'tests/attempt.py')],
  env: {
    SCENE: JSON.stringify({ name, kept, options: { withinMs: 60_000 }, ...scene, ...more }),
    ...compiled,
  },
})

/** A process that has loaded the framework, and forks one for each attempt: loading takes longer than an attempt. */
const loading = new Map<string, Promise<string>>()
const running: ChildProcess[] = []

function loaded(name: string): Promise<string> {
  const key = modules[name]?.join(' ') ?? ''
  const known = loading.get(key)
  if (known) return known
  const path = join(kept, `${loading.size}.socket`)
  const args = [join(folder, 'tests/forked.py'), path, ...key.split(' ')]
  const child = spawn(interpreter, args, { env: { ...process.env, ...compiled }, stdio: ['pipe', 'pipe', 'inherit'] })
  running.push(child)
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', () => resolve(path))
    child.once('exit', (code) => reject(new Error(`The process that loads ${key} ended with ${code}.`)))
  })
  loading.set(key, ready)
  return ready
}
export const endAll = (): void => {
  for (const child of running) child.kill()
}

async function attempt(name: string, { options, server, runId, won, run, forgets, onResult }: Scene): Promise<Outcome> {
  if (!server) throw new Error('A program of another language needs the address of the server.')
  const { withinMs = 0, onDone, requires, center, agent } = options
  const scene = { ...server, center: center as number, agentId: agent.id, runId, won }
  const { env } = programOf(name, scene, { forgets, options: { withinMs, onDone, requires } })
  const connection = connect(await loaded(name))
  connection.write(`${env.SCENE}\n`)
  const errors: string[] = []
  let outcome: Outcome | null = null
  for await (const line of createInterface({ input: connection })) {
    if (!line.startsWith('{"event"')) {
      errors.push(line)
      continue
    }
    const { event, id, order, ...more } = JSON.parse(line)
    if (event === 'waiting') options.onWaiting?.({ id } as never)
    if (event === 'unreported') options.onUnreported?.(null, id)
    if (event === 'running') {
      const result = await run({ order, won: more.won })
      connection.write(`${JSON.stringify(result ?? null)}\n`)
    }
    if (event === 'ended') {
      outcome = more.outcome
      if (outcome === 'ran') onResult?.(more.result)
    }
  }
  if (outcome === null) throw new Error(errors.join('\n'))
  return outcome
}

const framework = (name: string): Framework => ({
  name,
  attempt: (scene) => attempt(name, scene),
  program: (each, scene) => programOf(each, scene),
})

const langGraph = ['countersign.langchain', 'langchain.agents', 'langgraph.checkpoint.sqlite.aio']
const modules: Record<string, string[]> = {
  'Python guard': ['countersign.guard'],
  'Python guard, asynchronous': ['countersign.guard'],
  'LangGraph for Python': langGraph,
  'LangGraph for Python, asynchronous': langGraph,
  'Pydantic AI': ['countersign.pydantic_ai', 'pydantic_ai.models.function'],
  'OpenAI Agents': ['countersign.openai_agents', 'agents'],
  'Google ADK': [
    'countersign.adk',
    'google.adk.agents',
    'google.adk.runners',
    'google.adk.sessions.sqlite_session_service',
  ],
}
export const frameworks = Object.keys(modules).map(framework)

/** The others run with `TEST_LONG=1`: they share the guard. */
export const shortList = frameworks.filter(({ name }) => ['Python guard', 'LangGraph for Python'].includes(name))
