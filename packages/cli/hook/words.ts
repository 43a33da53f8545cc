/** What the hook says to agents, approvers and whoever reads the summary. */
import en from '@countersign/words/en/hook.json' with { type: 'json' }
import ko from '@countersign/words/ko/hook.json' with { type: 'json' }
import { saying } from '@countersign/words/say.ts'
import { languageOf } from '../locale.ts'

export type HookWord = keyof typeof en

const longest = 1000

/**
 * Values come from servers, agents and files, and go to a model or a terminal: without control characters, and short. `printed`
 * does more, with a library that takes longer to load than the rest of the hook.
 */
const shown = (value: unknown): string =>
  String(value)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, longest)

export const hookWords = (language = languageOf(process.env)) => saying<HookWord>({ en, ko }, language, shown)
