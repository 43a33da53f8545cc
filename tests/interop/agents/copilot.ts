/** Copilot CLI, from npm, with a model of its user's own. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { npmPackages } from '../installed.ts'
import { connectIn } from './connected.ts'
import type { AgentDriver } from './driver.ts'
import { startChatModel } from './openai-model.ts'
import { ran } from './running.ts'

export const copilot: AgentDriver = {
  id: 'copilot',
  action: 'copilot.Bash',
  // For its hook, a command that failed is a success of the tool.
  succeeded: 'unknown',
  failed: 'unknown',
  canDefer: false,

  // The program itself: what npm links starts it as a second process, which outlives the first.
  install: async () => {
    const folder = await npmPackages('copilot', ['@github/copilot@1.0.102'])
    return join(folder, `node_modules/@github/copilot-${process.platform}-${process.arch}/copilot`)
  },

  async run(program, { commands, folder, home, path, hook = [], onStart }) {
    let results: readonly string[] = []
    const model = await startChatModel({
      ...{ tool: 'bash', commands },
      argumentsOf: (command) => ({ command, description: 'as the script says', mode: 'sync', initial_wait: 60 }),
      onResults: (found) => {
        results = found
      },
    })
    connectIn(home, 'copilot', hook)
    // It unpacks itself into the cache of its user, which takes longer than a run.
    const cache = join(program, '../../../../unpacked')
    mkdirSync(cache, { recursive: true })
    mkdirSync(join(home, '.cache'), { recursive: true })
    try {
      symlinkSync(cache, join(home, '.cache', 'copilot'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    try {
      const output = await ran(program, ['-p', 'go', '--allow-all-tools'], {
        ...{ cwd: folder, onStart },
        env: {
          ...{ PATH: path, HOME: home, LANG: 'en_US.UTF-8', COPILOT_OFFLINE: 'true', COPILOT_MODEL: 'fake' },
          COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
        },
      })
      return { output, results, session: null, isDeferred: false }
    } finally {
      model.close()
    }
  },
}
