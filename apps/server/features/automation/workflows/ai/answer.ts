/** The answer of a model, read against the schema that it was asked for. Pure. */
import type { Json } from '@countersign/proof/canonical.ts'
import { bodyAjv } from '../../../../http/validation.ts'
import { StepFailure } from '../definition.ts'
import type { AiAnswer, AiRequest } from './provider.ts'

type Schema = NonNullable<AiRequest['schema']>

/** In addition to the schema of the step, the model is asked for its confidence. */
export const withConfidence = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...(schema.properties as Schema),
    confidence: { type: ['number', 'null'], description: 'How sure you are, from 0 to 1; null if you cannot tell' },
  },
  required: [...(schema.required as string[]), 'confidence'],
})

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object in a text: the whole text, or its only code fence. What a model thought aloud before is left out. */
export function objectIn(text: string): Record<string, Json> | null {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '')
  const fences = [...answer.matchAll(/```(?:json)?\s([\s\S]*?)```/gi)]
  const value = parsed(answer) ?? (fences.length === 1 ? parsed(fences[0]?.[1] ?? '') : undefined)
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  return isObject ? (value as Record<string, Json>) : null
}

export function fitting(text: string, schema: Schema, provider: string): Pick<AiAnswer, 'answer' | 'confidence'> {
  const value = objectIn(text)
  if (value === null) {
    throw new StepFailure(`The model at ${provider} did not answer in JSON, as requested.`, { retry: true })
  }
  const { confidence, ...answer } = value
  const fits = bodyAjv.compile(schema)
  if (!fits(answer)) {
    const [error] = fits.errors ?? []
    const where = error?.instancePath ? `${error.instancePath.slice(1)} ` : ''
    throw new StepFailure(
      `The answer of the model at ${provider} does not match the requested schema: ${where}${error?.message}.`,
      { retry: true },
    )
  }
  const isSure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1
  return { answer, confidence: isSure ? confidence : null }
}
