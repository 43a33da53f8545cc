/** A command on a terminal of its own, with a person who types. */
import { spawn } from 'node:child_process'
import { expect } from 'vitest'

export interface Terminal {
  output(): string
  shows(text: string): Promise<void>
  type(text: string): void
  readonly ended: Promise<number | null>
}

export function inTerminal(command: string, { cwd, env }: { cwd: string; env: Record<string, string> }): Terminal {
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm-256color', ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return {
    output: () => said,
    shows: async (text) => {
      await expect.poll(() => said, { timeout: 30_000 }).toContain(text)
    },
    type: (text) => child.stdin.write(text),
    ended: new Promise((resolve) => child.on('close', resolve)),
  }
}
