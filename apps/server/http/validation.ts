/** Ajv over the contract's schemas. Its findings become the error codes of the surface (specification, part 7). */
import { isPlainName } from '@countersign/contract/names.ts'
import type { Surface } from '@countersign/contract/operation.ts'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { Problem } from '../lib/problem.ts'

/** Hours end at 23: JavaScript would take 24:00:00 for the next day. */
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** RFC 3339, and a time that exists and that the database can store: no 30 February, no leap seconds, no year 0. */
export const isDateTime = (text: string): boolean => {
  const [, year, month, day] = dateTime.exec(text) ?? []
  if (year === undefined || year === '0000') return false
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const instant = Date.parse(text.toUpperCase())
  return Number(day) <= lastOfMonth && instant >= firstInstant && instant <= lastInstant
}
/** The years 1 to 9999 in UTC: an offset must not move a time into the year 0 or 10000, which have another format. */
const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

function ajv(options: ConstructorParameters<typeof Ajv>[0]): Ajv {
  const instance = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true, ...options })
  formats.default(instance, ['email', 'uuid', 'date'])
  instance.addFormat('date-time', isDateTime)
  instance.addFormat('plain-name', isPlainName)
  return instance
}

/** Bodies are not coerced. Neither are the parameters of workflows, to which defaults are added. */
export const bodyAjv = ajv({ coerceTypes: false, useDefaults: false })
export const parametersAjv = ajv({ coerceTypes: false, useDefaults: true })

export interface CompiledCheck {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}

/**
 * Paths and query strings are text. A number in them is decimal digits: Ajv's own coercion also accepts `0x10`, `1e0`,
 * `+1` and ` 1`, so one object would have several addresses, and `Infinity`, which passes every maximum.
 */
export function compileText(schema: object): CompiledCheck {
  const validate = parametersAjv.compile(schema)
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const numbers = Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
  const check: CompiledCheck = (data) => {
    const values = data as Record<string, unknown>
    for (const name of numbers) {
      const value = values[name]
      if (typeof value === 'string' && /^\d{1,16}$/.test(value)) values[name] = Number(value)
    }
    const valid = validate(data)
    check.errors = validate.errors ?? null
    return valid
  }
  return check
}

export interface Issue {
  readonly path: string
  readonly message: string
}

export function issueOf(error: ErrorObject): Issue {
  const params = error.params as Record<string, unknown>
  const at = error.instancePath.replaceAll('/', '.').slice(1)
  const path = (name: unknown) => (at ? `${at}.${name}` : String(name))
  if (error.data === null && at !== '')
    return { path: at, message: 'must not be null; leave the field out if it is optional' }
  switch (error.keyword) {
    case 'required':
      return { path: path(params.missingProperty), message: 'is required' }
    case 'additionalProperties':
      return { path: path(params.additionalProperty).slice(0, 200), message: 'is not a known field' }
    case 'enum':
      return { path: at, message: `must be one of ${(params.allowedValues as string[]).join(', ')}` }
    case 'format':
      if (params.format === 'plain-name')
        return { path: at, message: 'must hold no address and no link; write a blank after a dot' }
      return { path: at, message: `is not a valid ${params.format}` }
    default:
      return { path: at, message: error.message ?? 'is not valid' }
  }
}

const say = (issue: Issue): string => (issue.path ? `"${issue.path}" ${issue.message}.` : `The body ${issue.message}.`)

export function validationProblem(surface: Surface, errors: readonly ErrorObject[]): Problem {
  const issues = errors.slice(0, 20).map(issueOf)
  const first = issues[0] ?? { path: '', message: 'is not valid' }
  if (surface === 'proof') return new Problem('VALIDATION_ERROR', say(first), { details: { issues } })
  const about = (keyword: string, field = /^/): string | null => {
    const found = errors.find((error) => error.keyword === keyword && field.test(error.instancePath))
    return found ? say(issueOf(found)) : null
  }
  const missing = about('required')
  if (missing) return new Problem('MISSING_REQUIRED_FIELD', missing)
  const email = about('format', /email$/i)
  if (email) return new Problem('INVALID_EMAIL', email)
  const subdomain = about('pattern', /\/subdomain$/)
  if (subdomain) return new Problem('INVALID_SUBDOMAIN', subdomain)
  return new Problem('VALIDATION_ERROR', say(first))
}
