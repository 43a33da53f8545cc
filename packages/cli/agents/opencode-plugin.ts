/** The plugin that opencode loads: it starts the hook's command, and lets a call run only if the command says so. */

export const pluginMark = '// Written by `countersign agents connect`: changes are lost when it runs again.'

/** `program`: the words that start `countersign`. A few seconds after its own limit, a command that hangs is ended. */
export const opencodePlugin = (program: readonly string[], seconds: number): string => `${pluginMark}
import { spawn } from 'node:child_process'

const command = ${JSON.stringify([...program, 'hook', 'opencode', '--limit-seconds', String(seconds)])}
const longest = ${(seconds + 10) * 1000}
const heldAnyway = 'Countersign: the hook did not run, so the call is held.'

function ask(message, detached = false) {
  return new Promise((resolve) => {
    let said = ''
    let problem = ''
    const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], detached })
    const late = setTimeout(() => child.kill('SIGKILL'), longest)
    child.stdout.on('data', (chunk) => (said += chunk))
    child.stderr.on('data', (chunk) => (problem += chunk))
    child.stdin.on('error', () => {})
    child.on('error', () => resolve({ run: false }))
    child.on('close', (code) => {
      clearTimeout(late)
      try {
        const answer = code === 0 ? JSON.parse(said) : null
        resolve({ run: answer?.run === true, reason: answer?.reason ?? problem.trim() })
      } catch {
        resolve({ run: false, reason: problem.trim() })
      }
    })
    child.stdin.end(JSON.stringify(message))
    if (detached) child.unref()
  })
}

export const Countersign = async ({ client, directory }) => {
  let version
  const versionOf = async () => {
    version ??= (await client._client.get({ url: '/global/health' }).catch(() => null))?.data?.version
    return version
  }
  const call = async (event, { tool, sessionID, callID }, args, more = {}) => ({
    event, version: await versionOf(), cwd: directory, session: sessionID, call: callID, tool, args, ...more,
  })
  return {
    'tool.execute.before': async (input, output) => {
      const asked = JSON.stringify(output.args)
      const answer = await ask(await call('before', input, output.args)).catch(() => ({ run: false }))
      if (!answer.run) throw new Error(answer.reason || heldAnyway)
      if (JSON.stringify(output.args) !== asked) throw new Error('Countersign: the call was changed meanwhile, so it is held.')
    },
    'tool.execute.after': async (input, output) => {
      await ask(await call('after', input, input.args ?? {}, { exit: output?.metadata?.exit })).catch(() => {})
    },
    // The process may end right away: the last message goes out on its own.
    event: async ({ event }) => {
      if (event.type === 'session.idle') void ask({ event: 'end', session: event.properties.sessionID }, true)
    },
  }
}
`
