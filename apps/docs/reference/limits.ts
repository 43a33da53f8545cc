/** The parts of docs/LIMITS.md about sizes, rates and counts, and the settings that change them. */
import { readFileSync } from 'node:fs'
import { root } from '../map.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import type { Generated } from './api.ts'
import { wordsOf } from './words.ts'

const parts = ['Sizes and rates', 'Limits of one center', 'Retention']

export function limitsPage(language: Language, linked: (text: string, source: string) => string): Generated {
  const words = wordsOf(language)
  const limits = readFileSync(new URL('docs/LIMITS.md', root), 'utf8').split(/^(?=## )/m)
  const sections = parts.map((title) => {
    const found = limits.find((text) => text.startsWith(`## ${title}\n`))
    if (!found) throw new Error(`docs/LIMITS.md has no section "${title}"`)
    return found.trim()
  })
  const rows = readFileSync(new URL('docs/settings.md', root), 'utf8').matchAll(
    /^\| `((?:RATE_LIMIT|MAX)_\w+)` (\|.+\|.+\|)$/gm,
  )
  const settings = Array.from(
    rows,
    ([, name, rest]) => `| [\`${name}\`](${addressOf('reference/settings', language)}#${name}) ${rest}`,
  )
  return {
    slug: 'reference/limits',
    title: words.limits,
    body: [
      words.limitsIntroduction,
      ...sections.map((text) => linked(text, 'docs/LIMITS.md')),
      `## ${words.limitSettings}`,
      `| ${words.setting} | ${words.default} | ${words.meaning} |\n| --- | --- | --- |\n${settings.join('\n')}`,
    ].join('\n\n'),
  }
}
