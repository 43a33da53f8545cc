/** The tables of docs/settings.md, which `npm run generate` makes of the settings that the server reads; one anchor for each. */
import { readFileSync } from 'node:fs'
import { root } from '../map.ts'
import type { Language } from '../words.ts'
import type { Generated } from './api.ts'
import { wordsOf } from './words.ts'

export function settingsPage(language: Language): Generated {
  const words = wordsOf(language)
  const text = readFileSync(new URL('docs/settings.md', root), 'utf8')
  const [meanings = '', forms = ''] = text.match(/(?:^\| `.*\n)+/gm) ?? []
  const anchored = meanings.replaceAll(/^\| `(\w+)`/gm, '| <span id="$1"></span>`$1`')
  return {
    slug: 'reference/settings',
    title: words.settings,
    body: [
      words.settingsIntroduction,
      `| ${words.setting} | ${words.default} | ${words.meaning} |\n| --- | --- | --- |\n${anchored}`,
      words.settingForms,
      `| ${words.setting} | ${words.form} |\n| --- | --- |\n${forms}`,
    ].join('\n\n'),
  }
}
