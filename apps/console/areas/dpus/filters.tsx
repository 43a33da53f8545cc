import type { DpuListCounts, Workflow } from '@countersign/sdk'
import type { RefObject } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { type DpusSearch, levels } from './search.ts'
import { useDpusWords } from './words.ts'

interface Properties {
  readonly search: DpusSearch
  readonly workflows: readonly Workflow[]
  readonly counts: DpuListCounts['byEvidenceLevel'] | undefined
  readonly tag: RefObject<HTMLInputElement | null>
  onSearch(search: DpusSearch): void
}

export function Filters({ search, workflows, counts, tag, onSearch }: Properties) {
  const say = useDpusWords()
  const language = useLanguage()
  const isFiltered = Object.values(search).some((each) => each !== undefined)
  const none = { level: undefined, tag: undefined, workflow: undefined, from: undefined, to: undefined }
  return (
    <div className="filter-line dpus-filters" key={search.tag}>
      <label>
        <span className="label">{say('level')}</span>
        <select
          className="field"
          value={search.level ?? ''}
          onChange={({ target }) => onSearch({ level: levels.find((each) => each === target.value) })}
        >
          <option value="">{say('anyLevel')}</option>
          {levels.map((level) => (
            <option key={level} value={level}>
              {say(`level${level}`)} {counts && numberText(counts[level], language)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="label">{say('workflow')}</span>
        <select
          className="field"
          value={search.workflow ?? ''}
          onChange={({ target }) => onSearch({ workflow: target.value || undefined })}
        >
          <option value="">{say('anyWorkflow')}</option>
          {workflows.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="label">{say('tag')}</span>
        <input
          ref={tag}
          className="field"
          maxLength={64}
          defaultValue={search.tag}
          enterKeyHint="search"
          onKeyDown={({ key, nativeEvent, currentTarget }) => {
            if (key === 'Enter' && !nativeEvent.isComposing) currentTarget.blur()
          }}
          onBlur={({ target }) => {
            const typed = target.value.trim() || undefined
            if (typed !== search.tag) onSearch({ tag: typed })
          }}
        />
      </label>
      {(['from', 'to'] as const).map((edge) => (
        <label key={edge}>
          <span className="label">{say(edge)}</span>
          <input
            type="date"
            className="field"
            value={search[edge] ?? ''}
            onChange={({ target }) => onSearch({ [edge]: target.value || undefined })}
          />
        </label>
      ))}
      {isFiltered && (
        <button type="button" className="quiet" onClick={() => onSearch(none)}>
          {say('clear')}
        </button>
      )}
    </div>
  )
}
