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

/** What programs and pages tell apart. A sentence for each is in the console. */
const causes: Readonly<Record<string, string>> = {
  ...{ maxLength: 'tooLong', minLength: 'tooShort', maxItems: 'tooMany', minItems: 'tooFew', uniqueItems: 'twice' },
  ...{ maximum: 'tooHigh', exclusiveMaximum: 'tooHigh', minimum: 'tooLow', exclusiveMinimum: 'tooLow' },
  ...{ pattern: 'form', format: 'form' },
}

export const schemaReasons: readonly string[] = [...new Set([...Object.values(causes), 'link'])]

function causeOf({ keyword, params }: ErrorObject): { readonly reason?: string } {
  const reason = params.format === 'plain-name' ? 'link' : causes[keyword]
  return reason === undefined ? {} : { reason }
}

export interface Issue {
  readonly path: string
  readonly message: string
}

const formatNames: Readonly<Record<string, string>> = {
  email: 'email address',
  uuid: 'UUID',
  date: 'date, such as 2026-01-31',
  'date-time': 'time with an offset, such as 2026-01-31T09:00:00Z',
}
const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

const counted = (count: unknown, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`
const typesOf = (types: unknown): string =>
  [types]
    .flat()
    .map((type) => typeNames[String(type)])
    .join(' or ')
const required = 'is required'
const notEmail = "isn't a valid email address. Check it for typos"

/** What the value should have been, as the end of a sentence that begins with its name. */
function expectation({ keyword, params, data, instancePath, parentSchema }: ErrorObject): string {
  const { limit, format, comparison } = params as Record<string, unknown>
  if (data === null && instancePath !== '') return "can't be null. Leave it out if it's optional"
  switch (keyword) {
    case 'required':
      return required
    case 'additionalProperties':
      return "isn't a known field. Leave it out"
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`
    case 'const':
      return `must be ${params.allowedValue}`
    case 'type':
      return `must be ${typesOf(params.type)}`
    case 'format':
      if (format === 'email') return notEmail
      if (format === 'plain-name') return "can't contain an address or a link. Put a space after each dot"
      return `isn't a valid ${formatNames[String(format)]}`
    case 'pattern': {
      const [example] = (parentSchema?.examples ?? []) as string[]
      return example === undefined
        ? "isn't in the expected format. Check it in the API reference"
        : `isn't in the expected format, such as ${example}`
    }
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`
    case 'uniqueItems':
      return "can't have the same item twice"
    case 'minimum':
    case 'exclusiveMinimum':
      return comparison === '>' ? `must be more than ${limit}` : `must be at least ${limit}`
    case 'maximum':
    case 'exclusiveMaximum':
      return comparison === '<' ? `must be less than ${limit}` : `must be at most ${limit}`
    default:
      return "isn't valid. Check its format in the API reference"
  }
}

function pathOf({ keyword, params, data, instancePath }: ErrorObject): string {
  const at = instancePath.replaceAll('/', '.').slice(1)
  const within = (name: unknown) => (at ? `${at}.${name}` : String(name))
  if (data === null && at !== '') return at
  if (keyword === 'required') return within(params.missingProperty)
  return keyword === 'additionalProperties' ? within(params.additionalProperty).slice(0, 200) : at
}

export const issueOf = (error: ErrorObject): Issue => ({ path: pathOf(error), message: expectation(error) })

const wrongBody = "The request body isn't an object with the expected fields. Check it against the API reference."

export const badSubdomain =
  'A subdomain must have 3 to 30 characters: lowercase letters, digits and hyphens. Choose another one.'

export function validationProblem(surface: Surface, errors: readonly ErrorObject[]): Problem {
  const [first] = errors
  const path = first && pathOf(first)
  const message = first && path ? `"${path}" ${expectation(first)}.` : wrongBody
  if (surface === 'proof') {
    return new Problem('VALIDATION_ERROR', message, { details: { issues: errors.slice(0, 20).map(issueOf) } })
  }
  const found = (keyword: string, field = /^/) =>
    errors.find((error) => error.keyword === keyword && field.test(error.instancePath))
  const missing = found('required')
  if (missing)
    return new Problem('MISSING_REQUIRED_FIELD', `"${pathOf(missing)}" ${required}.`, {
      details: { field: pathOf(missing) },
    })
  const email = found('format', /email$/i)
  if (email)
    return new Problem('INVALID_EMAIL', `"${pathOf(email)}" ${notEmail}.`, { details: { field: pathOf(email) } })
  if (found('pattern', /\/subdomain$/))
    return new Problem('INVALID_SUBDOMAIN', badSubdomain, { details: { field: 'subdomain' } })
  return new Problem('VALIDATION_ERROR', message, first && path ? { details: { field: path, ...causeOf(first) } } : {})
}
