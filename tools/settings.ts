/** Settings for the scripts: the environment, and the values that `npm run dev` stores in `.dev/`. */
import { readFileSync } from 'node:fs'
import type { Environment } from '@countersign/server/config.ts'

export const devFolder = new URL('../.dev/', import.meta.url).pathname
export const devSettingsFile = `${devFolder}settings.json`

export function settings(): Environment {
  let kept: Environment = {}
  try {
    kept = JSON.parse(readFileSync(devSettingsFile, 'utf8'))
  } catch {
    // No stored settings: the environment is complete without them.
  }
  const { TLOG_MEMORY_DIR, ...others } = kept
  // The memory belongs to one database: with another one it would report truncated chains.
  const sameDatabase = [undefined, kept.DATABASE_URL].includes(process.env.DATABASE_URL)
  return { ...others, ...(sameDatabase && { TLOG_MEMORY_DIR }), ...process.env }
}
