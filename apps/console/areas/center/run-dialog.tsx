/** Runs a workflow with what a person tells it: a form from its parameters' schema. */
import type { JsonObject, Workflow } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import type { FieldWords } from '../../ui/workflow-words.ts'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/workflows')

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly default?: string | number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxLength?: number
  readonly items?: ObjectSchema
}
interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Line = Readonly<Record<string, string>>
type Value = string | readonly Line[]

interface Properties {
  readonly workflow: Workflow
  readonly words: FieldWords
  readonly onClose: () => void
}

const isNumber = ({ type }: Schema): boolean => type === 'number' || type === 'integer'

/** What is empty isn't sent: the workflow has a default for it, or the field is required. */
function sent({ properties }: ObjectSchema, values: Readonly<Record<string, Value>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, JsonObject[string]][] => {
      const schema = properties[name]
      if (!schema || value === '') return []
      if (typeof value !== 'string') {
        return [[name, value.map((line) => sent(schema.items as ObjectSchema, line))]]
      }
      return [[name, isNumber(schema) ? Number(value) : value]]
    }),
  )
}

export function RunDialog({ workflow, words, onClose }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const navigate = route.useNavigate()
  const schema = workflow.parameters as unknown as ObjectSchema
  const names = Object.keys(schema.properties).filter((name) => name in words.fields)
  const own = workflow.settings.parameters
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(
    Object.fromEntries(
      names.map((name): [string, Value] => {
        const { items, default: usual } = schema.properties[name] as Schema
        return [name, items ? [{}] : String(own[name] ?? usual ?? '')]
      }),
    ),
  )
  const run = useChange(['workflows'], () => api.workflows.execute(workflow.id, { parameters: sent(schema, values) }), {
    told: () => done('started', { name: workflow.name }),
    onDone: ({ executionId }) => void navigate({ search: { workflow: workflow.id, run: executionId } }),
  })
  const set = (name: string, value: Value) => setValues((now) => ({ ...now, [name]: value }))
  return (
    <Dialog
      title={say('runTitle', { name: workflow.name })}
      onClose={onClose}
      closing={say('close')}
      action={{ text: say('run'), disabled: run.isPending, run: () => run.mutate() }}
    >
      <div className="center-form">
        {names.map((name) => {
          const value = values[name] as Value
          const field = { schema: schema.properties[name] as Schema, label: words.fields[name] as string }
          if (typeof value !== 'string') {
            return <Lines key={name} {...field} words={words} lines={value} onChange={(next) => set(name, next)} />
          }
          const required = schema.required?.includes(name) ?? false
          return <Input key={name} {...{ ...field, words, value, required }} onChange={(next) => set(name, next)} />
        })}
        <ErrorLine error={run.error} />
      </div>
    </Dialog>
  )
}

interface InputProperties {
  readonly schema: Schema
  readonly label: string
  readonly words: FieldWords
  readonly value: string
  readonly required: boolean
  readonly onChange: (value: string) => void
}

function Input({ schema, label, words, value, required, onChange }: InputProperties) {
  if (schema.enum) {
    return (
      <label className="labeled">
        <span className="label">{label}</span>
        <select className="field" value={value} onChange={({ target }) => onChange(target.value)}>
          {schema.enum.map((each) => (
            <option key={each} value={each}>
              {words.choices[each] ?? each}
            </option>
          ))}
        </select>
      </label>
    )
  }
  const type = schema.format === 'date' ? 'date' : isNumber(schema) ? 'number' : 'text'
  return (
    <Field
      {...{ label, type, value, required }}
      {...(type === 'number' && {
        step: schema.type === 'integer' ? 1 : 'any',
        min: schema.minimum ?? schema.exclusiveMinimum,
        max: schema.maximum,
      })}
      maxLength={schema.maxLength}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface LinesProperties {
  readonly schema: Schema
  readonly label: string
  readonly words: FieldWords
  readonly lines: readonly Line[]
  readonly onChange: (lines: readonly Line[]) => void
}

function Lines({ schema, label, words, lines, onChange }: LinesProperties) {
  const say = useCenterWords()
  const { properties, required } = schema.items as ObjectSchema
  return (
    <fieldset className="center-lines">
      <legend className="label">{label}</legend>
      {lines.map((line, at) => (
        <fieldset key={at} aria-label={say('lineOf', { at: at + 1 })}>
          {Object.entries(properties).map(([name, each]) => (
            <Input
              key={name}
              schema={each}
              label={words.fields[name] ?? name}
              words={words}
              value={line[name] ?? ''}
              required={required?.includes(name) ?? false}
              onChange={(next) => onChange(lines.map((other, i) => (i === at ? { ...other, [name]: next } : other)))}
            />
          ))}
          {lines.length > 1 && (
            <button
              type="button"
              className="quiet"
              aria-label={say('removeLine', { at: at + 1 })}
              onClick={() => onChange(lines.filter((_, i) => i !== at))}
            >
              ✕
            </button>
          )}
        </fieldset>
      ))}
      <button type="button" className="btn plain low" onClick={() => onChange([...lines, {}])}>
        {say('addLine')}
      </button>
    </fieldset>
  )
}
