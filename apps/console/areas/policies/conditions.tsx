/** The conditions of the sentence. A number may be written with separators. */
import type { PolicyCondition } from '@countersign/sdk'
import { Fragment } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { Blank, Choice, Filled } from './clause.tsx'
import { fieldText, opOf, valueText } from './facts.ts'
import { usePolicyWords } from './words.ts'

const pointers = ['/action/input/amount', '/action/input/won', '/riskScore', '/aiContext/confidence', '/tags']
const ops = ['gt', 'lt', 'eq', 'in', 'exists', 'absent'] as const

/** What a person wrote, as the operator wants it. */
function readValue(text: string, op: string): PolicyCondition['value'] {
  const plain = text.replaceAll(',', '').trim()
  const number = Number(plain)
  if (op === 'gt' || op === 'lt') return plain !== '' && Number.isFinite(number) ? number : text
  if (op === 'in')
    return text
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
  return plain !== '' && Number.isFinite(number) ? number : text
}

function withOp({ pointer, value }: PolicyCondition, op: string): PolicyCondition {
  if (op === 'exists' || op === 'absent') return { pointer, op: 'exists', value: op === 'exists' }
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'boolean' ? '' : String(value ?? '')
  const next = readValue(text, op)
  return { pointer, op: op as 'gt', ...(next !== undefined && { value: next }) }
}

interface Properties {
  readonly when: readonly PolicyCondition[]
  readonly saved: readonly PolicyCondition[]
  readonly onChange: (when: readonly PolicyCondition[]) => void
}

export function Conditions({ when, saved, onChange }: Properties) {
  const say = usePolicyWords()
  const language = useLanguage()
  const replace = (at: number, condition: PolicyCondition | null) =>
    onChange(when.flatMap((each, place) => (place !== at ? [each] : condition ? [condition] : [])))
  return when.map((condition, at) => {
    const op = opOf(condition)
    const old = saved[at]
    const fields = pointers.includes(condition.pointer) ? pointers : [condition.pointer, ...pointers]
    const number = typeof condition.value === 'number' && (op === 'gt' || op === 'lt')
    const blanks = {
      field: (
        <Choice
          label={say('blankField')}
          value={condition.pointer}
          options={fields.map((pointer) => [pointer, fieldText(pointer, say)])}
          onChange={(pointer) => replace(at, { ...condition, pointer })}
          changed={old?.pointer !== condition.pointer}
        />
      ),
      op: (
        <Choice
          label={say('blankOp')}
          value={op}
          options={ops.map((each) => [each, say(`op${each}`)])}
          onChange={(each) => replace(at, withOp(condition, each))}
          changed={old?.op !== condition.op}
        />
      ),
      value: condition.op !== 'exists' && (
        <Blank
          label={say('blankValue')}
          value={number ? valueText(condition, language) : valueText({ ...condition, op: 'eq' }, language)}
          onChange={(text) => {
            const value = readValue(text, condition.op)
            replace(at, { ...condition, ...(value !== undefined && { value }) })
          }}
          changed={JSON.stringify(old?.value) !== JSON.stringify(condition.value)}
          invalid={(op === 'gt' || op === 'lt') && typeof condition.value !== 'number'}
          number={op === 'gt' || op === 'lt'}
        />
      ),
    }
    return (
      <Fragment key={at}>
        <Filled text={say('clauseCondition')} blanks={blanks} />
        <button
          type="button"
          className="policy-drop"
          aria-label={say('dropCondition')}
          onClick={() => replace(at, null)}
        >
          ×
        </button>{' '}
      </Fragment>
    )
  })
}
