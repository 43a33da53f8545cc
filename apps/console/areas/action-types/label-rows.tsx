/** What the values of an action are called: a row for each, with where it is in the request. */
import { useId } from 'react'
import { Field } from '../../ui/field.tsx'
import type { LabelRow } from './form.ts'
import { useTypeWords } from './words.ts'

const most = 100

interface Properties {
  readonly rows: readonly LabelRow[]
  /** Known places of values. */
  readonly pointers: readonly string[]
  readonly onChange: (rows: readonly LabelRow[]) => void
}

export function LabelRows({ rows, pointers, onChange }: Properties) {
  const say = useTypeWords()
  const id = useId()
  const free = pointers.filter((pointer) => !rows.some((row) => row.pointer === pointer))
  const set = (key: number, change: Partial<LabelRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    onChange([...rows, { key, pointer: free[0] ?? '', ko: '', en: '' }])
  }
  return (
    <fieldset className="types-labels">
      <legend className="label">{say('values')}</legend>
      <p className="soft small">{say('valuesHint')}</p>
      {rows.map(({ key, pointer, ko, en }) => (
        <div key={key} className="types-label">
          <Field
            label={say('pointer')}
            list={id}
            maxLength={200}
            autoComplete="off"
            value={pointer}
            onChange={({ target }) => set(key, { pointer: target.value })}
          />
          <Field
            label={say('labelko')}
            lang="ko"
            maxLength={60}
            autoComplete="off"
            value={ko}
            onChange={({ target }) => set(key, { ko: target.value })}
          />
          <Field
            label={say('labelen')}
            lang="en"
            maxLength={60}
            autoComplete="off"
            value={en}
            onChange={({ target }) => set(key, { en: target.value })}
          />
          <button
            type="button"
            className="quiet"
            aria-label={say('dropValue', { value: ko || en || pointer })}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          >
            ✕
          </button>
        </div>
      ))}
      <datalist id={id}>
        {pointers.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <button type="button" className="btn low plain" disabled={rows.length >= most} onClick={add}>
        {say('addValue')}
      </button>
    </fieldset>
  )
}
