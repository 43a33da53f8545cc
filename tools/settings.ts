/** Settings for the scripts: the environment, and the values that `npm run dev` stores in `.dev/`. */
import { readFileSync } from 'node:fs'
import type { Environment } from '@countersign/server/config/config.ts'

export const devFolder = new URL('../.dev/', import.meta.url).pathname
export const devSettingsFile = `${devFolder}settings.json`

export function settings(): Environment {
  let kept: Environment = {}
  try {
    kept = JSON.parse(readFileSync(devSettingsFile, 'utf8'))
  } catch {
    // No stored settings: the environment is complete without them.
  }
  const { TLOG_FENCE, ...others } = kept
  // A fence store belongs to one database: it refuses another one.
  const sameDatabase = [undefined, kept.DATABASE_URL].includes(process.env.DATABASE_URL)
  return { ...others, ...(sameDatabase && { TLOG_FENCE }), ...process.env }
}
