/** Settings for the scripts: the environment, else what `npm run dev` made and keeps in `.dev/`. */
import { readFileSync } from 'node:fs'
import type { Environment } from '@countersign/server/config.ts'

export const devFolder = new URL('../.dev/', import.meta.url).pathname
export const devSettingsFile = `${devFolder}settings.json`

export function settings(): Environment {
  let kept: Environment = {}
  try {
    kept = JSON.parse(readFileSync(devSettingsFile, 'utf8'))
  } catch {
    // Nothing kept: the environment alone must do.
  }
  const { TLOG_MEMORY_DIR, ...others } = kept
  // It is about one database: of another it would say that its chains were cut off.
  const sameDatabase = [undefined, kept.DATABASE_URL].includes(process.env.DATABASE_URL)
  return { ...others, ...(sameDatabase && { TLOG_MEMORY_DIR }), ...process.env }
}
