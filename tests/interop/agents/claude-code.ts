/** Claude Code in the version that is in a wheel of its Python SDK. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookCommand } from '../../../packages/cli/hook/connection.ts'
import { installed, needsPip, run } from '../installed.ts'
import type { AgentDriver } from './driver.ts'
import { type Body, events, ran, startModel, turn } from './running.ts'

const main = new URL('../../../packages/cli/main.ts', import.meta.url).pathname
const wheel = 'claude-agent-sdk==0.2.183'

interface Message {
  readonly content: string | readonly { readonly type: string; readonly content?: unknown }[]
}

const resultsIn = (body: Body): string[] =>
  ((body.messages ?? []) as readonly Message[])
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))

export const claudeCode: AgentDriver = {
  id: 'claude-code',
  action: 'claude-code.Bash',
  succeeded: 'succeeded',
  failed: 'failed',
  canDefer: true,

  async install() {
    const folder = await installed('claude-code', wheel, needsPip, (target) =>
      run('python3', [
        ...['-m', 'pip', 'install', '--quiet', '--no-compile', '--no-deps', '--only-binary=:all:', '--target', target],
        wheel,
      ]),
    )
    return join(folder, 'claude_agent_sdk/_bundled/claude')
  },

  async run(program, { commands, folder, home, path, hook = [], resume, onStart }) {
    let results: readonly string[] = []
    const model = await startModel(async ({ url = '' }, body, response) => {
      response.setHeader('content-type', 'application/json')
      if (url.includes('count_tokens')) return void response.end('{"input_tokens":10}')
      if (!url.startsWith('/v1/messages')) return void response.writeHead(404).end('{}')
      const isMain = ((body.tools ?? []) as readonly { name: string }[]).some(({ name }) => name === 'Bash')
      const found = resultsIn(body)
      if (isMain) results = found
      const command = isMain ? await turn(commands, found.length) : undefined
      const [start, delta, reason] =
        command === undefined
          ? [{ type: 'text', text: '' }, { type: 'text_delta', text: 'done' }, 'end_turn']
          : [
              { type: 'tool_use', id: `toolu_${crypto.randomUUID().slice(0, 8)}`, name: 'Bash', input: {} },
              {
                type: 'input_json_delta',
                partial_json: JSON.stringify({ command, description: 'as the script says' }),
              },
              'tool_use',
            ]
      const usage = { input_tokens: 5, output_tokens: 1 }
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, content: [], usage }
      events(response, [
        ['message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }],
        ['content_block_start', { index: 0, content_block: start }],
        ['content_block_delta', { index: 0, delta }],
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 9 } }],
        ['message_stop', {}],
      ])
    })
    const command = hookCommand('claude-code', `${process.execPath} ${main}`, 120).replace(
      ' ||',
      ` ${hook.join(' ')} ||`,
    )
    const each = (matcher?: string) => [
      { ...(matcher && { matcher }), hooks: [{ type: 'command', command, timeout: 120 }] },
    ]
    const settings = join(home, 'settings.json')
    writeFileSync(
      settings,
      JSON.stringify({
        hooks: {
          ...{ PreToolUse: each('*'), PostToolUse: each('*'), PostToolUseFailure: each('*'), SessionEnd: each() },
        },
      }),
    )
    try {
      const output = await ran(
        program,
        [
          ...['-p', 'go', '--settings', settings, '--output-format', 'json', '--permission-mode', 'default'],
          ...(resume === undefined ? [] : ['--resume', resume]),
        ],
        {
          ...{ cwd: folder, onStart },
          env: {
            ...{ PATH: path, HOME: home, ANTHROPIC_API_KEY: 'none', LANG: 'en_US.UTF-8' },
            ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          },
        },
      )
      return {
        ...{ output, results },
        session: /"session_id":"([^"]+)"/.exec(output)?.[1] ?? null,
        isDeferred: output.includes('"terminal_reason":"tool_deferred"'),
      }
    } finally {
      model.close()
    }
  },
}
