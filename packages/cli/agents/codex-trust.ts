/**
 * Whether Codex runs our hook. Codex skips a hook that its user hasn't trusted in /hooks, and says nothing to the hook's author; its
 * own `app-server` knows. The hash that it trusts is not ours to compute.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface CodexHook {
  readonly command: string | null
  readonly enabled: boolean
  readonly isManaged: boolean
  readonly trustStatus: string
}

const slowestMs = 25_000

/** Null if Codex doesn't say. */
export function codexHooks(program: string, folder: string): Promise<readonly CodexHook[] | null> {
  return new Promise((resolve) => {
    const child = spawn(program, ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const end = (value: readonly CodexHook[] | null) => {
      clearTimeout(late)
      child.kill()
      resolve(value)
    }
    const late = setTimeout(() => end(null), slowestMs)
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
    child.stdin.on('error', () => {})
    child.on('error', () => end(null))
    child.on('close', () => end(null))
    createInterface({ input: child.stdout }).on('line', (line) => {
      let message: { id?: number; result?: { data?: readonly { hooks: readonly CodexHook[] }[] } }
      try {
        message = JSON.parse(line)
      } catch {
        return
      }
      if (message.id === 1) {
        send({ method: 'initialized' })
        send({ id: 2, method: 'hooks/list', params: { cwds: [folder] } })
      }
      if (message.id === 2) end(message.result?.data?.flatMap(({ hooks }) => hooks) ?? null)
    })
    send({
      ...{ id: 1, method: 'initialize' },
      params: { clientInfo: { name: 'countersign-doctor', title: null, version: '1' }, capabilities: null },
    })
  })
}
