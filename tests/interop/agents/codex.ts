/** Codex, from npm. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookCommand } from '../../../packages/cli/hook/connection.ts'
import { npmPackages } from '../installed.ts'
import type { AgentDriver } from './driver.ts'
import { type Body, events, ran, startModel, turn } from './running.ts'

const main = new URL('../../../packages/cli/main.ts', import.meta.url).pathname

const resultsIn = (body: Body): string[] =>
  ((body.input ?? []) as readonly { readonly type: string; readonly output?: unknown }[])
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)))

export const codex: AgentDriver = {
  id: 'codex',
  action: 'codex.Bash',
  // Its hook isn't told whether the command succeeded.
  succeeded: 'unknown',
  failed: 'unknown',
  canDefer: false,

  install: async () => join(await npmPackages('codex', ['@openai/codex@0.169.0']), 'node_modules/.bin/codex'),

  async run(program, { commands, folder, home, path, hook = [], onStart }) {
    let results: readonly string[] = []
    const model = await startModel(async ({ url = '' }, body, response) => {
      if (!url.startsWith('/v1/responses')) return void response.writeHead(404).end('{}')
      results = resultsIn(body)
      const cmd = await turn(commands, results.length)
      const item =
        cmd === undefined
          ? { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text: 'Done' }] }
          : {
              ...{
                type: 'function_call',
                id: `f${results.length}`,
                call_id: `call_${crypto.randomUUID().slice(0, 8)}`,
              },
              ...{ name: 'exec_command', arguments: JSON.stringify({ cmd, yield_time_ms: 30_000 }) },
            }
      const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null }
      events(response, [
        ['response.created', { response: { id: 'r1' } }],
        ['response.output_item.done', { output_index: 0, item }],
        ['response.completed', { response: { id: 'r1', usage: { ...usage, total_tokens: 2 } } }],
      ])
    })
    // Two runs at once have two models, and the settings name the model.
    const codexHome = mkdtempSync(join(home, 'codex-'))
    writeFileSync(
      join(codexHome, 'config.toml'),
      `model = "fake-model"
model_provider = "fake"
approval_policy = "on-request"
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${model.port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
`,
    )
    const command = hookCommand('codex', `${process.execPath} ${main}`, 120).replace(' ||', ` ${hook.join(' ')} ||`)
    const each = [{ matcher: '.*', hooks: [{ type: 'command', command, timeout: 120 }] }]
    writeFileSync(join(codexHome, 'hooks.json'), JSON.stringify({ hooks: { PreToolUse: each, PostToolUse: each } }))
    try {
      const output = await ran(
        program,
        ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', '-s', 'danger-full-access', 'go'],
        {
          cwd: folder,
          onStart,
          env: { PATH: path, HOME: home, CODEX_HOME: codexHome, FAKE_KEY: 'none', LANG: 'en_US.UTF-8' },
        },
      )
      return { output, results, session: null, isDeferred: false }
    } finally {
      model.close()
    }
  },
}
