/** Describes an action type, or changes how it is described. Saving is a new version; the message takes it back. */
import type { ActionType } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { recentQuery } from '../../app/recent.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { exampleQuery, isOwn, isSameType } from './data.ts'
import { bodyOf, bodyOfTemplate, type Draft, draftOf, missingIn, pointersIn, type Texts } from './form.ts'
import { Headline } from './headline.tsx'
import { LabelRows } from './label-rows.tsx'
import { useTypeWords } from './words.ts'

interface Properties {
  readonly center: string
  /** Absent for a type that is still to be named. */
  readonly type?: string
  readonly template?: ActionType | undefined
  readonly known?: readonly ActionType[]
  readonly suggested?: readonly string[]
  readonly onSaved?: (type: string) => void
  readonly onClose: () => void
}

const languages = ['ko', 'en'] as const

export function TypeForm({ center, type, template, known = [], suggested = [], onSaved, onClose }: Properties) {
  const say = useTypeWords()
  const done = useDoneWords()
  const id = useId()
  const language = useLanguage()
  const [draft, setDraft] = useState<Draft>(() => draftOf(type ?? '', template))
  const { data: recent } = useQuery(recentQuery(center))
  const newest = recent?.decisions.find(({ action }) => isSameType(action.type, draft.type))
  const { data: example } = useQuery(exampleQuery(newest?.id))
  // Setting a type that exists would replace its description unseen.
  const taken = type === undefined && known.some((each) => isOwn(each) && isSameType(each.type, draft.type))
  const missing = taken ? 'missingTaken' : missingIn(draft)
  const pointers = [...new Set([...draft.labels.map(({ pointer }) => pointer), ...pointersIn(example)])].filter(Boolean)
  const before = template && isOwn(template) ? template : null
  const save = useChange<Draft, ActionType>(
    ['action-types', 'decisions'],
    (next) => api.actionTypes.put(next.type.trim(), bodyOf(next)),
    {
      told: (saved) => done('saved', { name: saved.name[language] ?? saved.type }),
      undo: (saved) => () =>
        before ? api.actionTypes.put(before.type, bodyOfTemplate(before)) : api.actionTypes.delete(saved.type),
      onDone(saved) {
        onSaved?.(saved.type)
        onClose()
      },
    },
  )
  const set = (member: 'name' | 'sentence', texts: Partial<Texts>) =>
    setDraft({ ...draft, [member]: { ...draft[member], ...texts } })
  const insert = (pointer: string) => set('sentence', { [language]: `${draft.sentence[language]}{${pointer}}` })
  return (
    <Dialog
      title={say(type === undefined ? 'add' : 'formTitle')}
      onClose={onClose}
      action={{ text: say('save'), disabled: missing !== null || save.isPending, run: () => save.mutate(draft) }}
    >
      <div className="types-form">
        {type === undefined ? (
          <>
            <Field
              label={say('type')}
              hint={say('typeHint')}
              list={id}
              required
              maxLength={200}
              autoComplete="off"
              data-field="type"
              value={draft.type}
              onChange={({ target }) => setDraft({ ...draft, type: target.value })}
            />
            <datalist id={id}>
              {suggested.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        ) : (
          <p className="mono types-break">{type}</p>
        )}
        <div className="types-two">
          {languages.map((each) => (
            <Field
              key={each}
              label={say(`name${each}`)}
              lang={each}
              maxLength={60}
              autoComplete="off"
              value={draft.name[each]}
              onChange={({ target }) => set('name', { [each]: target.value })}
            />
          ))}
        </div>
        {languages.map((each) => (
          <Field
            key={each}
            label={say(`sentence${each}`)}
            lang={each}
            maxLength={300}
            autoComplete="off"
            value={draft.sentence[each]}
            onChange={({ target }) => set('sentence', { [each]: target.value })}
          />
        ))}
        <p className="soft small">{say('sentenceHint', { pointer: '{/amount}' })}</p>
        {pointers.length > 0 && (
          <fieldset className="types-insert">
            <legend className="label">{say('insert')}</legend>
            {pointers.map((pointer) => (
              <button key={pointer} type="button" className="btn low plain mono" onClick={() => insert(pointer)}>
                {pointer}
              </button>
            ))}
          </fieldset>
        )}
        <Headline template={bodyPreview(draft)} example={example} />
        <LabelRows
          rows={draft.labels}
          pointers={pointers}
          onChange={(labels) => setDraft((now) => ({ ...now, labels }))}
        />
        {missing && <p className="soft small">{say(missing)}</p>}
        <ErrorLine error={save.error} />
      </div>
    </Dialog>
  )
}

const bodyPreview = (draft: Draft) => {
  const { sentence = null, labels = {} } = bodyOf(draft)
  return { sentence, labels }
}
