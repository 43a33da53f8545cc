/** What an execution without a result leaves: a draft that says what happened, in the language of the center. Pure. */
import en from '@countersign/words/en/workflows.json' with { type: 'json' }
import ko from '@countersign/words/ko/workflows.json' with { type: 'json' }
import { fill } from '@countersign/words/say.ts'
import { type TermValues, termValues } from '@countersign/words/terms.ts'
import { wallTimeOf } from '../../../lib/local-time.ts'
import type { Draft, WorkflowCenter } from './definition.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly role: string
}

interface Ended {
  /** Of the workflow. */
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: string
}

export type Outcome =
  | { readonly status: 'FAILED'; readonly failure: string; readonly step?: string | undefined }
  | { readonly status: 'CANCELED'; readonly by: Person }

const roleIn = (text: typeof en.outcome, { role }: Person, words: TermValues): string =>
  role === 'ADMIN' || role === 'INSTRUCTOR' ? (fill(text[role], { ...words }) as string) : role

/** The reason of a failure stays in the words in which it was recorded. */
export function outcomeDraft({ locale, timezone, terms }: WorkflowCenter, ended: Ended, outcome: Outcome): Draft {
  const language = locale.startsWith('ko') ? 'ko' : 'en'
  const { outcome: text, frame } = { ko, en }[language]
  const local = (at: number) => new Date(wallTimeOf(timezone, at)).toISOString().slice(0, 19).replace('T', ' ')
  const startedAt = ended.startedAt.toISOString()
  const why =
    outcome.status === 'FAILED'
      ? `${text.reason}: ${outcome.failure}`
      : `${text.by}: ${outcome.by.name} (${roleIn(text, outcome.by, termValues(terms, language))})`
  const content = [
    `${ended.name}: ${text[outcome.status]}`,
    text[`${outcome.status}.text`],
    '',
    `${text.started}: ${local(Date.parse(startedAt))} (${timezone})`,
    `${text.ended}: ${local(Date.parse(ended.endedAt))} (${timezone})`,
    why,
    '',
    frame.draft,
  ].join('\n')
  const times = { startedAt, endedAt: ended.endedAt }
  const metadata =
    outcome.status === 'FAILED'
      ? { reason: outcome.failure, ...times, ...(outcome.step !== undefined && { step: outcome.step }) }
      : { reason: why, ...times, canceledBy: { ...outcome.by } }
  return { content, tags: [], metadata: { outcome: outcome.status, ...metadata }, ai: null }
}
