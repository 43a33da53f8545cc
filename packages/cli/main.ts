#!/usr/bin/env node
/**
 * `countersign`. Agents start `countersign hook` for each of their tool calls, so the hook loads only what it needs, and nothing that
 * happens while it loads may end with a code that lets a call run.
 */
const [, , name, second] = process.argv
const isHook = name === 'hook' && second !== undefined && second !== 'summary' && !second.startsWith('-')
try {
  if (isHook) await (await import('./hook/main.ts')).runHook(second, process.argv.slice(4))
  else await import('./program.ts')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(2)
}

export {}
