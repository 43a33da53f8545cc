/** Every answer that a test receives is checked against the contract: declared status, exact body, promised headers. */
import { PlatformError, ProofError } from '@countersign/contract/errors.ts'
import { errorsOf } from '@countersign/contract/openapi.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { bodyAjv } from '@countersign/server/http/validation.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape has just been validated
  readonly body: any
}

/** A fixed path before one with a parameter in its place, as the server's router chooses. */
const fixedFirst = (one: Operation, other: Operation): number =>
  one.spec.path.split('{').length - other.spec.path.split('{').length

const matchers = operations.toSorted(fixedFirst).map((operation) => ({
  operation,
  method: operation.spec.method,
  pattern: new RegExp(
    `^${fullPath(operation.spec)
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  ),
}))

export const operationFor = (method: string, path: string): Operation | undefined =>
  matchers.find((matcher) => matcher.method === method && matcher.pattern.test(path))?.operation

const isPlatformError = bodyAjv.compile(PlatformError)
const isProofError = bodyAjv.compile(ProofError)
const compiled = new Map<string, ReturnType<typeof bodyAjv.compile>>()

function successCheck(operation: Operation, status: number) {
  const key = `${operation.id} ${status}`
  let check = compiled.get(key)
  if (!check) {
    check = bodyAjv.compile(operation.bodies[status] as object)
    compiled.set(key, check)
  }
  return check
}

// The first is a line of a stack. A time, as in "10:00:00", is none.
const internals =
  /\bat (?:[^\n"]+ \()?(?:file:|node:|\/)[^\s"]+:\d+:\d+|node_modules|\bSELECT\b.+\bFROM\b|pg_catalog|violates .+ constraint|\.ts:\d+/i

export function assertKeepsContract(method: string, url: string, answer: Answer): void {
  const path = url.split('?')[0] as string
  const where = `${method} ${path} -> ${answer.status} ${answer.text.slice(0, 300)}`
  const fail = (why: string): never => {
    throw new Error(`outside the contract (${why}): ${where}`)
  }
  for (const header of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    if (!answer.headers.get(header)) fail(`no ${header}`)
  }
  const operation = operationFor(method, path)
  if (answer.status < 400) {
    if (!operation) return
    const schema = operation.bodies[answer.status]
    if (schema === undefined) fail('undeclared status')
    if (schema === null) {
      if (answer.text !== '') fail('a body where the contract promises none')
      return
    }
    if (/csv|calendar|octet-stream|tar/.test(operation.spec.contentType ?? '')) return
    const check = successCheck(operation, answer.status)
    const lines = operation.spec.contentType === 'application/x-ndjson'
    for (const body of lines ? (answer.body ?? []) : [answer.body]) if (!check(body)) fail(JSON.stringify(check.errors))
    return
  }
  const proof = /^\/api\/v1(\/|$)/.test(path)
  if (!(proof ? isProofError : isPlatformError)(answer.body)) fail('not the error shape of its surface')
  if (internals.test(answer.text)) fail('exposes internals')
  // A replayed refusal carries the request id of the first refusal.
  const replayed = answer.headers.get('idempotency-replayed') !== null
  if (proof && !replayed && answer.body.error.requestId !== answer.headers.get('x-request-id'))
    fail('another request id')
  if (!operation) return
  const codes: readonly string[] = errorsOf(operation).get(answer.status) ?? fail('undeclared error status')
  if (!codes.includes(answer.body.error.code)) fail(`undeclared code; declared are ${codes.join(', ')}`)
}
