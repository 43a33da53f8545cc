/** Which rows a draft counted. They stay with the execution: the record says how many there were, and the seal covers no more. */
import type { ExecutionDetails } from '@countersign/sdk'
import { useState } from 'react'
import { useLanguage } from '../../../app/i18n.ts'
import { numberText, timeText } from '../../../ui/clock.ts'
import { withNames } from './names.ts'
import { TextTable } from './row-tables.tsx'
import { maxRows } from './tables.ts'
import { useDraftWords } from './words.ts'

export function CountedRows({ counted }: { readonly counted: NonNullable<ExecutionDetails['counted']> }) {
  const say = useDraftWords()
  const language = useLanguage()
  const [all, setAll] = useState(false)
  const { rows, total, people } = counted
  const named = (label: string | null) => (label === null ? '–' : withNames(label, people, say('unknownLabel')))
  const left = total - rows.length
  return (
    <section className={all ? 'draft-text draft-tables' : 'draft-text draft-tables draft-some'}>
      <h3>{say('counted', { count: numberText(total, language) })}</h3>
      <p className="small soft">{say('countedNote')}</p>
      <TextTable
        label={say('counted', { count: numberText(total, language) })}
        head={[say('countedAt'), say('countedWho'), say('countedBy'), say('countedState')]}
        rows={rows.map(({ at, who, by, state }) => [
          timeText(at, language, 'short'),
          named(who),
          named(by),
          say(`counted${state}`),
        ])}
      />
      {!all && rows.length > maxRows && (
        <button type="button" className="btn plain low draft-screen" onClick={() => setAll(true)}>
          {say('countedAll', { count: numberText(rows.length, language) })}
        </button>
      )}
      {left > 0 && <p className="small soft">{say('moreRows', { count: numberText(left, language) })}</p>}
    </section>
  )
}
