/** A member asks for an approval: which kind, its values under the labels that approvers see, and why. */
import { type ActionType, ApiError, type JsonObject } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../app/api.ts'
import { useChange } from '../app/change.ts'
import { type Language, useLanguage } from '../app/i18n.ts'
import { useRole } from '../app/role.ts'
import { useAskWords } from './ask-words.ts'
import { Dialog } from './dialog.tsx'
import { useDoneWords } from './done-words.ts'
import { ErrorLine } from './error-panel.tsx'
import { Field } from './field.tsx'

/** What stands in the form at first. */
export interface Wanted {
  readonly type: string
  readonly input: Readonly<Record<string, string | number>>
  readonly tags?: readonly string[]
}

interface Properties {
  readonly center: string
  readonly wanted?: Wanted
  readonly onClose: () => void
}

/** A policy compares numbers, so what is written as one is sent as one; an id with zeros before it stays a text. */
const typedValue = (text: string): string | number =>
  /^(0|[1-9]\d{0,14})(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : text.trim()

const inLanguage = ({ ko: korean, en: english }: { ko?: string; en?: string }, language: Language): string =>
  (language === 'ko' ? (korean ?? english) : (english ?? korean)) ?? ''

/** Values below the first level are an agent's; the form has those beside each other. */
const fieldsOf = (template: ActionType | undefined, wanted: Wanted | undefined): readonly string[] => [
  ...new Set([
    ...(wanted?.type === template?.type || !template ? Object.keys(wanted?.input ?? {}).map((name) => `/${name}`) : []),
    ...Object.keys(template?.labels ?? {}).filter((pointer) => /^\/[^/]+$/.test(pointer)),
  ]),
]

export function AskDialog({ center, wanted, onClose }: Properties) {
  const say = useAskWords()
  const done = useDoneWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const isAdmin = useRole(center) === 'ADMIN'
  const { data: types = [] } = useQuery({
    queryKey: ['action-types', center],
    queryFn: ({ signal }) => api.actionTypes.list({ signal }),
  })
  const [chosen, setType] = useState(wanted?.type)
  const type = chosen ?? types[0]?.type ?? ''
  const [other, setOther] = useState('')
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(Object.entries(wanted?.input ?? {}).map(([name, value]) => [`/${name}`, String(value)])),
  )
  const [reason, setReason] = useState('')
  const [about, setAbout] = useState('')
  const template = types.find((each) => each.type === type)
  const pointers = fieldsOf(template, wanted?.type === type ? wanted : undefined)
  const send = useChange(
    ['decisions', 'inbox'],
    () => {
      const given = pointers.filter((pointer) => values[pointer]?.trim())
      const input: JsonObject = Object.fromEntries(given.map((at) => [nameOf(at), typedValue(values[at] as string)]))
      const description = about.trim()
      return api.decisions.ask({
        action: { type: type || other.trim(), input, ...(description && { description }) },
        reason: reason.trim(),
        ...(wanted?.tags && { tags: [...wanted.tags] }),
      })
    },
    {
      told: () => done('asked'),
      onDone({ eventId }) {
        onClose()
        void navigate({ to: '/c/$center/decisions', params: { center }, search: { id: eventId } })
      },
    },
  )
  const isUnasked = send.error instanceof ApiError && send.error.details?.reason === 'noPolicy'
  return (
    <Dialog
      title={say('title')}
      onClose={onClose}
      closing={say('close')}
      action={{ text: say('send'), disabled: send.isPending, run: () => send.mutate() }}
    >
      <div className="ask-form">
        <p className="soft small">{say('lede')}</p>
        <label className="labeled">
          <span className="label">{say('type')}</span>
          <select className="field" value={type} onChange={({ target }) => setType(target.value)}>
            {types.map((each) => (
              <option key={each.type} value={each.type}>
                {inLanguage(each.name, language)}
              </option>
            ))}
            {wanted && !template && <option value={wanted.type}>{wanted.type}</option>}
            <option value="">{say('other')}</option>
          </select>
        </label>
        {type === '' && (
          <Field
            label={say('otherType')}
            hint={say('otherHint')}
            required
            maxLength={200}
            value={other}
            onChange={({ target }) => setOther(target.value)}
          />
        )}
        {pointers.map((pointer) => (
          <Field
            key={pointer}
            label={inLanguage(template?.labels[pointer] ?? { en: nameOf(pointer) }, language)}
            maxLength={1000}
            value={values[pointer] ?? ''}
            onChange={({ target }) => setValues((now) => ({ ...now, [pointer]: target.value }))}
          />
        ))}
        {!template?.sentence && (
          <Field
            label={say('description')}
            required={pointers.length === 0}
            maxLength={500}
            value={about}
            onChange={({ target }) => setAbout(target.value)}
          />
        )}
        <Field
          label={say('reason')}
          hint={say('reasonHint')}
          required
          maxLength={1000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {isUnasked ? (
          <p role="alert" className="fault">
            <span aria-hidden="true">✕ </span>
            {say('noPolicy')} {isAdmin ? <a href={`/c/${center}/policies`}>{say('makePolicy')}</a> : say('askAdmin')}
          </p>
        ) : (
          <ErrorLine error={send.error} />
        )}
      </div>
    </Dialog>
  )
}

/** JSON Pointers write `~` and `/` in names as `~0` and `~1`. */
const nameOf = (pointer: string): string => pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
