/** Names and values, times in the reader's own zone beside the exact ones. */
import type { Language, Words } from '../words.ts'
import { make } from './dom.ts'

export function inWords(iso: string, language: Language): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const zones = new Intl.DateTimeFormat(language, { timeZoneName: 'short' }).formatToParts(time)
  const zone = zones.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const local = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium' }).format(time)
  return language === 'ko' ? `${local}(${zone})` : `${local} ${zone}`
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
