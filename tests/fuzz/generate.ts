/** Requests generated from the contract: valid, mutated, and hostile. */
import { fullPath, type OperationSpec } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import fc from 'fast-check'
import { type CallerName, callerNames } from './callers.ts'
import { mutated, rawBody } from './mutations.ts'
import { oddHeaders, oddQuery, oddSegment } from './oddities.ts'
import { live, type Schema, valuesOf } from './schema-values.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly caller: CallerName
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

const often = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 9) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

const queryText = (query: unknown): string =>
  Object.entries(query as Record<string, unknown>)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&')

/** The kind of object that `{id}` names, by the prefix of the path. */
const idsByPath: readonly [path: string, name: string][] = [
  ['/v1/decision-events', 'decisionEventId'],
  ['/v1/evidence', 'evidenceId'],
  ['/verify', 'evidenceId'],
  ['/v1/dpu', 'dpuId'],
  ['/dpu', 'dpuId'],
  ['/policies', 'policyId'],
]
const usualCaller = {
  public: 'admin',
  actor: 'admin',
  partner: 'partner',
  operator: 'operator',
  key: 'writeKey',
} as const

function requestFor({ spec }: (typeof operations)[number]): fc.Arbitrary<FuzzRequest> {
  const values = (schema: unknown) => valuesOf(schema as Schema)
  const idName = idsByPath.find(([path]) => spec.path.startsWith(path))?.[1]
  const named = (value: unknown) => (value === live('id') && idName ? live(idName) : value)
  const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed())
  const segments = values(spec.params ?? { type: 'object' }).map((params) =>
    Object.fromEntries(Object.entries(params as object).map(([name, value]) => [name, encoded(named(value))])),
  )
  const path = fc
    .tuple(
      segments,
      often(fc.constant(null), oddSegment, 4),
      often(fc.constant(''), fc.constantFrom('/', '//', '/x', ';x', '%', '%20', '#x'), 30),
    )
    .map(
      ([own, odd, tail]) =>
        `${fullPath(spec).replaceAll(/\{(\w+)\}/g, (_, name: string) => odd ?? own[name] ?? '')}${tail}`,
    )
  const query = often(spec.query ? values(spec.query).map(queryText) : fc.constant(''), oddQuery, spec.query ? 2 : 20)
  const admitted = callerNames.filter(
    (name) => spec.access.kind === 'public' || (spec.access.kind === 'key') === name.endsWith('Key'),
  )
  const body: fc.Arbitrary<string | Uint8Array | null> = spec.body
    ? fc.oneof(
        { weight: 4, arbitrary: values(spec.body).map((value) => JSON.stringify(value)) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            ...((spec.body as Schema).examples as object[]).map((value) => JSON.stringify(value)),
          ),
        },
        { weight: 5, arbitrary: mutated(values(spec.body)).map((value) => JSON.stringify(value) ?? '') },
        { weight: 1, arbitrary: rawBody(values(spec.body)) },
      )
    : often(fc.constant(null), fc.constantFrom('{}', '[]', 'x', '{"a":1}'), 20)
  // A small set of keys, so that requests repeat them.
  const repeated = fc.constantFrom('k1', 'k2').map((key): Record<string, string> => ({ 'idempotency-key': key }))
  const headers = fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, repeated, oddHeaders)
  return fc
    .record({
      method: often(fc.constant<string>(spec.method), fc.constantFrom(...methods), 30),
      path,
      query,
      caller: fc.oneof(
        { weight: 5, arbitrary: fc.constant<CallerName>(usualCaller[spec.access.kind]) },
        { weight: 4, arbitrary: fc.constantFrom(...admitted) },
        { weight: 1, arbitrary: fc.constantFrom(...callerNames) },
      ),
      headers,
      body,
    })
    .map(({ path, query, ...rest }) => ({ ...rest, target: query ? `${path}?${query}` : path }))
}

const strangerRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({
    method: fc.constantFrom(...methods),
    base: fc.constantFrom(
      '',
      '/api',
      '/api/v1',
      '/api/v1/decision-events',
      '/api/auth',
      '/docs',
      '/health',
      '/metrics',
      '/.well-known',
      '/API/v1',
      '/api/%76%31/decision-events',
      '/%61pi/auth/me',
      '//api/v1',
      '/api//v1',
    ),
    segments: fc.array(oddSegment, { maxLength: 3 }),
    query: often(fc.constant(''), oddQuery, 3),
    caller: fc.constantFrom(...callerNames),
    headers: often(fc.constant({}), oddHeaders, 3),
    body: fc.constantFrom(null, null, '{}', 'x'),
  })
  .map(({ base, segments, query, ...rest }) => {
    const path = [base, ...segments].join('/') || '/'
    return { ...rest, target: query ? `${path}?${query}` : path }
  })

/** More requests for operations with large bodies, and for those where few requests succeed. */
function weightOf({ body, params, store, access }: OperationSpec): number {
  if (body === undefined) return 4
  if (params) return 14
  return store === 'batched' ? 20 : access.kind === 'public' ? 10 : 6
}

export const anyRequest = fc.oneof(
  ...operations.map((operation) => ({
    weight: weightOf(operation.spec),
    arbitrary: requestFor(operation),
  })),
  { weight: 6, arbitrary: strangerRequest },
)
