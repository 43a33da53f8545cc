/** A plan that the operator has written into a file. */
import { NewPlan } from '@countersign/contract/plans.ts'
import type { Static } from 'typebox'
import { bodyAjv, issueOf } from '../http/validation.ts'
import { readJsonFile } from './json-file.ts'
import { UsageError } from './shell.ts'

const isPlan = bodyAjv.compile<Static<typeof NewPlan>>(NewPlan)

export async function readPlan(file: string): Promise<Static<typeof NewPlan>> {
  const plan: unknown = await readJsonFile(file)
  if (isPlan(plan)) return plan
  const [first] = isPlan.errors ?? []
  const { path, message } = first ? issueOf(first) : { path: '', message: "isn't a plan" }
  throw new UsageError(`The file "${file}" isn't a plan: "${path}" ${message}.`)
}
