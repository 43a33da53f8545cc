/**
 * A line of the log for each failed request, and for one of `LOG_SUCCESSES` others. A caller that sends nothing but
 * failures fills no disk: beyond the limit a second they are counted, and the next line has the number.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { MemberPrincipal, Principal } from '../access/principal.ts'
import { sqlState } from '../data/transaction.ts'
import { nowMs } from '../lib/clock.ts'
import type { Problem } from '../lib/problem.ts'
import { centerOf } from './admission.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem that the response reports. */
    failure: Problem | null
  }
}

const maxFailuresASecond = 50

export function requestLog(log: Logger, successes: number): (request: FastifyRequest, reply: FastifyReply) => void {
  let [second, inSecond, notLogged, succeeded] = [0, 0, 0, 0]

  function isLogged(isFailure: boolean): boolean {
    if (!isFailure) return successes > 0 && succeeded++ % successes === 0
    const at = Math.floor(nowMs() / 1000)
    if (at !== second) [second, inSecond] = [at, 0]
    if (inSecond++ < maxFailuresASecond) return true
    notLogged++
    return false
  }

  return (request, { statusCode: status, elapsedTime }) => {
    const isFailure = status >= 400
    if (!log.isLevelEnabled('debug') && !isLogged(isFailure)) return
    const { id: requestId, principal, failure, method, routeOptions, span, trace } = request
    const traceId = (span?.trace ?? trace)?.traceId
    const line = {
      requestId,
      operation: routeOptions.config.operation ?? `${method} ${routeOptions.url ?? 'unknown'}`,
      ...{ status, ms: Math.round(elapsedTime) },
      ...placeOf(principal),
      ...(failure && { cause: failure.code }),
      ...(failure && status >= 500 && reasonOf(failure)),
      ...(traceId && { traceId }),
      ...(notLogged > 0 && { notLogged }),
    }
    notLogged = 0
    const level = status < 500 ? 'info' : status === 503 ? 'warn' : 'error'
    log[level](line, 'request')
  }
}

/** Why a request failed on our side: what its caller was told, and the error below it with its SQLSTATE. */
function reasonOf(problem: Problem): { readonly reason: string; readonly below?: string; readonly sqlState?: string } {
  let below: unknown = problem.cause
  while (below instanceof Error && below.cause instanceof Error && sqlState(below) === '') below = below.cause
  const code = sqlState(below)
  return {
    reason: problem.message,
    ...(below instanceof Error && { below: below.message }),
    ...(code !== '' && { sqlState: code }),
  }
}

export function placeOf(principal: Principal | null): { readonly center?: number; readonly cell?: string } {
  const center = centerOf(principal)
  if (center === null) return {}
  const cell = principal?.kind === 'key' ? principal.cell : (principal as MemberPrincipal).entered.cell
  return { center, cell }
}
