/** What happened, in a sentence with the names of people, and what was before and after. */
import type { ReactNode } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useChainReason } from '../chain-reason.ts'
import { timeText } from '../clock.ts'
import { Details } from '../details.tsx'
import './audit.css'
import { type Entry, told } from './told.ts'
import { useAuditWords } from './words.ts'

interface Properties {
  readonly entry: Entry
  /** Shows what this person did. */
  readonly onWho: (actorId: string) => void
  /** Of what was changed, where it has a page. */
  readonly open: ReactNode
}

export function AuditEntryText({ entry, onWho, open }: Properties) {
  const say = useAuditWords()
  const chainReason = useChainReason()
  const language = useLanguage()
  const { text, who, rows } = told(entry, { say, language, time: (at) => timeText(at, language, 'short'), chainReason })
  const at = entry.actorName === null ? -1 : text.indexOf(who)
  const { actorId } = entry
  return (
    <div className="audit-entry">
      <p>
        {actorId === null || at < 0 ? (
          text
        ) : (
          <>
            {text.slice(0, at)}
            <button type="button" className="quiet audit-who" onClick={() => onWho(actorId)}>
              {who}
            </button>
            {text.slice(at + who.length)}
          </>
        )}{' '}
        {open}
      </p>
      {rows.length > 0 && (
        <dl className="audit-rows">
          {rows.map(({ label, before, after }, place) => (
            <div key={place}>
              <dt>{label}</dt>
              <dd>
                {before !== null && (
                  <>
                    <del>{before}</del> <span aria-hidden="true">→</span>{' '}
                  </>
                )}
                {before === null ? after : <ins>{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Details
        label={say('technical')}
        value={{ action: entry.action, targetType: entry.targetType, targetId: entry.targetId, ...entry.details }}
      />
    </div>
  )
}

interface Choice {
  readonly actorId: string | null
  readonly actorName: string | null
}

interface PeopleProperties {
  readonly rows: readonly Choice[]
  /** Further people who can be chosen. */
  readonly staff: readonly { readonly actorId: string; readonly name: string }[]
  readonly value: string | undefined
  readonly onChange: (actorId: string | undefined) => void
}

/** One of the people who are known here: staff, and whoever is named in the entries shown. */
export function WhoSelect({ rows, staff, value, onChange }: PeopleProperties) {
  const say = useAuditWords()
  const people = new Map<string, string>(staff.map(({ actorId, name }) => [actorId, name]))
  for (const { actorId, actorName } of rows) if (actorId && actorName) people.set(actorId, actorName)
  if (value !== undefined && !people.has(value)) people.set(value, `…${value.slice(-4)}`)
  const sorted = [...people].toSorted(([, one], [, other]) => one.localeCompare(other))
  return (
    <select
      className="field"
      aria-label={say('person')}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{say('everyone')}</option>
      {sorted.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
