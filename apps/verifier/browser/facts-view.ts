/** Names and values, times in the reader's own zone beside the exact ones. */
import type { Language, Words } from '../words.ts'
import { make } from './dom.ts'

export function inWords(iso: string, language: Language): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  return new Intl.DateTimeFormat(language, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZoneName: 'short',
  } as Intl.DateTimeFormatOptions).format(time)
}

export type Fact = readonly [name: keyof Words, value: string | null | undefined, kind?: 'code' | 'time']

export const factList = (facts: readonly Fact[], words: Words, language: Language): HTMLElement =>
  make(
    'dl',
    { class: 'facts' },
    facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value, kind]) =>
        make('div', {}, make('dt', {}, words[name]), make('dd', {}, ...shownAs(value as string, kind, language))),
      ),
  )

function shownAs(value: string, kind: Fact[2], language: Language): readonly (Node | string)[] {
  if (kind === 'code') return [make('code', {}, value)]
  if (kind !== 'time') return [value]
  return [make('time', { datetime: value }, inWords(value, language)), make('code', { class: 'exact' }, value)]
}
