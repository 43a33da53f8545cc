/** Writes what `countersign agents connect` would write for the person, with another limit and other arguments for the hook. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { allSettings, limitSeconds } from '../../../packages/cli/agents/settings.ts'

const main = new URL('../../../packages/cli/main.ts', import.meta.url).pathname

export function connectIn(home: string, id: string, hook: readonly string[], before: string | null = null): void {
  const settings = allSettings.find(({ agent }) => agent.id === id)
  const file = settings?.file('user', { env: { HOME: home }, folder: home })
  if (!settings || !file) throw new Error(`${id} has no settings`)
  const limit = ['--limit-seconds', '120', ...hook]
  const text = settings
    .connected(before, [process.execPath, main])
    .replaceAll(`--limit-seconds ${limitSeconds}`, limit.join(' '))
    .replaceAll(`"--limit-seconds","${limitSeconds}"`, limit.map((each) => JSON.stringify(each)).join(','))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
