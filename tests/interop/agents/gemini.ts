/** Gemini CLI, from npm. */
import { join } from 'node:path'
import { npmPackages } from '../installed.ts'
import { connectIn } from './connected.ts'
import type { AgentDriver } from './driver.ts'
import { type Body, ran, startModel, turn } from './running.ts'

interface Content {
  readonly parts?: readonly { readonly functionResponse?: { readonly response?: unknown } }[]
}

const resultsIn = (body: Body): string[] =>
  ((body.contents ?? []) as readonly Content[])
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse }) => (functionResponse ? [JSON.stringify(functionResponse.response)] : []))

export const gemini: AgentDriver = {
  id: 'gemini',
  action: 'gemini.run_shell_command',
  // The hook gets the exit code in a text only, behind what the command printed.
  succeeded: 'unknown',
  failed: 'unknown',
  canDefer: false,

  install: async () => join(await npmPackages('gemini', ['@google/gemini-cli@0.61.0']), 'node_modules/.bin/gemini'),

  async run(program, { commands, folder, home, path, hook = [], onStart }) {
    let results: readonly string[] = []
    const model = await startModel(async ({ url = '' }, body, response) => {
      if (url.includes('countTokens')) return void response.end('{"totalTokens":3}')
      const tools = (body.tools ?? []) as readonly { readonly functionDeclarations?: readonly unknown[] }[]
      const isMain = tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0)
      if (isMain) results = resultsIn(body)
      const command = isMain ? await turn(commands, results.length) : undefined
      const part =
        command === undefined
          ? { text: 'done' }
          : { functionCall: { name: 'run_shell_command', args: { command, description: 'as the script says' } } }
      const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
      const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }]
      const answer = JSON.stringify({ candidates, usageMetadata, modelVersion: 'gemini-2.5-pro' })
      const isStream = url.includes('stream')
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
      response.end(isStream ? `data: ${answer}\n\n` : answer)
    })
    const mine = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      ...{ privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } },
    }
    connectIn(home, 'gemini', hook, JSON.stringify(mine, null, 2))
    try {
      const output = await ran(program, ['-p', 'go', '--yolo', '-m', 'gemini-2.5-pro', '--output-format', 'json'], {
        ...{ cwd: folder, onStart },
        env: {
          ...{ PATH: path, HOME: home, LANG: 'en_US.UTF-8', GEMINI_API_KEY: 'none' },
          // Otherwise it starts itself as a second process, which outlives the first.
          GEMINI_CLI_NO_RELAUNCH: 'true',
          GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.port}`,
        },
      })
      return { output, results, session: null, isDeferred: false }
    } finally {
      model.close()
    }
  },
}
