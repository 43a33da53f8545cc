/** What a code of the API means for the person, and what to do next. A new code does not compile without its sentences. */
import type { ErrorCode } from '@countersign/contract/errors.ts'
import en from '@countersign/words/en/errors.json' with { type: 'json' }
import ko from '@countersign/words/ko/errors.json' with { type: 'json' }
import { say, type Values } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import { useEffect } from 'react'
import { catalog, useLanguage } from '../app/i18n.ts'
import { storeOf } from '../app/store.ts'
import { termsStore } from '../app/terms.ts'
import { useStore } from '../app/use-store.ts'
import { causeNames } from '../decision/cause-names.ts'
import type { causes } from '../decision/causes.ts'
import { fieldNames } from './field-names.ts'

/** Codes of this browser, beside those of the server. */
type Code = ErrorCode | 'NO_ANSWER' | 'UNREADABLE'

const words: Readonly<Record<Code | `${Code}.next`, string>> = ko
const useWords = catalog(words, en)

/** Null until they are here. Without them, as without a connection, the sentences of the codes are told. */
const causesStore = storeOf<typeof causes | 'absent' | null>(null)
let loading: Promise<void> | null = null

export function loadCauses(): Promise<void> {
  loading ??= import('../decision/causes.ts').then(
    (loaded) => causesStore.set(loaded.causes),
    () => {
      loading = null
      causesStore.set('absent')
    },
  )
  return loading
}

export interface Told {
  readonly what: string
  readonly next: string
}

const nothing: Told = { what: '', next: '' }

/** The first of the names that has words, and how they are said; null while they are loading. */
function useCauses() {
  const language = useLanguage()
  const terms = useStore(termsStore)
  const loaded = useStore(causesStore)
  useEffect(() => {
    void loadCauses()
  }, [])
  if (loaded === null) return null
  const known = loaded === 'absent' ? { ko: {}, en: {} } : loaded
  const values: Values = termValues(terms, language)
  return {
    find: (names: readonly string[]) => names.find((name) => known[language][name] !== undefined),
    say: (name: string) => say<string>(known, language, name, values),
  }
}

/**
 * A code that is newer than this page is told as an error of the server. A cause is told once its sentences are here: a screen reader
 * would otherwise say a general one first.
 */
export function useErrorWords(): (code: string, cause?: string | null) => Told {
  const say = useWords()
  const causes = useCauses()
  return (code, cause = null) => {
    if (cause !== null && causes === null) return nothing
    const caused = cause === null ? undefined : causes?.find(causeNames(code, cause))
    if (causes && caused !== undefined) return { what: causes.say(caused), next: causes.say(`${caused}.next`) }
    const name = Object.hasOwn(words, `${code}.next`) ? (code as Code) : 'INTERNAL_ERROR'
    return { what: say(name), next: say(`${name}.next`) }
  }
}

/** What is said of a cause alone; null where there are no words for it, or not yet. */
export function useCauseWords(): (code: string, cause: string) => Told | null {
  const causes = useCauses()
  return (code, cause) => {
    const name = causes?.find(causeNames(code, cause))
    return causes && name !== undefined ? { what: causes.say(name), next: causes.say(`${name}.next`) } : null
  }
}

/** What a field of a request is called, by its whole path or a name in it; the path itself without words for it. */
export function useFieldName(): (path: string) => string {
  const causes = useCauses()
  return (path) => {
    const name = causes?.find(fieldNames(path).map((each) => `field ${each}`))
    return causes && name !== undefined ? causes.say(name) : path
  }
}
