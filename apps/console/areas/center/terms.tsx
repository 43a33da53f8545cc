/** What the center calls its people and appointments: an empty field is the word of its vertical. */
import type { Center } from '@countersign/sdk'
import { type Language, say as sayIn } from '@countersign/words/say.ts'
import { type TermName, termNames, termValues, withOwnTerms } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { type FormEvent, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { centerWords, useCenterWords } from './words.ts'

type Own = Readonly<Record<TermName, Readonly<Record<Language, string>>>>
const languages: readonly Language[] = ['ko', 'en']
const none = { ko: '', en: '' }
const examples = ['termsExample', 'addChildHint', 'termsRecord'] as const

const forEach = <T,>(make: (name: TermName) => T) =>
  Object.fromEntries(termNames.map((name) => [name, make(name)])) as Record<TermName, T>

interface Properties {
  readonly center: string
  readonly vertical: Center['vertical']
  readonly terms: Center['settings']['terms']
}

export function TermsPart({ center, vertical, terms }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const trade = tradeTerms(vertical)
  const changed = (name: TermName, language: Language) =>
    terms[name][language] === trade[name][language] ? '' : terms[name][language]
  const [own, setOwn] = useState<Own>(() => forEach((name) => ({ ko: changed(name, 'ko'), en: changed(name, 'en') })))
  const written = (name: TermName, language: Language) => own[name][language].trim() || null
  const save = useChange(
    ['center', 'workflows'],
    () =>
      api.centers.updateSettings(center, {
        terms: forEach((name) => ({ ko: written(name, 'ko'), en: written(name, 'en') })),
      }),
    {
      told: () => done('settingsSaved'),
      undo: () => async () => {
        const before = forEach((name) => ({ ko: changed(name, 'ko'), en: changed(name, 'en') }))
        await api.centers.updateSettings(center, {
          terms: forEach((name) => ({ ko: before[name].ko || null, en: before[name].en || null })),
        })
        setOwn(before)
      },
    },
  )
  const shown = withOwnTerms(
    trade,
    forEach((name) => ({
      ...(written(name, 'ko') && { ko: own[name].ko.trim() }),
      ...(written(name, 'en') && { en: own[name].en.trim() }),
    })),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Part title={say('terms')}>
      <p className="soft">{say('termsLede')}</p>
      <form onSubmit={submit}>
        {termNames.map((name) => (
          <fieldset key={name} className="center-term">
            <legend className="label">{say(`term_${name}`)}</legend>
            <div className="center-two">
              {languages.map((language) => (
                <Field
                  key={language}
                  label={say(`termIn_${language}`)}
                  lang={language}
                  maxLength={30}
                  placeholder={trade[name][language]}
                  value={own[name][language]}
                  onChange={({ target }) => setOwn({ ...own, [name]: { ...own[name], [language]: target.value } })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        <figure className="center-terms-preview">
          <figcaption className="soft small">{say('preview')}</figcaption>
          {languages.map((language) => (
            <ul key={language} lang={language}>
              {examples.map((key) => (
                <li key={key}>{sayIn(centerWords, language, key, termValues(shown, language))}</li>
              ))}
            </ul>
          ))}
        </figure>
        <div className="button-line">
          <button type="button" className="btn" onClick={() => setOwn(forEach(() => none))}>
            {say('termsReset')}
          </button>
        </div>
        <SaveLine save={save} />
      </form>
    </Part>
  )
}
