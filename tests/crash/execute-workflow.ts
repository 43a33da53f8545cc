/** Three steps that each return a random value and the value of the step before: a step that counted twice would show. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Definition,
  type Step,
  StepFailure,
} from '@countersign/server/features/automation/workflows/definition.ts'
import { Type } from 'typebox'

export interface Said {
  readonly nonce: string
  readonly received: string | null
}

const said = (outputs: Readonly<Record<string, unknown>>, name: string): string =>
  (outputs[name] as { nonce: string }).nonce

const shared = { timeoutSeconds: 30, attempts: 3, backoffSeconds: 0 }
const pause = (parameters: Readonly<Record<string, unknown>>) => sleep(Math.random() * Number(parameters.mostMs))

const steps: readonly Step[] = [
  {
    ...shared,
    name: 'first',
    async run({ parameters }) {
      await pause(parameters)
      return { nonce: randomUUID(), received: null }
    },
  },
  {
    ...shared,
    name: 'second',
    async run({ parameters, outputs, read }) {
      await pause(parameters)
      await read((tx) => tx.db.selectFrom('dpus').select('id').limit(1).execute())
      return { nonce: randomUUID(), received: said(outputs, 'first') }
    },
  },
  {
    ...shared,
    name: 'third',
    async run({ parameters, outputs }) {
      await pause(parameters)
      if (parameters.fails) throw new StepFailure('it was told to.', { retry: false })
      const content = JSON.stringify({ nonce: randomUUID(), received: said(outputs, 'second') })
      return { content, tags: ['chaos'], ai: null }
    },
  },
]

export const chained: Definition = {
  key: 'chaos.chained',
  name: 'Chained',
  description: 'Three steps that pass values to each other; the third fails where the execution says so.',
  vertical: 'education',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    { mostMs: Type.Integer({ default: 0 }), fails: Type.Boolean({ default: false }) },
    { additionalProperties: false },
  ),
  steps,
}

export const definitions: readonly Definition[] = [chained]
