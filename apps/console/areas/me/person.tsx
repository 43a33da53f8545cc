/** The name that others read, the language that we write in, and the centers. */
import type { CurrentActor } from '@countersign/sdk'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { renewSession, sessionState } from '../../app/session.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useMeWords } from './words.ts'

type Languages = NonNullable<CurrentActor['language']>

const languages: readonly (readonly [Languages, string])[] = [
  ['ko', '한국어'],
  ['en', 'English'],
]

export function Person({ me }: { readonly me: CurrentActor }) {
  const say = useMeWords()
  const spoken = useLanguage()
  const group = useId()
  const [name, setName] = useState(me.name)
  const [language, setLanguage] = useState<Languages>(me.language ?? spoken)
  const [saved, setSaved] = useState(false)
  const change = useChange(
    ['me'],
    async () => {
      await api.auth.updateMe({ name: name.trim(), language })
      // The header shows the name of the session.
      await renewSession(sessionState().session?.accessToken ?? null)
    },
    { told: 'shown', onDone: () => setSaved(true) },
  )
  const save = (event: FormEvent) => {
    event.preventDefault()
    setSaved(false)
    change.mutate()
  }
  const active = me.memberships.filter(({ status }) => status === 'ACTIVE')
  return (
    <div id="person" className="me-part">
      <Part title={say('person')}>
        <form className="me-form" onSubmit={save}>
          <Field
            label={say('name')}
            hint={say('nameHint')}
            autoComplete="name"
            required
            maxLength={200}
            data-field="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <fieldset className="choices">
            <legend className="label">{say('language')}</legend>
            {languages.map(([each, called]) => (
              <label key={each}>
                <input type="radio" name={group} checked={language === each} onChange={() => setLanguage(each)} />
                <span lang={each}>{called}</span>
              </label>
            ))}
          </fieldset>
          <button type="submit" className="btn" disabled={change.isPending || name.trim() === ''}>
            {say('save')}
          </button>
          <p role="status">{saved && !change.isPending && say('saved')}</p>
          <ErrorLine error={change.error} />
        </form>
        {active.length > 0 && (
          <dl className="facts">
            <dt>{say('centers')}</dt>
            <dd>
              {active.map(({ centerName, centerDomain }) => (
                <a key={centerDomain} href={`/c/${centerDomain}`}>
                  {centerName}
                </a>
              ))}
            </dd>
          </dl>
        )}
      </Part>
    </div>
  )
}
