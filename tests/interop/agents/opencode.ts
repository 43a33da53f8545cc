/** opencode, from npm. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmPackages } from '../installed.ts'
import { connectIn } from './connected.ts'
import type { AgentDriver } from './driver.ts'
import { startChatModel } from './openai-model.ts'
import { ran } from './running.ts'

export const opencode: AgentDriver = {
  id: 'opencode',
  action: 'opencode.bash',
  succeeded: 'succeeded',
  failed: 'failed',
  canDefer: false,

  // The program itself: the package's own script to set it up isn't run.
  install: async () => {
    const folder = await npmPackages('opencode', ['opencode-ai@1.18.33'])
    return join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`)
  },

  async run(program, { commands, folder, home, path, hook = [], onStart }) {
    let results: readonly string[] = []
    const model = await startChatModel({
      ...{ tool: 'bash', commands },
      argumentsOf: (command) => ({ command, description: 'as the script says' }),
      onResults: (found) => {
        results = found
      },
    })
    connectIn(home, 'opencode', hook)
    const options = { baseURL: `http://127.0.0.1:${model.port}/v1`, apiKey: 'none' }
    const models = { fake: { name: 'fake', tool_call: true } }
    const provider = { fake: { npm: '@ai-sdk/openai-compatible', name: 'fake', options, models } }
    // Two runs at once have two models.
    const settings = join(mkdtempSync(join(home, 'opencode-')), 'opencode.json')
    writeFileSync(
      settings,
      JSON.stringify({ autoupdate: false, share: 'disabled', provider, model: 'fake/fake', small_model: 'fake/fake' }),
    )
    try {
      const output = await ran(program, ['run', 'go'], {
        ...{ cwd: folder, onStart },
        env: {
          ...{
            PATH: path,
            HOME: home,
            LANG: 'en_US.UTF-8',
            OPENCODE_DISABLE_MODELS_FETCH: '1',
            OPENCODE_CONFIG: settings,
          },
          // It installs its own types into each folder of settings, and waits for them before it loads plugins.
          ...{ npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
        },
      })
      return { output, results, session: null, isDeferred: false }
    } finally {
      model.close()
    }
  },
}
