/** The catalogue of events, each with its members and a sample. */
import { type EventTypeSpec, eventTypes } from '@countersign/contract/webhook-events.ts'
import type { Language } from '../words.ts'
import type { Generated } from './api.ts'
import { memberTable } from './schema.ts'
import { wordsOf } from './words.ts'

export function eventsPage(language: Language): Generated {
  const words = wordsOf(language)
  const section = ([type, spec]: [string, EventTypeSpec]) =>
    [
      `## \`${type}\``,
      `<span id="${type}"></span>${spec.description} ${spec.fromApps ? words.fromApps : words.fromServer}`,
      memberTable(spec.schema, words, true),
      `${words.sample}:`,
      `\`\`\`json\n${JSON.stringify(spec.example, null, 2)}\n\`\`\``,
    ].join('\n\n')
  return {
    slug: 'reference/events',
    title: words.events,
    body: [words.eventsIntroduction, ...Object.entries(eventTypes).map(section)].join('\n\n'),
  }
}
