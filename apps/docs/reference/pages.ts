/** The pages that no file holds. */
import { readFileSync } from 'node:fs'
import { decisions, root } from '../map.ts'
import { addressOf, titleAndBody } from '../markdown.ts'
import type { Language } from '../words.ts'
import { apiPages, type Generated } from './api.ts'
import { cliPage } from './cli.ts'
import { errorsPage } from './errors.ts'
import { eventsPage } from './events.ts'
import { limitsPage } from './limits.ts'
import { scopesPage } from './scopes.ts'
import { settingsPage } from './settings.ts'
import { wordsOf } from './words.ts'

function decisionsPage(language: Language): Generated {
  const words = wordsOf(language)
  const lines = decisions.map(({ slug, source }) => {
    const { title } = titleAndBody(readFileSync(new URL(source as string, root), 'utf8'))
    return `- [${title}](${addressOf(slug, language)})`
  })
  return { slug: 'decisions', title: words.decisions, body: `${words.decisionsIntroduction}\n\n${lines.join('\n')}` }
}

export const generatedPages = (language: Language, linked: (text: string, source: string) => string): Generated[] => [
  ...apiPages(language),
  eventsPage(language),
  errorsPage(language),
  scopesPage(language),
  limitsPage(language, linked),
  cliPage(language),
  settingsPage(language),
  decisionsPage(language),
]
