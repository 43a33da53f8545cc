/** Starts a hook as its agent would, from the text of the settings, and reads the answer. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sampleOf } from './samples.ts'
import type { AgentSettings } from './settings.ts'

export interface Answered {
  /** Whether the agent would run the call. */
  readonly isHeld: boolean
  readonly reason: string
  readonly milliseconds: number
}

export interface Trial {
  /** The answer to a call that changes nothing: it should pass. */
  readonly harmless: Answered
  /** The answer to something that isn't a call: it should be held. */
  readonly nonsense: Answered
}

const slowestMs = 20_000

interface Started {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function started(program: string, args: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<Started> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    const late = setTimeout(() => child.kill('SIGKILL'), slowestMs)
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', (error) => resolve({ code: null, out, err: error.message }))
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code, out, err })
    })
  })
}

/** In the form of whichever agent. */
function reasonIn(text: string): { readonly isHeld: boolean; readonly reason: string } {
  try {
    const {
      decision,
      permission,
      reason = '',
      permissionDecision,
      hookSpecificOutput = {},
      user_message,
    } = JSON.parse(text)
    const said = [decision, permission, permissionDecision, hookSpecificOutput.permissionDecision]
    const why = hookSpecificOutput.permissionDecisionReason ?? user_message ?? reason
    return { isHeld: said.some((each) => each !== undefined && each !== 'allow'), reason: String(why) }
  } catch {
    return { isHeld: text.trim() !== '', reason: text.trim() }
  }
}

/** The command in the settings: the same handler stands at every event. */
export function commandIn(settings: AgentSettings, text: string): string | null {
  const values = [...text.matchAll(/"command"\s*:\s*("(?:[^"\\]|\\.)*")/g)].map(([, value = '""']) => JSON.parse(value))
  return values.find((each: string) => settings.isConnected(each)) ?? null
}

/** Calls the plugin as opencode does, in a process of its own. */
const pluginRunner = `
const [file, version, tool, callID] = process.argv.slice(1)
const client = { _client: { get: async () => ({ data: { version } }) } }
const { Countersign } = await import(file)
const hooks = await Countersign({ client, directory: process.cwd() })
try {
  await hooks['tool.execute.before']({ tool, sessionID: 'countersign-doctor', ...(callID && { callID }) }, { args: { filePath: '/' } })
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
`

async function answered(run: () => Promise<Started>): Promise<Answered> {
  const at = performance.now()
  const { code, out, err } = await run()
  const said = reasonIn(out)
  const isHeld = code !== 0 || said.isHeld
  const reason = code === null ? `${err.trim()} (> ${slowestMs / 1000} s)` : said.reason || err.trim()
  return { isHeld, reason: isHeld ? reason : '', milliseconds: Math.round(performance.now() - at) }
}

export async function tryHook(settings: AgentSettings, text: string, version: string): Promise<Trial> {
  const { agent, packageName } = settings
  const sample = sampleOf(agent.id, packageName, version)
  const env = { ...process.env, ...sample.env }
  try {
    if (agent.id === 'opencode') {
      const file = join(sample.file, '..', 'plugin.mjs')
      writeFileSync(file, text)
      const run = (callId: string) => () =>
        started(
          process.execPath,
          ['--input-type=module', '-e', pluginRunner, pathToFileURL(file).href, version, 'read', callId],
          '',
          env,
        )
      return { harmless: await answered(run('countersign-doctor')), nonsense: await answered(run('')) }
    }
    const command = commandIn(settings, text) ?? 'false'
    // The file is the shell's name: a hook that looks at the programs above it finds the agent's package.
    const run = (input: object) => () => started('/bin/sh', ['-c', command, sample.file], JSON.stringify(input), env)
    return { harmless: await answered(run(sample.input)), nonsense: await answered(run({ hook_event_name: 'doctor' })) }
  } finally {
    sample.close()
  }
}
