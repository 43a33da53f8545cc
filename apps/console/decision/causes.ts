/** What the server names as the cause of a refusal, and the fields of requests. Nobody needs these before a form or an error. */

import en from '@countersign/words/en/causes.json' with { type: 'json' }
import ko from '@countersign/words/ko/causes.json' with { type: 'json' }
import type { Language } from '@countersign/words/say.ts'

/** The sentences have no values: what was given is on the page. */
export const causes: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, ko }
