/** What each program prints for `--help`. */
import { execFileSync } from 'node:child_process'
import { help } from '@countersign/cli/help.ts'
import { root } from '../map.ts'
import type { Language } from '../words.ts'
import type { Generated } from './api.ts'
import { wordsOf } from './words.ts'

/** Programs whose help is text of their main file. */
const programs = [
  ['countersign-server', ['apps/server/bin.ts', '--help']],
  ['countersign-server operator', ['apps/server/bin.ts', 'operator', '--help']],
  ['countersign-witness', ['packages/witness/main.ts', '--help']],
  ['countersign-mcp', ['packages/mcp/main.ts', '--help']],
  ['countersign-gateway', ['packages/gateway/main.ts', '--help']],
] as const

const printed = (args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const ofPrograms: readonly (readonly [string, string])[] = programs.map(([name, args]) => [name, printed(args)])

export function cliPage(language: Language): Generated {
  const words = wordsOf(language)
  const section = (name: string, text: string) => `## \`${name}\`\n\n\`\`\`text\n${text.trim()}\n\`\`\``
  return {
    slug: 'reference/cli',
    title: words.cli,
    body: [
      words.cliIntroduction,
      ...Object.entries(help).map(([name, text]) =>
        section(name === 'general' ? 'countersign' : `countersign ${name}`, text[language]),
      ),
      ...ofPrograms.map(([name, text]) => section(name, text)),
    ].join('\n\n'),
  }
}
